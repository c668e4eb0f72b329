//! Records that are parts of others.

use crate::{outcome::AppResult, relations::existing, scope::Unit};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, RecordId, WorkspaceId},
    record::MAX_DEPTH,
};
use octavo_permissions::Authority;
use std::collections::BTreeSet;

const FIELD: &str = "parentRecordId";

/// Checks that a record of this database can be a part of another one, which the caller must see. `moved` is the record, unless it is new. The
/// database must be held alone, so that nobody moves records meanwhile.
pub(super) async fn require_parent(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    database: DatabaseId,
    parent: RecordId,
    moved: Option<RecordId>,
) -> AppResult<()> {
    if existing(unit, workspace, authority, &BTreeSet::from([(database, parent)])).await?.is_empty() {
        return Err(Fault::UnknownId(FIELD).into());
    }
    let above = unit.tx.records().list_above(workspace, parent).await?;
    if moved.is_some_and(|moved| moved == parent || above.contains(&moved)) {
        return Err(Fault::from(DataProblem::in_field(DataIssue::CycleDetected, FIELD)).into());
    }
    let below = match moved {
        Some(moved) => unit.tx.records().measure_below(workspace, moved).await?,
        None => 0,
    };
    // The parent and everything above it, the record itself, and everything below it.
    let depth = u32::try_from(above.len()).unwrap_or(u32::MAX).saturating_add(2 + below);
    if depth > MAX_DEPTH { Err(Fault::from(DataProblem::in_field(DataIssue::MaxDepth, FIELD)).into()) } else { Ok(()) }
}
