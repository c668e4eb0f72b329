//! The views of a new database.

use super::{objects::require_known_objects, shown::sort};
use crate::{databases::faults::of_view, outcome::AppResult, scope::Unit};
use octavo_core_model::{
    id::{ViewId, WorkspaceId},
    position::Position,
};
use octavo_databases::{
    Schema,
    query::Columns,
    views::{View, ViewDraft},
};
use serde_json::Value;

/// Reads and inserts the views of a new database, which name its properties by id or name. Returns them in their order.
pub(in crate::databases) async fn insert_first(
    unit: &mut Unit,
    workspace: WorkspaceId,
    schema: &Schema,
    sent: &Value,
) -> AppResult<Vec<View>> {
    let drafts = ViewDraft::read_all(sent, Columns::by_id_or_name(schema)).map_err(of_view)?;
    let mut views = Vec::with_capacity(drafts.len());
    let mut last: Option<Position> = None;
    for draft in drafts {
        require_known_objects(unit, workspace, schema.database(), None, &draft.config).await?;
        let position = draft.position.clone().unwrap_or_else(|| Position::after(last.as_ref()));
        last = last.max(Some(position.clone()));
        let now = unit.call.now;
        views.push(draft.made(unit.id(ViewId::new), schema.database(), position, now));
    }
    let stored: Vec<_> = views.iter().map(View::to_stored).collect();
    unit.tx.databases().insert_views(workspace, schema.database(), &stored).await?;
    sort(&mut views);
    Ok(views)
}
