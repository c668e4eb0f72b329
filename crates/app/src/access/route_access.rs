//! What a route inside a workspace asks of everybody.

use crate::engine::Interrupt;
use octavo_core_model::{Fault, KeyScope, Role, fault::Denial, scope::ScopeArea};
use octavo_permissions::{Access, AppScopes, Denied};

/// What a route inside a workspace asks of everybody, before it looks at what the call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteAccess {
    /// The lowest role that members need.
    pub role: Role,
    /// The least scope that keys need; `None` keeps them out.
    pub key: Option<KeyScope>,
    pub app: AppRequirement,
}

/// What a route asks of apps that act for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppRequirement {
    /// Any scope will do.
    AnyScope,
    /// A scope of an area, for reading or for writing.
    Area { area: ScopeArea, writes: bool },
    /// No scope opens the route.
    NoScope,
    /// The route needs a user in person.
    NoApps,
}

impl RouteAccess {
    /// Every member and every credential.
    pub const ANYBODY: Self = Self { role: Role::Guest, key: Some(KeyScope::Read), app: AppRequirement::AnyScope };

    /// Every member, and keys with the scope `ADMIN`. Which of them may is a question of the operation.
    pub const MEMBERS: Self = Self { role: Role::Guest, key: Some(KeyScope::Admin), app: AppRequirement::NoScope };

    /// Every member in person. Which of them may is a question of the operation.
    pub const MEMBERS_IN_PERSON: Self = Self { role: Role::Guest, key: None, app: AppRequirement::NoApps };

    /// Every member in person, on routes that no scope of an app opens, such as asking others for access.
    pub const ASKING: Self = Self { role: Role::Guest, key: None, app: AppRequirement::NoScope };

    /// Owners and admins, and keys with the scope `ADMIN`.
    pub const ADMINS: Self = Self { role: Role::Admin, key: Some(KeyScope::Admin), app: AppRequirement::NoScope };

    /// Owners and admins, and keys with the scope `ADMIN`; nobody for whom an app acts.
    pub const ADMINS_WITHOUT_APPS: Self = Self { app: AppRequirement::NoApps, ..Self::ADMINS };

    /// Owners and admins in person.
    pub const ADMINS_IN_PERSON: Self = Self { role: Role::Admin, key: None, app: AppRequirement::NoApps };

    /// Owners in person.
    pub const OWNERS_IN_PERSON: Self = Self { role: Role::Owner, key: None, app: AppRequirement::NoApps };

    /// Every member and every credential, apps with a scope of pages. What they see is a question of the page.
    pub const PAGES: Self = Self {
        key: Some(KeyScope::Read),
        app: AppRequirement::Area { area: ScopeArea::Pages, writes: false },
        ..Self::ANYBODY
    };

    /// Every member, keys with the scope `WRITE`, apps that may change pages.
    pub const PAGES_CHANGE: Self = Self {
        key: Some(KeyScope::Write),
        app: AppRequirement::Area { area: ScopeArea::Pages, writes: true },
        ..Self::ANYBODY
    };

    /// As [`Self::PAGES`], for what belongs to a person.
    pub const OWN_PAGES: Self = Self { key: None, ..Self::PAGES };

    /// As [`Self::PAGES_CHANGE`], for what belongs to a person.
    pub const OWN_PAGES_CHANGE: Self = Self { key: None, ..Self::PAGES_CHANGE };

    /// Every member, keys with the scope `WRITE` and apps with a scope of pages, for reading what others were granted.
    pub const GRANTS: Self = Self { key: Some(KeyScope::Write), ..Self::PAGES };

    pub(super) fn admit_key(self, scope: KeyScope) -> Result<(), Fault> {
        match self.key {
            None => Err(Fault::Forbidden(Denial::RequiresUser)),
            Some(needed) if scope < needed => Err(Fault::Forbidden(Denial::KeyScope(needed))),
            Some(_) => Ok(()),
        }
    }

    pub(super) fn admit_app(self, scopes: AppScopes) -> Result<(), Interrupt> {
        match self.app {
            // A grant may be left without any.
            AppRequirement::AnyScope if scopes.is_empty() => Err(Denied::ClosedToApps.into()),
            AppRequirement::AnyScope => Ok(()),
            AppRequirement::Area { area, writes } => {
                Ok(scopes.require(area, if writes { Access::Write } else { Access::Read })?)
            }
            AppRequirement::NoScope => Err(Denied::ClosedToApps.into()),
            AppRequirement::NoApps => Err(Fault::Forbidden(Denial::RequiresUser).into()),
        }
    }

    pub(crate) fn admit_role(self, role: Role) -> Result<(), Fault> {
        if role < self.role { Err(Fault::Forbidden(Denial::RequiresRole(self.role))) } else { Ok(()) }
    }
}
