//! Deleting an account, and taking that back in time.

use crate::{
    access,
    engine::{AppResult, Draft, Engine},
    mailed,
    scope::{Deed, Unit},
};
use octavo_core_model::{
    Fault, Secret, Timestamp, TokenKind,
    account::{Standing, User},
    event::{Actor, Chain, EventType, Resource},
    fault::{Conflict, Issue, Violation},
    id::UserId,
    mail::Topic,
    session::Ending,
};

/// Every kind of token that is mailed.
const MAILED: [TokenKind; 5] = [
    TokenKind::EmailVerification,
    TokenKind::PasswordReset,
    TokenKind::EmailChange,
    TokenKind::EmailRevert,
    TokenKind::AccountRestore,
];

/// Schedules the deletion of the caller's account. `confirmation` has to spell out whose.
pub async fn schedule(unit: &mut Unit, confirmation: Option<String>) -> AppResult<Timestamp> {
    let mut user = access::locked_user(unit).await?;
    access::fresh(unit)?;
    unit.claim().await?;
    if confirmation.as_deref() != Some(&format!("DELETE {}", user.id)) {
        return Err(Violation::new("X-Confirm", Issue::ConfirmMismatch).into());
    }
    let orphaned = unit.tx.list_sole_ownerships(user.id).await?;
    if !orphaned.is_empty() {
        return Err(Fault::SoleOwner(orphaned).into());
    }
    let purge_at = user.schedule_deletion(unit.call.now);
    unit.tx.save_user(&user).await?;
    close_down(unit, &user, Ending::SessionRevoked).await?;
    let deed = Deed::new(Chain::User(user.id), EventType::UserDeletionScheduled, Resource::new("user", user.id));
    unit.audit(deed.named(&user));
    let token = mailed::issue(unit, TokenKind::AccountRestore, &user, &user.email, None).await?;
    mailed::write(unit, &user, Topic::DeletionScheduled { purge_at, token }).await?;
    Ok(purge_at)
}

/// Ends every session and every token of a user.
pub(crate) async fn close_down(unit: &mut Unit, user: &User, how: Ending) -> AppResult<()> {
    unit.tx.end_sessions(user.id, None, how, unit.call.now).await?;
    Ok(unit.tx.revoke_tokens(user.id, &MAILED).await?)
}

/// Takes the mailed token: the account may act again.
pub async fn restore(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<()> {
    unit.claim().await?;
    let (mut user, _) = mailed::take_back(unit, TokenKind::AccountRestore, &token).await?;
    if !matches!(user.standing, Standing::Deleting { .. }) {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    user.standing = Standing::Active;
    unit.tx.save_user(&user).await?;
    let deed = Deed::new(Chain::User(user.id), EventType::UserRestored, Resource::new("user", user.id));
    unit.audit(deed.by(Actor::User(user.id), user.name.as_str()));
    Ok(())
}

/// Purges accounts whose time to be restored is over, each in a unit of its own; says how many.
pub async fn purge_due(engine: &Engine, now: Timestamp) -> AppResult<u32> {
    const BATCH: u32 = 100;
    let mut purged = 0;
    loop {
        let due = engine
            .chore(now, move |unit| Box::pin(async move { Ok(unit.tx.list_due_deletions(now, BATCH).await?) }))
            .await?;
        for id in &due {
            let id = *id;
            engine.chore(now, move |unit| Box::pin(purge(unit, id))).await?;
            purged += 1;
        }
        if due.len() < BATCH as usize {
            return Ok(purged);
        }
    }
}

async fn purge(unit: &mut Unit, id: UserId) -> AppResult<()> {
    let Some(user) = unit.tx.lock_user(id).await? else { return Ok(()) };
    // Judged again under the lock: the account may have been restored meanwhile.
    if !matches!(user.standing, Standing::Deleting { purge_at } if purge_at <= unit.call.now) {
        return Ok(());
    }
    for workspace in unit.tx.list_lone_workspaces(id).await? {
        unit.tx.remove_workspace(workspace).await?;
    }
    unit.tx.erase_user(&user).await?;
    unit.audit(Deed::new(Chain::User(id), EventType::UserDeleted, Resource::new("user", id)));
    Ok(())
}
