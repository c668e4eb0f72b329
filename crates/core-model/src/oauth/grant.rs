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
    /// Those of the scopes that the person approved for every one of the workspaces. Only for these may the app get
    /// access to all of the workspaces without asking again.
    pub common_scopes: Scopes,
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

    /// Whether the user approved all of these scopes for all of its workspaces.
    pub fn covers(&self, scopes: &Scopes) -> bool {
        scopes.is_subset(&self.common_scopes)
    }

    /// Adds what the user consented to, and returns whether anything was new.
    pub fn widen(&mut self, scopes: &Scopes, workspaces: &[WorkspaceId]) -> bool {
        let before = (self.scopes.len(), self.workspaces.len());
        self.common_scopes = self.common_scopes_with(scopes, workspaces);
        self.scopes.extend(scopes);
        self.workspaces.extend(workspaces);
        self.workspaces.sort_unstable();
        self.workspaces.dedup();
        before != (self.scopes.len(), self.workspaces.len())
    }

    /// The scopes that are approved for every workspace once the user has approved these for these. Nothing is added
    /// for a workspace that was not among those of this consent, and nothing old is kept for one that is new.
    fn common_scopes_with(&self, scopes: &Scopes, workspaces: &[WorkspaceId]) -> Scopes {
        let mut common: Scopes = self.common_scopes.union(scopes).copied().collect();
        if self.workspaces.iter().any(|workspace| !workspaces.contains(workspace)) {
            common.retain(|scope| self.common_scopes.contains(scope));
        }
        if workspaces.iter().any(|workspace| !self.reaches(*workspace)) {
            common.retain(|scope| scopes.contains(scope));
        }
        common
    }

    /// Whether it reaches this workspace.
    pub fn reaches(&self, workspace: WorkspaceId) -> bool {
        self.workspaces.contains(&workspace)
    }

    /// The grant reduced to the reach of a token family, which may be smaller.
    #[must_use]
    pub fn within(mut self, scopes: &Scopes, workspaces: &[WorkspaceId]) -> Self {
        self.scopes.retain(|scope| scopes.contains(scope));
        self.common_scopes.retain(|scope| scopes.contains(scope));
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
    use proptest::{collection::vec, prelude::*, sample::subsequence};
    use std::collections::BTreeMap;

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
            common_scopes: [AppScope::PagesRead, AppScope::FilesRead].into(),
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
        assert_eq!(grant.scopes, [AppScope::PagesRead, AppScope::PagesWrite, AppScope::FilesRead].into());
    }

    #[test]
    fn a_grant_covers_what_was_approved_for_every_workspace() {
        let (read, write) = (AppScope::PagesRead, AppScope::PagesWrite);
        let mut grant =
            Grant { scopes: [read].into(), common_scopes: [read].into(), workspaces: vec![workspace(1)], ..grant() };
        assert!(grant.covers(&[read].into()));
        grant.widen(&[read, write].into(), &[workspace(2)]);
        assert!(grant.covers(&[read].into()) && !grant.covers(&[write].into()), "writing is for the second alone");
        grant.widen(&[write].into(), &[workspace(1), workspace(2)]);
        assert!(grant.covers(&[read, write].into()), "now for both");
        grant.widen(&[AppScope::FilesRead].into(), &[workspace(3)]);
        assert!(!grant.covers(&[read].into()), "nothing but files in the third");
        let mut one = grant.within(&[read].into(), &[workspace(1)]);
        assert!(one.common_scopes.is_empty());
        one.widen(&[read].into(), &[workspace(1)]);
        assert!(one.covers(&[read].into()));
    }

    /// Scopes and workspaces that a user approves together.
    fn consent() -> impl Strategy<Value = (Vec<AppScope>, Vec<u8>)> {
        (subsequence(AppScope::ALL.to_vec(), 1..=AppScope::ALL.len()), subsequence(vec![1, 2, 3], 1..=3))
    }

    proptest! {
        #[test]
        fn a_grant_covers_nothing_that_was_not_approved_for_a_workspace(consents in vec(consent(), 1..8)) {
            let mut approved: BTreeMap<WorkspaceId, Scopes> = BTreeMap::new();
            let mut grant = Grant {
                scopes: Scopes::new(),
                common_scopes: Scopes::new(),
                workspaces: Vec::new(),
                ..grant()
            };
            for (scopes, numbers) in consents {
                let scopes: Scopes = scopes.into_iter().collect();
                let workspaces: Vec<_> = numbers.into_iter().map(workspace).collect();
                grant.widen(&scopes, &workspaces);
                for workspace in &workspaces {
                    approved.entry(*workspace).or_default().extend(&scopes);
                }
                prop_assert!(approved.keys().eq(&grant.workspaces));
                prop_assert!(grant.common_scopes.is_subset(&grant.scopes));
                for own in approved.values() {
                    prop_assert!(grant.common_scopes.is_subset(own));
                }
                if workspaces == grant.workspaces {
                    prop_assert!(grant.covers(&scopes), "what was approved for all of them");
                }
            }
        }
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
