//! The representation of an app.

use crate::{route::RouteReply, wire::reply};
use octavo_app::oauth::apps::{NewSecret, Registered};
use octavo_core_model::{
    AppScope, Secret, Timestamp,
    id::ClientId,
    oauth::{App, RedirectUri},
    text::{Name, WebAddress},
};

reply! {
    /// An app as its workspace sees it, without its secret.
    pub(crate) OauthAppReply {
        /// The id of the app; the same as `clientId`.
        id "id": required ClientId,
        /// The id by which the app identifies itself.
        client_id "clientId": required ClientId,
        /// Its name, which users read before they consent.
        name "name": required Name = "Timesheets",
        /// Whether it has no secret, and therefore must use PKCE.
        public "public": required bool = false,
        /// The allowed redirect addresses, compared character by character, except for the port of `http://127.0.0.1` and
        /// `http://[::1]`.
        redirect_uris "redirectUris": required Vec<RedirectUri>,
        /// The scopes that it may request.
        scopes "scopes": required Vec<AppScope>,
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// When it was registered.
        created_at "createdAt": required Timestamp,
    }
}

// A type of its own, so that answers without the secret can be compressed.
reply! {
    /// A new app, with its secret.
    pub(crate) NewOauthAppReply {
        /// The id of the app; the same as `clientId`.
        id "id": required ClientId,
        /// The id by which the app identifies itself.
        client_id "clientId": required ClientId,
        /// The secret of a confidential app. It is shown only here.
        client_secret "clientSecret": optional Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Its name, which users read before they consent.
        name "name": required Name = "Timesheets",
        /// Whether it has no secret, and therefore must use PKCE.
        public "public": required bool = false,
        /// The allowed redirect addresses.
        redirect_uris "redirectUris": required Vec<RedirectUri>,
        /// The scopes that it may request.
        scopes "scopes": required Vec<AppScope>,
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// When it was registered.
        created_at "createdAt": required Timestamp,
    }
}

reply! {
    /// The public part of an app.
    pub(crate) OauthClientReply {
        /// The id by which the app identifies itself.
        client_id "clientId": required ClientId,
        /// Its name.
        name "name": required Name = "Timesheets",
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// Whether it has no secret.
        public "public": required bool = false,
        /// The scopes that it may request.
        scopes "scopes": required Vec<AppScope>,
    }
}

reply! {
    /// A removed app.
    pub(crate) OauthAppGone {
        /// True.
        deleted "deleted": required bool = true,
        /// The id of the app.
        client_id "clientId": required ClientId,
    }
}

impl RouteReply for OauthAppGone {}

reply! {
    /// The new secret of an app.
    pub(crate) OauthSecretReply {
        /// The id of the app.
        client_id "clientId": required ClientId,
        /// The secret. It is never shown again.
        client_secret "clientSecret": required Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// How long the previous secret still works.
        previous_valid_until "previousValidUntil": required Timestamp,
    }
}

impl From<App> for OauthAppReply {
    fn from(app: App) -> Self {
        Self {
            id: app.id,
            client_id: app.id,
            name: app.name,
            public: app.public,
            redirect_uris: app.redirect_uris,
            scopes: app.scopes.into_iter().collect(),
            logo_url: app.logo_url,
            created_at: app.created_at,
        }
    }
}

/// The only time that the secret is shown.
impl From<Registered> for NewOauthAppReply {
    fn from(registered: Registered) -> Self {
        let OauthAppReply { id, client_id, name, public, redirect_uris, scopes, logo_url, created_at } =
            registered.app.into();
        let client_secret = registered.secret;
        Self { id, client_id, client_secret, name, public, redirect_uris, scopes, logo_url, created_at }
    }
}

impl From<App> for OauthClientReply {
    fn from(app: App) -> Self {
        Self {
            client_id: app.id,
            name: app.name,
            logo_url: app.logo_url,
            public: app.public,
            scopes: app.scopes.into_iter().collect(),
        }
    }
}

impl From<NewSecret> for OauthSecretReply {
    fn from(new: NewSecret) -> Self {
        Self { client_id: new.client, client_secret: new.secret, previous_valid_until: new.previous_until }
    }
}
