//! Records as the bytes of a file.

use super::record::RecordReply;
use crate::{spool::SpoolWriter, wire::Written};
use async_trait::async_trait;
use octavo_app::{
    AppResult,
    queries::{ExportedNames, ExportedRecord, ExportedTable, Receiver},
    records::{RecordDetails, facts_of},
};
use octavo_core_model::{Fault, database::RecordsFormat, id::PropertyId, text::PageTitle};
use octavo_databases::{
    Schema,
    cell::CsvCell,
    csv::{Form, Writer},
};
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// Writes exported records into a spool.
pub(super) struct ExportWriter {
    spool: SpoolWriter,
    records: Records,
    /// Where the title of the database is put, for the name of the file.
    title: Arc<OnceLock<PageTitle>>,
    schema: Option<Arc<Schema>>,
    select: Arc<[PropertyId]>,
}

/// The records in their format.
enum Records {
    Csv(Writer),
    /// Whether a record was written already.
    Json {
        has_some: bool,
    },
    Ndjson,
}

impl ExportWriter {
    pub(super) fn new(spool: SpoolWriter, format: RecordsFormat, form: Form, title: Arc<OnceLock<PageTitle>>) -> Self {
        let records = match format {
            RecordsFormat::Csv => Records::Csv(Writer::new(form)),
            RecordsFormat::Json => Records::Json { has_some: false },
            RecordsFormat::Ndjson => Records::Ndjson,
        };
        Self { spool, records, title, schema: None, select: Arc::default() }
    }
}

#[async_trait]
impl Receiver for ExportWriter {
    async fn begin(&mut self, table: ExportedTable) -> AppResult<()> {
        // The flow begins once.
        let _ = self.title.set(table.title);
        let begun = self.records.begin(&table.schema, &table.select);
        (self.schema, self.select) = (Some(table.schema), table.select.into());
        self.spool.add(&begun).await
    }

    async fn add(&mut self, records: Vec<ExportedRecord>, names: &ExportedNames) -> AppResult<()> {
        let schema = self.schema.as_deref().ok_or(Fault::Internal("an export has not begun"))?;
        let mut bytes = Vec::new();
        for record in &records {
            self.records.write(&mut bytes, record, schema, &self.select, names)?;
        }
        self.spool.add(&bytes).await
    }

    async fn finish(&mut self) -> AppResult<()> {
        if let Records::Json { .. } = self.records {
            self.spool.add(b"]\n").await?;
        }
        self.spool.finish().await
    }
}

impl Records {
    fn begin(&mut self, schema: &Schema, select: &[PropertyId]) -> Vec<u8> {
        match self {
            Self::Csv(writer) => {
                for property in select.iter().filter_map(|id| schema.property(*id)) {
                    writer.text(property.name.as_str());
                }
                writer.end_row();
                writer.take()
            }
            Self::Json { .. } => b"[".to_vec(),
            Self::Ndjson => Vec::new(),
        }
    }

    fn write(
        &mut self,
        bytes: &mut Vec<u8>,
        record: &ExportedRecord,
        schema: &Schema,
        select: &Arc<[PropertyId]>,
        names: &ExportedNames,
    ) -> Result<(), Fault> {
        match self {
            Self::Csv(writer) => {
                write_row(writer, &record.details, schema, select, names);
                bytes.extend(writer.take());
            }
            Self::Json { has_some } => {
                bytes.extend_from_slice(if *has_some { b",\n" } else { b"\n" });
                *has_some = true;
                write_line(bytes, record, select)?;
            }
            Self::Ndjson => {
                write_line(bytes, record, select)?;
                bytes.push(b'\n');
            }
        }
        Ok(())
    }
}

fn write_row(
    writer: &mut Writer,
    details: &RecordDetails,
    schema: &Schema,
    select: &[PropertyId],
    names: &ExportedNames,
) {
    let facts = facts_of(&details.record, &details.links, &details.computed);
    for property in select.iter().filter_map(|id| schema.property(*id)) {
        let cell = CsvCell::of(&property.config, facts.cell(property, &details.values), names);
        if cell.is_number { writer.word(&cell.text) } else { writer.text(&cell.text) }
    }
    writer.end_row();
}

/// A record as in lists, with the content of its page.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    record: Written<'a, RecordReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
}

fn write_line(bytes: &mut Vec<u8>, record: &ExportedRecord, select: &Arc<[PropertyId]>) -> Result<(), Fault> {
    let reply = RecordReply::selecting(&record.details, Some(Arc::clone(select)));
    let line = Line { record: Written(&reply), content: record.content.as_deref() };
    serde_json::to_writer(bytes, &line).map_err(|_| Fault::Internal("a record cannot be written"))
}
