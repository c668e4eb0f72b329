//! `/users/me` and `/auth/me`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::{
        accounts::user::{OwnWorkspaceReply, UserReply},
        sessions::session::SessionReply,
    },
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft,
    accounts::profile::{self, ActingApp, Bearer, Identity},
};
use octavo_core_model::{
    Fault, Role, Timestamp,
    account::ProfileChange,
    api_key::ApiKey,
    fault::Conflict,
    id::{ClientId, WorkspaceId},
    text::{Locale, Name, Theme, TimeZone, WebAddress},
    workspace::Workspace,
};

body! {
    /// A change of profile. Fields that are left out stay as they are.
    pub(crate) ProfileBody {
        example: { "displayName": "Ada" };
        /// The full name.
        name "name": optional Name = "Ada Lovelace",
        /// The name that others see. Two members of a workspace cannot have the same one, ignoring case.
        display_name "displayName": optional Name = "Ada",
        /// The address of the picture; null removes it.
        avatar_url "avatarUrl": nullable WebAddress = "https://example.com/ada.png",
        /// The language tag of the interface.
        locale "locale": optional Locale,
        /// An IANA time zone.
        timezone "timezone": optional TimeZone,
        /// The preferred theme.
        theme "theme": optional Theme,
    }
}

reply! {
    /// The caller and their workspaces.
    pub(crate) ProfileReply {
        /// The account.
        user "user": required UserReply,
        /// The caller's workspaces, in the order of joining.
        workspaces "workspaces": required Vec<OwnWorkspaceReply>,
    }
}

reply! {
    /// The actor of a call.
    pub(crate) ActorReply {
        /// The kind of actor: `USER` for access tokens of a sign-in, `API_KEY`, `OAUTH_APP`.
        kind "type": required String | ["USER", "API_KEY", "OAUTH_APP"] = "USER",
        /// Its id.
        id "id": required String = "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
    }
}

reply! {
    /// An app.
    pub(crate) ClientReply {
        /// The id of the app.
        id "clientId": required ClientId,
        /// The name of the app.
        name "name": required Name = "Timesheets",
    }
}

reply! {
    /// The identity behind the credential of the call.
    pub(crate) IdentityReply {
        /// The account behind the credential; null for API keys.
        user "user": nullable UserReply,
        /// The workspaces that the credential reaches.
        workspaces "workspaces": required Vec<OwnWorkspaceReply>,
        /// The actor.
        actor "actor": required ActorReply,
        /// The workspace of calls that name none. Apps must name one, so for them it is the workspace of this call.
        workspace_id "workspaceId": nullable WorkspaceId,
        /// The caller's role in it.
        role "role": nullable Role,
        /// What the credential allows: `read` and `write` for access tokens of a user, the scopes of an API key or an
        /// app.
        scopes "scopes": required Vec<String>,
        /// The session, for access tokens of a user.
        session "session": nullable SessionReply,
        /// The app, for tokens of an app.
        client "client": nullable ClientReply,
        /// When the credential expires.
        expires_at "expiresAt": nullable Timestamp,
    }
}

routes! {
    /// Shows the caller and their workspaces.
    ///
    /// The workspaces are in the order of joining, the personal one first.
    GET "/users/me" as getCurrentUser => get {
        caller: SignedIn,
        limits: [],
        takes: (),
        answers: { 200: Data<ProfileReply> },
        refusals: [],
        events: [],
    }

    /// Changes the caller's profile.
    ///
    /// A merge patch: fields that are left out stay as they are, and an empty object changes nothing.
    PATCH "/users/me" as updateCurrentUser => update {
        caller: SignedIn,
        limits: [],
        takes: (body: Body<ProfileBody>),
        answers: { 200: Data<UserReply> },
        refusals: [Fault::Conflict(Conflict::Taken("displayName"))],
        events: [UserProfileUpdated],
    }

    /// Shows the identity behind the credential of the call.
    ///
    /// The user, the workspaces within reach, the workspace of calls that name none, and when the credential expires.
    /// An API key has no user and reaches its own workspace only.
    GET "/auth/me" as getIdentity => identify {
        caller: Known,
        limits: [],
        takes: (),
        answers: { 200: Data<IdentityReply> },
        refusals: [],
        events: [],
    }
}

async fn get(dispatcher: Dispatcher, call: Call) -> Answer {
    let shape = |profile: profile::Profile| {
        let workspaces = profile.workspaces.into_iter().map(Into::into).collect();
        ok(ProfileReply { user: profile.user.into(), workspaces })
    };
    dispatcher.read(call, |view| Box::pin(profile::get(view)), shape).await
}

async fn update(dispatcher: Dispatcher, call: Call, body: Draft<ProfileBody>) -> Answer {
    let draft = body.map(|body| ProfileChange {
        name: body.name,
        display_name: body.display_name,
        avatar_url: body.avatar_url,
        locale: body.locale,
        timezone: body.timezone,
        theme: body.theme,
    });
    let shape = |user| ok(UserReply::from(user));
    dispatcher.write(call, move |unit| Box::pin(profile::update(unit, draft)), shape).await
}

async fn identify(dispatcher: Dispatcher, call: Call) -> Answer {
    let now = call.now;
    let shape = move |identity| ok(IdentityReply::of(identity, now));
    dispatcher.read(call, |view| Box::pin(profile::identify(view)), shape).await
}

impl IdentityReply {
    fn of(identity: Identity, now: Timestamp) -> Self {
        match identity {
            Identity::Person(bearer) => Self::of_person(*bearer, now),
            Identity::Key(known) => Self::of_key(&known.0, known.1),
            Identity::App(acting) => Self::of_app(*acting),
        }
    }

    fn of_key(key: &ApiKey, home: Workspace) -> Self {
        Self {
            actor: ActorReply { kind: "API_KEY".to_owned(), id: key.id.to_string() },
            user: None,
            workspace_id: Some(home.id),
            workspaces: vec![home.into()],
            role: None,
            scopes: key.scopes.iter().map(|scope| scope.name().to_owned()).collect(),
            session: None,
            client: None,
            expires_at: key.expires_at,
        }
    }

    fn of_app(acting: ActingApp) -> Self {
        let ActingApp { profile, app, workspace, role } = acting;
        Self {
            actor: ActorReply { kind: "OAUTH_APP".to_owned(), id: app.claims.client.to_string() },
            user: Some(profile.user.into()),
            workspaces: profile.workspaces.into_iter().map(Into::into).collect(),
            workspace_id: workspace,
            role,
            scopes: app.scopes.iter().map(|scope| scope.name().to_owned()).collect(),
            session: None,
            client: Some(ClientReply { id: app.claims.client, name: app.name }),
            expires_at: Some(Timestamp::from_millis(app.claims.expires_at_seconds() * 1000)),
        }
    }

    fn of_person(bearer: Bearer, now: Timestamp) -> Self {
        let Bearer { profile, claims, workspace, role, session } = bearer;
        Self {
            actor: ActorReply { kind: "USER".to_owned(), id: claims.user.to_string() },
            user: Some(profile.user.into()),
            workspaces: profile.workspaces.into_iter().map(Into::into).collect(),
            workspace_id: Some(workspace),
            role,
            scopes: vec!["read".to_owned(), "write".to_owned()],
            session: session.map(|session| SessionReply::of(session, Some(claims.session), now)),
            client: None,
            expires_at: Some(Timestamp::from_millis(claims.expires_at_seconds() * 1000)),
        }
    }
}
