//! Changing a view.

use super::{
    locked::LockedViews,
    objects::require_known_objects,
    shown::{ViewDetails, with_count},
};
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
use octavo_databases::query::Columns;
use serde_json::{Map, Value};

/// Changes a view. What was sent is read with the schema of the database.
pub async fn change_view(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    view: Draft<ViewId>,
    sent: Draft<Map<String, Value>>,
) -> AppResult<ViewDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = LockedViews::lock(unit, &caller, &authority, &id).await?;
    let Some(mut locked) = locked else { return Err(unit.absent().await) };
    let Some((_, view)) = locked.take(view) else { return Err(unit.absent().await) };
    unit.claim().await?;
    let sent = sent?;
    require_in_use(&locked.seen)?;
    let before = view.config.clone();
    let changed = view.changed(sent, Columns::by_id(&locked.schema), unit.call.now).map_err(of_view)?;
    let Some(changed) = changed else { return with_count(unit, caller.workspace, view).await };
    let database = locked.seen.database.id;
    require_known_objects(unit, caller.workspace, database, Some(&before), &changed.config).await?;
    locked.save(unit, &changed).await?;
    locked.report(unit, DatabaseChange::ViewUpdated, changed.id).await?;
    with_count(unit, caller.workspace, changed).await
}
