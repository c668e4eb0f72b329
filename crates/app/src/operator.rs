//! Operations of the operator on accounts.

use crate::{
    access,
    accounts::{self, close_down},
    audit_entry::NewAuditEntry,
    engine::Engine,
    mailed,
    oauth::grants,
    outcome::AppResult,
    scope::{Unit, View},
    sessions,
};
use octavo_core_model::{
    Fault, Timestamp, TokenKind,
    account::{AccountStatus, User},
    event::EventType,
    fault::Conflict,
    id::UserId,
    mail::Topic,
    session::Ending,
    text::{Email, Name, NewPassword},
};
use octavo_ports::compute::WorkOwner;

/// How the operator names an account.
#[derive(Clone, Debug)]
pub enum Handle {
    Id(UserId),
    Email(Email),
}

/// Creates an account whose address counts as verified.
pub async fn create_user(
    engine: &Engine,
    now: Timestamp,
    email: Email,
    name: Name,
    password: NewPassword,
) -> AppResult<User> {
    let hash = engine.hash(WorkOwner::Server, password.into_secret()).await?;
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let created = accounts::create_account(unit, email, name, Some(&hash)).await?;
                let (mut user, _) = created.ok_or(Fault::Conflict(Conflict::Taken("email")))?;
                user.verify(now);
                unit.tx.accounts().save(&user).await?;
                Ok(user)
            })
        })
        .await
}

pub async fn list_users(view: &mut View, after: Option<UserId>, limit: u32) -> AppResult<Vec<User>> {
    Ok(view.tx.accounts().list(after, limit).await?)
}

/// Ends the account's sessions, revokes the tokens it requested and issues a reset token, which is mailed or returned
/// to the operator.
pub async fn reset_password(engine: &Engine, now: Timestamp, handle: Handle, send: bool) -> AppResult<String> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let user = access::admit(Some(locked(unit, &handle).await?))?;
                let ended = close_down(unit, &user, Ending::SessionRevoked).await?;
                sessions::record_revoked(unit, user.id, &ended);
                let token = mailed::issue(unit, TokenKind::PasswordReset, &user, &user.email, None).await?;
                if send {
                    mailed::write(unit, &user, Topic::ResetPassword { token: token.clone() }).await?;
                }
                Ok(token)
            })
        })
        .await
}

/// Suspends an account, so that its next call with any token is refused. Returns whether it was active before.
pub async fn suspend(engine: &Engine, now: Timestamp, handle: Handle) -> AppResult<bool> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let mut user = locked(unit, &handle).await?;
                if user.status != AccountStatus::Active {
                    return Ok(false);
                }
                user.status = AccountStatus::Suspended;
                unit.tx.accounts().save(&user).await?;
                let ended = close_down(unit, &user, Ending::SessionRevoked).await?;
                sessions::record_revoked(unit, user.id, &ended);
                grants::revoke_all(unit, &user, "account_suspended").await?;
                record(unit, &user, EventType::UserSuspended);
                Ok(true)
            })
        })
        .await
}

/// Lets a suspended account act again. Returns whether it was suspended.
pub async fn reinstate(engine: &Engine, now: Timestamp, handle: Handle) -> AppResult<bool> {
    engine
        .chore(now, move |unit| {
            Box::pin(async move {
                let mut user = locked(unit, &handle).await?;
                if user.status != AccountStatus::Suspended {
                    return Ok(false);
                }
                user.status = AccountStatus::Active;
                unit.tx.accounts().save(&user).await?;
                record(unit, &user, EventType::UserReinstated);
                Ok(true)
            })
        })
        .await
}

async fn locked(unit: &mut Unit, handle: &Handle) -> AppResult<User> {
    let id = match handle {
        Handle::Id(id) => *id,
        Handle::Email(email) => unit.tx.accounts().find_by_email(email).await?.ok_or(Fault::NotFound)?.id,
    };
    Ok(unit.tx.accounts().lock(id).await?.ok_or(Fault::NotFound)?)
}

fn record(unit: &mut Unit, user: &User, event: EventType) {
    unit.audit(NewAuditEntry::on_account(user, event).labelled(user.email.as_str()));
}
