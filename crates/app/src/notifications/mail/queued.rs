//! Who gets a mail about new notifications, and when.

use super::letters::is_reachable;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Timestamp,
    account::User,
    chore::Work,
    id::UserId,
    notification::{MailChoice, MailPreferences, Notification},
};
use std::collections::BTreeMap;

/// Queues the mails about new notifications of one action.
pub(in crate::notifications) async fn queue_mails(
    unit: &mut Unit,
    new: &[Notification],
    accounts: &BTreeMap<UserId, User>,
) -> AppResult<()> {
    let now = unit.call.now;
    let reachable = |told: &&Notification| accounts.get(&told.user).is_some_and(is_reachable);
    let users: Vec<_> = new.iter().filter(reachable).map(|told| told.user).collect();
    if users.is_empty() {
        return Ok(());
    }
    let decided: BTreeMap<_, _> = unit.tx.notifications().list_preferences(&users).await?.into_iter().collect();
    let by_default = MailPreferences::default();
    let (mut at_once, mut daily) = (Vec::new(), BTreeMap::<Timestamp, Vec<UserId>>::new());
    for told in new.iter().filter(reachable) {
        let preferences = decided.get(&told.user).unwrap_or(&by_default);
        match preferences.choice(told.kind) {
            MailChoice::Instant if !preferences.is_paused(now) => {
                at_once.push(Work::MailNotification { user: told.user, notification: told.id });
            }
            // A pause counts when the mail is due.
            MailChoice::Daily => {
                if let Some(user) = accounts.get(&told.user) {
                    daily.entry(preferences.daily_at.next(&user.timezone, now)).or_default().push(told.user);
                }
            }
            MailChoice::Instant | MailChoice::Off => {}
        }
    }
    if (at_once.is_empty() && daily.is_empty()) || !may_cause_mail(unit, new).await? {
        return Ok(());
    }
    unit.enqueue_all(&at_once).await?;
    for (due_at, users) in daily {
        unit.tx.notifications().begin_digests(&users, now, due_at).await?;
    }
    Ok(())
}

/// Whether the account that did it, if any, has verified its address.
async fn may_cause_mail(unit: &mut Unit, new: &[Notification]) -> AppResult<bool> {
    let Some(actor) = new.first().and_then(|told| told.actor) else { return Ok(true) };
    Ok(unit.tx.accounts().find(actor).await?.is_none_or(|actor| actor.is_verified()))
}
