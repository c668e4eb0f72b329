//! What a route inside a workspace requires of every caller.

use crate::outcome::Interrupt;
use octavo_core_model::{Fault, KeyScope, Role, fault::Denial, scope::ScopeArea};
use octavo_permissions::{Access, AppScopes, Denied};

/// What a route inside a workspace requires of every caller, before it looks at what the call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteAccess {
    /// The lowest role that members need.
    pub role: Role,
    /// The least scope that keys need; `None` refuses keys.
    pub key: Option<KeyScope>,
    pub app: AppRequirement,
}

/// What a route requires of apps that act for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppRequirement {
    /// One scope of any kind is enough.
    AnyScope,
    /// A scope of this area, for reading or for writing.
    Area { area: ScopeArea, writes: bool },
    /// No scope opens the route.
    NoScope,
    /// The route needs a user in person.
    NoApps,
}

impl RouteAccess {
    /// Every member and every credential.
    pub const ANYBODY: Self = Self { role: Role::Guest, key: Some(KeyScope::Read), app: AppRequirement::AnyScope };

    /// Every member, and keys with the scope `ADMIN`. The operation decides which of them may.
    pub const MEMBERS: Self = Self { role: Role::Guest, key: Some(KeyScope::Admin), app: AppRequirement::NoScope };

    /// Every member in person. The operation decides which of them may.
    pub const MEMBERS_IN_PERSON: Self = Self { role: Role::Guest, key: None, app: AppRequirement::NoApps };

    /// Every member in person, on routes that no app scope opens, such as asking others for access.
    pub const ASKING: Self = Self { role: Role::Guest, key: None, app: AppRequirement::NoScope };

    /// Owners and admins, and keys with the scope `ADMIN`.
    pub const ADMINS: Self = Self { role: Role::Admin, key: Some(KeyScope::Admin), app: AppRequirement::NoScope };

    /// Owners and admins, and keys with the scope `ADMIN`; no apps.
    pub const ADMINS_WITHOUT_APPS: Self = Self { app: AppRequirement::NoApps, ..Self::ADMINS };

    /// Owners and admins in person.
    pub const ADMINS_IN_PERSON: Self = Self { role: Role::Admin, key: None, app: AppRequirement::NoApps };

    /// Owners in person.
    pub const OWNERS_IN_PERSON: Self = Self { role: Role::Owner, key: None, app: AppRequirement::NoApps };

    /// Every member and every credential, apps with a scope for pages. The page decides what they see.
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

    /// Every member and every credential, apps with a scope for databases. The database decides what they see.
    pub const DATABASES: Self = Self {
        key: Some(KeyScope::Read),
        app: AppRequirement::Area { area: ScopeArea::Databases, writes: false },
        ..Self::ANYBODY
    };

    /// Every member, keys with the scope `WRITE`, apps that may change databases.
    pub const DATABASES_CHANGE: Self = Self {
        key: Some(KeyScope::Write),
        app: AppRequirement::Area { area: ScopeArea::Databases, writes: true },
        ..Self::ANYBODY
    };

    /// Like [`Self::PAGES`], for things that belong to a person.
    pub const OWN_PAGES: Self = Self { key: None, ..Self::PAGES };

    /// Like [`Self::PAGES_CHANGE`], for things that belong to a person.
    pub const OWN_PAGES_CHANGE: Self = Self { key: None, ..Self::PAGES_CHANGE };

    /// Every member, keys with the scope `WRITE` and apps with a scope for pages: for reading the access of others.
    pub const GRANTS: Self = Self { key: Some(KeyScope::Write), ..Self::PAGES };

    /// Every member, keys with the scope `ADMIN`, apps that may change pages: for deleting what people wrote.
    pub const PAGES_CHANGE_BY_ADMIN_KEYS: Self = Self { key: Some(KeyScope::Admin), ..Self::PAGES_CHANGE };

    /// Like [`Self::GRANTS`], for databases.
    pub const DATABASE_GRANTS: Self = Self { key: Some(KeyScope::Write), ..Self::DATABASES };

    pub(super) fn admit_key(self, scope: KeyScope) -> Result<(), Fault> {
        match self.key {
            None => Err(Fault::Forbidden(Denial::RequiresUser)),
            Some(needed) if scope < needed => Err(Fault::Forbidden(Denial::KeyScope(needed))),
            Some(_) => Ok(()),
        }
    }

    pub(super) fn admit_app(self, scopes: AppScopes) -> Result<(), Interrupt> {
        match self.app {
            // A grant can be left without any scope.
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
