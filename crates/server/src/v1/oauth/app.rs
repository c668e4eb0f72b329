//! How an app is shown.

use crate::{route::RouteReply, wire::reply};
use octavo_app::oauth::apps::{NewSecret, Registered};
use octavo_core_model::{
    AppScope, Secret, Timestamp,
    id::ClientId,
    oauth::{App, RedirectUri},
    text::{Name, WebAddress},
};

reply! {
    /// An app as its workspace sees it.
    pub(crate) OauthAppReply {
        /// Identifies the app; the same as `clientId`.
        id "id": required ClientId,
        /// By which the app calls itself when it asks for something.
        client_id "clientId": required ClientId,
        /// The secret of a confidential app. It is shown once, when it is created.
        client_secret "clientSecret": optional Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Its name, which people read before they consent.
        name "name": required Name = "Timesheets",
        /// Whether it keeps no secret, and so has to use PKCE.
        public "public": required bool = false,
        /// Where browsers may be sent back to, compared character by character.
        redirect_uris "redirectUris": required Vec<RedirectUri>,
        /// What it may ask for.
        scopes "scopes": required Vec<AppScope>,
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// When it was registered.
        created_at "createdAt": required Timestamp,
    }
}

reply! {
    /// What everybody may know of an app.
    pub(crate) OauthClientReply {
        /// By which the app calls itself.
        client_id "clientId": required ClientId,
        /// Its name.
        name "name": required Name = "Timesheets",
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// Whether it keeps no secret.
        public "public": required bool = false,
        /// What it may ask for.
        scopes "scopes": required Vec<AppScope>,
    }
}

reply! {
    /// An app that is gone.
    pub(crate) OauthAppGone {
        /// True.
        deleted "deleted": required bool = true,
        /// Which app it was.
        client_id "clientId": required ClientId,
    }
}

impl RouteReply for OauthAppGone {}

reply! {
    /// The new secret of an app.
    pub(crate) OauthSecretReply {
        /// Of which app.
        client_id "clientId": required ClientId,
        /// The secret. It is shown here and never again.
        client_secret "clientSecret": required Secret<String> = "ocs_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Until when the secret before this one works.
        previous_valid_until "previousValidUntil": required Timestamp,
    }
}

impl From<App> for OauthAppReply {
    fn from(app: App) -> Self {
        Self {
            id: app.id,
            client_id: app.id,
            client_secret: None,
            name: app.name,
            public: app.public,
            redirect_uris: app.redirect_uris,
            scopes: app.scopes.into_iter().collect(),
            logo_url: app.logo_url,
            created_at: app.created_at,
        }
    }
}

/// The one time the secret is shown.
impl From<Registered> for OauthAppReply {
    fn from(registered: Registered) -> Self {
        Self { client_secret: registered.secret, ..registered.app.into() }
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
