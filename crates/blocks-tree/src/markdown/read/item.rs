//! List items: their kind, and the content of their block.

use crate::{Body, Kind, RichText};
use serde_json::Value;

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

    pub(super) fn body(&self, text: &RichText) -> Body {
        let (kind, said) = match self.form {
            Form::Bulleted => (Kind::BulletedList, None),
            Form::Numbered { start } => (Kind::NumberedList, start.map(|start| ("start", Value::from(start)))),
            Form::Task { checked } => (Kind::Todo, checked.map(|checked| ("checked", Value::from(checked)))),
        };
        let body = Body::with_text(kind, text);
        let Some((key, value)) = said else { return body };
        let (mut content, mut properties) = (body.content().clone(), body.properties().clone());
        let keys = if kind == Kind::Todo { &mut properties } else { &mut content };
        keys.insert(key.to_owned(), value);
        Body::from_stored(kind, content, properties)
    }
}
