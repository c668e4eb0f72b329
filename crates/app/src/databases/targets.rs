//! The databases that relations lead to.

use crate::{
    outcome::AppResult,
    page_access::{lineage::need, look_up_node},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    fault::Conflict,
    id::{DatabaseId, WorkspaceId},
};
use octavo_databases::{
    schema::{Effect, Effects},
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
    Ok(())
}
