//! Adding several properties to a database along with its first values.

use super::{
    access::{SeenDatabase, require_in_use},
    faults::of_schema,
    properties::save,
    schemas::LockedSchemas,
    targets::require_targets,
};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{database::Database, id::PropertyId};
use octavo_databases::{Schema, schema::PropertyDraft};
use octavo_permissions::Authority;

/// Adds properties to a database that the caller may edit, and returns it with its new schema. The workspace is locked,
/// and the database is in use and locked.
pub(crate) async fn add_properties(
    unit: &mut Unit,
    authority: &Authority,
    seen: &SeenDatabase<'_>,
    drafts: Vec<PropertyDraft>,
) -> AppResult<(Database, Schema)> {
    require_in_use(seen)?;
    let id = seen.database.id;
    let configs = drafts.iter().map(|draft| &draft.config);
    let targets = require_targets(unit, seen.database.workspace, authority, configs).await?;
    let mut locked = LockedSchemas::of(unit, seen, targets).await?;
    for draft in drafts {
        let property = unit.id(PropertyId::new);
        let effects = locked.schemas.add(id, property, draft, unit.call.now).map_err(of_schema)?;
        save(unit, seen, &mut locked, &effects).await?;
    }
    Ok((locked.database(id)?.clone(), locked.schema(id)?.clone()))
}
