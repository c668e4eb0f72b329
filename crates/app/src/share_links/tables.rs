//! The first records of a database as a table, and the values of a record, to be rendered.

use super::{
    databases::{list, public},
    people::{SharedPeople, people_in},
};
use crate::{
    blocks::PageBlocks,
    databases::ordered_views,
    loaded_schemas::schema_of,
    outcome::AppResult,
    record_values::{title_of, values_of},
    records::{Extent, RecordDetails},
    relations::{Reader, covered_databases},
    scope::View,
};
use octavo_core_model::{
    database::Database,
    id::{DatabaseId, RecordId, ViewId},
    page::{Page, ResourceId},
    share_link::ShareLink,
    text::{PageIcon, PageTitle},
};
use octavo_databases::{Property, PropertyType, Schema};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many records a table shows.
const MOST_RECORDS: u32 = 50;

/// How many properties a table shows.
const MOST_COLUMNS: usize = 20;

/// How many links a cell shows.
const MOST_LINKS: u32 = 20;

/// How many tables one page shows. Anybody may request it.
const MOST_TABLES: usize = 10;

/// Records as rows.
#[derive(Clone, Debug)]
pub struct SharedTable {
    pub database: DatabaseId,
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
    pub columns: Vec<Property>,
    pub records: Vec<RecordDetails>,
    /// Whether there are more records than these.
    pub has_more: bool,
    /// The people that values name.
    pub people: SharedPeople,
    /// The titles of linked records.
    pub titles: BTreeMap<RecordId, PageTitle>,
}

/// What a table shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum TableOf {
    /// The first records of a database.
    Database(DatabaseId),
    /// The values of one record of a database.
    Record(DatabaseId, RecordId),
}

impl TableOf {
    /// What belongs to a page; `None` for a plain one.
    pub(super) fn page(page: &Page) -> Option<Self> {
        let record = page.database_of_record().zip(page.record());
        let database = || match page.resource() {
            ResourceId::Database(id) => Some(Self::Database(id)),
            ResourceId::Page(_) => None,
        };
        record.map(|(database, record)| Self::Record(database, record)).or_else(database)
    }

    const fn database(self) -> DatabaseId {
        match self {
            Self::Database(id) | Self::Record(id, _) => id,
        }
    }

    /// Loads what the link shows of it, which must be within its reach. Up to ten statements, and a few for each relation.
    pub(super) async fn load(
        self,
        view: &mut View,
        link: &ShareLink,
        named: Option<ViewId>,
    ) -> AppResult<Option<SharedTable>> {
        let (workspace, id) = (link.workspace, self.database());
        let Some(node) = view.tx.pages().find(workspace, id.node()).await? else { return Ok(None) };
        let Some(database) = view.tx.databases().find(workspace, id).await? else { return Ok(None) };
        let schema = public(&*schema_of(view, &database).await?);
        let (columns, mut records) = match self {
            Self::Database(_) => {
                let columns = columns(view, &database, &schema, named).await?;
                (columns, list(view, link, &database, &schema, MOST_RECORDS + 1, MOST_LINKS).await?)
            }
            Self::Record(_, record) => {
                let columns = all_but_title(&schema);
                let found = view.tx.records().find(workspace, record).await?.into_iter().collect();
                let reader = Reader::Link(link);
                let extent = Extent { most_links: Some(MOST_LINKS), ..Extent::default() };
                (columns, RecordDetails::load_for(view, workspace, reader, found, &schema, extent).await?)
            }
        };
        let has_more = records.len() > MOST_RECORDS as usize;
        records.truncate(MOST_RECORDS as usize);
        let shown: BTreeSet<_> = columns.iter().map(|column| column.id).collect();
        let people = people_in(view, &records, &|property| shown.contains(&property)).await?;
        let titles = titles(view, link, &columns, &records).await?;
        let (title, icon) = (node.title, node.icon);
        Ok(Some(SharedTable { database: id, title, icon, columns, records, has_more, people, titles }))
    }
}

/// The databases that blocks show and that the link covers, at most [`MOST_TABLES`].
pub(super) async fn tables_in(
    view: &mut View,
    link: &ShareLink,
    content: &PageBlocks,
) -> AppResult<BTreeMap<(DatabaseId, Option<ViewId>), SharedTable>> {
    let named = content.named_databases();
    let ids: BTreeSet<_> = named.iter().map(|(database, _)| *database).collect();
    let covered = covered_databases(view, link, &Vec::from_iter(ids)).await?;
    let mut tables = BTreeMap::new();
    let shown = named.into_iter().filter(|(database, _)| covered.contains(database));
    for (database, its_view) in shown.take(MOST_TABLES) {
        if let Some(table) = TableOf::Database(database).load(view, link, its_view).await? {
            tables.insert((database, its_view), table);
        }
    }
    Ok(tables)
}

/// The properties that a view shows, the title first; by default those of the first view.
async fn columns(
    view: &mut View,
    database: &Database,
    schema: &Schema,
    named: Option<ViewId>,
) -> AppResult<Vec<Property>> {
    let views = ordered_views(view, database.workspace, schema).await?;
    let chosen = named.and_then(|id| views.iter().find(|found| found.id == id)).or_else(|| views.first());
    let listed = chosen.and_then(|chosen| chosen.config.visible_properties());
    let mut columns: Vec<_> = match listed {
        Some(ids) => ids.iter().filter_map(|id| schema.property(*id)).collect(),
        None => schema.properties().iter().filter(|property| property.is_visible).collect(),
    };
    columns.retain(|property| !property.is_title() && is_shown(property));
    let shown = schema.title().into_iter().chain(columns);
    Ok(shown.take(MOST_COLUMNS).cloned().collect())
}

fn all_but_title(schema: &Schema) -> Vec<Property> {
    let others = schema.properties().iter().filter(|property| !property.is_title() && is_shown(property));
    others.cloned().collect()
}

/// Buttons do something and show nothing.
fn is_shown(property: &Property) -> bool {
    property.kind() != PropertyType::Button
}

/// The titles of the records that these ones link. Three statements for each relation that has links.
async fn titles(
    view: &mut View,
    link: &ShareLink,
    columns: &[Property],
    records: &[RecordDetails],
) -> AppResult<BTreeMap<RecordId, PageTitle>> {
    let mut by_target: BTreeMap<DatabaseId, BTreeSet<RecordId>> = BTreeMap::new();
    for column in columns {
        let Some(relation) = column.config.relation() else { continue };
        let linked = records.iter().filter_map(|record| record.links.get(&column.id)).flatten().copied();
        by_target.entry(relation.target).or_default().extend(linked);
    }
    let mut titles = BTreeMap::new();
    for (target, ids) in by_target.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        let Some(database) = view.tx.databases().find(link.workspace, target).await? else { continue };
        let schema: Arc<Schema> = schema_of(view, &database).await?;
        for record in view.tx.records().list_by_id(link.workspace, &Vec::from_iter(ids)).await? {
            titles.insert(record.id, title_of(&values_of(&record, &schema)?, &schema));
        }
    }
    Ok(titles)
}
