//! What the deployment does by itself: running chores, sweeping, recording the last activity of sessions and API
//! keys.

use crate::{
    accounts::{deletion, email_change, email_verification},
    audit, blocks,
    engine::Engine,
    invitations, jobs, notifications,
    outcome::{AppResult, Interrupt},
    pages, passwords,
    queue::{ChoreOutcome, finish, open, put_off, put_off_unopened},
    workspaces,
};
use futures_util::future::join_all;
use octavo_core_model::{
    Fault, Timestamp,
    chore::{Chore, Work, retry_after},
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
    job,
    mail::Letter,
    notification::{READ_KEPT_FOR, UNREAD_KEPT_FOR},
    one_time::REMEMBERED,
    page::Visit,
    session::ACTIVITY_STEP,
    share_link::Viewed,
    time::days,
};
use octavo_ports::{
    blobs::Blobs,
    mailer::{MailFailure, Mailer},
    notifications::DueDigest,
    sweeps::{Due, Horizons, Swept},
};

/// How many rows of each kind one unit removes.
const SWEEP_BATCH: u32 = 1000;

/// Runs leased chores and returns the outcome of each.
pub async fn run_all(
    engine: &Engine,
    chores: &[Chore],
    mailer: &dyn Mailer,
    now: Timestamp,
) -> AppResult<Vec<ChoreOutcome>> {
    // All of them run to their end, even if one fails: a letter that is being delivered must not be sent again
    // because another chore failed.
    join_all(chores.iter().map(|chore| run(engine, chore, mailer, now))).await.into_iter().collect()
}

async fn run(engine: &Engine, chore: &Chore, mailer: &dyn Mailer, now: Timestamp) -> AppResult<ChoreOutcome> {
    match open(engine, chore) {
        Some(Work::Deliver(letter)) => deliver(engine, chore, &letter, mailer, now).await,
        Some(Work::MailNotification { user, notification }) => {
            let letter = notifications::letter_at_once(engine, user, notification, now).await?;
            deliver_if_any(engine, chore, letter, mailer, now).await
        }
        Some(Work::MailDigest { user, since_millis, until_millis, due_millis }) => {
            let at = Timestamp::from_millis;
            let digest = DueDigest { user, since: at(since_millis), until: at(until_millis), due_at: at(due_millis) };
            let letter = notifications::digest(engine, digest, now).await?;
            deliver_if_any(engine, chore, letter, mailer, now).await
        }
        Some(work) => prepare(engine, chore, work, now).await,
        None => put_off_unopened(engine, chore, now).await,
    }
}

/// Sends a letter whose chore decides late whether there is one.
async fn deliver_if_any(
    engine: &Engine,
    chore: &Chore,
    letter: Option<Letter>,
    mailer: &dyn Mailer,
    now: Timestamp,
) -> AppResult<ChoreOutcome> {
    match letter {
        Some(letter) => deliver(engine, chore, &letter, mailer, now).await,
        None => finish(engine, chore, now).await.map(|()| ChoreOutcome::Done),
    }
}

async fn deliver(
    engine: &Engine,
    chore: &Chore,
    letter: &Letter,
    mailer: &dyn Mailer,
    now: Timestamp,
) -> AppResult<ChoreOutcome> {
    match mailer.send(chore.id, letter).await {
        Ok(()) => {
            finish(engine, chore, now).await?;
            Ok(ChoreOutcome::Done)
        }
        Err(MailFailure::Later(reason)) => put_off(engine, chore, reason, retry_after(chore.attempts + 1), now).await,
        Err(MailFailure::Never(reason)) => put_off(engine, chore, reason, None, now).await,
    }
}

/// Does the work and removes the chore in one unit, so that it happens exactly once.
async fn prepare(engine: &Engine, chore: &Chore, work: Work, now: Timestamp) -> AppResult<ChoreOutcome> {
    let (queue, id) = (chore.queue, chore.id);
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                match work {
                    Work::SendReset { email } => passwords::send_reset(unit, &email).await?,
                    Work::SendVerification { user, email } => email_verification::send(unit, user, &email).await?,
                    Work::SendEmailChange { user, email, token } => {
                        email_change::send(unit, user, &email, token).await?;
                    }
                    Work::EmptyTrash { workspace, until_millis, by, name } => {
                        let until = Timestamp::from_millis(until_millis);
                        pages::trash::continue_emptying(unit, workspace, until, (by, name)).await?;
                    }
                    Work::DeleteInstances { workspace, pages, author, by, name } => {
                        unit.act_for(by, name.unwrap_or_default());
                        blocks::delete_instances(unit, workspace, pages, author).await?;
                    }
                    Work::RemoveContent { workspace, pages, with_references, author, by, name } => {
                        unit.act_for(by, name.unwrap_or_default());
                        pages::trash::continue_removal(unit, workspace, pages, with_references, author).await?;
                    }
                    Work::DeleteInstancesOf { workspace, sources, author, by, name } => {
                        unit.act_for(by, name.unwrap_or_default());
                        blocks::delete_instances_of(unit, workspace, sources, author).await?;
                    }
                    Work::Deliver(_) | Work::MailNotification { .. } | Work::MailDigest { .. } | Work::Run { .. } => {
                        return Err(Interrupt::Fault(Fault::Internal("letters and jobs are run elsewhere")));
                    }
                }
                Ok(unit.tx.chores().remove(queue, id).await?)
            })
        })
        .await?;
    Ok(ChoreOutcome::Done)
}

/// Removes one bounded batch of rows that nobody can ask for any more. Call it again until nothing was removed.
pub async fn sweep(engine: &Engine, now: Timestamp) -> AppResult<Swept> {
    let horizons = horizons(engine, now);
    engine
        .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.sweeps().sweep(horizons, SWEEP_BATCH).await?) }))
        .await
}

fn horizons(engine: &Engine, now: Timestamp) -> Horizons {
    Horizons {
        replies: now,
        credentials: now.minus(REMEMBERED),
        origins: now.minus(days(90)),
        events: now.minus(engine.rules.event_retention),
        jobs: now.minus(job::REMEMBERED),
        read_notifications: now.minus(READ_KEPT_FOR),
        unread_notifications: now.minus(UNREAD_KEPT_FOR),
    }
}

/// Counts everything that has expired, and removes it unless `only_look` is set.
pub async fn purge(engine: &Engine, blobs: &dyn Blobs, now: Timestamp, only_look: bool) -> AppResult<Due> {
    if only_look {
        let horizons = horizons(engine, now);
        let due = engine
            .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.sweeps().count_due(horizons, now).await?) }))
            .await?;
        return Ok(Due { audit_entries: audit::count_due(engine, now).await?, ..due });
    }
    // Remove the bytes first: without the row nothing would lead to them.
    let job_results = jobs::remove_due_bytes(engine, blobs, now).await?;
    let mut gone = Due {
        job_results,
        audit_entries: audit::prune_due(engine, now).await?,
        accounts: deletion::purge_due(engine, now).await?.into(),
        workspaces: workspaces::deletion::purge_due(engine, now).await?.into(),
        pages: pages::trash::purge_due(engine, now).await?.into(),
        address_grants: invitations::release_due(engine, now).await?.into(),
        rows: Swept::default(),
    };
    loop {
        let batch = sweep(engine, now).await?;
        if batch == Swept::default() {
            return Ok(gone);
        }
        gone.rows += batch;
    }
}

/// The credentials, pages and share links that were used since the last report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub sessions: Vec<(UserId, SessionId)>,
    pub keys: Vec<(WorkspaceId, ApiKeyId, Timestamp)>,
    /// Which user looked at which page.
    pub visits: Vec<Visit>,
    /// Share links that were opened.
    pub views: Vec<Viewed>,
}

impl Used {
    pub const fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.keys.is_empty() && self.visits.is_empty() && self.views.is_empty()
    }
}

/// Updates the last activity of sessions and the last use of API keys, and stores visits of pages and openings of
/// share links.
pub async fn touch(engine: &Engine, now: Timestamp, used: Used) -> AppResult<()> {
    engine
        .chore_repeatably(now, move |unit| {
            let used = used.clone();
            Box::pin(async move {
                if !used.sessions.is_empty() {
                    unit.tx.sessions().touch(&used.sessions, now.minus(ACTIVITY_STEP), now).await?;
                }
                if !used.keys.is_empty() {
                    unit.tx.api_keys().touch(&used.keys).await?;
                }
                unit.tx.pages().save_visits(&used.visits).await?;
                unit.tx.share_links().count_views(&used.views).await?;
                Ok(())
            })
        })
        .await
}
