//! Proving that a mailbox belongs to its account.

use crate::{
    access,
    accounts::close_down,
    audit_entry::NewAuditEntry,
    mailed,
    oauth::grants,
    outcome::{AppResult, Draft},
    scope::Unit,
    sessions, workspaces,
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::{AccountStatus, User},
    chore::Work,
    event::EventType,
    fault::Conflict,
    id::UserId,
    mail::Topic,
    session::Ending,
    text::Email,
};
use std::collections::BTreeSet;

/// Requests a verification mail. The answer is the same for every address; the queued chore decides whether a mail is
/// sent.
pub async fn request(unit: &mut Unit, email: Draft<Email>) -> AppResult<()> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    unit.enqueue(&Work::SendVerification { user: user.id, email: email? }).await
}

/// Sends the mail if the address is the user's own and not verified yet.
pub(crate) async fn send(unit: &mut Unit, user: UserId, email: &Email) -> AppResult<()> {
    let Some(user) = unit.tx.accounts().lock(user).await? else { return Ok(()) };
    if user.email != *email || user.is_verified() || user.status != AccountStatus::Active {
        return Ok(());
    }
    let token = mailed::issue(unit, TokenKind::EmailVerification, &user, email, None).await?;
    mailed::write(unit, &user, Topic::VerifyEmail { token }).await
}

/// Redeems the mailed token, which verifies the address.
pub async fn confirm(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<User> {
    unit.claim().await?;
    let (mut user, token) = mailed::redeem_active(unit, TokenKind::EmailVerification, &token).await?;
    if token.email != user.email {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    prove(unit, &mut user).await?;
    Ok(user)
}

/// Marks the address of a locked account as verified.
pub(crate) async fn prove(unit: &mut Unit, user: &mut User) -> AppResult<()> {
    if user.verify(unit.call.now) {
        unit.tx.accounts().save(user).await?;
        unit.audit(NewAuditEntry::on_account(user, EventType::UserEmailVerified));
    }
    Ok(())
}

/// Redeems the token for an owner of the mailbox who did not register: the unverified account is removed.
///
/// A verified account is left alone, because its mailbox has confirmed it before. An account that others depend on is
/// locked instead of removed.
pub async fn reject(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<()> {
    unit.claim().await?;
    let owner = mailed::owner_of(unit, TokenKind::EmailVerification, &token).await?;
    let locked: BTreeSet<_> = access::lock_own(unit, owner).await?.iter().map(|workspace| workspace.id).collect();
    let (user, token) = mailed::redeem(unit, TokenKind::EmailVerification, &token).await?;
    if user.is_verified() || token.email != user.email {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    let lone = unit.tx.workspaces().list_lone(user.id).await?;
    // Nobody can join a workspace that this unit has locked. A workspace that was created meanwhile is not locked, so
    // somebody may be about to join it.
    let is_alone = lone.iter().all(|workspace| locked.contains(workspace));
    if is_alone && lone.len() == unit.tx.workspaces().list_own(user.id).await?.len() {
        workspaces::deletion::remove_or_close(unit, &lone).await?;
        unit.tx.accounts().remove(&user).await?;
    } else {
        let ended = close_down(unit, &user, Ending::SessionRevoked).await?;
        sessions::record_revoked(unit, user.id, &ended);
        grants::revoke_all(unit, &user, "registration_rejected").await?;
        unit.tx.accounts().save_password(user.id, None).await?;
        unit.audit(NewAuditEntry::on_account(&user, EventType::UserRegistrationRejected));
    }
    Ok(())
}
