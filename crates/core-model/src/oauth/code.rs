//! Authorization codes: an app receives them through the browser and exchanges them for tokens, once.

use super::{Challenge, RedirectUri, Scopes};
use crate::{
    id::{ClientId, FamilyId, GrantId, UserId, WorkspaceId},
    session::Proof,
    time::Timestamp,
    token::TokenHash,
};

/// A code and everything it is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationCode {
    /// The hash of the code.
    pub hash: TokenHash,
    /// The person who consented.
    pub user: UserId,
    /// The app that it was issued to.
    pub client: ClientId,
    /// The grant that it is based on.
    pub grant: GrantId,
    /// The family of the tokens that the code is exchanged for; it does not exist before that.
    pub family: FamilyId,
    /// The address that the browser was sent back to.
    pub redirect_uri: RedirectUri,
    /// The scopes that the person consented to, without those that were taken from the grant since.
    pub scopes: Scopes,
    /// The workspaces that the person let the app into, without those that were taken from the grant since.
    pub workspaces: Vec<WorkspaceId>,
    /// What the verifier of the app has to match.
    pub challenge: Option<Challenge>,
    /// How the user authenticated before they consented.
    pub proofs: Vec<Proof>,
    /// When the person last proved who they are.
    pub authenticated_at: Timestamp,
    /// When the resulting tokens end.
    pub absolute_end: Timestamp,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it can no longer be exchanged.
    pub expires_at: Timestamp,
    /// When it was exchanged; `None` while it was not.
    pub redeemed_at: Option<Timestamp>,
}

/// Why a code cannot be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeFlaw {
    /// It was exchanged before: the resulting tokens are revoked.
    Redeemed,
    /// Its time is over.
    Expired,
    /// It was requested with another redirect address.
    RedirectUri,
    /// The verifier is missing, wrong, or was sent although there was no challenge.
    Verifier,
}

impl AuthorizationCode {
    /// Exchanges the code, or returns why that is not possible.
    pub fn redeem(&mut self, redirect_uri: &str, verifier: Option<&str>, now: Timestamp) -> Result<(), CodeFlaw> {
        if self.redeemed_at.is_some() {
            return Err(CodeFlaw::Redeemed);
        }
        if now >= self.expires_at {
            return Err(CodeFlaw::Expired);
        }
        if self.redirect_uri.as_str() != redirect_uri {
            return Err(CodeFlaw::RedirectUri);
        }
        let is_proven = match (&self.challenge, verifier) {
            (None, None) => true,
            (Some(challenge), Some(verifier)) => challenge.is_met_by(verifier),
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_proven {
            return Err(CodeFlaw::Verifier);
        }
        self.redeemed_at = Some(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::scope::AppScope;

    const NOW: Timestamp = Timestamp::from_millis(1000);
    const END: Timestamp = Timestamp::from_millis(2000);
    const URI: &str = "https://planner.example/back";
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    fn code(challenge: bool) -> AuthorizationCode {
        let challenge = challenge.then(|| Challenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap());
        AuthorizationCode {
            hash: TokenHash::from_bytes([0; 32]),
            user: UserId::new(1, [1; 10]),
            client: ClientId::new(1, [2; 10]),
            grant: GrantId::new(1, [3; 10]),
            family: FamilyId::new(1, [4; 10]),
            redirect_uri: RedirectUri::parse(URI).unwrap(),
            scopes: [AppScope::PagesRead].into(),
            workspaces: vec![WorkspaceId::new(1, [5; 10])],
            challenge,
            proofs: vec![Proof::Password],
            authenticated_at: NOW,
            absolute_end: END,
            created_at: NOW,
            expires_at: END,
            redeemed_at: None,
        }
    }

    #[test]
    fn a_code_is_exchanged_once_in_time_by_its_requester() {
        assert_eq!(code(false).redeem(URI, None, NOW), Ok(()));
        let mut redeemed = code(true);
        assert_eq!(redeemed.redeem(URI, Some(VERIFIER), NOW), Ok(()));
        assert_eq!(
            redeemed.redeem(URI, None, END),
            Err(CodeFlaw::Redeemed),
            "reuse is what counts, whatever else is wrong"
        );
        assert_eq!(code(false).redeem(URI, None, END), Err(CodeFlaw::Expired));
        assert_eq!(code(false).redeem("https://planner.example/back/", None, NOW), Err(CodeFlaw::RedirectUri));
        assert_eq!(code(false).redeem(URI, Some(VERIFIER), NOW), Err(CodeFlaw::Verifier));
        assert_eq!(code(true).redeem(URI, None, NOW), Err(CodeFlaw::Verifier));
        let mut tried = code(true);
        assert_eq!(tried.redeem(URI, Some(&VERIFIER.replace('d', "e")), NOW), Err(CodeFlaw::Verifier));
        assert_eq!(tried, code(true), "a failed try leaves the code as it is");
    }
}
