//! Who may call a route.

use octavo_app::access::{AppRequirement, RouteAccess};
use octavo_core_model::{
    AppScope, Fault, KeyScope, Role,
    fault::{Denial, Unknown},
};

/// Who may call a route. Passing this check is not permission: the use case decides about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Everybody; credentials are ignored.
    Anyone,
    /// Everybody; a valid access token identifies the caller.
    Optional,
    /// Callers with a valid access token.
    SignedIn,
    /// Callers with any valid credential.
    Known,
    /// Callers with any valid credential that have this access to a workspace.
    Inside(RouteAccess),
}

impl Caller {
    /// Whether the route uses credentials, and so can work inside a workspace.
    pub const fn brings_credential(self) -> bool {
        !self.credentials().is_empty()
    }

    /// Whether a call needs a credential.
    pub const fn needs_credential(self) -> bool {
        !matches!(self, Self::Anyone | Self::Optional)
    }

    /// The accepted credentials, by their names in the description.
    pub const fn credentials(self) -> &'static [&'static str] {
        match self {
            Self::Anyone => &[],
            Self::Optional | Self::SignedIn => &["accessToken"],
            Self::Known => &["accessToken", "apiKey", "appToken"],
            Self::Inside(access) => of_workspace(access),
        }
    }

    /// How other callers are refused.
    pub fn refusals(self) -> Vec<Fault> {
        let credential = [
            Fault::Unauthenticated(Unknown::TokenMissing),
            Fault::Unauthenticated(Unknown::TokenMalformed),
            Fault::Unauthenticated(Unknown::TokenExpired),
            Fault::Unauthenticated(Unknown::KeyRevoked),
            Fault::Unauthenticated(Unknown::KeyExpired),
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
            Fault::Forbidden(Denial::WorkspaceMismatch),
            Fault::WorkspaceDeleting,
        ];
        match self {
            Self::Anyone => Vec::new(),
            Self::Optional => [&credential[1..], &[Fault::Forbidden(Denial::RequiresUser)]].concat(),
            Self::SignedIn => [&credential[..], &[Fault::Forbidden(Denial::RequiresUser)]].concat(),
            Self::Known => [&credential[..], &[Fault::Forbidden(Denial::AddressNotAllowed)]].concat(),
            Self::Inside(access) => [&credential[..], &of_route_access(access)].concat(),
        }
    }
}

/// The credentials that open a route with this access.
const fn of_workspace(access: RouteAccess) -> &'static [&'static str] {
    let apps = matches!(access.app, AppRequirement::AnyScope | AppRequirement::Area { .. });
    match (access.key.is_some(), apps) {
        (true, true) => &["accessToken", "apiKey", "appToken"],
        (true, false) => &["accessToken", "apiKey"],
        (false, true) => &["accessToken", "appToken"],
        (false, false) => &["accessToken"],
    }
}

fn of_route_access(access: RouteAccess) -> Vec<Fault> {
    let address = Fault::Forbidden(Denial::AddressNotAllowed);
    let key = match access.key {
        None => vec![Fault::Forbidden(Denial::RequiresUser)],
        Some(KeyScope::Read) => vec![address],
        Some(scope) => vec![Fault::Forbidden(Denial::KeyScope(scope)), address],
    };
    let app = match access.app {
        AppRequirement::AnyScope => None,
        AppRequirement::Area { area, writes } => Some(Denial::AppScope(Some(AppScope::needed(area, writes)))),
        AppRequirement::NoScope => Some(Denial::AppScope(None)),
        AppRequirement::NoApps => Some(Denial::RequiresUser),
    };
    let app = app.map(Fault::Forbidden).filter(|fault| !key.contains(fault));
    let role = (access.role > Role::Guest).then_some(Fault::Forbidden(Denial::RequiresRole(access.role)));
    [vec![Fault::NotFound], key, app.into_iter().collect(), role.into_iter().collect()].concat()
}
