//! Saved versions of a page: listing, reading, saving on request, comparing and restoring. All of this requires the
//! right to edit the page.

mod compare;
mod keep;
mod read;
mod restore;

pub use compare::{Comparison, FieldChange, compare};
pub use keep::{MAX_LABELLED, NewVersion, Relabelling, create, relabel};
pub use read::{VersionList, get, list};
pub use restore::{Restoration, Restored, restore};

use super::{
    enter,
    lineage::{Visible, find, need},
    lock,
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    id::{PageId, PageVersionId},
    page::{Page, PageVersion},
};
use octavo_permissions::Authority;

/// A caller that works with the versions of a page.
struct Editor {
    caller: WorkspaceCaller,
    authority: Authority,
}

impl Editor {
    async fn enter(unit: &mut Unit) -> AppResult<Self> {
        let (caller, authority) = enter(unit, RouteAccess::PAGES_CHANGE).await?;
        Ok(Self { caller, authority })
    }

    /// Locks the page of a call.
    async fn open<'a>(&'a self, unit: &mut Unit, page: &Draft<PageId>) -> AppResult<Visible<'a>> {
        let Some(seen) = lock(unit, self.caller.workspace, &self.authority, page).await? else {
            return Err(unit.absent().await);
        };
        need(&self.authority, seen.lineage.level(), Level::Edit)?;
        Ok(seen)
    }
}

/// Finds the version that a change names.
async fn version_of(unit: &mut Unit, page: &Page, id: Draft<PageVersionId>) -> AppResult<PageVersion> {
    let found = match id {
        Ok(id) => unit.tx.histories().find_version(page.workspace, page.id, id).await?,
        Err(_) => None,
    };
    match found {
        Some(version) => Ok(version),
        None => Err(unit.absent().await),
    }
}

/// The page whose versions are read, and the reader's authority.
async fn enter_to_read(view: &mut View, page: &Draft<PageId>) -> AppResult<(Authority, Page)> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, page).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::Edit)?;
    let page = seen.page;
    Ok((authority, page))
}

/// Finds the version that a reading call names.
async fn find_version(view: &mut View, page: &Page, id: Draft<PageVersionId>) -> AppResult<PageVersion> {
    let Ok(id) = id else { return Err(Fault::NotFound.into()) };
    let found = view.tx.histories().find_version(page.workspace, page.id, id).await?;
    found.ok_or_else(|| Fault::NotFound.into())
}
