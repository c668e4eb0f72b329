//! Signing out.

use crate::{
    access,
    engine::{AppResult, Draft},
    scope::{NewAuditEntry, Unit},
};
use octavo_core_model::{event::EventType, id::SessionId, session::Ending};

/// Revokes the refresh tokens of the calling session or of another one of the caller's.
/// A session of somebody else is left alone without a word about it; a session of an invitation ends none but itself.
pub async fn logout(unit: &mut Unit, named: Draft<Option<SessionId>>) -> AppResult<()> {
    let user = access::any_locked_user(unit).await?;
    unit.claim().await?;
    let claims = access::claims(unit)?;
    let id = named?.unwrap_or(claims.session);
    if claims.is_bound() && id != claims.session {
        return Ok(());
    }
    let Some(mut session) = unit.tx.sessions().find(user.id, id).await? else { return Ok(()) };
    if session.finish(Ending::TokensRevoked, unit.call.now) {
        unit.tx.sessions().save(&session).await?;
        unit.audit(NewAuditEntry::on_session(id, user.id, EventType::UserLogout));
    }
    Ok(())
}
