//! Passwords: resetting through the mailbox, changing while signed in.

use crate::{
    access,
    accounts::close_down,
    call::Call,
    engine::{AppResult, Draft, Engine, Stop},
    mailed,
    reply::Reply,
    scope::{Deed, Unit},
};
use octavo_core_model::{
    Fault, Secret, TokenKind,
    account::{Standing, User},
    event::{Actor, Chain, EventType, Resource},
    fault::{Issue, Unknown, Violation},
    job::Work,
    mail::Topic,
    session::Ending,
    text::{Email, NewPassword},
};
use octavo_ports::passwords::PasswordHash;

/// Asks for a reset mail. One queued job, whether or not the address has an account: nothing to tell them apart by.
pub async fn request_reset(unit: &mut Unit, email: Draft<Email>) -> AppResult<()> {
    unit.claim().await?;
    unit.enqueue(&Work::SendReset { email: email? }).await
}

/// Sends the mail, should the address have an account that may act.
pub(crate) async fn send_reset(unit: &mut Unit, email: &Email) -> AppResult<()> {
    let Some(user) = unit.tx.find_user_by_email(email).await?.filter(|user| user.standing == Standing::Active) else {
        return Ok(());
    };
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
    let prepared = match draft {
        Ok(Reset { token, password }) => Ok((token, engine.hash(password.into_secret()).await?)),
        Err(fault) => Err(fault),
    };
    engine.write(call, move |unit| Box::pin(set(unit, prepared)), shape).await
}

async fn set(unit: &mut Unit, prepared: Draft<(Secret<String>, PasswordHash)>) -> AppResult<()> {
    unit.claim().await?;
    let (token, hash) = prepared?;
    let (mut user, _) = mailed::take_back_active(unit, TokenKind::PasswordReset, &Ok(token)).await?;
    unit.tx.save_password(user.id, Some(&hash)).await?;
    // The token came through the mailbox, so it proves it. Whatever an unproven account held before may be a stranger's and goes.
    if user.verify(unit.call.now) {
        unit.tx.save_user(&user).await?;
    }
    close_down(unit, &user, Ending::TokensRevoked).await?;
    let deed = Deed::new(Chain::User(user.id), EventType::UserPasswordReset, Resource::new("user", user.id));
    unit.audit(deed.by(Actor::User(user.id), user.name.as_str()));
    mailed::write(unit, &user, Topic::PasswordChanged).await
}

#[derive(Clone, Debug)]
pub struct PasswordChange {
    /// Absent for accounts without a password.
    pub current: Option<Secret<String>>,
    pub new: NewPassword,
    pub revoke_other_sessions: bool,
}

/// A change whose passwords are compared and hashed.
struct Prepared {
    compared: Option<PasswordHash>,
    hash: PasswordHash,
    revoke_other_sessions: bool,
}

/// Changes the caller's password; says how many other sessions that ended.
pub async fn change(
    engine: &Engine,
    call: Call,
    draft: Draft<PasswordChange>,
    shape: impl FnOnce(usize) -> Reply + Send,
) -> AppResult<Reply> {
    let looked = engine.look_ahead(call.clone(), move |unit| Box::pin(judge(unit, draft))).await;
    let (change, compared) = match looked {
        Ok(looked) => looked,
        Err(Stop::Replay(reply)) => return Ok(reply),
        Err(stop) => return Err(stop),
    };
    if let Some(current) = change.current
        && !engine.compare(current, compared.clone()).await?.matches
    {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    let hash = engine.hash(change.new.into_secret()).await?;
    let prepared = Prepared { compared, hash, revoke_other_sessions: change.revoke_other_sessions };
    engine.write(call, move |unit| Box::pin(replace(unit, prepared)), shape).await
}

/// A retry is answered here: by the time it comes its current password is no longer the current one.
async fn judge(unit: &mut Unit, draft: Draft<PasswordChange>) -> AppResult<(PasswordChange, Option<PasswordHash>)> {
    let user = access::user(unit).await?;
    unit.claim().await?;
    let change = draft?;
    let compared = unit.tx.find_password(user.id).await?;
    if compared.is_none() {
        access::fresh(unit)?;
        return Ok((PasswordChange { current: None, ..change }, None));
    }
    if change.current.is_none() {
        return Err(Violation::new("currentPassword", Issue::Required).into());
    }
    Ok((change, compared))
}

async fn replace(unit: &mut Unit, prepared: Prepared) -> AppResult<usize> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    if unit.tx.find_password(user.id).await? != prepared.compared {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    unit.tx.save_password(user.id, Some(&prepared.hash)).await?;
    unit.tx.revoke_tokens(user.id, &[TokenKind::PasswordReset]).await?;
    let ended = if prepared.revoke_other_sessions {
        let current = access::claims(unit)?.session;
        unit.tx.end_sessions(user.id, Some(current), Ending::TokensRevoked, unit.call.now).await?.len()
    } else {
        0
    };
    record_change(unit, &user).await?;
    Ok(ended)
}

async fn record_change(unit: &mut Unit, user: &User) -> AppResult<()> {
    let deed = Deed::new(Chain::User(user.id), EventType::UserPasswordChanged, Resource::new("user", user.id));
    unit.audit(deed.named(user));
    mailed::write(unit, user, Topic::PasswordChanged).await
}
