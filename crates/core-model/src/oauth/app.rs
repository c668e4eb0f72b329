//! Apps as a workspace registers them.

use super::{RedirectUri, Scopes};
use crate::{
    id::{ClientId, UserId, WorkspaceId},
    scope::AppScope,
    text::{Name, WebAddress},
    time::Timestamp,
    token::TokenHash,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};
use subtle::{Choice, ConstantTimeEq};

/// How many redirect URIs an app may have.
pub const MAX_REDIRECT_URIS: usize = 10;
/// How long a replaced secret keeps working by default.
pub const GRACE: Duration = Duration::from_hours(24);

/// An app that asks users to let it act for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// The id that the app calls itself by.
    pub id: ClientId,
    /// The workspace that registered and publishes it.
    pub workspace: WorkspaceId,
    /// The name that people see when they consent.
    pub name: Name,
    /// It has no secret, because it runs in a page or on a user's machine, and must use PKCE to prove that a code is
    /// its own.
    pub public: bool,
    /// The allowed redirect addresses; see [`Self::knows`].
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may request. Never empty.
    pub scopes: Scopes,
    /// The address of its logo.
    pub logo_url: Option<WebAddress>,
    /// Who registered it.
    pub created_by: UserId,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// A change of an app; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppChange {
    /// The new name.
    pub name: Option<Name>,
    /// The new list of redirect URIs.
    pub redirect_uris: Option<Vec<RedirectUri>>,
    /// The new scopes.
    pub scopes: Option<Scopes>,
    /// The address of the new logo; `Some(None)` removes it.
    pub logo_url: Option<Option<WebAddress>>,
}

/// What an app lost in a change: open codes that depend on it become void, and it is removed from grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// The redirect URIs that it lost.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it lost.
    pub scopes: Scopes,
}

impl Narrowing {
    /// Whether the app lost nothing.
    pub fn is_empty(&self) -> bool {
        self.redirect_uris.is_empty() && self.scopes.is_empty()
    }
}

impl App {
    /// The redirect address that a request names, if it is one of the app's: one that is registered exactly like this,
    /// or an address of the user's own machine with another port, because native apps listen on the port that is free
    /// (RFC 8252, 7.3).
    pub fn knows(&self, uri: &str) -> Option<RedirectUri> {
        if let Some(known) = self.redirect_uris.iter().find(|known| known.as_str() == uri) {
            return Some(known.clone());
        }
        let sent = RedirectUri::parse(uri).ok()?;
        self.redirect_uris.iter().any(|known| known.is_same_loopback_path(&sent)).then_some(sent)
    }

    /// Applies the change. Returns the changed fields with their old and new values, and what the app lost.
    pub fn apply(&mut self, change: AppChange) -> (Vec<Value>, Narrowing) {
        let mut changed = Vec::new();
        let mut lost = Narrowing::default();
        let mut note = |field, from: Value, to: Value| {
            if from != to {
                changed.push(json!({ "field": field, "from": from, "to": to }));
            }
        };
        if let Some(name) = change.name {
            note("name", json!(self.name), json!(name));
            self.name = name;
        }
        if let Some(logo) = change.logo_url {
            note("logoUrl", json!(self.logo_url), json!(logo));
            self.logo_url = logo;
        }
        if let Some(uris) = change.redirect_uris {
            note("redirectUris", json!(self.redirect_uris), json!(uris));
            lost.redirect_uris = self.redirect_uris.iter().filter(|uri| !uris.contains(uri)).cloned().collect();
            self.redirect_uris = uris;
        }
        if let Some(scopes) = change.scopes {
            note("scopes", json!(self.scopes), json!(scopes));
            lost.scopes = &self.scopes - &scopes;
            self.scopes = scopes;
        }
        (changed, lost)
    }

    /// The scopes of a request: those that it names, or all of the app's. `None` if it names one that is not the
    /// app's.
    pub fn scopes_of(&self, asked: Option<&str>) -> Option<Scopes> {
        let Some(asked) = asked else { return Some(self.scopes.clone()) };
        let named: BTreeSet<AppScope> =
            asked.split(' ').filter(|word| !word.is_empty()).map(str::parse).collect::<Result<_, _>>().ok()?;
        if named.is_empty() {
            return Some(self.scopes.clone());
        }
        named.is_subset(&self.scopes).then_some(named)
    }
}

/// One of the secrets of a confidential app: the present one, or the one that a rotation replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppSecret {
    /// The hash of the secret.
    pub hash: TokenHash,
    /// When a replaced secret stops working.
    pub ends_at: Option<Timestamp>,
}

impl AppSecret {
    /// Whether the secret still works.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| now < end)
    }

    /// Whether the presented secret is one of the valid ones. All of them are compared, in a time that does not
    /// depend on their content.
    pub fn any_is(secrets: &[Self], presented: &TokenHash, now: Timestamp) -> bool {
        let matched = secrets
            .iter()
            .filter(|secret| secret.is_live(now))
            .fold(Choice::from(0), |found, secret| found | secret.hash.as_bytes().ct_eq(presented.as_bytes()));
        matched.into()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1000);

    fn uri(text: &str) -> RedirectUri {
        RedirectUri::parse(text).unwrap()
    }

    fn app() -> App {
        App {
            id: ClientId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [2; 10]),
            name: Name::parse("Planner").unwrap(),
            public: false,
            redirect_uris: vec![uri("https://planner.example/back"), uri("https://planner.example/other")],
            scopes: [AppScope::PagesRead, AppScope::PagesWrite].into(),
            logo_url: None,
            created_by: UserId::new(1, [3; 10]),
            created_at: NOW,
        }
    }

    #[test]
    fn a_redirect_uri_is_known_by_every_character_of_it() {
        let app = app();
        assert!(app.knows("https://planner.example/back").is_some());
        for other in [
            "https://planner.example/back/",
            "https://planner.example/bac",
            "https://planner.example/back?x=1",
            "https://PLANNER.example/back",
            "https://planner.example/b%61ck",
            "https://planner.example/back#",
            "",
        ] {
            assert_eq!(app.knows(other), None, "{other}");
        }
    }

    #[test]
    fn a_loopback_address_is_known_with_any_port() {
        let mut app = app();
        app.redirect_uris = vec![uri("http://127.0.0.1:7777/back?keep=1"), uri("http://[::1]/back")];
        for sent in [
            "http://127.0.0.1:7777/back?keep=1",
            "http://127.0.0.1:51004/back?keep=1",
            "http://127.0.0.1/back?keep=1",
            "http://[::1]/back",
            "http://[::1]:51004/back",
        ] {
            assert_eq!(app.knows(sent), Some(uri(sent)), "the answer goes to the port that was named");
        }
        for other in [
            "http://127.0.0.1:51004/back",
            "http://127.0.0.1:51004/back?keep=2",
            "https://127.0.0.1:51004/back?keep=1",
            "http://localhost:51004/back?keep=1",
            "http://127.0.0.2:51004/back?keep=1",
            "http://127.0.0.10/back?keep=1",
            "http://127.0.0.1:0/back?keep=1",
            "http://127.0.0.1:51004@evil.test/back?keep=1",
            "http://127.0.0.1.evil.test/back?keep=1",
            "http://[::1]:51004/back/",
            "http://[::2]:51004/back",
            "http://127.0.0.1:51004/",
        ] {
            assert_eq!(app.knows(other), None, "{other}");
        }
        app.redirect_uris = vec![uri("http://localhost:7777/back"), uri("https://127.0.0.1:7777/back")];
        for other in ["http://localhost:51004/back", "https://127.0.0.1:51004/back", "http://127.0.0.1:7777/back"] {
            assert_eq!(app.knows(other), None, "{other}");
        }
    }

    #[test]
    fn a_request_gets_what_it_names_or_all_and_never_more() {
        let app = app();
        assert_eq!(app.scopes_of(None), Some(app.scopes.clone()));
        assert_eq!(app.scopes_of(Some("")), Some(app.scopes.clone()));
        assert_eq!(app.scopes_of(Some("pages:read")), Some([AppScope::PagesRead].into()));
        assert_eq!(app.scopes_of(Some("pages:read pages:read  pages:write")), Some(app.scopes.clone()));
        for wrong in ["files:read", "pages:read files:read", "pages:*", "PAGES:READ", "pages:read,pages:write"] {
            assert_eq!(app.scopes_of(Some(wrong)), None, "{wrong}");
        }
    }

    #[test]
    fn a_change_says_what_became_different_and_what_was_lost() {
        let mut app = app();
        assert_eq!(app.apply(AppChange::default()), (Vec::new(), Narrowing::default()));
        let same = AppChange { scopes: Some(app.scopes.clone()), ..AppChange::default() };
        assert_eq!(app.apply(same), (Vec::new(), Narrowing::default()));
        let change = AppChange {
            redirect_uris: Some(vec![uri("https://planner.example/new"), uri("https://planner.example/back")]),
            scopes: Some([AppScope::PagesRead, AppScope::FilesRead].into()),
            ..AppChange::default()
        };
        let (changed, lost) = app.apply(change);
        assert_eq!(changed.iter().map(|entry| &entry["field"]).collect::<Vec<_>>(), ["redirectUris", "scopes"]);
        assert_eq!(lost.redirect_uris, [uri("https://planner.example/other")]);
        assert_eq!(lost.scopes, [AppScope::PagesWrite].into());
    }

    #[test]
    fn a_secret_counts_until_its_grace_is_over() {
        let hash = |byte| TokenHash::from_bytes([byte; 32]);
        let secrets = [
            AppSecret { hash: hash(1), ends_at: None },
            AppSecret { hash: hash(2), ends_at: Some(Timestamp::from_millis(2000)) },
        ];
        assert!(AppSecret::any_is(&secrets, &hash(1), NOW) && AppSecret::any_is(&secrets, &hash(2), NOW));
        assert!(!AppSecret::any_is(&secrets, &hash(2), Timestamp::from_millis(2000)));
        assert!(!AppSecret::any_is(&secrets, &hash(3), NOW) && !AppSecret::any_is(&[], &hash(1), NOW));
    }
}
