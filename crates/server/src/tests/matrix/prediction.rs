//! What the declaration of a route predicts for each kind of caller.

use super::caller::Caller;
use crate::route::{self, Route};
use octavo_app::access::{AppRequirement, RouteAccess};
use octavo_core_model::{AppScope, KeyScope, Role};

/// The reasons for refusing a credential, apart from roles.
const OF_CREDENTIALS: &[&str] = &[
    "token_missing",
    "token_malformed",
    "token_expired",
    "api_key_revoked",
    "api_key_expired",
    "account_suspended",
    "account_deleting",
    "requires_user_credentials",
    "api_key_scope_write",
    "api_key_scope_admin",
    "oauth_scope",
    "workspace_mismatch",
];

/// Checks that a caller of this kind got the answer that the declaration of the route predicts.
pub(super) fn predicts(route: &Route, caller: Caller, outcome: &str) -> Result<(), String> {
    let reason = outcome.rsplit(' ').next().unwrap_or_default();
    if !route.caller.needs_credential() {
        // Such a route may use passwords or tokens of its own.
        return Ok(());
    }
    match refusal(route, caller) {
        Some(expected) if reason == expected => Ok(()),
        Some(expected) => Err(format!("{expected} is declared")),
        None if OF_CREDENTIALS.contains(&reason) => Err("they are let in by the declaration".to_owned()),
        None => Ok(()),
    }
}

/// The reason for which a route with this declaration refuses a caller.
fn refusal(route: &Route, caller: Caller) -> Option<&'static str> {
    of_credential(caller).or_else(|| match route.caller {
        route::Caller::Anyone | route::Caller::Optional => None,
        route::Caller::SignedIn => (caller.is_app() || scope(caller).is_some()).then_some("requires_user_credentials"),
        route::Caller::Known => of_workspace(route, caller),
        route::Caller::Inside(access) => {
            of_kind(access, caller).or_else(|| of_workspace(route, caller)).or_else(|| of_role(route, access, caller))
        }
    })
}

const fn of_credential(caller: Caller) -> Option<&'static str> {
    match caller {
        Caller::Anonymous => Some("token_missing"),
        Caller::Malformed | Caller::RevokedApp => Some("token_malformed"),
        Caller::Expired | Caller::ExpiredApp => Some("token_expired"),
        Caller::Suspended => Some("account_suspended"),
        Caller::Deleting => Some("account_deleting"),
        Caller::RevokedKey => Some("api_key_revoked"),
        Caller::ExpiredKey => Some("api_key_expired"),
        _ => None,
    }
}

const fn scope(caller: Caller) -> Option<KeyScope> {
    match caller {
        Caller::ReadKey => Some(KeyScope::Read),
        Caller::WriteKey => Some(KeyScope::Write),
        Caller::AdminKey | Caller::ForeignKey => Some(KeyScope::Admin),
        _ => None,
    }
}

fn of_app(access: RouteAccess, caller: Caller) -> Option<&'static str> {
    match access.app {
        AppRequirement::AnyScope => None,
        AppRequirement::NoScope => Some("oauth_scope"),
        AppRequirement::NoApps => Some("requires_user_credentials"),
        AppRequirement::Area { area, writes } => {
            let reads_pages = caller == Caller::ReadingApp;
            (reads_pages && AppScope::needed(area, writes) != AppScope::PagesRead).then_some("oauth_scope")
        }
    }
}

fn of_kind(access: RouteAccess, caller: Caller) -> Option<&'static str> {
    if caller.is_app() {
        return of_app(access, caller);
    }
    let scope = scope(caller)?;
    match access.key {
        None => Some("requires_user_credentials"),
        Some(needed) if scope >= needed => None,
        Some(KeyScope::Admin) => Some("api_key_scope_admin"),
        Some(KeyScope::Read | KeyScope::Write) => Some("api_key_scope_write"),
    }
}

fn of_workspace(route: &Route, caller: Caller) -> Option<&'static str> {
    if caller == Caller::AppElsewhere {
        return Some("workspace_mismatch");
    }
    let is_elsewhere = matches!(caller, Caller::Removed | Caller::Foreign | Caller::ForeignKey);
    (is_elsewhere && route.names_workspace()).then_some("workspace_mismatch")
}

/// If no path names a workspace, callers that are not members of the test workspace use their own one, as its owner;
/// everybody else's token names their personal workspace too.
fn of_role(route: &Route, access: RouteAccess, caller: Caller) -> Option<&'static str> {
    let role = match caller {
        Caller::Guest => Role::Guest,
        Caller::Member => Role::Member,
        Caller::Admin => Role::Admin,
        _ => Role::Owner,
    };
    let refuses = route.names_workspace() && scope(caller).is_none() && role < access.role;
    refuses.then_some(match access.role {
        Role::Owner => "requires_OWNER",
        Role::Admin => "requires_ADMIN",
        Role::Member => "requires_MEMBER",
        Role::Guest => "requires_GUEST",
    })
}
