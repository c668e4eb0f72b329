//! Deleting a view.

use super::locked::LockedViews;
use crate::{
    access::RouteAccess,
    databases::{access::require_in_use, faults::of_view},
    outcome::{AppResult, Draft},
    page_access,
    scope::Unit,
};
use octavo_core_model::{
    event::databases::DatabaseChange,
    id::{DatabaseId, ViewId},
};
use octavo_databases::views::View;

/// Deletes a view, unless it is the only one of its database.
pub async fn delete_view(unit: &mut Unit, id: Draft<DatabaseId>, view: Draft<ViewId>) -> AppResult<()> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = LockedViews::lock(unit, &caller, &authority, &id).await?;
    let Some(mut locked) = locked else { return Err(unit.absent().await) };
    let count = locked.views.len();
    let Some((_, view)) = locked.take(view) else { return Err(unit.absent().await) };
    unit.claim().await?;
    require_in_use(&locked.seen)?;
    View::check_deletion(count).map_err(of_view)?;
    unit.tx.databases().remove_view(caller.workspace, locked.seen.database.id, view.id).await?;
    locked.report(unit, DatabaseChange::ViewDeleted, view.id).await
}
