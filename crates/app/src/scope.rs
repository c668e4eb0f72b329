//! Scopes: what a use case holds while it runs. A view reads; a unit is one transaction.
//!
//! A scope holds no port but the store, so nothing slow can be awaited inside it.

use crate::{
    audit_entry::NewAuditEntry,
    call::Call,
    kept_reply,
    kept_tables::KeptTables,
    outcome::{AppResult, Interrupt, LOST},
    page_map::PageMaps,
    reply::Reply,
    rules::Rules,
    schema_cache::SchemaCache,
    write_budget::{WriteBudget, WrittenSize},
};
use octavo_core_model::{
    Fault, StoreError, Timestamp, TokenKind,
    account::User,
    api_key::KeyText,
    chore::{Chore, Queue, Work},
    event::{Actor, AuditEntry, Event, EventPayload, Personal},
    fault::Conflict,
    id::{AuditId, EventId, JobId, WorkspaceId},
    time::days,
    token::Token,
};
use octavo_ports::{
    compute::{SHORT_BLOCKS, WorkKind},
    random::Random,
    replies::{Claim, KeptReply, ReplyKey},
    store::{Reads, Transaction},
};
use octavo_sealing::{Keyring, Unsealable};
use std::sync::Arc;

/// A kept reply of at most this size is kept even for somebody who has written too much. It is counted all the same.
const SMALL_REPLY: u64 = 4 << 10;

pub struct Scope<T: ?Sized> {
    pub call: Call,
    pub tx: Box<T>,
    tools: Tools,
    report: Report,
    claimed: bool,
    acting: Option<Acting>,
    deletion: Deletion,
    turn: Turn,
}

/// What the engine lends to each scope.
pub(crate) struct Tools {
    pub(crate) random: Box<dyn Random>,
    pub(crate) keyring: Arc<Keyring>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) write_budget: Arc<WriteBudget>,
    pub(crate) schemas: Arc<SchemaCache>,
    pub(crate) tables: Arc<KeptTables>,
    pub(crate) page_maps: Arc<PageMaps>,
}

/// Whether a unit that turns out to be long runs again in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// It goes on: it has its turn already, or cannot run again.
    NotNeeded,
    Possible,
    Wanted,
}

/// When the call learns that its workspace is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deletion {
    AtOnce,
    /// Only after the checks of rights: a call that was answered before the deletion gets that answer again.
    WithTheClaim,
    /// The workspace is deleted, and the unit has not claimed yet.
    Noted,
}

/// The actor, once more is known than the call's credential says.
struct Acting {
    actor: Actor,
    name: String,
}

/// A view cannot write: it has no such method.
pub type View = Scope<dyn Reads>;
pub type Unit = Scope<dyn Transaction>;

/// What a unit reports in addition to the rows it writes.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) events: Vec<Event>,
    pub(crate) audits: Vec<AuditEntry>,
    pub(crate) queues: Vec<Queue>,
    pub(crate) jobs: Vec<JobId>,
    pub(crate) written: WrittenSize,
    pub(crate) only_removes: bool,
    pub(crate) commits_refusal: bool,
}

impl<T: ?Sized> Scope<T> {
    fn new(call: Call, tx: Box<T>, tools: Tools, deletion: Deletion) -> Self {
        let (report, turn) = (Report::default(), Turn::NotNeeded);
        Self { call, tx, tools, report, claimed: false, acting: None, deletion, turn }
    }

    /// Notes that the workspace of the call is deleted; a view is refused at once.
    pub(crate) fn note_deletion(&mut self) -> AppResult<()> {
        if self.deletion == Deletion::AtOnce {
            return Err(Fault::WorkspaceDeleting.into());
        }
        self.deletion = Deletion::Noted;
        Ok(())
    }

    /// Sets the actor of everything that the scope reports from here on.
    pub(crate) fn act_for(&mut self, actor: Actor, name: String) {
        self.acting = Some(Acting { actor, name });
    }

    pub(crate) fn keyring(&self) -> Arc<Keyring> {
        Arc::clone(&self.tools.keyring)
    }

    pub(crate) fn schemas(&self) -> Arc<SchemaCache> {
        Arc::clone(&self.tools.schemas)
    }

    pub(crate) fn tables(&self) -> Arc<KeptTables> {
        Arc::clone(&self.tools.tables)
    }

    pub(crate) fn page_maps(&self) -> &PageMaps {
        &self.tools.page_maps
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.tools.rules
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        self.tools.random.bytes()
    }

    /// A fresh id: `scope.id(UserId::new)`.
    pub(crate) fn id<I>(&mut self, make: impl FnOnce(i64, [u8; 10]) -> I) -> I {
        self.tools.random.id(self.call.now, make)
    }
}

impl View {
    pub(crate) fn over(call: Call, tx: Box<dyn Reads>, tools: Tools) -> Self {
        Self::new(call, tx, tools, Deletion::AtOnce)
    }
}

impl Unit {
    pub(crate) fn over(call: Call, tx: Box<dyn Transaction>, tools: Tools) -> Self {
        Self::new(call, tx, tools, Deletion::WithTheClaim)
    }

    /// Allows the use case to ask for a turn, because the unit can run again.
    pub(crate) const fn allow_turn(&mut self) {
        self.turn = Turn::Possible;
    }

    pub(crate) const fn wants_turn(&self) -> bool {
        matches!(self.turn, Turn::Wanted)
    }

    /// Declares that the unit is about to write or remove content of this size. If that may take long, the unit ends
    /// here and runs again in a turn with other long ones. Call it before the slow part.
    pub(crate) fn expect_content(&mut self, blocks: u64, bytes: u64) -> AppResult<()> {
        if WorkKind::of_page(blocks, bytes) != WorkKind::Long || self.turn != Turn::Possible {
            return Ok(());
        }
        self.turn = Turn::Wanted;
        Err(StoreError::Collision.into())
    }

    /// The number of pages or blocks from which on the unit has to wait for a turn; `None` if it will not.
    pub(crate) fn enough_to_wait_for_a_turn(&self) -> Option<u64> {
        (self.turn == Turn::Possible).then_some(SHORT_BLOCKS as u64 + 1)
    }

    /// The same for a unit that is about to change or remove this many pages.
    pub(crate) fn expect_pages(&mut self, pages: u64) -> AppResult<()> {
        self.expect_content(pages, 0)
    }

    /// Declares that the unit writes content of this size. Callers that have written too much before are refused.
    pub(crate) fn count_written(&mut self, size: WrittenSize) -> AppResult<()> {
        self.tools.write_budget.check(&self.call)?;
        self.add_written(size);
        Ok(())
    }

    /// Declares that the unit only removes something. Callers that have written too much may still do that: it makes
    /// room, or takes access away. What it writes meanwhile is counted.
    pub(crate) const fn only_removes(&mut self) {
        self.report.only_removes = true;
    }

    /// Adds what the unit writes besides the content that it has declared, which is known only once it is written.
    pub(crate) fn add_written(&mut self, size: WrittenSize) {
        self.report.written = self.report.written.and(size);
    }

    /// Replaces the result of a unit in a deleted workspace: an earlier answer is replayed, anything else becomes
    /// "the workspace is deleted".
    pub(crate) fn resolve_deletion<T>(&self, done: AppResult<T>) -> AppResult<T> {
        match done {
            done if self.deletion != Deletion::Noted => done,
            Err(
                interrupt @ (Interrupt::Replay(_)
                | Interrupt::Fault(
                    Fault::Conflict(Conflict::InProgress) | Fault::Store(_) | Fault::Internal(_),
                )),
            ) => Err(interrupt),
            Ok(_) | Err(_) => Err(Fault::WorkspaceDeleting.into()),
        }
    }

    pub(crate) fn into_parts(self) -> (Box<dyn Transaction>, Report) {
        (self.tx, self.report)
    }

    pub(crate) const fn commits_refusal(&self) -> bool {
        self.report.commits_refusal
    }

    pub(crate) fn token(&mut self, kind: TokenKind) -> Token {
        self.tools.random.token(kind)
    }

    pub(crate) fn api_key(&mut self) -> KeyText {
        self.tools.random.api_key()
    }

    /// Sets the user as the actor of everything that the unit reports from here on: the signed-in caller, or the
    /// owner of a password or token in the body once it is verified.
    pub(crate) fn act_as(&mut self, user: &User) {
        self.act_for(Actor::User(user.id), user.name.to_string());
    }

    /// The actor of the unit and their name, for work that continues after the unit.
    pub(crate) fn acting(&self) -> (Actor, Option<String>) {
        (self.actor(), self.acting.as_ref().map(|acting| acting.name.clone()))
    }

    fn actor(&self) -> Actor {
        self.acting.as_ref().map_or_else(|| self.call.actor(), |acting| acting.actor)
    }

    /// Adds an entry to the event log.
    pub(crate) fn emit(&mut self, workspace: WorkspaceId, payload: EventPayload) {
        let event =
            Event { id: self.id(EventId::new), workspace, occurred_at: self.call.now, actor: self.actor(), payload };
        self.report.events.push(event);
    }

    /// Adds an entry to an audit chain.
    pub(crate) fn audit(&mut self, audit_entry: NewAuditEntry) {
        let is_personal = !audit_entry.is_impersonal;
        let client = self.call.client.as_ref().filter(|_| is_personal);
        let acting = self.acting.as_ref().filter(|_| is_personal);
        let personal = Personal {
            ip: client.map(|client| client.address.to_string()),
            user_agent: client.map(|client| client.user_agent.clone()),
            actor_name: acting.map(|acting| acting.name.clone()),
            target_label: audit_entry.target_label,
            changes: audit_entry.changes,
        };
        let entry = AuditEntry {
            id: self.id(AuditId::new),
            at: self.call.now,
            chain: audit_entry.chain,
            action: audit_entry.action,
            actor: if is_personal { self.actor() } else { Actor::System },
            target: audit_entry.target,
            outcome: audit_entry.outcome,
            reason: audit_entry.reason,
            request: self.call.request,
            personal,
            about: audit_entry.about,
            salt: self.tools.random.bytes(),
        };
        self.report.audits.push(entry);
    }

    /// Adds work to the durable queue; it starts after the commit.
    pub(crate) async fn enqueue(&mut self, work: &Work) -> AppResult<()> {
        let id = self.id(JobId::new);
        self.enqueue_as(id, work).await
    }

    /// Queues work under an id that is also used elsewhere.
    pub(crate) async fn enqueue_as(&mut self, id: JobId, work: &Work) -> AppResult<()> {
        self.enqueue_later(id, work, self.call.now).await?;
        self.wake(work.queue());
        Ok(())
    }

    /// Queues work that starts at this time.
    pub(crate) async fn enqueue_later(&mut self, id: JobId, work: &Work, run_at: Timestamp) -> AppResult<()> {
        let chore = self.chore(id, work, run_at);
        Ok(self.tx.chores().insert(&chore).await?)
    }

    /// Adds work of one queue; it starts after the commit.
    pub(crate) async fn enqueue_all(&mut self, works: &[Work]) -> AppResult<()> {
        let Some(first) = works.first() else { return Ok(()) };
        let now = self.call.now;
        let mut chores = Vec::with_capacity(works.len());
        for work in works {
            let id = self.id(JobId::new);
            chores.push(self.chore(id, work, now));
        }
        self.tx.chores().insert_all(&chores).await?;
        self.wake(first.queue());
        Ok(())
    }

    fn chore(&mut self, id: JobId, work: &Work, run_at: Timestamp) -> Chore {
        // Plain data with text keys: serializing it cannot fail.
        let plain = serde_json::to_vec(work).unwrap_or_default();
        let payload = self.tools.keyring.seal(id.to_string().as_bytes(), &plain, self.tools.random.bytes());
        Chore { id, queue: work.queue(), payload, attempts: 0, run_at, created_at: self.call.now }
    }

    fn wake(&mut self, queue: Queue) {
        if !self.report.queues.contains(&queue) {
            self.report.queues.push(queue);
        }
    }

    /// Wakes callers that wait for a job, once its change is committed.
    pub(crate) fn job_changed(&mut self, id: JobId) {
        self.report.jobs.push(id);
    }

    /// Seals bytes so that they can be opened only with the same associated bytes.
    pub(crate) fn seal(&mut self, associated: &[u8], plain: &[u8]) -> Vec<u8> {
        self.tools.keyring.seal(associated, plain, self.tools.random.bytes())
    }

    /// Seals bytes with the newest secret; `None` if they already are.
    pub(crate) fn reseal(&mut self, associated: &[u8], sealed: &[u8]) -> Result<Option<Vec<u8>>, Unsealable> {
        self.tools.keyring.reseal(associated, sealed, self.tools.random.bytes())
    }

    /// Makes the refusal keep what the unit has written, for refusals that are events themselves: a reused token, a
    /// failed sign-in.
    pub(crate) fn refuse(&mut self, fault: Fault) -> Interrupt {
        self.report.commits_refusal = true;
        Interrupt::Fault(fault)
    }

    /// Looks for an earlier answer under the call's idempotency key, and claims the key if there is none.
    ///
    /// Every writing use case calls this right after its checks of rights and before it looks at the body. A use case
    /// that forgets it cannot commit.
    pub(crate) async fn claim(&mut self) -> AppResult<()> {
        self.claimed = true;
        let is_noted = self.deletion == Deletion::Noted;
        let unanswered = || if is_noted { Err(Fault::WorkspaceDeleting.into()) } else { Ok(()) };
        let Some(key) = &self.call.key else { return unanswered() };
        let key = key.as_ref().map_err(Clone::clone)?;
        if key.busy {
            return Err(Fault::Conflict(Conflict::InProgress).into());
        }
        let reply_key = reply_key(key);
        match self.tx.replies().claim(&reply_key, self.call.now).await? {
            Claim::Free => unanswered(),
            Claim::Busy => Err(Fault::Conflict(Conflict::InProgress).into()),
            Claim::Kept(kept) if kept.fingerprint != key.fingerprint => Err(Fault::KeyReused.into()),
            Claim::Kept(kept) => {
                let plain =
                    self.tools.keyring.open_for(key.value.expose().as_bytes(), key.principal.as_bytes(), &kept.sealed);
                // A kept reply that the present keys cannot open counts as none: the key is free again.
                let Some(mut reply) = plain.ok().and_then(|plain| kept_reply::unpack(&plain)) else {
                    return unanswered();
                };
                reply.replayed = true;
                Err(Interrupt::Replay(reply))
            }
        }
    }

    /// The answer when the thing that a call names is gone. A repeated deletion gets its earlier answer again;
    /// otherwise the answer is "not found". Do not use it for things that are only hidden from the caller, nor before
    /// checking the part of the right that does not depend on the thing.
    pub(crate) async fn absent(&mut self) -> Interrupt {
        match self.claim().await {
            Ok(()) | Err(Interrupt::Fault(Fault::KeyReused | Fault::Invalid(_))) => Fault::NotFound.into(),
            Err(interrupt) => interrupt,
        }
    }

    /// Like [`Self::absent`], for callers that would have the right if the thing existed. Others get the same answer
    /// as if it had never existed.
    pub(crate) async fn absent_to<E>(&mut self, right: Result<(), E>) -> Interrupt {
        match right {
            Ok(()) => self.absent().await,
            Err(_) => Fault::NotFound.into(),
        }
    }

    /// Keeps a reply for the call's idempotency key. A large one counts like content: a call that changes nothing may
    /// have one too.
    pub(crate) async fn keep_reply(&mut self, reply: &Reply) -> AppResult<()> {
        if !self.claimed {
            // Check this also for calls without a key: otherwise a use case that forgot to claim would go unnoticed
            // until a caller sends a key.
            return Err(Fault::Internal("a writing use case did not claim its idempotency key").into());
        }
        let Some(Ok(key)) = &self.call.key else { return Ok(()) };
        let plain = kept_reply::pack(reply).ok_or(LOST)?;
        let associated = key.principal.as_bytes();
        let sealed =
            self.tools.keyring.seal_for(key.value.expose().as_bytes(), associated, &plain, self.tools.random.bytes());
        drop(plain);
        let bytes = sealed.len() as u64;
        if bytes > SMALL_REPLY && !self.report.only_removes {
            self.tools.write_budget.check(&self.call)?;
        }
        let kept = KeptReply { fingerprint: key.fingerprint, sealed, expires_at: self.call.now.plus(days(1)) };
        let reply_key = reply_key(key);
        self.add_written(WrittenSize::of_bytes(bytes));
        Ok(self.tx.replies().keep(&reply_key, &kept).await?)
    }
}

fn reply_key(key: &crate::call::CallKey) -> ReplyKey {
    let key_hash = *blake3::hash(key.value.expose().as_bytes()).as_bytes();
    ReplyKey { principal: key.principal.clone(), key_hash }
}
