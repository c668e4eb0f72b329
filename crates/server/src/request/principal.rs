//! The owner of a call: for the log, for counting, and to keep data of one caller from another.
//!
//! A new kind of credential becomes a new kind of principal here; code that counts, logs or stores by caller needs no
//! other change.

use octavo_app::{Call, Caller, call::NamedWorkspace, sessions::refresh};
use octavo_core_model::{
    id::{ApiKeyId, ClientId, GrantId, UserId, WorkspaceId},
    token::{TokenHash, TokenKind},
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;

/// The owner of a valid credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Principal {
    User(UserId),
    Key(ApiKeyId),
    /// A grant of a user to an app: the app's calls for that user count together and share what is stored for them.
    Grant {
        id: GrantId,
        client: ClientId,
    },
}

impl Principal {
    pub(crate) const fn of(caller: &Caller) -> Option<Self> {
        match caller {
            Caller::User(claims) => Some(Self::User(claims.user)),
            Caller::Key(presented) => Some(Self::Key(presented.key.id)),
            Caller::App(app) => Some(Self::Grant { id: app.claims.grant, client: app.claims.client }),
            Caller::Nobody | Caller::Job(_) | Caller::System => None,
        }
    }

    /// The kind of actor, as the log names it.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "USER",
            Self::Key(_) => "API_KEY",
            Self::Grant { .. } => "OAUTH_APP",
        }
    }

    /// The actor's id, as the log names it.
    pub(crate) fn actor_id(self) -> String {
        match self {
            Self::Grant { client, .. } => client.to_string(),
            Self::User(_) | Self::Key(_) => self.to_string(),
        }
    }
}

/// The id under which calls are counted and data is stored.
impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Key(id) => id.fmt(f),
            Self::Grant { id, .. } => id.fmt(f),
        }
    }
}

/// The owner of the idempotency key of a call: its principal, otherwise the holder of the token in the body,
/// otherwise the client's address.
pub(crate) fn holder(call: &Call, body: Option<&Value>) -> String {
    if let Some(principal) = Principal::of(&call.caller) {
        return principal.to_string();
    }
    let in_body = |name| body?.get(name)?.as_str();
    // Other codes than those of apps are short, so another client may send the same one.
    let code = || in_body("code").filter(|code| code.starts_with(TokenKind::AuthorizationCode.prefix()));
    let token = ["refreshToken", "refresh_token", "token"].into_iter().find_map(in_body).or_else(code);
    match (token, &call.client) {
        (Some(token), _) => refresh::principal(&TokenHash::from_bytes(Sha256::digest(token.as_bytes()).into())),
        (None, Some(client)) => format!("address:{}", client.address),
        (None, None) => String::new(),
    }
}

/// The workspace that a call wants to use: the one it names, otherwise that of its credential. The use case decides
/// whether it may.
pub(crate) const fn workspace(call: &Call) -> Option<WorkspaceId> {
    let named = match (call.path_workspace, call.named_workspace) {
        (Some(path), _) => Some(path),
        (None, header) => header,
    };
    match (named, &call.caller) {
        (Some(NamedWorkspace::Id(id)), _) => Some(id),
        (None, Caller::User(claims)) => Some(claims.workspace),
        (None, Caller::Key(presented)) => Some(presented.key.workspace),
        (Some(NamedWorkspace::Malformed), _)
        | (None, Caller::App(_) | Caller::Nobody | Caller::Job(_) | Caller::System) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_app::Client;
    use octavo_core_model::Timestamp;
    use serde_json::json;
    use std::net::IpAddr;

    #[test]
    fn replies_to_anonymous_callers_belong_to_the_token_or_the_address() {
        let client = Client { address: IpAddr::from([192, 0, 2, 1]), user_agent: String::new() };
        let call = Call { client: Some(client), ..Call::system(Timestamp::from_millis(0)) };
        let body = json!({ "refreshToken": "rft_x", "token": "evt_y" });
        let by_token = holder(&call, Some(&body));
        assert!(by_token.starts_with("token:") && by_token.len() == 6 + 64, "{by_token}");
        assert_ne!(by_token, holder(&call, Some(&json!({ "token": "evt_y" }))));
        assert_eq!(holder(&call, Some(&json!({ "token": 7 }))), "address:192.0.2.1");
        assert_eq!(holder(&call, None), "address:192.0.2.1");
    }
}
