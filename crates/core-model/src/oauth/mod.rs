//! Apps that act for people (OAuth 2.0): what they are, what people grant them, and the codes and tokens that follow from it.

mod app;
mod code;
mod family;
mod grant;
mod pkce;
mod redirect_uri;
mod request;

pub use app::{App, AppChange, AppSecret, GRACE, MAX_REDIRECT_URIS, Narrowing};
pub use code::{AuthorizationCode, CodeFlaw};
pub use family::{Family, FamilyToken, Presented};
pub use grant::{AppAccess, Grant, GrantedApp};
pub use pkce::{Challenge, Malformed};
pub use redirect_uri::RedirectUri;
pub use request::{
    AuthorizationError, AuthorizationFlaw, AuthorizationRequest, Examined, Parameter, Prompts, RedirectBack, Verdict,
};

use crate::scope::AppScope;
use std::collections::BTreeSet;

/// What an app may do.
pub type Scopes = BTreeSet<AppScope>;

/// How many workspaces a grant reaches at most.
pub const MAX_WORKSPACES: usize = 100;

/// Scopes as requests and token answers write them: side by side, parted by spaces.
pub fn written(scopes: &Scopes) -> String {
    scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" ")
}
