//! Declining an invitation.

use super::{accept, token};
use crate::{
    audit_entry::NewAuditEntry,
    notifications,
    open_invitations::release_grants,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Secret,
    event::{Chain, EventType, Resource},
    id::InvitationId,
    invitation::{Invitation, InvitationState, InvitationStatus},
    notification::Subject,
};

/// The invitation to decline.
#[derive(Clone, Debug)]
pub enum Declined {
    /// The invitation with this token.
    Token(Secret<String>),
    /// One that was sent to the caller's verified address.
    Own(InvitationId),
}

/// Declines an invitation. Repeating it changes nothing.
pub async fn decline(unit: &mut Unit, draft: Draft<Declined>) -> AppResult<InvitationId> {
    let invitation = match draft {
        Ok(Declined::Own(id)) => {
            let user = accept::caller(unit).await?;
            let (place, id) = accept::find_own(unit, &user, Ok(id)).await?;
            unit.claim().await?;
            token::lock_by_id(unit, place, id).await?.1
        }
        Ok(Declined::Token(text)) => {
            unit.claim().await?;
            let found = token::find(unit, &text, || Fault::NotFound).await?;
            token::lock(unit, &found).await?.1
        }
        Err(fault) => {
            unit.claim().await?;
            return Err(fault.into());
        }
    };
    decline_invitation(unit, invitation).await
}

async fn decline_invitation(unit: &mut Unit, mut invitation: Invitation) -> AppResult<InvitationId> {
    if invitation.status(unit.call.now) == InvitationStatus::Declined {
        return Ok(invitation.id);
    }
    invitation.require_open(unit.call.now).map_err(Fault::from)?;
    invitation.state = InvitationState::Declined;
    unit.tx.invitations().save(&invitation).await?;
    release_grants(unit, invitation.workspace, &invitation.email).await?;
    // The audit trail has the refusal, and the log does not.
    let (workspace, subject) = (invitation.workspace, Subject::Invitation(invitation.id));
    notifications::notify(unit, workspace, invitation.invited_by, subject, format!("declined {}", invitation.id))
        .await?;
    let resource = Resource::Invitation(invitation.id);
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(invitation.workspace), EventType::WorkspaceInvitationDeclined, resource);
    // An address without an account is not recorded: nothing would remove it if its owner created an account and were
    // erased later.
    let account = unit.tx.accounts().find_by_email(&invitation.email).await?;
    unit.audit(match account {
        Some(user) => audit_entry.labelled(invitation.email.as_str()).about(user.id),
        None => audit_entry,
    });
    Ok(invitation.id)
}
