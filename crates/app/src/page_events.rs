//! The data of a page in events.

use crate::scope::Unit;
use octavo_core_model::{
    event::{
        EventPayload, Resource,
        pages::{OfPage, PagePlace, ParentType},
    },
    id::PageId,
    page::{Node, Page},
};
use serde_json::{Map, Value, json};

pub(crate) fn resource(page: &Page) -> Resource {
    Resource::Page(page.id)
}

/// The parent of a page as shown: its kind, and its id if it is a page.
pub const fn parent_of(page: &Page) -> (ParentType, Option<PageId>) {
    match page.container {
        Node::Workspace(_) | Node::Team(_) => (ParentType::Workspace, None),
        Node::Page(id) => (ParentType::Page, Some(id)),
    }
}

/// The place of a page, as events contain it.
pub(crate) fn place_of(page: &Page) -> PagePlace {
    PagePlace { parent: parent_of(page).1, team: page.team, position: page.position.as_str().to_owned() }
}

/// Emits an event about a page: `emit(unit, &page, EventPayload::PageTrashed, PageTrashed { .. })`.
pub(crate) fn emit<T>(unit: &mut Unit, page: &Page, kind: impl FnOnce(OfPage<T>) -> EventPayload, more: T) {
    unit.emit(page.workspace, kind(OfPage::new(page, more)));
}

/// The values of these fields, as events contain them.
pub(crate) fn shown_fields(page: &Page, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "title" => json!(page.title),
        "icon" => json!(page.icon),
        "coverUrl" => json!(page.cover_url),
        _ => json!(page.lock.is_some()),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}
