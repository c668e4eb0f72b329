//! List items: their kind, and the content of their block.

use crate::{Body, Kind, RichText};

/// The marker of tasks that are neither done nor not done. That is different from not done, but looks the same.
pub(in crate::markdown) const UNDECIDED: u8 = b'+';

/// Additional state of an open block, by type.
pub(super) enum Shell {
    Quote { has_text: bool },
    Item(Item),
    Directive,
}

pub(super) struct List {
    /// The number of the first item; the others have none.
    first: Option<u64>,
    is_numbered: bool,
}

impl List {
    pub(super) const fn new(first: Option<u64>) -> Self {
        Self { first, is_numbered: first.is_some() }
    }

    pub(super) fn next(&mut self, sign: Option<u8>) -> Item {
        let form = if self.is_numbered {
            Form::Numbered { start: self.first.take().filter(|first| *first != 1) }
        } else {
            Form::Bulleted
        };
        Item { form, sign, has_text: false }
    }
}

pub(super) struct Item {
    form: Form,
    sign: Option<u8>,
    pub(super) has_text: bool,
}

enum Form {
    Bulleted,
    Numbered { start: Option<u64> },
    Task { checked: Option<bool> },
}

impl Item {
    pub(super) fn make_task(&mut self, is_done: bool) {
        let checked = if !is_done && self.sign == Some(UNDECIDED) { None } else { Some(is_done) };
        self.form = Form::Task { checked };
    }

    pub(super) fn body(&self, text: RichText) -> Body {
        match self.form {
            Form::Bulleted => Body::with_text(Kind::BulletedList, text),
            Form::Numbered { start } => {
                let body = Body::with_text(Kind::NumberedList, text);
                if let Some(start) = start { body.with_field("start", start.into()) } else { body }
            }
            Form::Task { checked } => {
                let body = Body::with_text(Kind::Todo, text);
                if let Some(checked) = checked { body.with_property("checked", checked.into()) } else { body }
            }
        }
    }
}
