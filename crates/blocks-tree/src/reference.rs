//! What the content of a block names.

use crate::{
    body::Body,
    rich_text::{MarkKind, MentionKind, RichText},
};
use octavo_core_model::id::{BlockId, ChartId, DatabaseId, FileId, FormId, PageId, TeamId, UserId, ViewId};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

/// Something outside the page that a block names. A source that an instance shows is not among these: it is a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    User(UserId),
    Team(TeamId),
    Page(PageId),
    Database(DatabaseId),
    View(ViewId),
    Chart(ChartId),
    Form(FormId),
    File(FileId),
}

impl Body {
    /// Everything that it names.
    pub fn references(&self) -> BTreeSet<Reference> {
        let mut found = BTreeSet::new();
        for part in [self.content(), self.properties()] {
            found.extend(id::<FileId>(part, "fileId").map(Reference::File));
            found.extend(id::<PageId>(part, "pageId").map(Reference::Page));
            found.extend(id::<DatabaseId>(part, "databaseId").map(Reference::Database));
            found.extend(id::<ViewId>(part, "viewId").map(Reference::View));
            found.extend(id::<ChartId>(part, "chartId").map(Reference::Chart));
            found.extend(id::<FormId>(part, "formId").map(Reference::Form));
        }
        for text in self.texts() {
            found.extend(text.marks().iter().filter_map(|mark| mentioned(&mark.kind)));
        }
        found
    }

    /// Every rich text in it: its own, or those of its cells.
    pub fn texts(&self) -> Vec<RichText> {
        if let Some(text) = self.text() {
            return vec![text];
        }
        let rows = self.content().get("rows").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let cells = rows.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_object);
        cells.map(RichText::from_stored).collect()
    }
}

/// The id of the copy, the id itself where it is kept, or nothing.
fn renamed(id: &Value, copies: &BTreeMap<PageId, PageId>, keep_others: bool) -> Option<Value> {
    let copy = id.as_str().and_then(|id| id.parse().ok()).and_then(|id: PageId| copies.get(&id));
    copy.map(|copy| copy.to_string().into()).or_else(|| keep_others.then(|| id.clone()))
}

fn rename_marks(text: &mut Map<String, Value>, copies: &BTreeMap<PageId, PageId>, keep_others: bool) {
    let Some(marks) = text.get_mut("marks").and_then(Value::as_array_mut) else { return };
    marks.retain_mut(|mark| match mark.get_mut("attrs").and_then(|attrs| attrs.get_mut("mentionId")) {
        None => true,
        Some(id) => match renamed(id, copies, keep_others) {
            Some(new) => {
                *id = new;
                true
            }
            None => false,
        },
    });
}

fn id<I: FromStr>(part: &Map<String, Value>, key: &str) -> Option<I> {
    part.get(key)?.as_str()?.parse().ok()
}

fn mentioned(mark: &MarkKind) -> Option<Reference> {
    let MarkKind::Mention { kind, id } = mark else { return None };
    match kind {
        MentionKind::User => id.parse().ok().map(Reference::User),
        MentionKind::Team => id.parse().ok().map(Reference::Team),
        MentionKind::Page => id.parse().ok().map(Reference::Page),
        MentionKind::Database => id.parse().ok().map(Reference::Database),
    }
}

impl Body {
    /// The pages that links in its texts lead to: an address ends in the id of a page.
    pub fn linked_pages(&self) -> BTreeSet<PageId> {
        let texts = self.texts();
        let marks = texts.iter().flat_map(RichText::marks);
        marks
            .filter_map(|mark| match &mark.kind {
                MarkKind::Link { url } => url.split(['?', '#']).next()?.rsplit('/').next()?.parse().ok(),
                _ => None,
            })
            .collect()
    }

    /// The same, but what names a page that has a copy names the copy. What else it names is kept or taken out.
    #[must_use]
    pub fn naming(&self, copies: &BTreeMap<PageId, PageId>, keep_others: bool) -> Self {
        if self.references().is_empty() {
            return self.clone();
        }
        let (mut content, mut properties) = (self.content().clone(), self.properties().clone());
        for part in [&mut content, &mut properties] {
            for (key, value) in part.iter_mut() {
                if ["fileId", "databaseId", "viewId", "chartId", "formId"].contains(&key.as_str()) && !keep_others {
                    *value = Value::Null;
                }
                if key == "pageId" {
                    *value = renamed(value, copies, keep_others).unwrap_or_default();
                }
            }
        }
        rename_marks(&mut content, copies, keep_others);
        for cell in content.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
            for cell in cell.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                rename_marks(cell, copies, keep_others);
            }
        }
        Self::from_stored(self.kind(), content, properties)
    }

    /// The same, but an instance of a block that has a copy shows the copy.
    #[must_use]
    pub fn showing(&self, copies: &BTreeMap<BlockId, BlockId>) -> Self {
        match self.source().and_then(|source| copies.get(&source)) {
            Some(copy) => self.with_source(*copy),
            None => self.clone(),
        }
    }
}
