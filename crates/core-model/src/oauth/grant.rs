//! Grants of users to apps.

use super::{App, Scopes};
use crate::{
    fault::Unknown,
    id::{ClientId, GrantId, UserId, WorkspaceId},
    text::{Name, WebAddress},
    time::Timestamp,
};

/// What a user lets an app do, and in which workspaces. There is one live grant of a user to an app; consenting again
/// extends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The id of the grant.
    pub id: GrantId,
    /// The person who gave it.
    pub user: UserId,
    /// The app that it was given to.
    pub app: GrantedApp,
    /// What the app may do.
    pub scopes: Scopes,
    /// The workspaces in its reach, ordered by id. Whether the user still belongs to one of them is checked in each
    /// call.
    pub workspaces: Vec<WorkspaceId>,
    /// When the person first consented.
    pub created_at: Timestamp,
    /// When the app last used it, if it ever did.
    pub last_used_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// The data of its app that a grant repeats, so that a call of the app reads only tables of its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedApp {
    /// The id of the app.
    pub id: ClientId,
    /// The name of the app.
    pub name: Name,
    /// The address of its logo.
    pub logo_url: Option<WebAddress>,
    /// Whether it keeps no secret.
    pub public: bool,
}

impl From<&App> for GrantedApp {
    fn from(app: &App) -> Self {
        Self { id: app.id, name: app.name.clone(), logo_url: app.logo_url.clone(), public: app.public }
    }
}

impl Grant {
    /// Whether it was neither revoked nor has ended.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }

    /// Whether it includes all of these scopes.
    pub fn covers(&self, scopes: &Scopes) -> bool {
        scopes.is_subset(&self.scopes)
    }

    /// Adds what the user consented to, and returns whether anything was new.
    pub fn widen(&mut self, scopes: &Scopes, workspaces: &[WorkspaceId]) -> bool {
        let before = (self.scopes.len(), self.workspaces.len());
        self.scopes.extend(scopes);
        self.workspaces.extend(workspaces);
        self.workspaces.sort_unstable();
        self.workspaces.dedup();
        before != (self.scopes.len(), self.workspaces.len())
    }

    /// Whether it reaches this workspace.
    pub fn reaches(&self, workspace: WorkspaceId) -> bool {
        self.workspaces.contains(&workspace)
    }

    /// The grant reduced to the reach of a token family, which may be smaller.
    #[must_use]
    pub fn within(mut self, scopes: &Scopes, workspaces: &[WorkspaceId]) -> Self {
        self.scopes.retain(|scope| scopes.contains(scope));
        self.workspaces.retain(|workspace| workspaces.contains(workspace));
        self
    }
}

/// Everything that an app's access token depends on, in its state at the start of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppAccess {
    /// Reduced to the reach of the token's family.
    pub grant: Grant,
    /// The account of its user is neither suspended nor being deleted.
    pub user_may_act: bool,
    /// Neither the grant nor the family nor the token was revoked, and none has expired.
    pub is_live: bool,
}

impl AppAccess {
    /// Whether the token is valid. It is if the account must not act: the refusal for the account then says more than
    /// the loss of its grants would.
    pub fn check(&self) -> Result<(), Unknown> {
        if self.is_live || !self.user_may_act { Ok(()) } else { Err(Unknown::TokenMalformed) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::scope::AppScope;

    const NOW: Timestamp = Timestamp::from_millis(1000);

    fn workspace(number: u8) -> WorkspaceId {
        WorkspaceId::new(1, [number; 10])
    }

    fn grant() -> Grant {
        let app = GrantedApp {
            id: ClientId::new(1, [1; 10]),
            name: Name::parse("Planner").unwrap(),
            logo_url: None,
            public: true,
        };
        Grant {
            id: GrantId::new(1, [2; 10]),
            user: UserId::new(1, [3; 10]),
            app,
            scopes: [AppScope::PagesRead, AppScope::FilesRead].into(),
            workspaces: vec![workspace(1), workspace(3)],
            created_at: NOW,
            last_used_at: None,
            expires_at: Timestamp::from_millis(2000),
            revoked_at: None,
        }
    }

    #[test]
    fn consenting_again_adds_and_takes_nothing() {
        let mut grant = grant();
        assert!(!grant.widen(&[AppScope::PagesRead].into(), &[workspace(3)]));
        assert!(grant.widen(&[AppScope::PagesWrite].into(), &[workspace(2), workspace(2)]));
        assert_eq!(grant.workspaces, [workspace(1), workspace(2), workspace(3)]);
        assert!(grant.covers(&[AppScope::PagesWrite, AppScope::FilesRead].into()));
    }

    #[test]
    fn a_family_reaches_no_further_than_its_grant_and_its_code() {
        let narrowed =
            grant().within(&[AppScope::PagesRead, AppScope::PagesWrite].into(), &[workspace(2), workspace(3)]);
        assert_eq!((narrowed.scopes, narrowed.workspaces), ([AppScope::PagesRead].into(), vec![workspace(3)]));
    }

    #[test]
    fn a_grant_lives_until_it_is_revoked_or_its_time_is_over() {
        let mut grant = grant();
        assert!(grant.is_live(NOW) && !grant.is_live(grant.expires_at));
        grant.revoked_at = Some(NOW);
        assert!(!grant.is_live(NOW));
    }

    #[test]
    fn a_token_of_a_suspended_account_is_left_to_the_account() {
        let access = |user_may_act, is_live| AppAccess { grant: grant(), user_may_act, is_live }.check();
        assert_eq!(access(true, true), Ok(()));
        assert_eq!(access(true, false), Err(Unknown::TokenMalformed));
        assert_eq!(access(false, false), Ok(()));
    }
}
