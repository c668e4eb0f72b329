//! Signing out.

use crate::{
    access,
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{event::EventType, id::SessionId, session::Ending};

/// Ends the caller's present session or another one of theirs. Another user's session is silently left alone; a
/// session from an invitation can only end itself.
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
