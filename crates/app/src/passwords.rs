//! Passwords: resetting by mail, changing while signed in.

use crate::{
    access,
    accounts::{close_down, email_verification},
    audit_entry::NewAuditEntry,
    call::Call,
    engine::Engine,
    first_proof, mailed,
    outcome::{AppResult, Draft},
    reply::Reply,
    scope::Unit,
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::{AccountStatus, User},
    chore::Work,
    event::EventType,
    fault::{Conflict, Issue, Unknown, Violation},
    mail::Topic,
    session::Ending,
    text::{Email, NewPassword},
};
use octavo_ports::passwords::PasswordHash;

/// Requests a reset mail. It queues one chore whether or not the address has an account, so that the answer reveals
/// nothing.
pub async fn request_reset(unit: &mut Unit, email: Draft<Email>) -> AppResult<()> {
    unit.claim().await?;
    unit.enqueue(&Work::SendReset { email: email? }).await
}

/// Sends the mail if an account that may act has this address.
pub(crate) async fn send_reset(unit: &mut Unit, email: &Email) -> AppResult<()> {
    let Some(holder) = unit.tx.accounts().find_by_email(email).await? else { return Ok(()) };
    let Some(user) = unit.tx.accounts().lock(holder.id).await? else { return Ok(()) };
    // Checked under the lock: if the account is just changing its address, a token for the old one would let the old
    // mailbox in.
    if user.email != *email || user.status != AccountStatus::Active {
        return Ok(());
    }
    let token = mailed::issue(unit, TokenKind::PasswordReset, &user, email, None).await?;
    mailed::write(unit, &user, Topic::ResetPassword { token }).await
}

#[derive(Clone, Debug)]
pub struct Reset {
    pub token: Secret<String>,
    pub password: NewPassword,
}

/// Sets a new password with the mailed token and ends every session.
pub async fn reset(
    engine: &Engine,
    call: Call,
    draft: Draft<Reset>,
    shape: impl FnOnce(()) -> Reply + Send,
) -> AppResult<Reply> {
    let Reset { token, password } =
        engine.look_ahead(call.clone(), move |unit| Box::pin(check_reset(unit, draft))).await?;
    let hash = engine.hash(call.work_owner(), password.into_secret()).await?;
    engine.write(call, move |unit| Box::pin(set(unit, token, hash)), shape).await
}

async fn check_reset(unit: &mut Unit, draft: Draft<Reset>) -> AppResult<Reset> {
    unit.claim().await?;
    let reset = draft?;
    mailed::check_token(unit, TokenKind::PasswordReset, &reset.token).await?;
    Ok(reset)
}

async fn set(unit: &mut Unit, token: Secret<String>, hash: PasswordHash) -> AppResult<()> {
    unit.claim().await?;
    let token = Ok(token);
    let owner = mailed::owner_of(unit, TokenKind::PasswordReset, &token).await?;
    let home = first_proof::lock_home(unit, owner).await?;
    let (mut user, token) = mailed::redeem_active(unit, TokenKind::PasswordReset, &token).await?;
    if token.email != user.email {
        return Err(Fault::Conflict(Conflict::TokenRevoked).into());
    }
    unit.tx.accounts().save_password(user.id, Some(&hash)).await?;
    // The token came by mail, so it verifies the address. Anything that an unverified account held before may be a
    // stranger's and is closed.
    if !user.is_verified() {
        first_proof::close_ways_in(unit, &user, home.as_ref()).await?;
    }
    email_verification::prove(unit, &mut user).await?;
    close_down(unit, &user, Ending::TokensRevoked).await?;
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserPasswordReset));
    mailed::write(unit, &user, Topic::PasswordChanged).await
}

#[derive(Clone, Debug)]
pub struct PasswordChange {
    /// Absent for accounts without a password.
    pub current: Option<Secret<String>>,
    pub new: NewPassword,
    pub revoke_other_sessions: bool,
}

/// A password change after comparing and hashing.
struct Prepared {
    compared: Option<PasswordHash>,
    hash: PasswordHash,
    revoke_other_sessions: bool,
}

/// Changes the caller's password and returns how many other sessions it ended.
pub async fn change(
    engine: &Engine,
    call: Call,
    draft: Draft<PasswordChange>,
    shape: impl FnOnce(usize) -> Reply + Send,
) -> AppResult<Reply> {
    let (change, compared) = engine.look_ahead(call.clone(), move |unit| Box::pin(check_change(unit, draft))).await?;
    if let Some(current) = change.current
        && !engine.compare(call.work_owner(), current, compared.clone()).await?.matches
    {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    let hash = engine.hash(call.work_owner(), change.new.into_secret()).await?;
    let prepared = Prepared { compared, hash, revoke_other_sessions: change.revoke_other_sessions };
    engine.write(call, move |unit| Box::pin(replace(unit, prepared)), shape).await
}

/// A retry is answered here: by then the password that it calls current has already been replaced.
async fn check_change(
    unit: &mut Unit,
    draft: Draft<PasswordChange>,
) -> AppResult<(PasswordChange, Option<PasswordHash>)> {
    let user = access::user(unit).await?;
    let compared = unit.tx.accounts().find_password(user.id).await?;
    if compared.is_none() {
        access::fresh(unit).await?;
    }
    unit.claim().await?;
    let change = draft?;
    match (&compared, &change.current) {
        (None, _) => Ok((PasswordChange { current: None, ..change }, None)),
        (Some(_), None) => Err(Violation::new("currentPassword", Issue::Required).into()),
        (Some(_), Some(_)) => Ok((change, compared)),
    }
}

async fn replace(unit: &mut Unit, prepared: Prepared) -> AppResult<usize> {
    let user = access::locked_user(unit).await?;
    if prepared.compared.is_none() {
        access::fresh(unit).await?;
    }
    unit.claim().await?;
    if unit.tx.accounts().find_password(user.id).await? != prepared.compared {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    unit.tx.accounts().save_password(user.id, Some(&prepared.hash)).await?;
    unit.tx.accounts().revoke_tokens(user.id, &[TokenKind::PasswordReset]).await?;
    let ended = if prepared.revoke_other_sessions { end_others(unit, &user).await? } else { 0 };
    unit.audit(NewAuditEntry::on_account(&user, EventType::UserPasswordChanged));
    mailed::write(unit, &user, Topic::PasswordChanged).await?;
    Ok(ended)
}

/// Ends all sessions except the caller's, and revokes changes of address that the caller's did not request: those of
/// sessions that have signed out too, or a thief would sign out before confirming one.
async fn end_others(unit: &mut Unit, user: &User) -> AppResult<usize> {
    let current = access::claims(unit)?.session;
    let ended = unit.tx.sessions().end(user.id, Some(current), Ending::TokensRevoked, unit.call.now).await?;
    unit.tx.accounts().revoke_tokens_of_other_sessions(user.id, TokenKind::EmailChange, current).await?;
    Ok(ended.len())
}
