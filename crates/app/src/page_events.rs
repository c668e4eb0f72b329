//! The data of a page in events.

use crate::scope::Unit;
use octavo_core_model::{
    event::{
        EventPayload, Resource,
        pages::{OfPage, PagePlace, ParentType},
    },
    page::{Page, ResourceId},
};
use serde_json::{Map, Value, json};

pub(crate) const fn resource(page: &Page) -> Resource {
    match page.resource() {
        ResourceId::Page(id) => Resource::Page(id),
        ResourceId::Database(id) => Resource::Database(id),
    }
}

/// The parent of a page as shown: its kind, and its id unless it is the root.
pub fn parent_of(page: &Page) -> (ParentType, Option<ResourceId>) {
    let parent = page.parent();
    let kind = match parent {
        None => ParentType::Workspace,
        Some(ResourceId::Page(_)) => ParentType::Page,
        Some(ResourceId::Database(_)) => ParentType::Database,
    };
    (kind, parent)
}

/// The place of a page, as events contain it.
pub(crate) fn place_of(page: &Page) -> PagePlace {
    PagePlace { parent: page.parent(), team: page.team, position: page.position.as_str().to_owned() }
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
