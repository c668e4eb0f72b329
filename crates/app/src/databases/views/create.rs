//! Creating a view.

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
    position::Position,
};
use octavo_databases::{
    query::Columns,
    views::{View, ViewDraft},
};
use serde_json::{Map, Value};

/// Creates a view. What was sent is read with the schema of the database.
pub async fn create_view(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    sent: Draft<Map<String, Value>>,
) -> AppResult<ViewDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let locked = LockedViews::lock(unit, &caller, &authority, &id).await?;
    let Some(locked) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    let sent = sent?;
    require_in_use(&locked.seen)?;
    let draft = ViewDraft::read(sent, Columns::by_id(&locked.schema)).map_err(of_view)?;
    let id = locked.seen.database.id;
    require_known_objects(unit, caller.workspace, id, None, &draft.config).await?;
    View::check_room(locked.views.len()).map_err(of_view)?;
    let last = locked.views.last().map(|view| &view.position);
    let position = draft.position.clone().unwrap_or_else(|| Position::after(last));
    let (now, database) = (unit.call.now, locked.seen.database.id);
    let view = draft.made(unit.id(ViewId::new), database, position, now);
    unit.tx.databases().insert_views(caller.workspace, database, &[view.to_stored()]).await?;
    locked.report(unit, DatabaseChange::ViewAdded, view.id).await?;
    with_count(unit, caller.workspace, view).await
}
