//! Families: all refresh tokens that follow from one code.

use super::Scopes;
use crate::{
    id::{ClientId, FamilyId, GrantId, UserId, WorkspaceId},
    session::Proof,
    time::Timestamp,
    token::TokenHash,
};
use std::time::Duration;

/// The tokens that follow from one code: each is exchanged for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The id of the family.
    pub id: FamilyId,
    /// The person that the app acts for.
    pub user: UserId,
    /// The app.
    pub client: ClientId,
    /// The grant that the tokens are based on.
    pub grant: GrantId,
    /// The scopes of the code, without those that were taken from the grant since.
    pub scopes: Scopes,
    /// The workspaces that the code was for, without those that were taken from the grant since.
    pub workspaces: Vec<WorkspaceId>,
    /// How the person proved who they are before the consent.
    pub proofs: Vec<Proof>,
    /// When the person last did.
    pub authenticated_at: Timestamp,
    /// When the code was exchanged.
    pub created_at: Timestamp,
    /// When it ends unless it is refreshed.
    pub expires_at: Timestamp,
    /// When it ends even if it is refreshed.
    pub absolute_end: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl Family {
    /// Restarts the time of inactivity, up to the absolute end.
    pub fn extend(&mut self, now: Timestamp, inactivity: Duration) {
        self.expires_at = now.plus(inactivity).min(self.absolute_end);
    }

    /// Revokes the family. Returns false if it was revoked before; the time of that stays.
    pub fn revoke(&mut self, now: Timestamp) -> bool {
        let is_first = self.revoked_at.is_none();
        self.revoked_at.get_or_insert(now);
        is_first
    }
}

/// One refresh token of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyToken {
    /// The hash of the token.
    pub hash: TokenHash,
    /// The person that the app acts for.
    pub user: UserId,
    /// The family that it belongs to.
    pub family: FamilyId,
    /// The token that was replaced by this one; for the first one, the code.
    pub predecessor: TokenHash,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Whether it was exchanged for the next one.
    pub rotated: bool,
}

/// The result of checking a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    /// Its time is over.
    Expired,
    /// It was used before, no matter when: the whole family ends.
    Reused,
    /// Its family was revoked.
    Revoked,
    /// It is the newest one of its family.
    Current,
}

impl FamilyToken {
    /// The outcome when this token of this family is presented.
    pub fn presented(&self, family: &Family, now: Timestamp) -> Presented {
        if family.revoked_at.is_some() {
            Presented::Revoked
        } else if self.rotated {
            Presented::Reused
        } else if now >= self.expires_at {
            Presented::Expired
        } else {
            Presented::Current
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scope::AppScope, time::days};

    const NOW: Timestamp = Timestamp::from_millis(1_000_000_000_000);

    fn family() -> Family {
        Family {
            id: FamilyId::new(1, [0; 10]),
            user: UserId::new(1, [1; 10]),
            client: ClientId::new(1, [2; 10]),
            grant: GrantId::new(1, [3; 10]),
            scopes: [AppScope::PagesRead].into(),
            workspaces: Vec::new(),
            proofs: Vec::new(),
            authenticated_at: NOW,
            created_at: NOW,
            expires_at: NOW.plus(days(30)),
            absolute_end: NOW.plus(days(365)),
            revoked_at: None,
        }
    }

    #[test]
    fn a_presented_token_is_checked_in_order() {
        let mut family = family();
        let mut token = FamilyToken {
            hash: TokenHash::from_bytes([0; 32]),
            user: family.user,
            family: family.id,
            predecessor: TokenHash::from_bytes([1; 32]),
            expires_at: family.expires_at,
            rotated: false,
        };
        assert_eq!(token.presented(&family, NOW), Presented::Current);
        assert_eq!(token.presented(&family, token.expires_at), Presented::Expired);
        token.rotated = true;
        assert_eq!(token.presented(&family, NOW), Presented::Reused);
        assert_eq!(token.presented(&family, token.expires_at), Presented::Reused, "somebody stole it long ago");
        assert!(family.revoke(NOW) && !family.revoke(NOW.plus(days(1))));
        assert_eq!(family.revoked_at, Some(NOW));
        assert_eq!(token.presented(&family, NOW), Presented::Revoked);
    }

    #[test]
    fn use_never_outlives_the_absolute_end() {
        let mut family = family();
        family.extend(NOW.plus(days(20)), days(30));
        assert_eq!(family.expires_at, NOW.plus(days(50)));
        family.extend(NOW.plus(days(360)), days(30));
        assert_eq!(family.expires_at, family.absolute_end);
    }
}
