//! The gate: every call passes it before its handler, and every answer passes it on the way out.
//!
//! The checks stand in one order, the same for all routes: path and verb, framing and body, credential, rate. What is left (rights,
//! existence, replay, content of the body, state) is decided by the use case, in that order.

mod address;
pub mod basic;
mod compression;
mod cors;
mod credential;
mod dress;
mod framing;
mod idempotency;
mod limits;
mod log;
mod principal;
mod request_id;
mod trail;
mod upload;
mod visit;

pub use idempotency::{Hold, InFlight};
use limits::Ground;
pub use limits::{BucketStanding, Subject, peek};
pub use upload::Upload;
pub use visit::Visit;

use crate::{
    answer::Answer,
    backend::Backend,
    doorman::Line,
    refusal::Refusal,
    route::{Entry, Found, Route, parameter_names},
    screen,
};
use actix_http::ConnectionType;
use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method,
        header::{HeaderMap, HeaderName, USER_AGENT},
    },
    web::{Data, Payload},
};
use framing::{Content, Inbound};
use octavo_app::{
    Call, Caller, Client,
    call::{CallKey, NamedWorkspace},
};
use octavo_core_model::{Bucket, Fault, fault::Unknown, session::USER_AGENT_MAX};
use principal::Principal;
use std::sync::Arc;
use trail::Trail;

const WORKSPACE: HeaderName = HeaderName::from_static("x-service-workspace");

/// Receives a call and sends its answer.
pub async fn receive(request: HttpRequest, payload: Payload, backend: Data<Backend>) -> HttpResponse {
    let backend = backend.into_inner();
    let mut trail = Trail::begin(&request, &backend);
    let mut inbound = Inbound::of(&request, payload);
    let admitted = admit(&mut trail, &request, &mut inbound, &backend).await;
    let is_uploading = matches!(&admitted, Ok(Admitted::Visit(visit)) if visit.upload.is_some());
    let mut is_last = !is_uploading
        && (inbound.is_left_open() || matches!(admitted, Err(Refusal::BodyTooLarge { .. } | Refusal::TooSlow)));
    if is_last {
        give_up(&request);
    }
    let answer = match admitted {
        Ok(Admitted::Visit(visit)) => (visit.route.run)(*visit).await,
        Ok(Admitted::Preflight(entry)) => Answer::Preflight(entry),
        Err(refusal) => Answer::Refused(refusal),
    };
    if is_uploading && inbound.is_left_open() {
        is_last = true;
        give_up(&request);
    }
    let may_compress = trail.route.is_some_and(Route::may_compress);
    let mut response = trail.end(&backend, answer);
    if may_compress {
        response = compression::compress(request.headers(), response).await;
    }
    if is_last {
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    response
}

/// What is left of the body has no end that this service would wait for.
fn give_up(request: &HttpRequest) {
    if let Some(line) = request.conn_data::<Line>() {
        line.give_up();
    }
}

/// What a path names.
#[derive(Clone, Copy)]
struct Named<'a> {
    workspace: Option<NamedWorkspace>,
    first: Option<&'a str>,
    last: Option<&'a str>,
}

impl<'a> Named<'a> {
    fn of(route: &Route, entry: &Entry, path: &'a str) -> Self {
        let workspace = entry.names_workspace().then(|| read_workspace(entry.parameter(path, 0)));
        let last = parameter_names(route.path).count().checked_sub(1).and_then(|last| entry.parameter(path, last));
        Self { workspace, first: entry.parameter(path, 0), last }
    }
}

enum Admitted {
    Visit(Box<Visit>),
    /// An OPTIONS request: which verbs a path accepts.
    Preflight(Arc<Entry>),
}

async fn admit(
    trail: &mut Trail,
    request: &HttpRequest,
    inbound: &mut Inbound,
    backend: &Arc<Backend>,
) -> Result<Admitted, Refusal> {
    if let Some(refusal) = request.conn_data::<Line>().and_then(|line| line.refusal_of(request.method())) {
        return Err(refusal);
    }
    let (route, entry) = match backend.table.find(request.method(), request.uri().path()) {
        Found::Route(route, entry) => (route, entry),
        Found::WrongVerb(entry) => {
            trail.arrive(entry, None);
            if *request.method() == Method::OPTIONS {
                return Ok(Admitted::Preflight(Arc::clone(entry)));
            }
            return Err(Refusal::WrongVerb(entry.verbs()));
        }
        Found::Nothing => return Err(Refusal::UnknownPath),
    };
    trail.arrive(entry, Some(route));
    trail.note_form(request.headers());
    framing::check_single(request.headers(), route.takes_key())?;
    let content = framing::read_content(request, inbound, route, &backend.settings, trail.began).await?;

    let path = Named::of(route, entry, request.uri().path());
    let call = identify(trail, request.headers(), route, path, &content, backend).await?;
    if route.is_screen() && route.mutates() {
        screen::check_sender(request.headers(), &backend.settings.origin)?;
    }
    let (call, hold) = claim_key(call, request, route, &content, backend).await;
    let visit = Visit {
        backend: Arc::clone(backend),
        route,
        entry: Arc::clone(entry),
        request: request.clone(),
        body: content.value,
        encoding: content.encoding,
        upload: content.upload,
        call,
        hold,
        segments_taken: usize::from(entry.names_workspace()),
        pager: None,
    };
    Ok(Admitted::Visit(Box::new(visit)))
}

/// Reads the credential, applies the rate limits, and only then refuses a missing or bad credential, so that guessing is counted.
async fn identify(
    trail: &mut Trail,
    headers: &HeaderMap,
    route: &'static Route,
    path: Named<'_>,
    content: &Content,
    backend: &Backend,
) -> Result<Call, Refusal> {
    let caller = if route.caller.brings_credential() {
        credential::read(headers, backend, trail.now).await?
    } else {
        Ok(Caller::Nobody)
    };
    let (caller, rejected) = match caller {
        // A route for which the credential is optional ignores a bad one.
        Err(flaw) if !route.caller.needs_credential() => {
            (Ok(Caller::Nobody), Some(flaw).filter(|flaw| *flaw != Unknown::TokenMissing))
        }
        caller => (caller, None),
    };
    trail.principal = caller.as_ref().ok().and_then(Principal::of);

    let counted = match &caller {
        // A credential that a route can do without is that of a user; others are ignored there.
        Ok(Caller::Key(_) | Caller::App(_)) if !route.caller.needs_credential() => &Caller::Nobody,
        Ok(caller) => caller,
        Err(_) => &Caller::Nobody,
    };
    let subject = Subject::of(counted, trail.address, content.value.as_ref());
    let ground = match (&caller, path.workspace.and_then(NamedWorkspace::id)) {
        (Ok(caller), Some(workspace)) if route.limits.iter().any(|bucket| bucket.is_of_workspace()) => {
            let runs = credential::runs(caller, workspace, backend, trail.now).await?;
            if runs { Ground::Own(workspace) } else { Ground::Foreign }
        }
        _ => Ground::Open,
    };
    let subject = subject.at(ground, path.last);
    let is_of_client = |bucket| matches!(bucket, &Bucket::OauthToken | &Bucket::OauthRevoke);
    let client = route.limits.iter().any(is_of_client).then(|| basic::named(headers, content.value.as_ref())).flatten();
    let subject = subject.of_client(client);
    let opens_link = |bucket| matches!(bucket, &Bucket::Share | &Bucket::ShareUnlock);
    let subject = subject.opening(path.first.filter(|_| route.limits.iter().any(opens_link)));
    let limits = &backend.settings.rate_limits;
    trail.tally = limits::judge(&*backend.counters, limits, route, caller.is_ok(), subject, trail.now).await?;
    if let Some(refused) = &trail.tally.refused {
        backend.metrics.rate_limited(refused.bucket);
        return Err(refused.refusal(trail.now));
    }
    let caller = caller.map_err(|unknown| Refusal::Fault(Fault::Unauthenticated(unknown)))?;
    backend.activity.note(&caller, trail.now);
    let client = Client { address: trail.address, user_agent: user_agent(headers) };
    let named_workspace = trail.principal.and_then(|_| named_workspace(headers));
    let (now, request) = (trail.now, Some(trail.id));
    let path_workspace = path.workspace;
    let call =
        Call { now, request, caller, rejected, client: Some(client), path_workspace, named_workspace, key: None };
    trail.workspace = principal::workspace(&call);
    Ok(call)
}

/// Takes the call's idempotency key into use.
async fn claim_key(
    mut call: Call,
    request: &HttpRequest,
    route: &Route,
    content: &Content,
    backend: &Backend,
) -> (Call, Option<Hold>) {
    if !route.takes_key() {
        return (call, None);
    }
    let value = match idempotency::read_key(request.headers()) {
        Ok(Some(value)) => value,
        Ok(None) => return (call, None),
        Err(violation) => {
            call.key = Some(Err(violation.into()));
            return (call, None);
        }
    };
    let holder = principal::holder(&call, content.value.as_ref());
    let hold = backend.in_flight.hold(&holder, value, route.options.duplicates).await;
    let identity = idempotency::Request {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query().unwrap_or_default(),
        workspace: principal::workspace(&call),
        body: &content.raw,
    };
    call.key = Some(Ok(CallKey {
        principal: holder,
        value: octavo_core_model::Secret::new(value.to_owned()),
        fingerprint: identity.fingerprint(),
        busy: hold.is_none(),
    }));
    (call, hold)
}

fn named_workspace(headers: &HeaderMap) -> Option<NamedWorkspace> {
    let mut values = headers.get_all(WORKSPACE);
    let first = values.next()?;
    // Two names are no name.
    Some(read_workspace(first.to_str().ok().filter(|_| values.next().is_none())))
}

fn read_workspace(text: Option<&str>) -> NamedWorkspace {
    text.and_then(|text| text.parse().ok()).map_or(NamedWorkspace::Malformed, NamedWorkspace::Id)
}

fn user_agent(headers: &HeaderMap) -> String {
    let value = headers.get(USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes())).unwrap_or_default();
    value.chars().take(USER_AGENT_MAX).collect()
}
