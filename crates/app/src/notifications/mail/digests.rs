//! The mail of the day.

use super::letters;
use crate::{call::Call, engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{Timestamp, account::User, chore::Work, id::UserId, mail::Letter, notification::DailyTime};
use octavo_ports::notifications::DueDigest;
use std::time::Duration;

/// A mail also has what was written so soon after it was taken: the times of notifications come from the clocks of different
/// nodes. Within this time, one may be mailed twice, but none is lost.
const CLOCKS_DIFFER: Duration = Duration::from_secs(10);

/// How many mails one unit queues.
const QUEUED: u32 = 100;

/// Queues some of the mails of the day that are due. Returns whether there may be more.
pub async fn queue_due_digests(engine: &Engine, now: Timestamp) -> AppResult<bool> {
    let list = engine.read(Call::system(now), move |view| {
        Box::pin(async move { Ok(view.tx.notifications().list_due_digests(now, QUEUED).await?) })
    });
    let due = list.await?;
    if due.is_empty() {
        return Ok(false);
    }
    let may_be_more = due.len() >= QUEUED as usize;
    let queue = engine.chore_repeatably(now, move |unit| {
        let due = due.clone();
        Box::pin(async move { queue(unit, due).await })
    });
    queue.await?;
    Ok(may_be_more)
}

/// Another node may have taken some of them.
async fn queue(unit: &mut Unit, mut due: Vec<UserId>) -> AppResult<()> {
    // In the order in which units that notify lock the rows.
    due.sort_unstable();
    let (now, mut works) = (unit.call.now, Vec::with_capacity(due.len()));
    for user in due {
        if let Some(taken) = unit.tx.notifications().take_digest(user, now).await? {
            let (since_millis, until_millis) = (taken.since.millis(), taken.until.plus(CLOCKS_DIFFER).millis());
            works.push(Work::MailDigest { user, since_millis, until_millis, due_millis: taken.due_at.millis() });
        }
    }
    unit.enqueue_all(&works).await
}

/// The mail of a day, if there is something to mail.
pub(crate) async fn digest(engine: &Engine, due: DueDigest, now: Timestamp) -> AppResult<Option<Letter>> {
    engine.read(Call::system(now), move |view| Box::pin(letters::of_day(view, due))).await
}

/// Moves the mail of the day that a user waits for, after they chose another time or another time zone.
pub(crate) async fn move_digest(unit: &mut Unit, user: &User, daily_at: Option<DailyTime>) -> AppResult<()> {
    let daily_at = if let Some(chosen) = daily_at {
        chosen
    } else {
        let decided = unit.tx.notifications().list_preferences(&[user.id]).await?.pop();
        decided.map(|(_, decided)| decided).unwrap_or_default().daily_at
    };
    let due_at = daily_at.next(&user.timezone, unit.call.now);
    Ok(unit.tx.notifications().move_digest(user.id, due_at).await?)
}
