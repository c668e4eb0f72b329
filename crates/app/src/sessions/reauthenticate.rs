//! Proving anew who one is, inside a session.

use crate::{
    access,
    call::Call,
    engine::{AppResult, Draft, Engine},
    reply::Reply,
    scope::Unit,
    sessions,
};
use octavo_core_model::{
    Claims, Fault, Secret,
    fault::{Denial, Unknown},
    session::Proof,
};

/// Checks the caller's password and freshens the session's proof.
pub async fn reauthenticate(
    engine: &Engine,
    call: Call,
    draft: Draft<Secret<String>>,
    shape: impl FnOnce(Claims) -> Reply + Send,
) -> AppResult<Reply> {
    let (password, hash) = engine
        .read(call.clone(), move |view| {
            Box::pin(async move {
                let user = access::user(view).await?;
                let password = draft?;
                Ok((password, view.tx.find_password(user.id).await?))
            })
        })
        .await?;
    let comparison = engine.compare(password, hash).await?;
    engine.write(call, move |unit| Box::pin(renew(unit, comparison.matches)), shape).await
}

async fn renew(unit: &mut Unit, matches: bool) -> AppResult<Claims> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    if !matches {
        return Err(Fault::Unauthenticated(Unknown::InvalidCredentials).into());
    }
    let id = access::claims(unit)?.session;
    let mut session = unit.tx.find_session(user.id, id).await?.ok_or(Fault::Forbidden(Denial::SessionRevoked))?;
    if session.end.is_some() {
        return Err(Fault::Forbidden(Denial::SessionRevoked).into());
    }
    session.authenticated_at = unit.call.now;
    if !session.proofs.contains(&Proof::Password) {
        session.proofs.push(Proof::Password);
    }
    unit.tx.save_session(&session).await?;
    sessions::mint(unit, &session).await
}
