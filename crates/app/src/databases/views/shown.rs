//! Views as callers see them.

use crate::{
    access::RouteAccess,
    databases::access::find,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    scope::{Scope, View},
};
use octavo_core_model::{
    Fault,
    id::{DatabaseId, WorkspaceId},
};
use octavo_databases::{Schema, views};
use octavo_ports::store::Reads;

/// A view with the number of its records.
#[derive(Clone, Debug)]
pub struct ViewDetails {
    pub view: views::View,
    /// How many records it shows; `None` if it has a filter.
    pub record_count: Option<u64>,
}

/// Lists the views of a database in their order.
pub async fn list_views(view: &mut View, id: Draft<DatabaseId>) -> AppResult<Vec<ViewDetails>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &seen.database).await?;
    let views = views_of(view, caller.workspace, &schema).await?;
    let record_count = count_records(view, caller.workspace, seen.database.id).await?;
    Ok(show(views, record_count))
}

/// The views of a database in their order.
pub(crate) async fn views_of<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    schema: &Schema,
) -> AppResult<Vec<views::View>> {
    let stored = scope.tx.databases().list_views(workspace, &[schema.database()]).await?;
    let mut views: Vec<_> = stored.into_iter().map(|(_, stored)| views::View::from_stored(stored, schema)).collect();
    sort(&mut views);
    Ok(views)
}

/// Sorts views by their positions, and those at the same position by their ids.
pub(super) fn sort(views: &mut [views::View]) {
    views.sort_by(|one, other| (&one.position, one.id).cmp(&(&other.position, other.id)));
}

/// Views of a database with this number of active records.
pub(in crate::databases) fn show(views: Vec<views::View>, record_count: u64) -> Vec<ViewDetails> {
    views.into_iter().map(|view| show_one(view, record_count)).collect()
}

fn show_one(view: views::View, record_count: u64) -> ViewDetails {
    let record_count = view.selection.filter.is_none().then_some(record_count);
    ViewDetails { view, record_count }
}

/// One view, with the records counted.
pub(super) async fn with_count<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    view: views::View,
) -> AppResult<ViewDetails> {
    let record_count = count_records(scope, workspace, view.database).await?;
    Ok(show_one(view, record_count))
}

pub(in crate::databases) async fn count_records<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    database: DatabaseId,
) -> AppResult<u64> {
    let counts = scope.tx.databases().count_records(workspace, &[database]).await?;
    Ok(counts.first().map_or(0, |(_, count)| *count))
}
