//! Rows of invitations, of their tokens and of the address's side.

use crate::{
    schema::{invitation_tokens, invitations, invitations_by_email, users},
    stored::Stored,
};
use diesel::{
    prelude::{Insertable, Queryable, QueryableByName, Selectable},
    sql_types::Text,
};
use octavo_core_model::{
    Role, Timestamp, TokenHash,
    id::{ApiKeyId, InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, InvitationState, Inviter, TokenDelivery},
    text::{Email, Name},
};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = invitations, treat_none_as_default_value = false)]
pub struct InvitationRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<InvitationId>,
    email: Stored<Email>,
    role: Stored<Role>,
    invited_by: Stored<UserId>,
    created_at: i64,
    expires_at: i64,
    state: Stored<InvitationState>,
    invited_by_key: Option<Stored<ApiKeyId>>,
}

impl From<&Invitation> for InvitationRow {
    fn from(invitation: &Invitation) -> Self {
        Self {
            workspace_id: Stored(invitation.workspace),
            id: Stored(invitation.id),
            email: Stored(invitation.email.clone()),
            role: Stored(invitation.role),
            invited_by: Stored(invitation.invited_by),
            created_at: invitation.created_at.millis(),
            expires_at: invitation.expires_at.millis(),
            state: Stored(invitation.state),
            invited_by_key: invitation.invited_by_key.map(Stored),
        }
    }
}

impl From<InvitationRow> for Invitation {
    fn from(row: InvitationRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            email: row.email.0,
            role: row.role.0,
            invited_by: row.invited_by.0,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            state: row.state.0,
            invited_by_key: row.invited_by_key.map(|key| key.0),
        }
    }
}

#[derive(Debug, QueryableByName)]
pub struct InvitationIdRow {
    #[diesel(sql_type = Text)]
    pub workspace_id: Stored<WorkspaceId>,
    #[diesel(sql_type = Text)]
    pub id: Stored<InvitationId>,
}

#[derive(Debug, Insertable)]
#[diesel(table_name = invitation_tokens, treat_none_as_default_value = false)]
pub struct InvitationTokenRow {
    pub workspace_id: Stored<WorkspaceId>,
    pub hash: Stored<TokenHash>,
    pub invitation_id: Stored<InvitationId>,
    pub delivery: Stored<TokenDelivery>,
}

/// The address's side of an invitation.
#[derive(Debug, Insertable)]
#[diesel(table_name = invitations_by_email, treat_none_as_default_value = false)]
pub struct InvitationByEmailRow {
    email: Stored<Email>,
    id: Stored<InvitationId>,
    workspace_id: Stored<WorkspaceId>,
    expires_at: i64,
    is_pending: bool,
}

impl From<&Invitation> for InvitationByEmailRow {
    fn from(invitation: &Invitation) -> Self {
        Self {
            email: Stored(invitation.email.clone()),
            id: Stored(invitation.id),
            workspace_id: Stored(invitation.workspace),
            expires_at: invitation.expires_at.millis(),
            is_pending: invitation.state == InvitationState::Pending,
        }
    }
}

/// The fields of an inviting account that are shown.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = users)]
pub struct InviterRow {
    id: Stored<UserId>,
    name: Stored<Name>,
    email: Stored<Email>,
}

impl From<InviterRow> for Inviter {
    fn from(row: InviterRow) -> Self {
        // Purged accounts keep a row without an address.
        let email = Some(row.email.0).filter(|email| !email.as_str().is_empty());
        Self { id: row.id.0, name: row.name.0, email }
    }
}
