//! References from records: those that have a relation to the record of a page.

use super::{Backlink, BacklinkSource};
use crate::{
    loaded_schemas::schema_of,
    outcome::AppResult,
    record_values::{title_of, values_of},
    relations::visible,
    scope::View,
};
use octavo_core_model::{
    Fault,
    id::{PropertyId, WorkspaceId},
    page::Page,
    record::Record,
};
use octavo_databases::types::Side;
use octavo_permissions::Authority;
use octavo_ports::record_links::LinkingRecord;
use std::collections::{BTreeMap, BTreeSet};

/// How many records are read at once if some of them are hidden.
const CHUNK: u32 = 200;

/// Lists the records that the caller may see and that have a relation to the record of a page, newest link first; none
/// if it is not the page of a record.
pub(super) async fn list(
    view: &mut View,
    authority: &Authority,
    page: &Page,
    mut after: Option<LinkingRecord>,
    limit: u32,
) -> AppResult<Vec<Backlink>> {
    let (workspace, limit) = (page.workspace, limit as usize);
    let Some(record) = page.record() else { return Ok(Vec::new()) };
    let visible_on_both = visible_on_both(view, page).await?;
    let mut found = Vec::new();
    while found.len() < limit {
        let links = view.tx.record_links();
        let chunk = links.list_linking_records(workspace, record, &visible_on_both, after, CHUNK).await?;
        after = chunk.last().copied();
        found.extend(seen(view, workspace, authority, &chunk).await?);
        if chunk.len() < CHUNK as usize {
            break;
        }
    }
    found.truncate(limit);
    with_titles(view, workspace, found).await
}

/// The properties of the database of a record whose links the records on the other side show too.
async fn visible_on_both(view: &mut View, page: &Page) -> AppResult<Vec<PropertyId>> {
    let Some(database) = page.database_of_record() else { return Ok(Vec::new()) };
    let database = view.tx.databases().find(page.workspace, database).await?.ok_or(Fault::NotFound)?;
    let schema = schema_of(view, &database).await?;
    let relations = schema.properties().iter().filter_map(|property| Some((property.id, property.config.relation()?)));
    let is_shown_there = |(_, relation): &(_, &octavo_databases::types::RelationConfig)| {
        relation.side == Side::Source && relation.is_bidirectional()
    };
    Ok(relations.filter(is_shown_there).map(|(id, _)| id).collect())
}

/// The records that the caller may see, in the same order.
async fn seen(
    view: &mut View,
    workspace: WorkspaceId,
    authority: &Authority,
    chunk: &[LinkingRecord],
) -> AppResult<Vec<(LinkingRecord, Record)>> {
    if chunk.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = chunk.iter().map(|linking| linking.record).collect();
    let mut records: BTreeMap<_, _> = {
        let records = view.tx.records().list_by_id(workspace, &ids).await?;
        records.into_iter().map(|record| (record.id, record)).collect()
    };
    let named = records.values().map(|record| (record.database, record.id)).collect();
    let shown = visible(view, workspace, authority, &named).await?;
    records.retain(|id, record| shown.contains(&(record.database, *id)));
    Ok(chunk.iter().filter_map(|linking| Some((*linking, records.remove(&linking.record)?))).collect())
}

/// One statement for the databases of the records.
async fn with_titles(
    view: &mut View,
    workspace: WorkspaceId,
    found: Vec<(LinkingRecord, Record)>,
) -> AppResult<Vec<Backlink>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let databases: BTreeSet<_> = found.iter().map(|(_, record)| record.database).collect();
    let databases = view.tx.databases().list_by_id(workspace, &Vec::from_iter(databases)).await?;
    let mut schemas = BTreeMap::new();
    for database in databases {
        schemas.insert(database.id, schema_of(view, &database).await?);
    }
    let mut backlinks = Vec::with_capacity(found.len());
    for (linking, record) in found {
        let Some(schema) = schemas.get(&record.database) else { continue };
        backlinks.push(Backlink {
            source: BacklinkSource::Record(record.id),
            page: record.id.page(),
            title: title_of(&values_of(&record, schema)?, schema),
            excerpt: String::new(),
            created_at: linking.linked_at,
        });
    }
    Ok(backlinks)
}
