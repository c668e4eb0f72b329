//! Databases that are copied along with the page that contains them: with properties, views, charts, records
//! and links. Dashboards are copied with the page or database that they are on.

mod dashboards;
mod links;
mod plan;
mod values;
mod write;

pub(crate) use plan::Copies;
pub(crate) use write::write;

use crate::{
    loaded_schemas::schema_of, outcome::AppResult, record_values::written_bytes, relations::Reader, scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    chart::Chart,
    database::Database,
    fault::Unprocessable,
    id::{DatabaseId, RecordId, WorkspaceId},
    page::MAX_BYTES,
    record::Record,
};
use octavo_databases::{Schema, views::StoredView};
use octavo_ports::records::RecordFilter;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many records are read at once.
const CHUNK: u32 = 500;

/// A database to copy.
#[derive(Clone, Debug)]
struct Original {
    database: Database,
    schema: Arc<Schema>,
    views: Vec<StoredView>,
    charts: Vec<Chart>,
    /// Those that the reader sees, in their order.
    records: Vec<Record>,
}

/// Databases to copy together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Originals(Vec<Original>);

impl Originals {
    /// Reads databases, with at most this many records of all of them; `None` leaves records out. Nobody changes their
    /// schemas until the unit ends.
    pub(crate) async fn read(
        unit: &mut Unit,
        reader: Reader<'_>,
        workspace: WorkspaceId,
        ids: BTreeSet<DatabaseId>,
        most: Option<u32>,
    ) -> AppResult<Self> {
        let mut all = Vec::with_capacity(ids.len());
        // Several databases are locked in the order of their ids.
        for id in &ids {
            let Some(database) = unit.tx.databases().lock_shared(workspace, *id).await? else { continue };
            let schema = schema_of(unit, &database).await?;
            all.push(Original { database, schema, views: Vec::new(), charts: Vec::new(), records: Vec::new() });
        }
        let mut originals = Self(all);
        if originals.is_empty() {
            return Ok(originals);
        }
        let mut views: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let ids = Vec::from_iter(ids);
        let mut charts: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for chart in unit.tx.charts().list_of(workspace, &ids).await? {
            charts.entry(chart.database).or_default().push(chart);
        }
        for (database, view) in unit.tx.databases().list_views(workspace, &ids).await? {
            views.entry(database).or_default().push(view);
        }
        for original in &mut originals.0 {
            original.views = views.remove(&original.database.id).unwrap_or_default();
            original.charts = charts.remove(&original.database.id).unwrap_or_default();
        }
        if let Some(most) = most {
            originals.read_records(unit, reader, u64::from(most)).await?;
        }
        Ok(originals)
    }

    async fn read_records(&mut self, unit: &mut Unit, reader: Reader<'_>, most: u64) -> AppResult<()> {
        let (mut count, mut bytes) = (0, 0);
        for Original { database, records, .. } in &mut self.0 {
            let within = reader.records_within(unit, database.workspace, database.id).await?;
            let filter = RecordFilter { with_archived: reader.sees_archived(), parent: None, within };
            loop {
                let after = records.last().map(Record::place);
                let (workspace, id) = (database.workspace, database.id);
                let found = unit.tx.records().list(workspace, id, &filter, after.as_ref(), CHUNK).await?;
                let is_end = found.len() < CHUNK as usize;
                count += found.len() as u64;
                bytes += found.iter().map(written_bytes).sum::<u64>();
                if count > most || bytes > 2 * MAX_BYTES {
                    return Err(Unprocessable::TooLarge.into());
                }
                records.extend(found);
                if is_end {
                    break;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// How much the records take up.
    pub(crate) fn size(&self) -> WrittenSize {
        let records = self.0.iter().flat_map(|original| &original.records);
        WrittenSize::of_records(records.clone().count() as u64, records.map(written_bytes).sum())
    }

    /// Draws the ids of the copies of all records. Those of one database are in its order, which decides where positions
    /// are equal.
    pub(crate) fn draw_ids(&self, unit: &mut Unit) -> BTreeMap<RecordId, RecordId> {
        let mut drawn = BTreeMap::new();
        for Original { records, .. } in &self.0 {
            let ids: BTreeSet<_> = records.iter().map(|_| unit.id(RecordId::new)).collect();
            drawn.extend(records.iter().map(|record| record.id).zip(ids));
        }
        drawn
    }
}
