//! Everything that a query finds, as it was at one moment.
//!
//! An export reads in a snapshot: the caller's rights, the records, their links, the names of what they mention and the
//! content of their pages are those of the same state. The tables that decide which records are found, and in which
//! order, are read before the snapshot begins and brought up to date in it, so they show that state too.
//!
//! While the snapshot is open the flow opens no view: its owner may have no other left, and would wait for itself.

mod content;
mod names;

pub use names::ExportedNames;

use super::{
    lanes::{QueryBounds, run_query, weight},
    persons::names_in_tables,
    prepare::{Prepared, QueryRequest, Sources, prepare},
    run::{all_ids, current_tables},
    viewer::{OpenDatabase, Viewer},
};
use crate::{
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
    record_tables::Look,
    records::{Extent, RecordDetails},
    scope::View,
};
use async_trait::async_trait;
use content::Content;
use names::NameReader;
use octavo_core_model::{
    Fault,
    fault::{ComputeFault, Issue, Violation},
    id::{DatabaseId, PropertyId, RecordId},
    text::PageTitle,
};
use octavo_databases::{MAX_LINKS, Schema, query::Group, types::Storage};
use std::{collections::BTreeMap, sync::Arc};

/// How many records are read at once.
const RECORDS_AT_ONCE: usize = 500;

/// How many bytes of content are collected before they are passed on.
const CONTENT_AT_ONCE: usize = 1 << 20;

/// How often the tables may turn out to be outdated before the call is given up.
const ATTEMPTS: usize = 3;

/// What to export.
#[derive(Clone, Debug, Default)]
pub struct ExportRequest {
    /// Which records, in which order. Groups and pages are ignored.
    pub query: QueryRequest,
    /// The properties, in this order; by default those of the query.
    pub properties: Option<Vec<PropertyId>>,
    /// Whether people and linked records are shown by their names.
    pub with_names: bool,
    /// Whether the content of the records' pages is exported.
    pub with_content: bool,
}

/// What is known before the first record.
#[derive(Clone, Debug)]
pub struct ExportedTable {
    /// The title of the database.
    pub title: PageTitle,
    pub schema: Arc<Schema>,
    /// The properties to show, in this order.
    pub select: Vec<PropertyId>,
}

/// A record, and the content of its page as Markdown if that was asked for.
#[derive(Clone, Debug)]
pub struct ExportedRecord {
    pub details: RecordDetails,
    pub content: Option<String>,
}

/// Takes an export piece by piece. A failure ends the export.
#[async_trait]
pub trait Receiver: Send {
    async fn begin(&mut self, table: ExportedTable) -> AppResult<()>;

    async fn add(&mut self, records: Vec<ExportedRecord>, names: &ExportedNames) -> AppResult<()>;

    async fn finish(&mut self) -> AppResult<()>;
}

/// Exports the records of a database that the caller sees, for a caller that may see the database.
pub async fn export(
    engine: &Engine,
    call: Call,
    database: Draft<DatabaseId>,
    wanted: Draft<ExportRequest>,
    mut receiver: Box<dyn Receiver>,
) -> AppResult<()> {
    for _ in 0..ATTEMPTS {
        if let Some(mut export) = Export::open(engine, &call, database.clone(), wanted.clone()).await? {
            return export.send(engine, &mut *receiver).await;
        }
    }
    Err(Fault::from(ComputeFault::Busy).into())
}

/// An open snapshot, and the records to read in it.
struct Export {
    view: View,
    prepared: Arc<Prepared>,
    ids: Vec<RecordId>,
    with_names: bool,
    with_content: bool,
}

impl Export {
    /// Opens a snapshot and finds the records. `None` if the tables are too old for it.
    async fn open(
        engine: &Engine,
        call: &Call,
        database: Draft<DatabaseId>,
        wanted: Draft<ExportRequest>,
    ) -> AppResult<Option<Self>> {
        let (earlier_database, earlier_query) = (database.clone(), wanted.clone().map(|wanted| wanted.query));
        let earlier = engine.read(call.clone(), move |view| {
            Box::pin(async move {
                let open = OpenDatabase::find(view, &earlier_database).await?;
                prepare(view, open, earlier_query, Sources::Memory).await
            })
        });
        let tables = current_tables(engine, call, &mut earlier.await?).await?;
        let mut view = engine.snapshot(call.clone()).await?;
        let query = wanted.clone().map(|wanted| wanted.query);
        let open = OpenDatabase::find(&mut view, &database).await?;
        let mut prepared = prepare(&mut view, open, query, Sources::Earlier(&tables)).await?;
        let wanted = wanted?;
        select(&mut prepared, wanted.properties, wanted.with_names)?;
        prepared.query.group = Group::default();
        if prepared.tables.values().any(|looked| matches!(looked, Look::Missing)) {
            return Ok(None);
        }
        let tables = current_tables(engine, call, &mut prepared).await?;
        let persons =
            if prepared.needs_names { names_in_tables(&mut view, &prepared, &tables).await? } else { BTreeMap::new() };
        let prepared = Arc::new(prepared);
        let weight = weight(&prepared, &tables, [&prepared.query].into_iter());
        let (asked, now) = (Arc::clone(&prepared), call.now);
        let find = move |bounds: &mut QueryBounds<'_>| all_ids(&asked, &tables, &persons, now, bounds);
        let (ids, _slot) = run_query(engine, call, weight, find).await?;
        let (with_names, with_content) = (wanted.with_names, wanted.with_content);
        Ok(Some(Self { view, prepared, ids, with_names, with_content }))
    }

    async fn send(&mut self, engine: &Engine, receiver: &mut dyn Receiver) -> AppResult<()> {
        let Prepared { title, schema, select, .. } = &*self.prepared;
        let table = ExportedTable { title: title.clone(), schema: Arc::clone(schema), select: select.clone() };
        receiver.begin(table).await?;
        let mut names = NameReader::new(self.prepared.workspace);
        for ids in std::mem::take(&mut self.ids).chunks(RECORDS_AT_ONCE) {
            let records = self.read(ids).await?;
            if self.with_content {
                self.send_with_content(engine, receiver, records).await?;
                continue;
            }
            if self.with_names {
                let Prepared { schema, select, .. } = &*self.prepared;
                names.read(&mut self.view, schema, select, &records).await?;
            }
            let records = records.into_iter().map(|details| ExportedRecord { details, content: None }).collect();
            receiver.add(records, names.known()).await?;
        }
        receiver.finish().await
    }

    /// The records with these ids, in their order.
    async fn read(&mut self, ids: &[RecordId]) -> AppResult<Vec<RecordDetails>> {
        let Prepared { viewer, workspace, schema, select, .. } = &*self.prepared;
        let records = self.view.tx.records().list_by_id(*workspace, ids).await?;
        let most_links = Some(u32::try_from(MAX_LINKS).unwrap_or(u32::MAX));
        let (reader, extent) = (viewer.reader(), Extent { properties: Some(select), most_links });
        let found = RecordDetails::load_for(&mut self.view, *workspace, reader, records, schema, extent).await?;
        let mut found: BTreeMap<_, _> = found.into_iter().map(|details| (details.record.id, details)).collect();
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    async fn send_with_content(
        &mut self,
        engine: &Engine,
        receiver: &mut dyn Receiver,
        records: Vec<RecordDetails>,
    ) -> AppResult<()> {
        let Prepared { viewer: Viewer::Caller { authority, .. }, workspace, .. } = &*self.prepared else {
            return Err(Fault::NotFound.into());
        };
        let nothing = ExportedNames::default();
        let content = Content::of(&mut self.view, *workspace, &records).await?;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for details in records {
            let text = content.read(&mut self.view, engine, authority, &details.record).await?;
            bytes += text.len();
            batch.push(ExportedRecord { details, content: Some(text) });
            if bytes >= CONTENT_AT_ONCE {
                bytes = 0;
                receiver.add(std::mem::take(&mut batch), &nothing).await?;
            }
        }
        receiver.add(batch, &nothing).await
    }
}

/// Shows these properties, each once. Without a selection, records that are exported to be read again have no properties
/// that never have a value: they would be refused.
fn select(prepared: &mut Prepared, properties: Option<Vec<PropertyId>>, with_names: bool) -> AppResult<()> {
    let Some(wanted) = properties else {
        let schema = &prepared.schema;
        let has_value = |id: &PropertyId| {
            schema.property(*id).is_some_and(|property| property.kind().facts().storage != Storage::Nothing)
        };
        prepared.select.retain(|id| with_names || has_value(id));
        return Ok(());
    };
    let mut select = Vec::with_capacity(wanted.len());
    for id in wanted {
        if prepared.schema.property(id).is_none() {
            return Err(
                Fault::from(Violation::new("properties", Issue::UnknownField).with(id.to_string().into())).into()
            );
        }
        if !select.contains(&id) {
            select.push(id);
        }
    }
    prepared.select = select;
    Ok(())
}
