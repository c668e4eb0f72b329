//! Signing out.

use crate::{
    access,
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{TokenKind, event::EventType, id::SessionId, session::Ending};

/// Ends the caller's present session or another one of theirs. Another user's session is silently left alone; a
/// session from an invitation can only end itself.
///
/// A change of address that the present session requested stays valid; those of another session become invalid,
/// because ending that one may be how its owner gets rid of a thief.
pub async fn logout(unit: &mut Unit, named: Draft<Option<SessionId>>) -> AppResult<()> {
    let user = access::any_locked_user(unit).await?;
    unit.claim().await?;
    let claims = access::claims(unit)?;
    let id = named?.unwrap_or(claims.session);
    if claims.is_bound() && id != claims.session {
        return Ok(());
    }
    let Some(mut session) = unit.tx.sessions().find(user.id, id).await? else { return Ok(()) };
    if id != claims.session {
        unit.tx.accounts().revoke_tokens_of_session(user.id, TokenKind::EmailChange, id).await?;
    }
    if session.finish(Ending::TokensRevoked, unit.call.now) {
        unit.tx.sessions().save(&session).await?;
        unit.audit(NewAuditEntry::on_session(id, user.id, EventType::UserLogout));
    }
    Ok(())
}
