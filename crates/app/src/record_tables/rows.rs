//! Records and their links as the store returns them, until they are put into a table.

use crate::{
    outcome::AppResult,
    relations::{ends, side_of},
    scope::View,
};
use octavo_core_model::{
    id::{PropertyId, RecordId, WorkspaceId},
    record::{Record, RecordLink},
};
use octavo_databases::Schema;
use octavo_ports::record_links::LinkSide;
use octavo_query_engine::Row;
use std::collections::BTreeMap;

/// Records with the links that their database shows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    records: Vec<Record>,
    links: BTreeMap<RecordId, Vec<(PropertyId, Vec<RecordId>)>>,
}

impl Rows {
    /// The records with these ids that exist. One statement, and one for each relation.
    pub(super) async fn by_id(
        view: &mut View,
        workspace: WorkspaceId,
        schema: &Schema,
        ids: &[RecordId],
    ) -> AppResult<Self> {
        let records = view.tx.records().list_by_id(workspace, ids).await?;
        let mut rows = Self { records, links: BTreeMap::new() };
        for (property, side) in sides(schema) {
            rows.add(property, side, view.tx.record_links().list(workspace, side, ids).await?);
        }
        Ok(rows)
    }

    /// The next records in the order of their ids. One statement, and one for each relation.
    pub(super) async fn after(
        view: &mut View,
        workspace: WorkspaceId,
        schema: &Schema,
        after: Option<RecordId>,
        limit: u32,
    ) -> AppResult<Self> {
        let records = view.tx.records().list_by_age(workspace, schema.database(), after, limit).await?;
        let mut rows = Self { records, links: BTreeMap::new() };
        let (Some(first), Some(last)) = (rows.records.first(), rows.records.last()) else { return Ok(rows) };
        let range = (first.id, last.id);
        for (property, side) in sides(schema) {
            rows.add(property, side, view.tx.record_links().list_between(workspace, side, range).await?);
        }
        Ok(rows)
    }

    fn add(&mut self, property: PropertyId, side: LinkSide, links: Vec<RecordLink>) {
        for link in links {
            let (record, target) = ends(side, &link);
            let of_record = self.links.entry(record).or_default();
            match of_record.last_mut() {
                Some((last, targets)) if *last == property => targets.push(target),
                _ => of_record.push((property, vec![target])),
            }
        }
    }

    pub(super) const fn records(&self) -> &Vec<Record> {
        &self.records
    }

    /// The rows of a table.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let links = |record: &Record| self.links.get(&record.id).map_or(&[][..], Vec::as_slice);
        self.records.iter().map(move |record| Row::of(record, links(record)))
    }
}

/// The relations of a database, each with the side of its links that the database shows.
fn sides(schema: &Schema) -> impl Iterator<Item = (PropertyId, LinkSide)> {
    schema.properties().iter().filter_map(|property| {
        let relation = property.config.relation()?;
        Some((property.id, side_of(property, relation)))
    })
}
