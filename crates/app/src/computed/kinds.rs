//! What formulas and rollups compute, for settings that have to suit it.

use super::plan::{is_computed, plan};
use crate::{outcome::AppResult, relations::Reader, scope::Scope};
use octavo_core_model::id::{PropertyId, WorkspaceId};
use octavo_databases::{Schema, types::FilterKind};
use octavo_formula::Types;
use octavo_ports::store::Reads;
use std::{collections::BTreeMap, sync::Arc};

/// For each of these properties that is computed and whose values all have one type: how they are compared. No statement
/// if none is computed from another database.
pub(crate) async fn kinds_of<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    reader: Reader<'_>,
    schema: &Arc<Schema>,
    properties: Vec<PropertyId>,
) -> AppResult<BTreeMap<PropertyId, FilterKind>> {
    let computed: Vec<_> = properties.into_iter().filter(|id| schema.property(*id).is_some_and(is_computed)).collect();
    let plan = plan(scope, workspace, reader, schema, computed.iter().copied()).await?;
    let steps = plan.steps.iter().filter(|step| computed.contains(&step.property));
    Ok(steps.filter_map(|step| Some((step.property, kind_of(step.types)?))).collect())
}

fn kind_of(types: Types) -> Option<FilterKind> {
    let kinds = [
        (Types::NUMBER, FilterKind::Number),
        (Types::TEXT, FilterKind::Text),
        (Types::BOOLEAN, FilterKind::Checkbox),
        (Types::DATE, FilterKind::Date),
    ];
    kinds.into_iter().find(|(only, _)| types == *only).map(|(_, kind)| kind)
}
