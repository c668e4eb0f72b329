//! Exchanging a refresh token for a new pair.

use crate::{
    access,
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft, Interrupt},
    scope::Unit,
    sessions::{self, SignedIn},
};
use octavo_core_model::{
    Fault, Secret, Token, TokenKind,
    account::User,
    event::EventType,
    fault::{Denial, Unknown},
    session::{Ending, Presented, RefreshToken, Session},
    token::TokenHash,
};

const INVALID: Fault = Fault::Unauthenticated(Unknown::RefreshInvalid);

/// Rotates a refresh token. If two calls send the same token, the second one counts as reuse and ends the chain,
/// unless both have the same idempotency key and the new token has not been used yet: then both get the same pair.
pub async fn refresh(unit: &mut Unit, draft: Draft<Secret<String>>) -> AppResult<SignedIn> {
    let presented = Token::parse(TokenKind::Refresh, draft?.expose()).map_err(|_| INVALID)?;
    let hash = presented.hash();
    let owner = unit.tx.sessions().find_refresh_owner(&hash).await?.ok_or(INVALID)?;
    // Lock first, then read the token: another call may have used it while this one waited.
    let user = unit.tx.accounts().lock(owner).await?.ok_or(INVALID)?;
    unit.act_as(&user);
    let token = unit.tx.sessions().find_refresh_token(owner, &hash).await?.ok_or(INVALID)?;
    let session = unit.tx.sessions().find(owner, token.session).await?.ok_or(INVALID)?;
    match token.presented(&session, unit.call.now) {
        Presented::Expired => Err(INVALID.into()),
        Presented::Reused => Err(reused(unit, &user, session).await?),
        Presented::SessionRevoked => {
            access::admit(Some(user))?;
            Err(Fault::Forbidden(Denial::SessionRevoked).into())
        }
        Presented::Current => {
            let user = access::admit(Some(user))?;
            unit.claim().await?;
            rotate(unit, user, session, &token).await
        }
    }
}

async fn rotate(unit: &mut Unit, user: User, mut session: Session, token: &RefreshToken) -> AppResult<SignedIn> {
    if let Some(predecessor) = &token.predecessor {
        // The successor is in use, so from now on a retry of the call that created it counts as reuse.
        unit.tx.replies().forget(&principal(predecessor)).await?;
    }
    unit.tx.sessions().rotate_refresh_token(user.id, &token.hash).await?;
    session.extend(unit.call.now, super::inactivity(unit, session.user).await?);
    unit.tx.sessions().save(&session).await?;
    let refresh_token = sessions::link(unit, &session, Some(token)).await?;
    let claims = sessions::mint(unit, &user, &session).await?;
    unit.audit(NewAuditEntry::on_session(session.id, user.id, EventType::AuthRefresh));
    Ok(SignedIn { user, session, refresh_token, claims })
}

/// Replays the answer to an earlier attempt of the same call; otherwise ends the chain.
async fn reused(unit: &mut Unit, user: &User, mut session: Session) -> AppResult<Interrupt> {
    if session.end.is_none() && unit.call.key.is_some() {
        match unit.claim().await {
            Ok(()) | Err(Interrupt::Fault(Fault::KeyReused)) => {}
            Err(interrupt) => return Ok(interrupt),
        }
    }
    if session.finish(Ending::TokensRevoked, unit.call.now) {
        unit.tx.sessions().save(&session).await?;
    }
    // The thief may have requested a change of address.
    unit.tx.accounts().revoke_tokens_of_session(user.id, TokenKind::EmailChange, session.id).await?;
    unit.audit(NewAuditEntry::on_session(session.id, user.id, EventType::AuthRefresh).failed("reuse_detected"));
    Ok(unit.refuse(Fault::RefreshReused))
}

/// The owner of the idempotency keys of calls with this token.
pub fn principal(hash: &TokenHash) -> String {
    format!("token:{}", hash.hex())
}
