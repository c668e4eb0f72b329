//! `/databases/{databaseId}/export`

use super::{export_writer::ExportWriter, query::TOO_LARGE, record::RecordReply};
use crate::{
    answer::{Answer, FileBody, FileBytes, attachment},
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Path, Query, RouteReply, routes},
    spool::{Beginning, SpoolReader, spool},
    v1::databases::{
        sent::fields,
        view::{UNFIT_FILTER, UNFIT_SORT},
        view_sent::{SentFilter, SentSort},
    },
    wire::{Documented, JsonText, Listed, MediaDoc, Named, query},
};
use actix_web::http::StatusCode;
use futures_util::future::{Either, select};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    queries::{self, ExportRequest, QueryRequest, ShownProperties},
};
use octavo_core_model::{
    Fault, StoreError,
    database::{PageContent, RecordsFormat},
    fault::{ComputeFault, Issue, Violation},
    id::{DatabaseId, PropertyId, ViewId},
    text::PageTitle,
};
use octavo_databases::csv::Form;
use serde_json::{Value, json};
use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

query! {
    /// Which records to export, and how.
    pub(crate) RecordExportQuery {
        /// `csv` by default, `json` for a list of records, `ndjson` for a record on each line.
        format "format": optional RecordsFormat,
        /// The view whose filter, sort and visible properties are used; those that are sent replace them.
        view_id "viewId": optional ViewId,
        /// Which records, as the JSON of a filter; all by default.
        filter "filter": optional JsonText<SentFilter>,
        /// In which order, as the JSON of a list of keys; by default that of their positions.
        sort "sort": optional JsonText<SentSort>,
        /// The properties to show in this order, separated by commas; all by default.
        properties "properties": optional Listed<PropertyId>,
        /// Whether to include archived records.
        include_archived "includeArchived": optional bool = false,
        /// `markdown` adds the content of the records' pages; not in tables.
        content "content": optional PageContent,
        /// Whether a table is for programs: without byte order mark, and without `'` before texts that spreadsheets would
        /// run as formulas.
        raw "raw": optional bool = false,
    }
}

/// Records as a file.
#[derive(Debug)]
pub(crate) struct ExportedRecords;

impl Documented for ExportedRecords {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "\u{feff}Name,Price\r\nChair,9.5\r\n".into()
    }

    fn collect(named: &mut Named) {
        RecordReply::collect(named);
    }
}

impl RouteReply for ExportedRecords {
    const MEDIA: &'static str = "text/csv";

    fn alternatives() -> Vec<MediaDoc> {
        let record = RecordReply::example();
        vec![
            MediaDoc {
                media: "application/json",
                schema: json!({ "type": "array", "items": RecordReply::schema() }),
                example: json!([record]),
            },
            MediaDoc {
                media: "application/x-ndjson",
                schema: json!({ "type": "string" }),
                example: format!("{record}\n").into(),
            },
        ]
    }
}

routes! {
    /// Exports the records of a database.
    ///
    /// Any number of them as one file, all from the same moment, for everybody who may see the database. Records, and
    /// links to records, that the caller may not see are left out. A table has a row for each record, with people and
    /// linked records by name. In JSON the values of `properties` have the form in which records are created. With
    /// `content` each record has the Markdown of its page in `content`. An export that fails on the way ends the
    /// connection early.
    GET "/databases/{databaseId}/export" as exportRecords => export {
        caller: Inside(RouteAccess::DATABASES),
        limits: [PageTransfer],
        takes: (database: Path<DatabaseId>, query: Query<RecordExportQuery>),
        answers: { 200: ExportedRecords },
        refusals: [
            Fault::Data(Cow::Borrowed(UNFIT_FILTER)),
            Fault::Data(Cow::Borrowed(UNFIT_SORT)),
            Fault::Data(Cow::Borrowed(TOO_LARGE)),
            Fault::Compute(ComputeFault::Busy),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Compute(ComputeFault::TablesFull),
            Fault::Compute(ComputeFault::Timeout),
        ],
        events: [],
    }
}

async fn export(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    query: Draft<RecordExportQuery>,
) -> Answer {
    let asked = query.as_ref().ok();
    let format = asked.and_then(|query| query.format).unwrap_or(RecordsFormat::Csv);
    let is_raw = asked.and_then(|query| query.raw).unwrap_or(false);
    let form = if is_raw { Form::Raw } else { Form::Guarded };
    let Ok((writer, mut reader)) = spool(&*dispatcher.backend().blobs) else {
        return Refusal::from(Fault::Store(StoreError::Unavailable)).into();
    };
    let title = Arc::new(OnceLock::new());
    let receiver = Box::new(ExportWriter::new(writer, format, form, Arc::clone(&title)));
    let wanted = query.and_then(RecordExportQuery::request);
    let run = move |engine: Arc<Engine>, call: Call| async move {
        queries::export(&engine, call, database, wanted, receiver).await
    };
    let dispatcher = dispatcher.exporting();
    let exported = Box::pin(dispatcher.ask(call, run));
    // The export goes on when its future is dropped.
    let failed = match select(exported, Box::pin(reader.begun())).await {
        Either::Left((exported, _)) => exported.err(),
        Either::Right((Beginning::Ready, _)) => None,
        Either::Right((Beginning::Failed, exported)) => match exported.await {
            Ok(()) => Some(Fault::Internal("an export ended early without a reason").into()),
            Err(refusal) => Some(refusal),
        },
    };
    match failed {
        Some(refusal) => refusal.into(),
        None => Answer::File(file(format, title.get(), reader)),
    }
}

impl RecordExportQuery {
    fn request(self) -> Draft<ExportRequest> {
        let format = self.format.unwrap_or(RecordsFormat::Csv);
        let with_content = self.content == Some(PageContent::Markdown);
        if with_content && format == RecordsFormat::Csv {
            return Err(Violation::new("content", Issue::InvalidValue)
                .with(PageContent::Markdown.name().into())
                .into());
        }
        let fields = fields([
            ("filter", self.filter.map(|sent| Some(sent.value))),
            ("sort", self.sort.map(|sent| Some(sent.value))),
            ("includeArchived", self.include_archived.map(|sent| Some(sent.into()))),
        ]);
        let shown = if self.view_id.is_some() { ShownProperties::OfView } else { ShownProperties::All };
        Ok(ExportRequest {
            query: QueryRequest { fields, view: self.view_id, shown, ..QueryRequest::default() },
            properties: self.properties.map(|listed| listed.0),
            with_names: format == RecordsFormat::Csv,
            with_content,
        })
    }
}

fn file(format: RecordsFormat, title: Option<&PageTitle>, reader: SpoolReader) -> FileBytes {
    let (media, ending) = match format {
        RecordsFormat::Csv => ("text/csv; charset=utf-8", "csv"),
        RecordsFormat::Json => ("application/json", "json"),
        RecordsFormat::Ndjson => ("application/x-ndjson", "ndjson"),
    };
    let title = title.map_or("", |title| title.as_str()).trim();
    let title = if title.is_empty() { "Untitled" } else { title };
    let headers = attachment(media, &format!("{title}.{ending}"));
    FileBytes { status: StatusCode::OK, headers, body: FileBody::Streamed(reader.into_stream()) }
}
