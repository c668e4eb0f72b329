//! What mails about notifications say: what the recipient may know when they are sent.

use crate::{
    notifications::shown::{self, ShownNotification},
    outcome::AppResult,
    scope::View,
};
use octavo_core_model::{
    account::{AccountStatus, User},
    id::{NotificationId, UserId},
    mail::{Letter, Notice, Topic},
    notification::{MailChoice, MailPreferences, Notification},
};
use octavo_ports::notifications::DueDigest;
use std::collections::{BTreeMap, BTreeSet};

/// How many notifications a mail of the day shows.
const SHOWN: usize = 50;

/// Whether mails about notifications go to an account.
pub(super) fn is_reachable(user: &User) -> bool {
    user.status == AccountStatus::Active && user.is_verified() && !user.email.is_placeholder()
}

/// The letters about these notifications. There is none about what was read meanwhile, or what its recipient does not
/// want any more.
pub(super) async fn at_once(
    view: &mut View,
    to: &[(UserId, NotificationId)],
) -> AppResult<Vec<(UserId, NotificationId, Letter)>> {
    let (users, ids): (Vec<_>, Vec<_>) = to.iter().copied().unzip();
    let mut found = view.tx.notifications().list_by_id(&users, &ids).await?;
    found.retain(|told| told.read_at.is_none() && told.archived_at.is_none());
    let accounts = accounts_of(view, &found).await?;
    let decided: BTreeMap<_, _> = view.tx.notifications().list_preferences(&users).await?.into_iter().collect();
    let by_default = MailPreferences::default();
    let (now, mut letters) = (view.call.now, Vec::new());
    for told in found {
        let preferences = decided.get(&told.user).unwrap_or(&by_default);
        let is_wanted = preferences.choice(told.kind) == MailChoice::Instant && !preferences.is_paused(now);
        let Some(user) = accounts.get(&told.user).filter(|user| is_wanted && is_reachable(user)) else { continue };
        if !may_cause_mail(&told, &accounts) {
            continue;
        }
        let id = told.id;
        let shown = shown::many(view, user.id, vec![told]).await?;
        if let Some(notice) = shown.into_iter().find_map(notice) {
            letters.push((user.id, id, letter(user, Topic::Notification(notice))));
        }
    }
    Ok(letters)
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
    let most = u32::try_from(SHOWN + 1).unwrap_or(u32::MAX);
    let mut found = view.tx.notifications().list_unread_since(user.id, &kinds, due.since, most).await?;
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
