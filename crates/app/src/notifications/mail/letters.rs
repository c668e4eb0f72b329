//! What mails about notifications say: what the recipient may know when they are sent.

use crate::{
    call::Call,
    engine::Engine,
    notifications::shown::{self, ShownNotification},
    outcome::AppResult,
    scope::View,
};
use octavo_core_model::{
    Timestamp,
    account::{AccountStatus, User},
    id::{NotificationId, UserId},
    mail::{Letter, Notice, Topic},
    notification::{MailChoice, Notification},
};
use octavo_ports::notifications::DueDigest;
use std::collections::{BTreeMap, BTreeSet};

/// How many notifications a mail of the day shows.
const SHOWN: usize = 50;

/// How many notifications are looked at for it, those that changed last first.
const CONSIDERED: u32 = 500;

/// Whether mails about notifications go to an account.
pub(super) fn is_reachable(user: &User) -> bool {
    user.status == AccountStatus::Active && user.is_verified() && !user.email.is_placeholder()
}

/// The letter about a notification. There is none if it was read meanwhile, or if its recipient does not want it any
/// more.
pub(crate) async fn letter_at_once(
    engine: &Engine,
    user: UserId,
    id: NotificationId,
    now: Timestamp,
) -> AppResult<Option<Letter>> {
    engine.read(Call::system(now), move |view| Box::pin(at_once(view, user, id))).await
}

async fn at_once(view: &mut View, user: UserId, id: NotificationId) -> AppResult<Option<Letter>> {
    let found = view.tx.notifications().find(user, id).await?;
    let Some(told) = found.filter(|told| told.read_at.is_none() && told.archived_at.is_none()) else {
        return Ok(None);
    };
    let decided = view.tx.notifications().list_preferences(&[user]).await?.pop();
    let preferences = decided.map(|(_, decided)| decided).unwrap_or_default();
    if preferences.choice(told.kind) != MailChoice::Instant || preferences.is_paused(view.call.now) {
        return Ok(None);
    }
    let accounts = accounts_of(view, std::slice::from_ref(&told)).await?;
    let Some(recipient) = accounts.get(&user).filter(|user| is_reachable(user)) else { return Ok(None) };
    if !may_cause_mail(&told, &accounts) {
        return Ok(None);
    }
    let notice = shown::many(view, user, vec![told]).await?.into_iter().find_map(notice);
    Ok(notice.map(|notice| letter(recipient, Topic::Notification(notice))))
}

/// The mail of the day. There is none if nothing is left to mail, or if it was due during a pause.
pub(super) async fn of_day(view: &mut View, due: DueDigest) -> AppResult<Option<Letter>> {
    let Some(user) = view.tx.accounts().find(due.user).await?.filter(is_reachable) else { return Ok(None) };
    let decided = view.tx.notifications().list_preferences(&[user.id]).await?.pop();
    let preferences = decided.map(|(_, decided)| decided).unwrap_or_default();
    let kinds = preferences.daily();
    if kinds.is_empty() || preferences.is_paused(due.due_at) {
        return Ok(None);
    }
    // Some of them may not be shown any more.
    let mut found =
        view.tx.notifications().list_unread_between(user.id, &kinds, due.since, due.until, CONSIDERED).await?;
    let accounts = accounts_of(view, &found).await?;
    found.retain(|told| may_cause_mail(told, &accounts));
    let shown = shown::many(view, user.id, found).await?;
    let mut notices: Vec<_> = shown.into_iter().filter_map(notice).collect();
    let has_more = notices.len() > SHOWN;
    notices.truncate(SHOWN);
    Ok((!notices.is_empty()).then(|| letter(&user, Topic::Digest { notices, has_more })))
}

/// The recipients, and those who did it.
async fn accounts_of(view: &mut View, found: &[Notification]) -> AppResult<BTreeMap<UserId, User>> {
    let ids: BTreeSet<_> = found.iter().flat_map(|told| [Some(told.user), told.actor]).flatten().collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let accounts = view.tx.accounts().list_by_id(&Vec::from_iter(ids)).await?;
    Ok(accounts.into_iter().map(|user| (user.id, user)).collect())
}

/// Nobody is mailed on behalf of an account whose address is not verified.
fn may_cause_mail(told: &Notification, accounts: &BTreeMap<UserId, User>) -> bool {
    told.actor.and_then(|actor| accounts.get(&actor)).is_none_or(User::is_verified)
}

/// `None` if the recipient may not view the thing any more and is not told of it without that.
fn notice(shown: ShownNotification) -> Option<Notice> {
    let ShownNotification { notification: told, actor, resource_title, title, preview } = shown;
    if resource_title.is_none() && told.kind.needs_access() {
        return None;
    }
    let (kind, subject) = (told.kind, told.subject);
    Some(Notice {
        kind,
        actor: actor.map(|actor| actor.name),
        title: title.or(resource_title),
        preview,
        workspace: told.workspace,
        subject: subject.kind(),
        id: subject.id(),
    })
}

fn letter(user: &User, topic: Topic) -> Letter {
    Letter { to: user.email.clone(), name: user.name.to_string(), topic }
}
