//! Sends mails about notifications.

use super::letters;
use crate::{
    call::Call,
    engine::Engine,
    outcome::AppResult,
    queue::{ChoreOutcome, finish},
};
use octavo_core_model::{
    Timestamp,
    chore::{Chore, Work, retry_after},
    id::{NotificationId, UserId},
};
use octavo_ports::mailer::{MailFailure, Mailer};

/// Mails notifications, one after the other. Those whose mail failed are tried again later.
pub(crate) async fn mail(
    engine: &Engine,
    chore: &Chore,
    to: Vec<(UserId, NotificationId)>,
    mailer: &dyn Mailer,
    now: Timestamp,
) -> AppResult<ChoreOutcome> {
    let call = Call::system(now);
    let letters = engine.read(call, move |view| Box::pin(async move { letters::at_once(view, &to).await })).await?;
    let (mut left, mut failure) = (Vec::new(), None);
    for (user, id, letter) in letters {
        match mailer.send(id.mail(), &letter).await {
            Ok(()) => {}
            Err(MailFailure::Later(reason)) => {
                left.push((user, id));
                failure = Some(reason);
            }
            Err(MailFailure::Never(reason)) => failure = Some(reason),
        }
    }
    let Some(reason) = failure else { return finish(engine, chore, now).await.map(|()| ChoreOutcome::Done) };
    let attempts = chore.attempts + 1;
    let Some(wait) = retry_after(attempts).filter(|_| !left.is_empty()) else {
        finish(engine, chore, now).await?;
        return Ok(ChoreOutcome::GivenUp(reason));
    };
    let (queue, id, rest) = (chore.queue, chore.id, Work::MailNotifications { to: left });
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                unit.tx.chores().remove(queue, id).await?;
                unit.enqueue_rest(&rest, attempts, now.plus(wait)).await
            })
        })
        .await?;
    Ok(ChoreOutcome::Later(reason))
}
