//! Invitations into a workspace.

use crate::{
    id::{ApiKeyId, InvitationId, UserId, WorkspaceId},
    name::named,
    role::Role,
    text::{Email, Name},
    time::{Timestamp, days},
};
use std::time::Duration;

/// After how many days an invitation expires by default.
pub const DEFAULT_DAYS: u32 = 7;

/// How long a session lasts that was opened with an invitation link alone. It is not extended.
pub const SESSION_LIFE: Duration = days(1);

/// An invitation of an address to a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The id of the invitation.
    pub id: InvitationId,
    /// The workspace that it invites into.
    pub workspace: WorkspaceId,
    /// The address that is invited.
    pub email: Email,
    /// The role that the person gets.
    pub role: Role,
    /// The inviter; for an API key, the user who created the key.
    pub invited_by: UserId,
    /// The API key that sent it, if one did.
    pub invited_by_key: Option<ApiKeyId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it runs out.
    pub expires_at: Timestamp,
    /// What became of it.
    pub state: InvitationState,
}

named! {
    /// The state of an invitation, regardless of its expiry.
    InvitationState {
        Pending = "PENDING",
        Accepted = "ACCEPTED",
        Declined = "DECLINED",
        Revoked = "REVOKED",
    }
}

named! {
    /// The state of an invitation at a given time.
    InvitationStatus {
        Pending = "PENDING",
        Accepted = "ACCEPTED",
        Declined = "DECLINED",
        Revoked = "REVOKED",
        /// Nobody answered it in time.
        Expired = "EXPIRED",
    }
}

named! {
    /// How a token of an invitation reached its holder.
    TokenDelivery {
        /// By mail, so that using it verifies the address.
        Mailed = "MAILED",
        /// Passed on by the inviter.
        Shared = "SHARED",
        /// Replaced when the invitation was sent again.
        Replaced = "REPLACED",
    }
}

/// The inviter, as shown with an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inviter {
    /// The account.
    pub id: UserId,
    /// The name of the person.
    pub name: Name,
    /// `None` once the account is purged.
    pub email: Option<Email>,
}

/// Why an invitation is not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOpen {
    /// Nobody answered it in time.
    Expired,
    /// It was answered or revoked.
    Answered(InvitationState),
}

impl Invitation {
    /// The state of the invitation at this time.
    pub fn status(&self, now: Timestamp) -> InvitationStatus {
        match self.state {
            InvitationState::Pending if now >= self.expires_at => InvitationStatus::Expired,
            InvitationState::Pending => InvitationStatus::Pending,
            InvitationState::Accepted => InvitationStatus::Accepted,
            InvitationState::Declined => InvitationStatus::Declined,
            InvitationState::Revoked => InvitationStatus::Revoked,
        }
    }

    /// Requires that the invitation is open.
    pub fn require_open(&self, now: Timestamp) -> Result<(), NotOpen> {
        match self.status(now) {
            InvitationStatus::Pending => Ok(()),
            InvitationStatus::Expired => Err(NotOpen::Expired),
            InvitationStatus::Accepted => Err(NotOpen::Answered(InvitationState::Accepted)),
            InvitationStatus::Declined => Err(NotOpen::Answered(InvitationState::Declined)),
            InvitationStatus::Revoked => Err(NotOpen::Answered(InvitationState::Revoked)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn invitation(state: InvitationState) -> Invitation {
        Invitation {
            id: InvitationId::new(1, [0; 10]),
            workspace: WorkspaceId::new(1, [1; 10]),
            email: Email::from_stored("ada@example.com".to_owned()),
            role: Role::Member,
            invited_by: UserId::new(1, [2; 10]),
            invited_by_key: None,
            created_at: NOW,
            expires_at: NOW.plus(days(7)),
            state,
        }
    }

    #[test]
    fn only_open_invitations_expire() {
        let expiry = NOW.plus(days(7));
        for state in InvitationState::ALL {
            let invitation = invitation(*state);
            let early = invitation.status(expiry.minus(Duration::from_millis(1)));
            assert_eq!(early.name(), state.name());
            let late = invitation.status(expiry);
            let expected = if *state == InvitationState::Pending { "EXPIRED" } else { state.name() };
            assert_eq!(late.name(), expected);
        }
    }

    #[test]
    fn an_answer_stays_after_the_expiry() {
        let declined = invitation(InvitationState::Declined);
        let refused = Err(NotOpen::Answered(InvitationState::Declined));
        assert_eq!(declined.require_open(NOW), refused);
        assert_eq!(declined.require_open(NOW.plus(days(30))), refused);
        let pending = invitation(InvitationState::Pending);
        assert_eq!(pending.require_open(NOW), Ok(()));
        assert_eq!(pending.require_open(NOW.plus(days(7))), Err(NotOpen::Expired));
    }
}
