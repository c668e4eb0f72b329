//! Changing schemas, and saving what a change of one means for the rows of the store.

use crate::{
    databases::access::SeenDatabase,
    loaded_schemas::{schema, schema_of},
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    database::Database,
    id::{DatabaseId, PropertyId, WorkspaceId},
};
use octavo_databases::{
    Property, PropertyType, Schema,
    fault::{Refusal, SchemaFault},
    schema::{Effect, Effects, Schemas},
    types::Side,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Databases whose schemas change together, locked in the order of their ids.
pub(super) struct LockedSchemas {
    workspace: WorkspaceId,
    databases: BTreeMap<DatabaseId, Database>,
    pub(super) schemas: Schemas,
}

impl LockedSchemas {
    /// Locks databases and reads their schemas. The workspace must be locked, so that no other unit changes which
    /// databases are related.
    pub(super) async fn lock(unit: &mut Unit, workspace: WorkspaceId, ids: BTreeSet<DatabaseId>) -> AppResult<Self> {
        let mut databases = BTreeMap::new();
        for id in &ids {
            if let Some(database) = unit.tx.databases().lock(workspace, *id).await? {
                databases.insert(*id, database);
            }
        }
        let ids: Vec<_> = databases.keys().copied().collect();
        let mut properties: BTreeMap<DatabaseId, Vec<Property>> = BTreeMap::new();
        if !ids.is_empty() {
            for property in unit.tx.databases().list_properties(workspace, &ids).await? {
                properties.entry(property.database).or_default().push(property);
            }
        }
        let mut read = |database: &Database| schema(database, properties.remove(&database.id).unwrap_or_default());
        let schemas = databases.values().map(&mut read).collect();
        Ok(Self { workspace, databases, schemas })
    }

    /// A database and all databases that are related to it, in either direction, or are about to be.
    pub(super) async fn of(
        unit: &mut Unit,
        seen: &SeenDatabase<'_>,
        new_targets: BTreeSet<DatabaseId>,
    ) -> AppResult<Self> {
        let workspace = seen.database.workspace;
        let mut ids = related(unit, workspace, seen.database.id).await?;
        ids.extend(new_targets);
        Self::lock(unit, workspace, ids).await
    }

    /// The same, and all databases with rollups and formulas that use this property through others. All of them are found
    /// before the first is locked, so that they are locked in the order of their ids.
    pub(super) async fn with_dependents(
        unit: &mut Unit,
        seen: &SeenDatabase<'_>,
        property: PropertyId,
    ) -> AppResult<Self> {
        let (workspace, id) = (seen.database.workspace, seen.database.id);
        let mut ids = related(unit, workspace, id).await?;
        let mut searched = BTreeSet::from([id]);
        let mut known = BTreeMap::new();
        loop {
            find_schemas(unit, workspace, &ids, &mut known).await?;
            let schemas: Schemas = known.values().map(|schema: &Arc<Schema>| (**schema).clone()).collect();
            let below = schemas.databases_below(id, property);
            let open: Vec<_> = below.difference(&searched).copied().collect();
            if open.is_empty() {
                return Self::lock(unit, workspace, ids).await;
            }
            for database in open {
                ids.extend(related(unit, workspace, database).await?);
                searched.insert(database);
            }
        }
    }

    pub(super) fn schema(&self, id: DatabaseId) -> Result<&Schema, Fault> {
        self.schemas.get(id).ok_or(Fault::NotFound)
    }

    /// All databases that are locked.
    pub(super) fn ids(&self) -> Vec<DatabaseId> {
        self.databases.keys().copied().collect()
    }

    /// A refusal that names only dependents in these databases.
    pub(super) fn naming_dependents_in(&self, visible: &BTreeSet<DatabaseId>, fault: SchemaFault) -> SchemaFault {
        let SchemaFault::Refused(Refusal::HasDependents(mut dependents)) = fault else { return fault };
        let holds = |id: &DatabaseId, property| self.schemas.get(*id).is_some_and(|of| of.property(property).is_some());
        dependents.retain(|property| visible.iter().any(|id| holds(id, *property)));
        Refusal::HasDependents(dependents).into()
    }

    /// A locked database.
    pub(super) fn database(&self, id: DatabaseId) -> Result<&Database, Fault> {
        self.databases.get(&id).ok_or(Fault::NotFound)
    }

    /// Adds the row of a database that this unit creates. Its schema is added when it is made.
    pub(super) fn insert(&mut self, database: Database) {
        self.databases.insert(database.id, database);
    }

    /// Writes the changed properties, and the new state of each schema.
    pub(super) async fn save(&mut self, unit: &mut Unit, effects: &Effects) -> AppResult<()> {
        let now = unit.call.now;
        for id in effects.databases() {
            let Some(schema) = self.schemas.get(id) else { continue };
            let Some(database) = self.databases.get_mut(&id) else { continue };
            database.schema.version = schema.version();
            database.schema.next_slot = schema.next_slot();
            database.schema.changed_at = now;
            if effects.iter().any(|(of, effect)| of == id && rewrites_records(schema, effect)) {
                database.schema.epoch += 1;
            }
            database.updated_at = now;
            unit.tx.databases().save(database).await?;
        }
        let mut added = Vec::new();
        for (id, effect) in effects.iter() {
            let Some(schema) = self.schemas.get(id) else { continue };
            match effect {
                Effect::Added(property) => added.extend(schema.property(*property).cloned()),
                Effect::Updated(property) => {
                    if let Some(property) = schema.property(*property) {
                        unit.tx.databases().save_property(self.workspace, property).await?;
                    }
                }
                Effect::Removed(property) => {
                    unit.tx.databases().remove_property(self.workspace, id, property.id).await?;
                }
                // The values are read without the options from now on.
                Effect::OptionsRemoved { .. } | Effect::CardinalityNarrowed(_) => {}
            }
        }
        if !added.is_empty() {
            unit.tx.databases().insert_properties(self.workspace, &added).await?;
        }
        Ok(())
    }
}

/// A database and all databases that are related to it, in either direction.
async fn related(unit: &mut Unit, workspace: WorkspaceId, id: DatabaseId) -> AppResult<BTreeSet<DatabaseId>> {
    let own = unit.tx.databases().list_properties(workspace, &[id]).await?;
    let targets = own.iter().filter_map(|property| property.config.relation()).map(|relation| relation.target);
    let mut ids: BTreeSet<_> = targets.chain([id]).collect();
    ids.extend(unit.tx.databases().list_related(workspace, id).await?);
    Ok(ids)
}

/// Reads the schemas of these databases that are not known yet, without locks.
async fn find_schemas(
    unit: &mut Unit,
    workspace: WorkspaceId,
    ids: &BTreeSet<DatabaseId>,
    known: &mut BTreeMap<DatabaseId, Arc<Schema>>,
) -> AppResult<()> {
    let new: Vec<_> = ids.iter().filter(|id| !known.contains_key(id)).copied().collect();
    for database in unit.tx.databases().list_by_id(workspace, &new).await? {
        known.insert(database.id, schema_of(unit, &database).await?);
    }
    Ok(())
}

/// Whether records get other values without events: those whose options are taken away, those that get a number because
/// the database begins to show numbers, and those that show links of a relation because it gets another side.
fn rewrites_records(schema: &Schema, effect: &Effect) -> bool {
    match effect {
        Effect::OptionsRemoved { .. } => true,
        Effect::Added(id) => schema.property(*id).is_some_and(|added| {
            let is_reverse = added.config.relation().is_some_and(|relation| relation.side == Side::Reverse);
            is_reverse || added.kind() == PropertyType::UniqueId
        }),
        Effect::Updated(_) | Effect::Removed(_) | Effect::CardinalityNarrowed(_) => false,
    }
}
