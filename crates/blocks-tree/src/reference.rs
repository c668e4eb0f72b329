//! References in the content of blocks.

use crate::{
    body::{Body, Fields},
    kind::Kind,
    rich_text::{MarkKind, MentionKind, RichText},
};
use octavo_core_model::id::{BlockId, ChartId, DatabaseId, FileId, FormId, PageId, TeamId, UserId, ViewId};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

/// Something outside the page that a block refers to. The source of an instance is not included: it is a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// A mentioned account.
    User(UserId),
    /// A mentioned team.
    Team(TeamId),
    /// A mentioned page, or one that the block stands for.
    Page(PageId),
    /// A mentioned database, or one that the block shows.
    Database(DatabaseId),
    /// A view of a database that the block shows.
    View(ViewId),
    /// A chart that the block shows.
    Chart(ChartId),
    /// A form that the block shows.
    Form(FormId),
    /// A file that the block shows.
    File(FileId),
}

impl Body {
    /// All references.
    pub fn references(&self) -> BTreeSet<Reference> {
        let mut found = BTreeSet::new();
        for part in [self.fields(), self.properties()] {
            found.extend(part.iter().filter_map(|(key, value)| pointed_to(key, value)));
        }
        for text in self.texts() {
            found.extend(text.marks().iter().filter_map(|mark| mentioned(&mark.kind)));
        }
        found
    }

    /// The references that another body of the block does not have, each with its field.
    pub(crate) fn new_references(&self, before: Option<&Self>) -> Vec<(Reference, &'static str)> {
        let mut new = self.references();
        if !new.is_empty()
            && let Some(before) = before
        {
            let old = before.references();
            new.retain(|reference| !old.contains(reference));
        }
        new.into_iter().map(|reference| (reference, self.field_of(reference))).collect()
    }

    /// The field of the block that holds a reference.
    fn field_of(&self, reference: Reference) -> &'static str {
        let is_in = |part: &Fields| part.iter().any(|(key, value)| pointed_to(key, value) == Some(reference));
        match reference {
            Reference::View(_) if is_in(self.properties()) => "properties.viewId",
            Reference::View(_) => "content.viewId",
            Reference::Chart(_) => "content.chartId",
            Reference::Form(_) => "content.formId",
            Reference::File(_) => "content.fileId",
            Reference::Page(_) if is_in(self.fields()) => "content.pageId",
            Reference::Database(_) if is_in(self.fields()) => "content.databaseId",
            Reference::User(_) | Reference::Team(_) | Reference::Page(_) | Reference::Database(_) => {
                if self.cells().is_some() { "content.rows" } else { "content.marks" }
            }
        }
    }
}

/// What is copied, with the ids of the copies.
#[derive(Clone, Debug, Default)]
pub struct CopiedIds {
    /// Pages, databases as nodes of the tree, and pages of records.
    pub pages: BTreeMap<PageId, PageId>,
    /// Views of the databases.
    pub views: BTreeMap<ViewId, ViewId>,
    /// Charts of the databases.
    pub charts: BTreeMap<ChartId, ChartId>,
}

impl CopiedIds {
    /// The id of the copy of a page, a database, a view or a chart.
    fn of(&self, id: &str) -> Option<String> {
        let page = || id.parse().ok().and_then(|id: PageId| self.pages.get(&id)).map(ToString::to_string);
        let database = || {
            let copy = id.parse().ok().and_then(|id: DatabaseId| self.pages.get(&id.node()));
            copy.map(|copy| copy.as_database().to_string())
        };
        let view = || id.parse().ok().and_then(|id: ViewId| self.views.get(&id)).map(ToString::to_string);
        let chart = || id.parse().ok().and_then(|id: ChartId| self.charts.get(&id)).map(ToString::to_string);
        page().or_else(database).or_else(view).or_else(chart)
    }
}

/// The id of the copy, or the same id if it is kept, or `None`.
fn renamed(id: &str, copies: &CopiedIds, keep_others: bool) -> Option<String> {
    copies.of(id).or_else(|| keep_others.then(|| id.to_owned()))
}

/// The reference in a field of content or properties.
fn pointed_to(key: &str, value: &Value) -> Option<Reference> {
    fn id<I: FromStr>(value: &Value) -> Option<I> {
        value.as_str()?.parse().ok()
    }
    match key {
        "fileId" => id(value).map(Reference::File),
        "pageId" => id(value).map(Reference::Page),
        "databaseId" => id(value).map(Reference::Database),
        "viewId" => id(value).map(Reference::View),
        "chartId" => id(value).map(Reference::Chart),
        "formId" => id(value).map(Reference::Form),
        _ => None,
    }
}

/// How many references were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedReferences {
    /// Mentions that became plain text.
    pub mentions: usize,
    /// Link targets, such as pages and files.
    pub targets: usize,
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
    /// The database that the block shows, and the view in which it does.
    pub fn shown_database(&self) -> Option<(DatabaseId, Option<ViewId>)> {
        if !matches!(self.kind(), Kind::Database | Kind::LinkedDatabase | Kind::ChildDatabase) {
            return None;
        }
        let references = self.references();
        let database = references.iter().find_map(|reference| match reference {
            Reference::Database(id) => Some(*id),
            _ => None,
        });
        let view = references.iter().find_map(|reference| match reference {
            Reference::View(id) => Some(*id),
            _ => None,
        });
        database.map(|database| (database, view))
    }

    /// The pages that links in its texts lead to: the address ends with the id of a page.
    pub fn linked_pages(&self) -> BTreeSet<PageId> {
        let marks = self.texts().iter().flat_map(RichText::marks);
        marks
            .filter_map(|mark| match &mark.kind {
                MarkKind::Link { url } => url.split(['?', '#']).next()?.rsplit('/').next()?.parse().ok(),
                _ => None,
            })
            .collect()
    }

    /// A copy of the block whose references to copied pages, databases, views and charts point to the copies. Other references
    /// are kept or removed.
    #[must_use]
    pub fn with_copied_references(&self, copies: &CopiedIds, keep_others: bool) -> Self {
        let mut copy = self.clone();
        if self.references().is_empty() {
            return copy;
        }
        for (key, value) in copy.keys_mut().into_iter().flat_map(Fields::iter_mut) {
            if ["fileId", "formId"].contains(&key) && !keep_others {
                *value = Value::Null;
            }
            if ["pageId", "databaseId", "viewId", "chartId"].contains(&key) {
                let renamed = value.as_str().and_then(|id| renamed(id, copies, keep_others));
                *value = renamed.map_or(Value::Null, Value::String);
            }
        }
        for text in copy.texts_mut() {
            text.point_to_copies(copies, keep_others);
        }
        copy
    }

    /// A copy of the block without references to things that do not exist.
    #[must_use]
    pub fn keeping(&self, is_there: &dyn Fn(Reference) -> bool) -> (Self, RemovedReferences) {
        let mut copy = self.clone();
        let mut removed = RemovedReferences::default();
        for (key, value) in copy.keys_mut().into_iter().flat_map(Fields::iter_mut) {
            if pointed_to(key, value).is_some_and(|reference| !is_there(reference)) {
                *value = Value::Null;
                removed.targets += 1;
            }
        }
        for text in copy.texts_mut() {
            let before = text.marks().len();
            text.retain_marks(|mark| mentioned(&mark.kind).is_none_or(is_there));
            removed.mentions += before - text.marks().len();
        }
        (copy, removed)
    }

    /// A copy of the block. If it is an instance of a copied block, it shows the copy.
    #[must_use]
    pub fn showing(&self, copies: &BTreeMap<BlockId, BlockId>) -> Self {
        match self.source().and_then(|source| copies.get(&source)) {
            Some(copy) => self.with_source(*copy),
            None => self.clone(),
        }
    }
}

impl RichText {
    /// Makes mentions of copied pages and databases point to the copies. Other mentions are kept or removed.
    pub fn point_to_copies(&mut self, copies: &CopiedIds, keep_others: bool) {
        self.retain_marks(|mark| {
            let MarkKind::Mention { id, .. } = &mut mark.kind else { return true };
            let renamed = renamed(id, copies, keep_others);
            let is_kept = renamed.is_some();
            *id = renamed.unwrap_or_default();
            is_kept
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::Kind;
    use serde_json::json;

    #[test]
    fn each_new_reference_has_the_field_that_holds_it() {
        let read = |kind, content: Value, properties: Value| {
            let body = Body::read(kind, Some(content), Some(properties), "").unwrap();
            body.new_references(None).into_iter().map(|(_, field)| field).collect::<Vec<_>>()
        };
        let (page, database, view) = (PageId::LOWEST, DatabaseId::LOWEST, ViewId::LOWEST);
        assert_eq!(read(Kind::ChildPage, json!({ "pageId": page }), json!({})), ["content.pageId"]);
        assert_eq!(read(Kind::Image, json!({ "fileId": FileId::LOWEST }), json!({})), ["content.fileId"]);
        let shown = json!({ "databaseId": database });
        let fields = ["content.databaseId", "properties.viewId"];
        assert_eq!(read(Kind::Database, shown, json!({ "viewId": view })), fields);
        let shown = json!({ "databaseId": database, "viewId": view });
        assert_eq!(read(Kind::LinkedDatabase, shown, json!({})), ["content.databaseId", "content.viewId"]);
        let mention =
            json!({ "type": "mention", "from": 0, "to": 1, "attrs": { "mentionType": "page", "mentionId": page } });
        let text = json!({ "text": "a", "marks": [mention] });
        assert_eq!(read(Kind::Quote, text.clone(), json!({})), ["content.marks"]);
        assert_eq!(read(Kind::Table, json!({ "rows": [[text.clone()]] }), json!({})), ["content.rows"]);
        let quote = Body::read(Kind::Quote, Some(text), None, "").unwrap();
        assert!(quote.new_references(Some(&quote)).is_empty());
    }

    #[test]
    fn only_what_is_not_there_is_taken_out() {
        let (there, gone) = (UserId::LOWEST, "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3");
        let mention = |from: usize, id: &str| json!({ "type": "mention", "from": from, "to": from + 1, "attrs": { "mentionType": "user", "mentionId": id } });
        let content = json!({ "text": "abc", "marks": [mention(0, &there.to_string()), mention(1, gone), { "type": "bold", "from": 0, "to": 3 }] });
        let body = Body::read(Kind::Paragraph, Some(content.clone()), None, "").unwrap();
        let is_there = |reference| reference == Reference::User(there);
        let (kept, removed) = body.keeping(&is_there);
        assert_eq!(kept.references(), BTreeSet::from([Reference::User(there)]));
        assert_eq!((kept.text().unwrap().marks().len(), removed), (2, RemovedReferences { mentions: 1, targets: 0 }));
        let table = json!({ "rows": [[content]] });
        let table = Body::read(Kind::Table, Some(table), None, "").unwrap();
        assert_eq!(table.keeping(&is_there).1.mentions, 1);
        let pointer = Body::read(Kind::ChildPage, Some(json!({ "pageId": PageId::LOWEST })), None, "").unwrap();
        let (pointer, removed) = pointer.keeping(&|_| false);
        assert_eq!(
            (pointer.content()["pageId"].clone(), removed),
            (Value::Null, RemovedReferences { mentions: 0, targets: 1 })
        );
        assert_eq!(body.keeping(&|_| true), (body, RemovedReferences::default()));
    }

    #[test]
    fn copies_of_blocks_show_copies_of_databases_and_views() {
        let (database, view) = (DatabaseId::new(1, [1; 10]), ViewId::new(1, [1; 10]));
        let (copy, its_view) = (DatabaseId::new(2, [2; 10]), ViewId::new(2, [2; 10]));
        let copies = CopiedIds {
            pages: [(database.node(), copy.node())].into(),
            views: [(view, its_view)].into(),
            ..CopiedIds::default()
        };
        let marks = json!([{ "type": "mention", "from": 0, "to": 1, "attrs": { "mentionType": "database", "mentionId": database } }]);
        let text = Body::read(Kind::Paragraph, Some(json!({ "text": "A", "marks": marks })), None, "").unwrap();
        let shown = Body::read(Kind::LinkedDatabase, Some(json!({ "databaseId": database, "viewId": view })), None, "");
        for keep_others in [true, false] {
            let text = text.with_copied_references(&copies, keep_others);
            assert_eq!(text.references(), [Reference::Database(copy)].into());
            let shown = shown.as_ref().unwrap().with_copied_references(&copies, keep_others);
            assert_eq!(shown.references(), [Reference::Database(copy), Reference::View(its_view)].into());
            let others = shown.with_copied_references(&CopiedIds::default(), keep_others);
            assert_eq!(others.references().len(), if keep_others { 2 } else { 0 });
        }
    }
}
