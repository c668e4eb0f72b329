//! Moving an account to another address, and back.

use crate::{
    access,
    engine::{AppResult, Draft},
    mailed,
    scope::{Deed, Unit},
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::{Standing, User},
    event::{Actor, Chain, EventType, Resource},
    fault::Conflict,
    id::{SessionId, UserId},
    job::Work,
    mail::Topic,
    session::Ending,
    text::Email,
};
use serde_json::json;

/// Asks to move. The answer is the same whether or not the address is taken.
pub async fn request(unit: &mut Unit, email: Draft<Email>) -> AppResult<()> {
    let user = access::locked_user(unit).await?;
    access::fresh(unit)?;
    unit.claim().await?;
    let session = access::claims(unit)?.session;
    unit.enqueue(&Work::SendEmailChange { user: user.id, session, email: email? }).await
}

/// Mails the token to the new address, or a notice to whoever holds that address already.
pub(crate) async fn send(unit: &mut Unit, user: UserId, session: SessionId, email: &Email) -> AppResult<()> {
    let Some(user) = unit.tx.lock_user(user).await? else { return Ok(()) };
    if user.standing != Standing::Active || user.email == *email {
        return Ok(());
    }
    if let Some(holder) = unit.tx.find_user_by_email(email).await? {
        return mailed::write(unit, &holder, Topic::EmailChangeRefused).await;
    }
    let token = mailed::issue(unit, TokenKind::EmailChange, &user, email, Some(session)).await?;
    mailed::write_to(unit, email, user.name.as_str(), Topic::ConfirmEmailChange { token }).await
}

/// Takes the token from the new mailbox: the account moves, and the old mailbox gets a way back.
pub async fn confirm(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<User> {
    unit.claim().await?;
    let (user, token) = mailed::take_back_active(unit, TokenKind::EmailChange, &token).await?;
    let old = user.email.clone();
    let user = relocate(unit, user, token.email, EventType::UserEmailChanged).await?;
    unit.tx.end_sessions(user.id, token.session, Ending::SessionRevoked, unit.call.now).await?;
    let revert = mailed::issue(unit, TokenKind::EmailRevert, &user, &old, None).await?;
    let topic = Topic::EmailChanged { new_email: user.email.clone(), token: revert };
    mailed::write_to(unit, &old, user.name.as_str(), topic).await?;
    Ok(user)
}

/// Takes the token from the old mailbox: whoever moved the account loses it.
pub async fn revert(unit: &mut Unit, token: Draft<Secret<String>>) -> AppResult<()> {
    unit.claim().await?;
    let (user, token) = mailed::take_back_active(unit, TokenKind::EmailRevert, &token).await?;
    let user = relocate(unit, user, token.email, EventType::UserEmailReverted).await?;
    unit.tx.revoke_tokens(user.id, &[TokenKind::EmailRevert]).await?;
    unit.tx.end_sessions(user.id, None, Ending::SessionRevoked, unit.call.now).await?;
    Ok(unit.tx.save_password(user.id, None).await?)
}

/// Moves the account and proves the address it moves to; tokens on their way to another mailbox die.
async fn relocate(unit: &mut Unit, mut user: User, to: Email, event: EventType) -> AppResult<User> {
    if user.email != to && !unit.tx.move_user(user.id, &user.email, &to).await? {
        return Err(Fault::Conflict(Conflict::Taken("email")).into());
    }
    let from = std::mem::replace(&mut user.email, to);
    user.email_verified_at = Some(unit.call.now);
    unit.tx.save_user(&user).await?;
    let stray = [TokenKind::EmailChange, TokenKind::EmailVerification, TokenKind::PasswordReset];
    unit.tx.revoke_tokens(user.id, &stray).await?;
    let change = json!({ "field": "email", "from": from, "to": user.email });
    let deed = Deed::new(Chain::User(user.id), event, Resource::new("user", user.id));
    unit.audit(deed.by(Actor::User(user.id), user.name.as_str()).with_changes(vec![change]));
    Ok(user)
}
