//! Apps that act for users (OAuth 2.0): apps, grants, and the resulting codes and tokens.

mod app;
mod code;
mod family;
mod grant;
mod parameter;
mod pkce;
mod redirect_uri;
mod request;
mod response;

pub use app::{App, AppChange, AppSecret, GRACE, MAX_REDIRECT_URIS, Narrowing};
pub use code::{AuthorizationCode, CodeFlaw};
pub use family::{Family, FamilyToken, Presented};
pub use grant::{AppAccess, Grant, GrantedApp};
pub use parameter::Parameter;
pub use pkce::{Challenge, Malformed};
pub use redirect_uri::RedirectUri;
pub use request::{
    AuthorizationError, AuthorizationFlaw, AuthorizationRequest, Examined, Prompts, RedirectBack, Verdict,
};
pub use response::{AuthorizationResponse, ResponseMode};

use crate::scope::AppScope;
use std::collections::BTreeSet;

/// The scopes of an app.
pub type Scopes = BTreeSet<AppScope>;

/// How many workspaces a grant may reach.
pub const MAX_WORKSPACES: usize = 100;

/// Scopes in requests and token answers, separated by spaces.
pub fn written(scopes: &Scopes) -> String {
    scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
}
