//! A database as a caller sees it.

use super::access::find;
use crate::{
    access::RouteAccess,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    scope::View,
};
use octavo_core_model::{Fault, Level, database::Database, id::DatabaseId, page::Page};
use octavo_databases::Schema;
use std::sync::Arc;

/// A database with the fields that depend on the reader.
#[derive(Clone, Debug)]
pub struct DatabaseDetails {
    /// Its node in the tree.
    pub node: Page,
    pub level: Level,
    pub database: Database,
    /// How many records it has that are not archived.
    pub record_count: u64,
    /// Its properties; `None` in lists.
    pub schema: Option<Arc<Schema>>,
}

/// Returns one database with its properties.
pub async fn get(view: &mut View, id: Draft<DatabaseId>) -> AppResult<DatabaseDetails> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &seen.database).await?;
    let counts = view.tx.databases().count_records(caller.workspace, &[seen.database.id]).await?;
    Ok(DatabaseDetails {
        level: seen.node.lineage.level(),
        node: seen.node.page,
        database: seen.database,
        record_count: counts.first().map_or(0, |(_, count)| *count),
        schema: Some(schema),
    })
}
