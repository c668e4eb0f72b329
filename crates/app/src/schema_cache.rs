//! Schemas of databases that were read before.
//!
//! Almost every call on records needs the schema of their database, which can have hundreds of rows. A call reads the
//! row of the database anyway, and that row says which state of the schema is the current one. So a schema that is
//! kept here is used only if it is the current one, on every node.

use octavo_core_model::{
    database::{Database, SchemaState},
    id::{DatabaseId, WorkspaceId},
};
use octavo_databases::Schema;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many properties the kept schemas have together.
const MOST_PROPERTIES: usize = 50_000;

type Key = (WorkspaceId, DatabaseId);

#[derive(Debug, Default)]
pub(crate) struct SchemaCache {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    schemas: BTreeMap<Key, (SchemaState, Arc<Schema>)>,
    properties: usize,
}

impl SchemaCache {
    /// The schema of a database, if the current one is kept.
    pub(crate) fn get(&self, database: &Database) -> Option<Arc<Schema>> {
        let kept = self.kept();
        let (state, schema) = kept.schemas.get(&(database.workspace, database.id))?;
        (*state == database.schema).then(|| Arc::clone(schema))
    }

    /// Keeps a schema. When there are too many, all others are forgotten: they are read again when they are needed.
    pub(crate) fn put(&self, database: &Database, schema: Arc<Schema>) {
        let mut kept = self.kept();
        let added = schema.properties().len();
        if kept.properties + added > MOST_PROPERTIES {
            *kept = Kept::default();
        }
        kept.properties += added;
        let former = kept.schemas.insert((database.workspace, database.id), (database.schema, schema));
        kept.properties -= former.map_or(0, |(_, schema)| schema.properties().len());
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
