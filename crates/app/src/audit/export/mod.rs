//! Exports of the audit trail of a workspace.

mod lines;

use super::enter_as;
use crate::{
    access,
    audit_entry::NewAuditEntry,
    engine::Engine,
    jobs::{
        self,
        work::{JobRunner, RunLease, Step, lost_bytes},
    },
    outcome::{AppResult, Draft},
    scope::Unit,
};
use async_trait::async_trait;
use lines::Lines;
use octavo_core_model::{
    Fault, StoreError, Timestamp,
    audit::{AuditHead, AuditRecord, AuditSearch, Order},
    event::{Chain, EventType, Resource},
    job::{AuditExport, Checkpoint, ExportFormat, Failure, Job, JobOwner, Pieces, Product, StoredBytes, Task},
    token::hex,
};
use octavo_ports::blobs::{BlobFolder, Blobs};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The largest number of entries in an export.
pub const MAX_ROWS: u64 = 10_000_000;

/// How many entries one statement scans, however few of them match, so that no statement takes long.
const WINDOW: u32 = 2000;

/// The largest number of windows in a step, so that a step ends soon. A step writes at most one piece plus one
/// window.
const WINDOWS_A_STEP: u32 = 50;
const PIECE: usize = 4 << 20;

/// How many bytes are read at once when an interrupted run is resumed.
const READ_AT_ONCE: u64 = 1 << 20;

/// Starts an export of the audit trail of the call's workspace. Users have to reauthenticate first.
pub async fn request(unit: &mut Unit, draft: Draft<AuditExport>) -> AppResult<Job> {
    let caller = enter_as(unit).await?;
    if caller.user().is_some() {
        access::fresh(unit).await?;
    }
    unit.claim().await?;
    let wanted = draft?;
    let wanted = AuditExport { search: wanted.search.checked()?, ..wanted };
    let changes = describe(&wanted);
    let job = jobs::start(unit, &caller, Task::AuditExport(wanted)).await?;
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(caller.workspace), EventType::AuditExported, Resource::Job(job.id));
    unit.audit(audit_entry.with_changes(changes));
    Ok(job)
}

/// What the audit trail records about an export: its format and its filter.
fn describe(export: &AuditExport) -> Vec<Value> {
    let search = &export.search;
    let given = json!({
        "format": export.format,
        "action": search.action,
        "actorType": search.actor_type,
        "actorId": search.actor_id,
        "targetType": search.target_type,
        "targetId": search.target_id,
        "outcome": search.outcome,
        "ip": search.ip,
        "from": search.from,
        "to": search.to,
        "afterSeq": search.after_seq,
    });
    let fields = given.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    fields.map(|(field, value)| json!({ "field": field, "from": null, "to": value })).collect()
}

/// An export that is running.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    folder_owner: JobOwner,
    wanted: AuditExport,
    /// `None` until the end of the trail is known.
    place: Option<Place>,
    rows: u64,
    pieces: Pieces,
    /// The hash of the first `hashed` pieces.
    hasher: Sha256,
    hashed: usize,
}

/// The number up to which the trail was read, and the number at which the export ends.
#[derive(Clone, Copy, Debug)]
struct Place {
    through: i64,
    last: i64,
}

impl Export {
    /// Starts an export, or resumes it from the checkpoint of an earlier run.
    pub(crate) fn resume(job: &Job, wanted: &AuditExport) -> Self {
        let (place, rows, pieces) = match job.progress.checkpoint.clone() {
            Some(Checkpoint::AuditExport { through, last, rows, pieces }) => {
                (Some(Place { through, last }), rows, pieces)
            }
            Some(Checkpoint::DatabaseImport(_)) | None => (None, 0, Pieces::default()),
        };
        Self { folder_owner: job.owner, wanted: wanted.clone(), place, rows, pieces, hasher: Sha256::new(), hashed: 0 }
    }

    fn chain(&self) -> Chain {
        match self.folder_owner {
            JobOwner::Workspace(id) => Chain::Workspace(id),
            JobOwner::User(id) => Chain::User(id),
        }
    }
}

#[async_trait]
impl JobRunner for Export {
    fn first_stage(&self) -> &'static str {
        "writing"
    }

    async fn step(&mut self, engine: &Engine, blobs: &dyn Blobs, lease: RunLease, now: Timestamp) -> AppResult<Step> {
        step(self, engine, blobs, lease, now).await
    }
}

/// Writes the next piece. If a piece was written but not recorded, the next run writes it again.
async fn step(
    export: &mut Export,
    engine: &Engine,
    blobs: &dyn Blobs,
    lease: RunLease,
    now: Timestamp,
) -> AppResult<Step> {
    let folder = BlobFolder::Job(lease.owner, lease.id);
    if export.hashed < export.pieces.0.len() {
        return hash_again(export, blobs, folder).await;
    }
    let place = match export.place {
        Some(place) => place,
        None => measure(export, engine, now).await?,
    };
    let (mut next, mut lines) = (Export { place: Some(place), ..export.clone() }, Lines::new(export.wanted.format));
    if next.pieces.0.is_empty() {
        lines.head().map_err(unwritable)?;
    }
    let (place, is_last) = fill(&mut next, engine, place, &mut lines, now).await?;
    next.place = Some(place);
    if next.rows > MAX_ROWS {
        return Ok(Step::Ends(Err(too_many())));
    }
    let bytes = lines.into_bytes().map_err(unwritable)?;
    if !bytes.is_empty() {
        next.hasher.update(&bytes);
        let (number, size) = (next.pieces.0.len(), bytes.len() as u64);
        blobs.put(folder, number, bytes).await.map_err(|_| Fault::Store(StoreError::Unavailable))?;
        next.pieces.0.push(size);
        next.hashed += 1;
    }
    let checkpoint = Checkpoint::AuditExport {
        through: place.through,
        last: place.last,
        rows: next.rows,
        pieces: next.pieces.clone(),
    };
    let first = next.wanted.search.after_seq.unwrap_or(0);
    let is_ours = lease
        .note(engine, now, move |job| {
            job.progress.done = (place.through - first).max(0).unsigned_abs();
            job.progress.total = Some((place.last - first).max(0).unsigned_abs());
            job.progress.checkpoint = Some(checkpoint);
        })
        .await?;
    *export = next;
    Ok(match (is_ours, is_last) {
        (false, _) => Step::Lost,
        (true, true) => Step::Ends(Ok(product(export))),
        (true, false) => Step::Goes,
    })
}

/// Seals all entries up to now and looks up the number of the last one.
async fn measure(export: &Export, engine: &Engine, now: Timestamp) -> AppResult<Place> {
    engine.store.seal_audits().await?;
    let chain = export.chain();
    let head = engine
        .read(crate::Call::system(now), move |view| {
            Box::pin(async move { Ok(view.tx.audits().find_head(chain).await?) })
        })
        .await?;
    let AuditHead { last, pruned } = head.unwrap_or_else(AuditHead::origin);
    Ok(Place { through: export.wanted.search.after_seq.unwrap_or(0).max(pruned.seq), last: last.seq })
}

/// Writes lines until a piece is full. Returns how far it read and whether that was the end.
async fn fill(
    export: &mut Export,
    engine: &Engine,
    mut place: Place,
    lines: &mut Lines,
    now: Timestamp,
) -> AppResult<(Place, bool)> {
    let chain = export.chain();
    for _ in 0..WINDOWS_A_STEP {
        if place.through >= place.last {
            return Ok((place, true));
        }
        let end = place.last.min(place.through + i64::from(WINDOW));
        let search = AuditSearch {
            after_seq: Some(place.through),
            up_to_seq: Some(end),
            order: Order::Oldest,
            behind: None,
            limit: WINDOW,
            ..export.wanted.search.clone()
        };
        let found = window(engine, chain, search, now).await?;
        for record in &found {
            lines.add(record).map_err(unwritable)?;
        }
        export.rows += found.len() as u64;
        place.through = end;
        if lines.len() >= PIECE || export.rows > MAX_ROWS {
            break;
        }
    }
    Ok((place, place.through >= place.last))
}

async fn window(engine: &Engine, chain: Chain, search: AuditSearch, now: Timestamp) -> AppResult<Vec<AuditRecord>> {
    engine
        .read(crate::Call::system(now), move |view| {
            Box::pin(async move { Ok(view.tx.audits().list_entries(chain, &search).await?) })
        })
        .await
}

/// Hashes a piece that an earlier run wrote.
async fn hash_again(export: &mut Export, blobs: &dyn Blobs, folder: BlobFolder) -> AppResult<Step> {
    let (number, mut hasher, mut place) = (export.hashed, export.hasher.clone(), 0);
    let size = export.pieces.0[number];
    while place < size {
        let part = place..size.min(place + READ_AT_ONCE);
        let read = blobs.read(folder, number, part).await.map_err(|_| Fault::Store(StoreError::Unavailable))?;
        let Some(bytes) = read.filter(|bytes| !bytes.is_empty()) else {
            return Ok(Step::Ends(Err(lost_bytes("What was written before is not there any more."))));
        };
        place += bytes.len() as u64;
        hasher.update(&bytes);
    }
    export.hasher = hasher;
    export.hashed += 1;
    Ok(Step::Goes)
}

fn product(export: &Export) -> Product {
    let sha256 = hex(&export.hasher.clone().finalize());
    let (ending, media) = match export.wanted.format {
        ExportFormat::Ndjson => ("ndjson", "application/x-ndjson"),
        ExportFormat::Csv => ("csv", "text/csv"),
    };
    let name = format!("audit-{}.{ending}", export.folder_owner);
    let content = StoredBytes { pieces: export.pieces.clone(), sha256: sha256.clone(), name, media: media.to_owned() };
    Product { facts: json!({ "rows": export.rows, "sha256": sha256 }), content: Some(content) }
}

fn too_many() -> Failure {
    Failure {
        code: "UNPROCESSABLE_ENTITY".to_owned(),
        message: "More entries match than an export holds. Narrow it down, for example by from and to.".to_owned(),
        details: vec![json!({ "issue": "limit_reached", "limit": MAX_ROWS })],
    }
}

fn unwritable(_: lines::Unwritable) -> Fault {
    Fault::Internal("an audit entry has no form in an export")
}
