//! Reading schemas.

use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::database::Database;
use octavo_databases::{Property, Schema};
use octavo_ports::store::Reads;
use std::sync::Arc;

/// The schema of a database. No statement if the current one was read before. Units that have changed the schema must
/// not call this: what they have written may be undone.
pub(crate) async fn schema_of<T: Reads + ?Sized>(scope: &mut Scope<T>, database: &Database) -> AppResult<Arc<Schema>> {
    if let Some(schema) = scope.schemas().get(database) {
        return Ok(schema);
    }
    let properties = scope.tx.databases().list_properties(database.workspace, &[database.id]).await?;
    let schema = Arc::new(schema(database, properties));
    scope.schemas().put(database, Arc::clone(&schema));
    Ok(schema)
}

/// The schema with these properties.
pub(crate) fn schema(database: &Database, properties: Vec<Property>) -> Schema {
    let state = database.schema;
    Schema::from_stored(database.id, state.version, state.next_slot, properties)
}
