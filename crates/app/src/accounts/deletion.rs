//! Deleting an account, and restoring it in time.

use crate::{
    access,
    accounts::exclusions,
    audit_entry::NewAuditEntry,
    confirmation, due,
    engine::Engine,
    mailed, members,
    oauth::grants,
    outcome::{AppResult, Draft},
    scope::Unit,
    workspaces,
};
use octavo_core_model::{
    Fault, Secret, Timestamp, TokenKind,
    account::{AccountStatus, User},
    event::EventType,
    fault::Conflict,
    id::{SessionId, UserId},
    mail::Topic,
    session::Ending,
};

/// Mailed tokens that become invalid when somebody loses control of an account.
///
/// The token that undoes a change of address is not among them. It belongs to somebody who may have lost the account
/// to a thief, and nothing that is done with the account afterwards, not even deleting it, may take it from them.
pub(super) const REVOKED_ON_LOSS: [TokenKind; 4] =
    [TokenKind::EmailVerification, TokenKind::PasswordReset, TokenKind::EmailChange, TokenKind::AccountRestore];

/// Schedules the deletion of the caller's account. `confirmation` must name the account.
pub async fn schedule(unit: &mut Unit, confirmation: Option<String>) -> AppResult<Timestamp> {
    // If two owners leave at the same time, the second must see that the first is leaving.
    let caller = access::user(unit).await?;
    access::lock_own(unit, caller.id).await?;
    let mut user = access::locked_user(unit).await?;
    access::fresh(unit).await?;
    unit.claim().await?;
    confirmation::require(confirmation, user.id)?;
    let orphaned = unit.tx.workspaces().list_sole_ownerships(user.id).await?;
    if !orphaned.is_empty() {
        return Err(Fault::SoleOwner(orphaned).into());
    }
    let purge_at = user.schedule_deletion(unit.call.now);
    unit.tx.accounts().save(&user).await?;
    close_down(unit, &user, Ending::SessionRevoked).await?;
    grants::revoke_all(unit, &user, "account_deleted").await?;
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserDeletionScheduled));
    offer_restore(unit, &user, purge_at).await?;
    Ok(purge_at)
}

/// Mails a token that restores an account before its purge.
pub(super) async fn offer_restore(unit: &mut Unit, user: &User, purge_at: Timestamp) -> AppResult<()> {
    let token = mailed::issue(unit, TokenKind::AccountRestore, user, &user.email, None).await?;
    mailed::write(unit, user, Topic::DeletionScheduled { purge_at, token }).await
}

/// Ends every session of a user, revokes every token they requested, and returns the sessions that were live.
pub(crate) async fn close_down(unit: &mut Unit, user: &User, how: Ending) -> AppResult<Vec<SessionId>> {
    unit.tx.accounts().revoke_tokens(user.id, &REVOKED_ON_LOSS).await?;
    Ok(unit.tx.sessions().end(user.id, None, how, unit.call.now).await?)
}

/// Redeems the mailed token, so that the account may act again.
pub async fn restore(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<()> {
    unit.claim().await?;
    let (mut user, _) = mailed::redeem(unit, TokenKind::AccountRestore, &token).await?;
    if !matches!(user.status, AccountStatus::Deleting { .. }) {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    user.status = AccountStatus::Active;
    unit.tx.accounts().save(&user).await?;
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserRestored));
    Ok(())
}

/// Purges accounts whose grace period is over, each in a unit of its own, and returns their number.
pub async fn purge_due(engine: &Engine, now: Timestamp) -> AppResult<u32> {
    due::each(
        engine,
        now,
        |unit| Box::pin(async move { Ok(unit.tx.accounts().list_due_deletions(unit.call.now, due::BATCH).await?) }),
        |unit, id| Box::pin(purge(unit, id)),
    )
    .await
}

fn is_due(user: &User, now: Timestamp) -> bool {
    matches!(user.status, AccountStatus::Deleting { purge_at } if purge_at <= now)
}

async fn purge(unit: &mut Unit, id: UserId) -> AppResult<()> {
    let own = access::lock_own(unit, id).await?;
    let Some(user) = unit.tx.accounts().lock(id).await? else { return Ok(()) };
    // Checked again under the lock: the account may have been restored in the meantime.
    if !is_due(&user, unit.call.now) {
        return Ok(());
    }
    let lone = unit.tx.workspaces().list_lone(id).await?;
    let (lone, shared): (Vec<_>, Vec<_>) = own.into_iter().partition(|workspace| lone.contains(&workspace.id));
    for workspace in shared {
        members::end_purged_membership(unit, &workspace, id).await?;
    }
    // They are closed at once, so that nobody restores the account or joins while their content goes.
    let lone: Vec<_> = lone.iter().map(|workspace| workspace.id).collect();
    workspaces::deletion::remove_or_close(unit, &lone).await?;
    exclusions::pass_on(unit, &user).await?;
    unit.tx.accounts().erase(&user).await?;
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserDeleted));
    Ok(())
}
