//! Events of databases.

use crate::scope::Unit;
use octavo_core_model::{
    event::{
        EventPayload, FieldChanges,
        databases::{DatabaseChange, DatabaseUpdated},
    },
    id::{PropertyId, ViewId},
    page::Page,
};
use octavo_databases::schema::{Effect, Effects};

/// Reports a change of fields of a database.
pub(super) fn emit_updated(unit: &mut Unit, node: &Page, schema_version: i64, changes: FieldChanges) {
    let updated = DatabaseUpdated::of_fields(node, schema_version, changes);
    unit.emit(node.workspace, EventPayload::DatabaseUpdated(updated));
}

/// Reports the changes of the properties of one database, one event for each property.
pub(super) fn emit_effects(unit: &mut Unit, node: &Page, schema_version: i64, effects: &Effects) {
    let id = node.id.as_database();
    let changes: Vec<_> = effects.iter().filter(|(at, _)| *at == id).filter_map(|(_, effect)| change(effect)).collect();
    for (change, property) in changes {
        let updated = DatabaseUpdated::of_property(node, schema_version, change, property);
        unit.emit(node.workspace, EventPayload::DatabaseUpdated(updated));
    }
}

/// Reports a change of a view.
pub(super) fn emit_view(unit: &mut Unit, node: &Page, schema_version: i64, change: DatabaseChange, view: ViewId) {
    let updated = DatabaseUpdated::of_view(node, schema_version, change, view);
    unit.emit(node.workspace, EventPayload::DatabaseUpdated(updated));
}

const fn change(effect: &Effect) -> Option<(DatabaseChange, PropertyId)> {
    match effect {
        Effect::Added(property) => Some((DatabaseChange::PropertyAdded, *property)),
        Effect::Updated(property) => Some((DatabaseChange::PropertyUpdated, *property)),
        Effect::Removed(property) => Some((DatabaseChange::PropertyDeleted, property.id)),
        // The property is reported as changed.
        Effect::OptionsRemoved { .. } | Effect::CardinalityNarrowed(_) => None,
    }
}
