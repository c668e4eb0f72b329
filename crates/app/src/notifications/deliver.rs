//! Writes notifications.

use super::{audience::Told, mail::queue_mails, occasion::Occasion};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Timestamp,
    account::{AccountStatus, User},
    id::{NotificationId, UserId, WorkspaceId},
    notification::{FOLDED_FOR, Notification, NotificationType, Subject},
};
use octavo_ports::notifications::Folding;
use std::collections::{BTreeMap, BTreeSet};

/// Notifies these users. Changes of one page within ten minutes become one notification. A repeated event notifies only
/// users that were not notified of it before, and is not counted again.
pub(super) async fn deliver(
    unit: &mut Unit,
    workspace: WorkspaceId,
    occasion: &Occasion,
    mut told: Told,
    at: Timestamp,
    is_repeated: bool,
) -> AppResult<()> {
    let accounts = keep_accounts(unit, &mut told).await?;
    fold(unit, workspace, occasion, &mut told, at, is_repeated).await?;
    if told.is_empty() {
        return Ok(());
    }
    let mut new = Vec::with_capacity(told.len());
    for (user, (kind, subject)) in told {
        new.push(Notification {
            id: unit.id(NotificationId::new),
            user,
            workspace,
            kind,
            action: occasion.action_for(kind, subject),
            actor: occasion.actor,
            subject,
            count: 1,
            read_at: None,
            archived_at: None,
            created_at: at,
            updated_at: at,
        });
    }
    let inserted: BTreeSet<_> = unit.tx.notifications().insert(&new).await?.into_iter().collect();
    if !is_repeated && occasion.assigning.is_some() {
        count_again(unit, workspace, &new, &inserted).await?;
    }
    new.retain(|told| inserted.contains(&told.id));
    // What a replay brings back was mailed before.
    if is_repeated { Ok(()) } else { queue_mails(unit, &new, &accounts).await }
}

/// Counts another record in the notifications of those to whom the same request has assigned one before.
async fn count_again(
    unit: &mut Unit,
    workspace: WorkspaceId,
    new: &[Notification],
    inserted: &BTreeSet<NotificationId>,
) -> AppResult<()> {
    let known = |told: &&Notification| told.kind == NotificationType::Assigned && !inserted.contains(&told.id);
    let users: Vec<_> = new.iter().filter(known).map(|told| told.user).collect();
    let Some(action) = new.iter().find(known).map(|told| told.action.as_str()) else { return Ok(()) };
    let now = unit.call.now;
    Ok(unit.tx.notifications().count_again(&users, workspace, action, now).await?)
}

/// Notifies a user of something that the log does not contain, on behalf of the service. Nothing happens if they were
/// notified of the action before, or are no member of the workspace any more.
pub(crate) async fn notify(
    unit: &mut Unit,
    workspace: WorkspaceId,
    user: UserId,
    subject: Subject,
    action: String,
) -> AppResult<()> {
    if unit.tx.members().list_roles(workspace, &[user]).await?.is_empty() {
        return Ok(());
    }
    let now = unit.call.now;
    let notification = Notification {
        id: unit.id(NotificationId::new),
        user,
        workspace,
        kind: NotificationType::System,
        action,
        actor: None,
        subject,
        count: 1,
        read_at: None,
        archived_at: None,
        created_at: now,
        updated_at: now,
    };
    let new = [notification];
    if unit.tx.notifications().insert(&new).await?.is_empty() {
        return Ok(());
    }
    let accounts = unit.tx.accounts().list_by_id(&[user]).await?.into_iter().map(|user| (user.id, user)).collect();
    queue_mails(unit, &new, &accounts).await
}

/// Leaves out users whose accounts do not exist any more, and returns the accounts of the others.
async fn keep_accounts(unit: &mut Unit, told: &mut Told) -> AppResult<BTreeMap<UserId, User>> {
    if told.is_empty() {
        return Ok(BTreeMap::new());
    }
    let users: Vec<_> = told.keys().copied().collect();
    let accounts = unit.tx.accounts().list_by_id(&users).await?.into_iter();
    let accounts: BTreeMap<_, _> =
        accounts.filter(|user| user.status != AccountStatus::Deleted).map(|user| (user.id, user)).collect();
    told.retain(|user, _| accounts.contains_key(user));
    Ok(accounts)
}

/// Folds changes into unread notifications, and leaves the users to tell that have none.
async fn fold(
    unit: &mut Unit,
    workspace: WorkspaceId,
    occasion: &Occasion,
    told: &mut Told,
    at: Timestamp,
    is_repeated: bool,
) -> AppResult<()> {
    let is_change = |(kind, _): &(NotificationType, Subject)| *kind == NotificationType::PageUpdated;
    let users: Vec<UserId> = told.iter().filter(|(_, what)| is_change(what)).map(|(user, _)| *user).collect();
    if users.is_empty() {
        return Ok(());
    }
    if is_repeated {
        told.retain(|_, what| !is_change(what));
        return Ok(());
    }
    let folding = Folding {
        workspace,
        kind: NotificationType::PageUpdated,
        subject: &occasion.subject.id(),
        action: &occasion.action,
        users: &users,
        since: at.minus(FOLDED_FOR),
        now: at,
    };
    for user in unit.tx.notifications().fold(folding).await? {
        told.remove(&user);
    }
    Ok(())
}
