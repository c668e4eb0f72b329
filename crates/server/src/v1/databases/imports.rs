//! `/databases/{databaseId}/imports`

use crate::{
    answer::{Answer, accepted},
    backend::Backend,
    dispatcher::Dispatcher,
    refusal::Refusal,
    request::Upload,
    route::{Path, Query, routes},
    v1::{jobs::job::JobReply, pages::import_body::SentMapping},
    wire::{Bodies, Data, JsonText, query},
};
use octavo_app::{
    Call, Draft, Engine, QuotaShare,
    csv_import::job::{self, Intake, WantedImport},
    jobs::JobDetails,
};
use octavo_core_model::{
    Fault, Level, StoreError,
    fault::{Conflict, Denial, Hint, Issue, Violation},
    id::DatabaseId,
    job::Pieces,
};
use octavo_databases::{csv::Delimiter, import::Mapping};
use octavo_ports::blobs::{BlobFolder, Blobs};
use serde_json::Value;
use std::sync::Arc;
use tokio::{runtime::Handle, time::timeout};

/// How large the pieces are in which a file is stored.
const PIECE: usize = 1 << 20;

query! {
    /// How to import a table.
    pub(crate) DatabaseImportQuery {
        /// What is between the cells; by default a comma, a semicolon or a tab, whichever fits.
        delimiter "delimiter": optional Delimiter,
        /// What becomes of the columns, by their headers, as JSON: the id of a property, `{ name, type }` for a new one, or
        /// null to leave the column out. Other columns belong to the property with their name.
        mapping "mapping": optional JsonText<SentMapping>,
        /// Only `false`: a job writes portion by portion. `/pages/import` writes all rows or none.
        atomic "atomic": optional bool = false,
    }
}

routes! {
    /// Imports a large table into a database.
    ///
    /// The body is the table itself, at most 100 MB with up to a million rows below a header row, as `text/csv`. It is
    /// stored, and a job adds a record for each row to the database, which the caller must be allowed to edit. Columns,
    /// `mapping`, new options, people and linked records are treated as by `/pages/import`. Its `progress` counts rows. It
    /// writes up to 200 rows at once, and others can write in between. Its `result` has `databaseId`, `importedRecords`,
    /// `rejectedRows` (the first 1,000 rows that could not become records, each with `row`, `column` and `issue`),
    /// `rejectedRowCount` and `warnings`.
    ///
    /// An interrupted job goes on after the last row that was written. A job that is cancelled, or whose starter may not
    /// edit the database any more, ends; what it has written stays, and `progress` and `error` say how much. A database gets one
    /// import at a time, a workspace up to 10 (409 `job_running`). The file is removed when the job ends.
    POST "/databases/{databaseId}/imports" as importRecords => create {
        caller: Inside(job::STARTING),
        limits: [PageTransfer],
        takes: (database: Path<DatabaseId>, query: Query<DatabaseImportQuery>, upload: Upload),
        answers: { 202: Data<JobReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::JobRunning),
            Fault::Conflict(Conflict::DatabaseArchived),
            Fault::Conflict(Conflict::PageTrashed),
        ],
        events: [JobSucceeded, JobFailed, PageImported, DatabaseUpdated, RecordCreated, RecordUpdated],
        max_body: Some(job::MAX_FILE),
        bodies: Bodies::Csv,
    }
}

async fn create(
    dispatcher: Dispatcher,
    call: Call,
    database: Draft<DatabaseId>,
    query: Draft<DatabaseImportQuery>,
    upload: Upload,
) -> Answer {
    let (dispatcher, wanted) = (dispatcher.computing(), query.and_then(DatabaseImportQuery::wanted));
    let backend = Arc::clone(dispatcher.backend());
    let (asked, draft) = (database.clone(), wanted.clone());
    let admit = |engine: Arc<Engine>, call| async move {
        engine.change(call, move |unit| Box::pin(job::admit(unit, asked, draft))).await
    };
    let Some(slot) = backend.arriving_files.take(call.work_owner(), 1) else {
        return Refusal::Overloaded.into();
    };
    let intake = match dispatcher.ask(call.clone(), admit).await {
        Ok(intake) => intake,
        Err(refusal) => return refusal.into(),
    };
    let mut arriving = Arriving { backend: Arc::clone(&backend), intake: Some(intake), _slot: slot };
    let received = timeout(job::LONGEST_ARRIVAL, receive(&*backend.blobs, intake.folder(), upload)).await;
    let pieces = match received.unwrap_or(Err(Refusal::TooSlow)) {
        Ok(pieces) => pieces,
        Err(refusal) => return refusal.into(),
    };
    let origin = backend.settings.origin.clone();
    let shape = move |job| accepted(JobReply::new(JobDetails { job, download: None }, &origin));
    let start = move |engine: Arc<Engine>, call| async move {
        engine.write(call, move |unit| Box::pin(job::start(unit, intake, database, wanted, pieces)), shape).await
    };
    let started = dispatcher.ask(Call { now: backend.now(), ..call }, start).await;
    if started.is_ok() {
        arriving.intake = None;
    }
    match started {
        Ok(reply) => reply.into(),
        Err(refusal) => refusal.into(),
    }
}

impl DatabaseImportQuery {
    fn wanted(self) -> Draft<WantedImport> {
        let mut flaws = Vec::new();
        if self.atomic == Some(true) {
            let rule = "false, or `/pages/import` for all rows or none";
            flaws
                .push(Violation::new("atomic", Issue::InvalidValue).with(true.into()).hinting(Hint::ruled_by(&[rule])));
        }
        let mapping = match self.mapping.map(|sent| sent.value) {
            None => serde_json::Map::new(),
            Some(Value::Object(sent)) => {
                flaws.extend(Mapping::read(sent.clone()).err().into_iter().flatten());
                sent
            }
            Some(_) => {
                flaws.push(Violation::new("mapping", Issue::InvalidType));
                serde_json::Map::new()
            }
        };
        if flaws.is_empty() {
            Ok(WantedImport { delimiter: self.delimiter, mapping })
        } else {
            Err(Fault::Invalid(flaws))
        }
    }
}

/// Stores a body while it arrives.
async fn receive(blobs: &dyn Blobs, folder: BlobFolder, mut upload: Upload) -> Result<Pieces, Refusal> {
    let (mut sizes, mut buffer) = (Vec::new(), Vec::new());
    loop {
        let bytes = upload.next().await?;
        let is_last = bytes.is_none();
        buffer.extend_from_slice(&bytes.unwrap_or_default());
        if buffer.len() >= PIECE || (is_last && !buffer.is_empty()) {
            let piece = std::mem::take(&mut buffer);
            let (number, size) = (sizes.len(), piece.len() as u64);
            let put = blobs.put(folder, number, piece).await;
            put.map_err(|_| Refusal::from(Fault::Store(StoreError::Unavailable)))?;
            sizes.push(size);
        }
        if is_last {
            return Ok(Pieces(sizes));
        }
    }
}

/// A file that arrives. If it is dropped before the job is known to be started, its bytes are removed unless a job needs
/// them: the sender may have hung up, or the answer to the commit may be lost.
struct Arriving {
    backend: Arc<Backend>,
    intake: Option<Intake>,
    _slot: QuotaShare,
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let (Some(intake), Ok(runtime)) = (self.intake.take(), Handle::try_current()) else { return };
        let backend = Arc::clone(&self.backend);
        runtime.spawn(async move {
            let (engine, now) = (Arc::clone(backend.engine()), backend.now());
            let work = async move { job::discard(&engine, intake, now).await };
            if !matches!(backend.executor.run(work).await, Ok(Ok(()))) {
                tracing::warn!("the bytes of a file that did not become a job are removed after a day");
            }
        });
    }
}
