//! `/workspaces/{workspaceId}/oauth/apps`

use super::app::{NewOauthAppReply, OauthAppGone, OauthAppReply};
use crate::{
    answer::{Answer, created, ok},
    dispatcher::Dispatcher,
    route::{Body, Located, Path, Query, routes},
    v1::locations,
    wire::{Data, Page, Several, Text, Unchangeable, Written, body, query},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    oauth::apps::{self, AppPage, NewApp, Registered},
};
use octavo_core_model::{
    AppScope, Fault,
    fault::{Denial, Hint, Issue, Violation},
    id::ClientId,
    oauth::{App, AppChange, RedirectUri, Scopes},
    text::{Name, WebAddress},
};

/// A scope as it was sent: unknown ones are ignored.
type WrittenScope = Text<0, 100>;

query! {
    /// Which apps to list.
    pub(crate) OauthAppsQuery {
        page: ClientId, 20 up to 100;
    }
}

body! {
    /// The properties of a new app.
    pub(crate) NewOauthAppBody {
        /// Its name, which users read before they consent.
        name "name": required Name = "Timesheets",
        /// The allowed redirect addresses: http or https, without fragment, user info or `*`. Requests may name any port
        /// of `http://127.0.0.1` and `http://[::1]`.
        redirect_uris "redirectUris": required Several<RedirectUri, 1, 10>,
        /// The scopes that it may request. Unknown scopes are ignored; at least one must be known.
        scopes "scopes": required Several<WrittenScope, 1, 100> = ["pages:read", "pages:write"],
        /// Its logo.
        logo_url "logoUrl": nullable WebAddress,
        /// Whether it is a public app, which has no secret and has to use PKCE; false by default.
        public "public": optional bool = false,
    }
}

body! {
    /// A change of an app. Fields that are left out stay as they are.
    pub(crate) OauthAppBody {
        example: { "name": "Timesheets" };
        /// Its name.
        name "name": optional Name = "Timesheets",
        /// The allowed redirect addresses. Open codes for a removed address become void.
        redirect_uris "redirectUris": optional Several<RedirectUri, 1, 10>,
        /// The scopes that it may request. Removed scopes are removed from open codes and existing grants too.
        scopes "scopes": optional Several<WrittenScope, 1, 100> = ["pages:read", "pages:write"],
        /// Its logo; null for none.
        logo_url "logoUrl": nullable WebAddress,
        /// Cannot be changed; sending it is refused.
        public "public": optional Unchangeable,
    }
}

routes! {
    /// Lists the apps of a workspace.
    ///
    /// For owners and admins in person. Newest first; secrets are never shown again.
    GET "/workspaces/{workspaceId}/oauth/apps" as listApps => list {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [],
        takes: (query: Query<OauthAppsQuery>),
        answers: { 200: Page<OauthAppReply> },
        refusals: [Fault::Forbidden(Denial::OauthRole)],
        events: [],
    }

    /// Registers an app.
    ///
    /// For owners and admins in person. The answer shows the secret of a confidential app, once; only its hash is
    /// stored.
    POST "/workspaces/{workspaceId}/oauth/apps" as createApp => register {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [],
        takes: (body: Body<NewOauthAppBody>),
        answers: { 201: Located<Data<NewOauthAppReply>> },
        refusals: [Fault::Forbidden(Denial::OauthRole), Fault::Forbidden(Denial::SessionRevoked)],
        events: [OauthAppCreated],
    }

    /// Changes an app.
    ///
    /// A merge patch, for owners and admins in person. Whether an app is public cannot be changed. What the app
    /// loses, it loses at once: open codes that depend on it become void, and it is removed from all grants.
    PATCH "/workspaces/{workspaceId}/oauth/apps/{clientId}" as updateApp => update {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [],
        takes: (id: Path<ClientId>, body: Body<OauthAppBody>),
        answers: { 200: Data<OauthAppReply> },
        refusals: [Fault::Forbidden(Denial::OauthRole)],
        events: [OauthAppUpdated],
    }

    /// Removes an app.
    ///
    /// For owners and admins in person. Removes its codes and all grants to it; its tokens stop working.
    DELETE "/workspaces/{workspaceId}/oauth/apps/{clientId}" as deleteApp => remove {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [],
        takes: (id: Path<ClientId>),
        answers: { 200: OauthAppGone },
        refusals: [Fault::Forbidden(Denial::OauthRole)],
        events: [OauthAppDeleted, OauthTokenRevoked, OauthGrantRevoked],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<OauthAppsQuery>) -> Answer {
    let page = query.map(|query| AppPage { before: query.page.after, limit: query.page.fetch() });
    dispatcher.list(call, move |view| Box::pin(apps::list(view, page)), |app: &App| app.id, OauthAppReply::from).await
}

async fn register(dispatcher: Dispatcher, call: Call, body: Draft<NewOauthAppBody>) -> Answer {
    let draft = body.and_then(|body| {
        Ok(NewApp {
            name: body.name,
            public: body.public.unwrap_or_default(),
            redirect_uris: distinct(body.redirect_uris.0),
            scopes: known_scopes(&body.scopes)?,
            logo_url: body.logo_url.flatten(),
        })
    });
    let shape = |registered: Registered| {
        let location = locations::client(registered.app.id);
        created(NewOauthAppReply::from(registered)).at(location)
    };
    dispatcher.write(call, move |unit| Box::pin(apps::register(unit, draft)), shape).await
}

async fn update(dispatcher: Dispatcher, call: Call, id: Draft<ClientId>, body: Draft<OauthAppBody>) -> Answer {
    let draft = body.and_then(|body| match body.public {
        None => Ok(AppChange {
            name: body.name,
            redirect_uris: body.redirect_uris.map(|several| distinct(several.0)),
            scopes: body.scopes.as_ref().map(known_scopes).transpose()?,
            logo_url: body.logo_url,
        }),
        Some(never) => match never {},
    });
    let shape = |app| ok(OauthAppReply::from(app));
    dispatcher.write_repeatably(call, move |unit| Box::pin(apps::update(unit, id.clone(), draft.clone())), shape).await
}

async fn remove(dispatcher: Dispatcher, call: Call, id: Draft<ClientId>) -> Answer {
    let shape = |client_id| Reply::json(200, &Written(&OauthAppGone { deleted: true, client_id }));
    dispatcher.write_repeatably(call, move |unit| Box::pin(apps::remove(unit, id.clone())), shape).await
}

/// The known scopes; there must be at least one. If there is none, each of the words is a flaw.
fn known_scopes(written: &Several<WrittenScope, 1, 100>) -> Draft<Scopes> {
    let scopes: Scopes = written.0.iter().filter_map(|Text(word)| word.parse().ok()).collect();
    if scopes.is_empty() {
        let words = written.0.iter().enumerate();
        return Err(Fault::Invalid(words.map(|(index, Text(word))| unknown_scope(index, word)).collect()));
    }
    Ok(scopes)
}

fn unknown_scope(index: usize, word: &str) -> Violation {
    let violation = Violation::new(format!("scopes.{index}"), Issue::InvalidValue).with(word.into());
    violation.hinting(Hint::one_of(AppScope::ALL))
}

/// Removes duplicates and keeps the order.
fn distinct(uris: Vec<RedirectUri>) -> Vec<RedirectUri> {
    let mut distinct: Vec<RedirectUri> = Vec::with_capacity(uris.len());
    for uri in uris {
        if !distinct.contains(&uri) {
            distinct.push(uri);
        }
    }
    distinct
}
