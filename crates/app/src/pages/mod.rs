//! Pages: creating, reading, changing, moving and deleting them.

mod backlinks;
mod change;
mod create;
mod duplicate;
mod favorites;
mod from_document;
mod history;
pub(crate) mod lineage;
mod list;
pub mod permissions;
mod place;
mod relocate;
mod shown;
pub mod trash;
mod tree;
pub mod versions;
pub(crate) mod visibility;

pub use backlinks::{Backlink, BacklinkList, backlinks};
pub use change::{PageUpdate, update};
pub(crate) use change::{lock, look_up, require_current, require_unlocked, require_writable, shown_fields};
pub use create::{NewPage, PageOrigin, create, import};
pub use duplicate::{Copied, CopyTarget, Duplication, duplicate};
pub(crate) use duplicate::{land_or_refuse, paste};
pub use favorites::{FavoritePlace, Kept, favorite, favorites, unfavorite};
pub use from_document::{Document, ReadDocument, create_from_document};
pub(crate) use history::keep_version;
pub use list::{Opened, PageList, PublicFilter, Recent, get, list, recent};
pub use octavo_ports::blocks::ReferenceMark;
pub use place::{Anchor, Place};
pub use relocate::{Relocation, relocate};
pub(crate) use shown::one as shown_page;
pub use shown::{Ancestor, PageDetails};
pub use tree::{Branch, TreeAsked, TreeRoot, tree};

use crate::{
    access::{self, WorkspaceCaller},
    engine::{AppResult, Engine},
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Timestamp,
    event::{
        EventPayload, Resource,
        pages::{OfPage, PagePlace, ParentType},
    },
    id::PageId,
    page::{Node, Page, Visit},
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// Admits the caller of a page route and returns their authority.
pub(crate) async fn enter<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    access: access::RouteAccess,
) -> AppResult<(WorkspaceCaller, Authority)> {
    let entry = access::enter(scope, access).await?;
    let authority = access::authority_in_teams(scope, &entry).await?;
    Ok((entry, authority))
}

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
fn place_of(page: &Page) -> PagePlace {
    PagePlace { parent: parent_of(page).1, team: page.team, position: page.position.as_str().to_owned() }
}

/// Emits an event about a page: `emit(unit, &page, EventPayload::PageTrashed, PageTrashed { .. })`.
pub(crate) fn emit<T>(unit: &mut Unit, page: &Page, kind: impl FnOnce(OfPage<T>) -> EventPayload, more: T) {
    unit.emit(page.workspace, kind(OfPage::new(page, more)));
}

/// Stores visits of pages.
pub async fn note_visits(engine: &Engine, now: Timestamp, visits: Vec<Visit>) -> AppResult<()> {
    if visits.is_empty() {
        return Ok(());
    }
    engine.chore(now, move |unit| Box::pin(async move { Ok(unit.tx.pages().save_visits(&visits).await?) })).await
}
