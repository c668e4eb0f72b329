//! Writes notifications.

use super::{audience::Told, occasion::Occasion};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    account::AccountStatus,
    id::{NotificationId, UserId, WorkspaceId},
    notification::{FOLDED_FOR, Notification, NotificationType, Subject},
};
use octavo_ports::notifications::Folding;
use std::collections::BTreeSet;

/// Notifies these users. Changes of one page within ten minutes become one notification. A repeated event notifies only
/// users that were not notified of it before, and is not counted again.
pub(super) async fn deliver(
    unit: &mut Unit,
    workspace: WorkspaceId,
    occasion: &Occasion,
    mut told: Told,
    is_repeated: bool,
) -> AppResult<()> {
    keep_accounts(unit, &mut told).await?;
    fold(unit, workspace, occasion, &mut told, is_repeated).await?;
    if told.is_empty() {
        return Ok(());
    }
    let now = unit.call.now;
    let mut new = Vec::with_capacity(told.len());
    for (user, (kind, subject)) in told {
        new.push(Notification {
            id: unit.id(NotificationId::new),
            user,
            workspace,
            kind,
            action: occasion.action.clone(),
            actor: occasion.actor,
            subject,
            count: 1,
            read_at: None,
            archived_at: None,
            created_at: now,
            updated_at: now,
        });
    }
    unit.tx.notifications().insert(&new).await?;
    Ok(())
}

/// Leaves out users whose accounts do not exist any more.
async fn keep_accounts(unit: &mut Unit, told: &mut Told) -> AppResult<()> {
    if told.is_empty() {
        return Ok(());
    }
    let users: Vec<_> = told.keys().copied().collect();
    let people = unit.tx.members().list_people(&users).await?;
    let there: BTreeSet<_> =
        people.into_iter().filter(|person| person.status != AccountStatus::Deleted).map(|person| person.id).collect();
    told.retain(|user, _| there.contains(user));
    Ok(())
}

/// Folds changes into unread notifications, and leaves the users to tell that have none.
async fn fold(
    unit: &mut Unit,
    workspace: WorkspaceId,
    occasion: &Occasion,
    told: &mut Told,
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
        since: unit.call.now.minus(FOLDED_FOR),
        now: unit.call.now,
    };
    for user in unit.tx.notifications().fold(folding).await? {
        told.remove(&user);
    }
    Ok(())
}
