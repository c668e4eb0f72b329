//! What becomes of views when properties are deleted.

use super::shown::views_of;
use crate::{
    databases::{access::SeenDatabase, events::emit_view, schemas::LockedSchemas},
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{
    event::databases::DatabaseChange,
    id::{DatabaseId, PropertyId},
};
use octavo_databases::{
    Schemas,
    schema::{Effect, Effects},
    views::View,
};

/// Takes deleted properties out of the views that name them, locked ones too. `before` are the schemas that still have
/// the properties. The databases are locked, and their rows are saved by the deletion.
pub(in crate::databases) async fn forget_properties(
    unit: &mut Unit,
    seen: &SeenDatabase<'_>,
    before: &Schemas,
    locked: &LockedSchemas,
    effects: &Effects,
) -> AppResult<()> {
    let workspace = seen.database.workspace;
    for id in effects.databases() {
        let removed = removed_from(id, effects);
        let Some(schema) = before.get(id).filter(|_| !removed.is_empty()) else { continue };
        let mut changed = views_of(unit, workspace, schema).await?;
        changed.retain_mut(|view| forget(view, &removed, unit));
        if changed.is_empty() {
            continue;
        }
        let node = if id == seen.database.id {
            Some(seen.node.page.clone())
        } else {
            unit.tx.pages().find(workspace, id.node()).await?
        };
        let version = locked.schema(id)?.version();
        for view in changed {
            unit.tx.databases().save_view(workspace, id, &view.to_stored()).await?;
            if let Some(node) = &node {
                emit_view(unit, node, version, DatabaseChange::ViewUpdated, view.id);
            }
        }
    }
    Ok(())
}

fn removed_from(database: DatabaseId, effects: &Effects) -> Vec<PropertyId> {
    let own = effects.iter().filter(|(id, _)| *id == database);
    own.filter_map(|(_, effect)| match effect {
        Effect::Removed(property) => Some(property.id),
        _ => None,
    })
    .collect()
}

/// Whether the view named one of these properties.
fn forget(view: &mut View, removed: &[PropertyId], unit: &Unit) -> bool {
    let mut named = false;
    for property in removed {
        if let Some(left) = view.without_property(*property, unit.call.now) {
            *view = left;
            named = true;
        }
    }
    named
}
