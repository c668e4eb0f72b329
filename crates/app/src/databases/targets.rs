//! The databases that relations lead to.

use crate::{
    outcome::{AppResult, Interrupt},
    page_access::{lineage::need, look_up_node},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial},
    id::{DatabaseId, WorkspaceId},
};
use octavo_databases::{
    schema::{Effect, Effects, Schemas},
    types::PropertyConfig,
};
use octavo_permissions::Authority;
use std::collections::BTreeSet;

const FIELD: &str = "config.targetDatabaseId";

/// The databases that new properties lead to. Refuses those that the caller may not see, and those in which a property
/// would be added although the caller may not edit them.
pub(super) async fn require_targets(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    configs: impl Iterator<Item = &PropertyConfig>,
) -> AppResult<BTreeSet<DatabaseId>> {
    let mut targets = BTreeSet::new();
    for relation in configs.filter_map(PropertyConfig::relation) {
        let needed = if relation.is_bidirectional() { Level::Edit } else { Level::View };
        require_target(unit, workspace, authority, relation.target, needed).await?;
        targets.insert(relation.target);
    }
    Ok(targets)
}

/// Refuses changes that add properties to databases that the caller may not edit.
pub(super) async fn require_additions(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    changed: DatabaseId,
    effects: &Effects,
) -> AppResult<()> {
    let is_addition = |effect: &Effect| matches!(effect, Effect::Added(_));
    let concerned: BTreeSet<_> = effects.iter().filter(|(_, effect)| is_addition(effect)).map(|(id, _)| id).collect();
    for database in concerned.into_iter().filter(|id| *id != changed) {
        require_target(unit, workspace, authority, database, Level::Edit).await?;
    }
    Ok(())
}

/// Refuses changes that remove or rename properties of databases that the caller may not edit. A hidden database is
/// refused like one that the caller may only read.
pub(super) async fn require_edit_elsewhere(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    concerned: BTreeSet<DatabaseId>,
) -> AppResult<()> {
    for database in concerned {
        match look_up_node(unit, workspace, authority, database.node()).await {
            Ok(Some(seen)) => need(authority, seen.lineage.level(), Level::Edit)?,
            Ok(None) | Err(Interrupt::Fault(Fault::NotFound)) => {
                return Err(Fault::Forbidden(Denial::RequiresLevel(Level::Edit)).into());
            }
            Err(interrupt) => return Err(interrupt),
        }
    }
    Ok(())
}

/// The other databases in which a change removes or renames properties.
pub(super) fn changed_elsewhere(
    changed: DatabaseId,
    effects: &Effects,
    before: &Schemas,
    after: &Schemas,
) -> BTreeSet<DatabaseId> {
    let name = |schemas: &Schemas, database, property| {
        schemas.get(database).and_then(|schema| schema.property(property)).map(|property| property.name.clone())
    };
    let is_concerned = |(database, effect): &(DatabaseId, &Effect)| match effect {
        Effect::Removed(_) => true,
        Effect::Updated(property) => name(before, *database, *property) != name(after, *database, *property),
        Effect::Added(_) | Effect::OptionsRemoved { .. } | Effect::CardinalityNarrowed(_) => false,
    };
    let elsewhere = effects.iter().filter(|(database, _)| *database != changed);
    elsewhere.filter(is_concerned).map(|(database, _)| database).collect()
}

async fn require_target(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    target: DatabaseId,
    needed: Level,
) -> AppResult<()> {
    let unknown = || Fault::UnknownId(FIELD);
    let found = look_up_node(unit, workspace, authority, target.node()).await;
    let seen = match found {
        Ok(seen) => seen.filter(|seen| seen.page.resource() == target.into()).ok_or_else(unknown)?,
        Err(interrupt) => return Err(interrupt.naming(FIELD)),
    };
    need(authority, seen.lineage.level(), needed)?;
    if seen.page.trash.is_some() {
        return Err(Conflict::PageTrashed.into());
    }
    if needed < Level::Edit {
        return Ok(());
    }
    let database = unit.tx.databases().find(workspace, target).await?;
    let is_archived = database.is_some_and(|database| database.archived_at.is_some());
    if is_archived { Err(Conflict::DatabaseArchived.into()) } else { Ok(()) }
}
