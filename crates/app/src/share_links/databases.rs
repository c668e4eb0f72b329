//! Databases and records as a link shows them.

use super::{
    Key, Opened,
    node::Node,
    open::open,
    people::{SharedPeople, people_in},
    reach,
};
use crate::{
    call::Call,
    databases::ordered_views,
    engine::Engine,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    queries::{self, OpenDatabase, QueryRequest, QueryResult, Sources, Viewer, prepare},
    records::{Extent, RecordDetails},
    relations::{Reader, covered_databases},
    scope::View,
};
use octavo_core_model::{Fault, database::Database, id::DatabaseId, page::Page, share_link::ShareLink};
use octavo_databases::{PropertyType, Schema, views};
use octavo_ports::records::RecordFilter;
use std::{collections::BTreeSet, sync::Arc};

/// A database as a link shows it.
#[derive(Clone, Debug)]
pub struct SharedDatabase {
    pub link: ShareLink,
    /// Its node in the tree.
    pub node: Page,
    pub database: Database,
    /// The pages and databases above it, starting with the page of the link.
    pub ancestors: Vec<Node>,
    /// Without properties that name who wrote a record.
    pub schema: Arc<Schema>,
    pub views: Vec<views::View>,
    /// How many records it has that are not archived.
    pub record_count: u64,
    /// The databases that its relations lead to and that the link shows.
    pub targets: BTreeSet<DatabaseId>,
}

/// Returns a database that a link shows, with its properties and views.
pub async fn database(view: &mut View, key: Key, id: Draft<DatabaseId>) -> AppResult<SharedDatabase> {
    let (found, database) = find(view, &key, id).await?;
    let reach::Found { link, page: node, ancestors } = found;
    let full = schema_of(view, &database).await?;
    let views = ordered_views(view, link.workspace, &full).await?;
    let targets: Vec<_> = full.relation_targets().collect();
    let targets = covered_databases(view, &link, &targets).await?;
    let counts = view.tx.databases().count_records(link.workspace, &[database.id]).await?;
    let record_count = if link.include_children { counts.first().map_or(0, |(_, count)| *count) } else { 0 };
    Ok(SharedDatabase { link, node, database, ancestors, schema: public(&full), views, record_count, targets })
}

async fn find(view: &mut View, key: &Key, id: Draft<DatabaseId>) -> AppResult<(reach::Found, Database)> {
    let Opened { link, page } = open(view, key).await?;
    let id = id.map_err(|_| Fault::NotFound)?;
    let found = reach::find(view, link, page, id.into()).await?;
    let database = view.tx.databases().find(found.link.workspace, id).await?.ok_or(Fault::NotFound)?;
    Ok((found, database))
}

/// The schema without the properties that name who wrote a record: a link does not show that.
pub(super) fn public(schema: &Schema) -> Arc<Schema> {
    let is_shown = |kind: PropertyType| !matches!(kind, PropertyType::CreatedBy | PropertyType::LastEditedBy);
    let shown = schema.properties().iter().filter(|property| is_shown(property.kind())).cloned();
    Arc::new(Schema::from_stored(schema.database(), schema.version(), schema.next_slot(), shown.collect()))
}

/// What a query found, as a link shows it.
#[derive(Clone, Debug)]
pub struct SharedQueryResult {
    pub link: ShareLink,
    pub result: QueryResult,
    /// The people that values name.
    pub people: SharedPeople,
}

/// Runs a query over the records of a database, as far as a link shows them.
pub async fn query(
    engine: &Engine,
    call: Call,
    key: Key,
    id: Draft<DatabaseId>,
    wanted: Draft<QueryRequest>,
) -> AppResult<SharedQueryResult> {
    let prepare = engine.read(call.clone(), move |view| {
        Box::pin(async move {
            let (reach::Found { link, page, .. }, database) = find(view, &key, id).await?;
            let schema = public(&*schema_of(view, &database).await?);
            let open = OpenDatabase { viewer: Viewer::Link(link.clone()), title: page.title, database, schema };
            Ok((link, prepare(view, open, wanted, Sources::Memory).await?))
        })
    });
    let (link, prepared) = prepare.await?;
    let result = queries::find(engine, call.clone(), prepared).await?;
    let add_people = engine.read(call, move |view| {
        Box::pin(async move {
            let wanted: BTreeSet<_> = result.select.iter().copied().collect();
            let people = people_in(view, result.records.values(), &|property| wanted.contains(&property)).await?;
            Ok(SharedQueryResult { link, result, people })
        })
    });
    add_people.await
}

/// The first records that a link shows, with at most this many links of each relation.
pub(super) async fn list(
    view: &mut View,
    link: &ShareLink,
    database: &Database,
    schema: &Arc<Schema>,
    limit: u32,
    links: u32,
) -> AppResult<Vec<RecordDetails>> {
    if !link.include_children {
        return Ok(Vec::new());
    }
    let reader = Reader::Link(link);
    let within = reader.records_within(view, link.workspace, database.id).await?;
    let filter = RecordFilter { with_archived: false, parent: None, within };
    let records = view.tx.records().list(link.workspace, database.id, &filter, None, limit).await?;
    RecordDetails::load_for(
        view,
        link.workspace,
        reader,
        records,
        schema,
        Extent { most_links: Some(links), ..Extent::default() },
    )
    .await
}
