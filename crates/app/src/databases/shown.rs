//! A database as a caller sees it.

use super::{
    access::{SeenDatabase, find},
    views::{ViewDetails, count_records, show, views_of},
};
use crate::{
    access::RouteAccess,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access,
    scope::{Scope, View},
};
use octavo_core_model::{Fault, Level, database::Database, id::DatabaseId, page::Page};
use octavo_databases::Schema;
use octavo_ports::store::Reads;
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
    /// Its views in their order; `None` in lists.
    pub views: Option<Vec<ViewDetails>>,
}

/// Returns one database with its properties and views.
pub async fn get(view: &mut View, id: Draft<DatabaseId>) -> AppResult<DatabaseDetails> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    details(view, seen).await
}

/// A database with its properties and views.
pub(super) async fn details<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    seen: SeenDatabase<'_>,
) -> AppResult<DatabaseDetails> {
    let SeenDatabase { node, database } = seen;
    let schema = schema_of(scope, &database).await?;
    let views = views_of(scope, database.workspace, &schema).await?;
    let record_count = count_records(scope, database.workspace, database.id).await?;
    Ok(DatabaseDetails {
        level: node.lineage.level(),
        node: node.page,
        database,
        record_count,
        schema: Some(schema),
        views: Some(show(views, record_count)),
    })
}
