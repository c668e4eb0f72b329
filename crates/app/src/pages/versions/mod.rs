//! Kept versions of a page: listing and reading them, keeping one by hand, comparing, going back. All of it is for those who edit the page.

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
    engine::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Level,
    id::{PageId, PageVersionId},
    page::{Page, PageVersion},
};
use octavo_permissions::Authority;

/// Who deals with the versions of a page.
struct Editor {
    entry: WorkspaceCaller,
    authority: Authority,
}

impl Editor {
    async fn enter(unit: &mut Unit) -> AppResult<Self> {
        let (entry, authority) = enter(unit, RouteAccess::PAGES_CHANGE).await?;
        Ok(Self { entry, authority })
    }

    /// The page of a call, locked.
    async fn open<'a>(&'a self, unit: &mut Unit, page: &Draft<PageId>) -> AppResult<Visible<'a>> {
        let Some(seen) = lock(unit, self.entry.workspace, &self.authority, page).await? else {
            return Err(unit.absent().await);
        };
        need(&self.authority, seen.lineage.level(), Level::Edit)?;
        Ok(seen)
    }
}

/// The version that a change names.
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

/// The page whose versions are read, and the reader.
async fn enter_to_read(view: &mut View, page: &Draft<PageId>) -> AppResult<(Authority, Page)> {
    let (entry, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &entry, &authority, page).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::Edit)?;
    let page = seen.page;
    Ok((authority, page))
}

/// The version that a reading call names.
async fn find_version(view: &mut View, page: &Page, id: Draft<PageVersionId>) -> AppResult<PageVersion> {
    let Ok(id) = id else { return Err(Fault::NotFound.into()) };
    let found = view.tx.histories().find_version(page.workspace, page.id, id).await?;
    found.ok_or_else(|| Fault::NotFound.into())
}
