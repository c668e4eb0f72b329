//! Authenticating again within a session.

use crate::{
    access,
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft},
    reply::Reply,
    scope::Unit,
    sessions,
};
use octavo_core_model::{Claims, Fault, Secret, fault::Unknown, session::Proof};
use octavo_ports::passwords::PasswordHash;

/// Checks the caller's password and updates the time of the session's proof.
pub async fn reauthenticate(
    engine: &Engine,
    call: Call,
    draft: Draft<Secret<String>>,
    shape: impl FnOnce(Claims) -> Reply + Send,
) -> AppResult<Reply> {
    let (password, compared) = engine.look_ahead(call.clone(), move |unit| Box::pin(authorize(unit, draft))).await?;
    if !engine.compare(call.work_owner(), password, compared.clone()).await?.matches {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    engine.write(call, move |unit| Box::pin(renew(unit, compared)), shape).await
}

async fn authorize(unit: &mut Unit, draft: Draft<Secret<String>>) -> AppResult<(Secret<String>, Option<PasswordHash>)> {
    let user = access::user(unit).await?;
    access::live_session(unit).await?;
    unit.claim().await?;
    Ok((draft?, unit.tx.accounts().find_password(user.id).await?))
}

async fn renew(unit: &mut Unit, compared: Option<PasswordHash>) -> AppResult<Claims> {
    let user = access::locked_user(unit).await?;
    let mut session = access::live_session(unit).await?;
    unit.claim().await?;
    if unit.tx.accounts().find_password(user.id).await? != compared {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    session.authenticated_at = unit.call.now;
    if !session.proofs.contains(&Proof::Password) {
        session.proofs.push(Proof::Password);
    }
    unit.tx.sessions().save(&session).await?;
    sessions::mint(unit, &user, &session).await
}
