//! The gate: every call passes through it before its handler, and every answer on its way out.
//!
//! The order of the checks is the same for all routes: path and verb, framing and body, the sender of a form, rate,
//! credential. Everything else is decided by the use case, in this order: rights, existence, replay, content of the
//! body, state.

mod address;
pub mod basic;
mod body_memory;
mod body_reading;
mod compression;
mod cors;
mod credential;
mod finish;
mod framing;
mod held_content;
mod idempotency;
mod limits;
mod log;
mod request_context;
mod request_id;
mod response;
mod ticket;

use limits::LimitScope;
pub use limits::{BucketState, Subject, peek};

use crate::{
    answer::{Answer, Preflight},
    backend::Backend,
    head_guard::ConnectionState,
    keys_in_use::KeyLease,
    refusal::Refusal,
    request::{
        AdmittedRequest, BodyReading,
        principal::{self, Principal},
    },
    route::{PathRoutes, Route, RouteMatch, Table, parameter_names},
    screen,
};
use actix_http::ConnectionType;
use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::{
        Method,
        header::{HeaderMap, HeaderName, USER_AGENT},
    },
    web::{Data, Payload},
};
use body_memory::BodyMemory;
use framing::{DecodedBody, IncomingBody};
use octavo_app::{
    Call, Caller, Client,
    call::{CallKey, NamedWorkspace},
};
use octavo_core_model::{Bucket, Fault, fault::Unknown, session::USER_AGENT_MAX};
use octavo_ports::compute::WorkOwner;
use request_context::RequestContext;
use std::sync::Arc;

const WORKSPACE: HeaderName = HeaderName::from_static("x-service-workspace");

/// Receives a call and sends its answer.
pub async fn receive(
    request: HttpRequest,
    payload: Payload,
    backend: Data<Backend>,
    table: Data<Table>,
) -> HttpResponse {
    let backend = backend.into_inner();
    let mut context = RequestContext::begin(&request, &backend);
    let mut inbound = IncomingBody::of(&request, payload);
    let admitted = admit(&mut context, &request, &mut inbound, &backend, &table).await;
    let is_uploading = matches!(&admitted, Ok(Admitted::Request(_, admitted)) if admitted.upload.is_some());
    let mut closes_connection = !is_uploading
        && (inbound.is_left_open() || matches!(admitted, Err(Refusal::BodyTooLarge { .. } | Refusal::TooSlow)));
    if closes_connection {
        give_up(&request);
    }
    let answer = match admitted {
        Ok(Admitted::Request(route, admitted)) => run(route, *admitted).await,
        Ok(Admitted::Preflight(preflight)) => Answer::Preflight(preflight),
        Err(refusal) => Answer::Refused(refusal),
    };
    context.body_reading = request.extensions_mut().remove::<BodyReading>();
    if is_uploading && inbound.is_left_open() {
        closes_connection = true;
        give_up(&request);
    }
    context.refund_login(&backend, &answer).await;
    let may_compress = match &answer {
        Answer::Screen(screen) => screen.may_compress(),
        _ => context.route.is_some_and(Route::may_compress),
    };
    let held = context.content.clone();
    // An answer that will be compressed is not counted: if it was made from little content, it becomes small again.
    let answer = if may_compress && compression::is_wanted(request.headers()) {
        answer
    } else {
        held_content::count_answer(&held, request.method(), answer)
    };
    let mut response = finish::finish(context, &backend, answer);
    if may_compress {
        response = compression::compress(request.headers(), response).await;
    }
    response = held_content::keep_until_sent(held, response, request.conn_data::<ConnectionState>());
    if closes_connection {
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    response
}

/// Runs the handler. A use case that writes refuses a flawed idempotency key itself, after it has checked the rights
/// of the caller; without that it cannot commit. So a call that succeeds with one has only read, and is refused here.
async fn run(route: &'static Route, admitted: AdmittedRequest) -> Answer {
    let flawed_key = admitted.call.key.as_ref().and_then(|key| key.as_ref().err().cloned());
    let answer = (route.run)(admitted).await;
    match flawed_key {
        Some(fault) if answer.is_success() => Answer::Refused(fault.into()),
        _ => answer,
    }
}

/// Gives up a request with a body that may never end.
fn give_up(request: &HttpRequest) {
    if let Some(connection_state) = request.conn_data::<ConnectionState>() {
        connection_state.give_up();
    }
}

/// The things that a path names.
#[derive(Clone, Copy)]
struct Named<'a> {
    workspace: Option<NamedWorkspace>,
    first: Option<&'a str>,
    last: Option<&'a str>,
}

impl<'a> Named<'a> {
    fn of(route: &Route, entry: &PathRoutes, path: &'a str) -> Self {
        let workspace = entry.names_workspace().then(|| read_workspace(entry.parameter(path, 0)));
        let last = parameter_names(route.path).count().checked_sub(1).and_then(|last| entry.parameter(path, last));
        Self { workspace, first: entry.parameter(path, 0), last }
    }
}

enum Admitted {
    Request(&'static Route, Box<AdmittedRequest>),
    /// An OPTIONS request for the verbs of a path.
    Preflight(Preflight),
}

async fn admit(
    context: &mut RequestContext,
    request: &HttpRequest,
    inbound: &mut IncomingBody,
    backend: &Arc<Backend>,
    table: &Table,
) -> Result<Admitted, Refusal> {
    if let Some(refusal) = request
        .conn_data::<ConnectionState>()
        .and_then(|connection_state| connection_state.refusal_of(request.method()))
    {
        return Err(refusal);
    }
    let (route, entry) = match table.find(request.method(), request.uri().path()) {
        RouteMatch::Route(route, entry) => (route, entry),
        RouteMatch::WrongVerb(entry) => {
            context.arrive(entry, None);
            if *request.method() == Method::OPTIONS {
                return Ok(Admitted::Preflight(entry.preflight()));
            }
            return Err(Refusal::WrongVerb(entry.verbs()));
        }
        RouteMatch::Nothing => {
            context.arrive_nowhere(request);
            return Err(Refusal::UnknownPath);
        }
    };
    context.arrive(entry, Some(route));
    context.note_form(request.headers());
    framing::check_single(request.headers(), route.checks_key())?;
    let owner = WorkOwner::network_of(context.address);
    let memory = BodyMemory::new(&backend.body_memory, &backend.metrics, owner);
    let body = framing::read_content(request, inbound, route, &backend.settings, context.began, memory).await?;

    // Before the limits are charged: a page of another site could use them up in its visitors' names.
    if route.is_screen() {
        if route.mutates() {
            screen::check_sender(request.headers(), &backend.settings.origin)?;
        } else {
            screen::check_embedding(request.headers())?;
        }
    }
    let path = Named::of(route, entry, request.uri().path());
    let call = identify(context, request, route, path, &body, backend).await?;
    if route.checks_key() && !route.takes_key() {
        idempotency::read_key(request.headers())?;
    }
    let (call, key_lease) = claim_key(call, request, route, &body, backend).await;
    let admitted = AdmittedRequest {
        backend: Arc::clone(backend),
        verb: &route.method,
        template: entry.template().clone(),
        request: request.clone(),
        body: body.value,
        encoding: body.encoding,
        upload: body.upload,
        body_memory: body.memory,
        call,
        key_lease,
        segments_taken: usize::from(entry.names_workspace()),
        pager: None,
    };
    Ok(Admitted::Request(route, Box::new(admitted)))
}

/// Who calls, as far as the credential says.
struct Presented {
    caller: Result<Caller, Unknown>,
    /// The workspace of a stream ticket.
    followed: Option<NamedWorkspace>,
    /// What was wrong with a credential that the route does not need.
    rejected: Option<Unknown>,
}

/// Reads the credential, or redeems the ticket where one is accepted in its place.
async fn present(
    context: &RequestContext,
    request: &HttpRequest,
    route: &'static Route,
    backend: &Backend,
) -> Result<Presented, Refusal> {
    let caller = if route.caller.brings_credential() {
        credential::read(request.headers(), backend, context.now).await?
    } else {
        Ok(Caller::Nobody)
    };
    let ticket = ticket::sent(request.uri().query()).filter(|_| route.options.takes_ticket);
    let (caller, followed) = match (caller, ticket) {
        (Err(Unknown::TokenMissing), Some(ticket)) => {
            let client = Client { address: context.address, user_agent: user_agent(request.headers()) };
            ticket::redeem(ticket, client, backend, context.now).await?
        }
        (caller, _) => (caller, None),
    };
    Ok(match caller {
        // A route with an optional credential ignores a bad one.
        Err(flaw) if !route.caller.needs_credential() => {
            let rejected = Some(flaw).filter(|flaw| *flaw != Unknown::TokenMissing);
            Presented { caller: Ok(Caller::Nobody), followed, rejected }
        }
        caller => Presented { caller, followed, rejected: None },
    })
}

/// Reads the credential, applies the rate limits, and only then refuses a missing or bad credential, so that guesses
/// are counted.
async fn identify(
    context: &mut RequestContext,
    request: &HttpRequest,
    route: &'static Route,
    path: Named<'_>,
    body: &DecodedBody,
    backend: &Backend,
) -> Result<Call, Refusal> {
    let headers = request.headers();
    let Presented { caller, followed, rejected } = present(context, request, route, backend).await?;
    context.principal = caller.as_ref().ok().and_then(Principal::of);

    let counted = match &caller {
        // Where the credential is optional, only that of a user is used; others are ignored.
        Ok(Caller::Key(_) | Caller::App(_)) if !route.caller.needs_credential() => &Caller::Nobody,
        Ok(caller) => caller,
        Err(_) => &Caller::Nobody,
    };
    let subject = Subject::of(counted, context.address, body.value.as_ref());
    let limit_scope = match (&caller, path.workspace.and_then(NamedWorkspace::id)) {
        (Ok(caller), Some(workspace)) if route.limits.iter().any(|bucket| bucket.is_of_workspace()) => {
            let runs = credential::runs(caller, workspace, backend, context.now).await?;
            if runs { LimitScope::Own(workspace) } else { LimitScope::Foreign }
        }
        _ => LimitScope::Open,
    };
    let subject = subject.at(limit_scope, path.last);
    let is_of_client = |bucket| matches!(bucket, &Bucket::OauthToken | &Bucket::OauthRevoke);
    let client = route.limits.iter().any(is_of_client).then(|| basic::named(headers, body.value.as_ref())).flatten();
    let subject = subject.of_client(client);
    let opens_link = |bucket| matches!(bucket, &Bucket::Share | &Bucket::ShareUnlock);
    let subject = subject.opening(path.first.filter(|_| route.limits.iter().any(opens_link)));
    let limits = &backend.settings.rate_limits;
    context.limits_met =
        limits::charge_route(&*backend.counters, limits, route, caller.is_ok(), subject, context.now).await?;
    if let Some(refused) = &context.limits_met.refused {
        backend.metrics.rate_limited(refused.bucket);
        return Err(refused.refusal(context.now));
    }
    if route.limits.contains(&Bucket::Login) {
        context.login_charge = limits::charge_of(limits, Bucket::Login, subject);
    }
    let caller = caller.map_err(|unknown| Refusal::Fault(Fault::Unauthenticated(unknown)))?;
    backend.activity.note(&caller, context.now);
    let named_workspace = followed.or_else(|| context.principal.and_then(|_| named_workspace(headers)));
    let (now, request) = (context.now, Some(context.id));
    let call = Call {
        now,
        request,
        caller,
        rejected,
        client: Some(Client { address: context.address, user_agent: user_agent(headers) }),
        path_workspace: path.workspace,
        named_workspace,
        key: None,
        content: context.content.clone(),
    };
    context.workspace = principal::workspace(&call);
    Ok(call)
}

/// Marks the call's idempotency key as in use.
async fn claim_key(
    mut call: Call,
    request: &HttpRequest,
    route: &Route,
    body: &DecodedBody,
    backend: &Backend,
) -> (Call, Option<KeyLease>) {
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
    let holder = principal::holder(&call, body.value.as_ref());
    let key_lease = backend.keys_in_use.lease(&holder, value, route.options.duplicates).await;
    let identity = idempotency::Request {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query().unwrap_or_default(),
        workspace: principal::workspace(&call),
        body: &body.raw,
    };
    call.key = Some(Ok(CallKey {
        principal: holder,
        value: octavo_core_model::Secret::new(value.to_owned()),
        fingerprint: identity.fingerprint(),
        busy: key_lease.is_none(),
    }));
    (call, key_lease)
}

fn named_workspace(headers: &HeaderMap) -> Option<NamedWorkspace> {
    let mut values = headers.get_all(WORKSPACE);
    let first = values.next()?;
    // Two values count as a malformed one.
    Some(read_workspace(first.to_str().ok().filter(|_| values.next().is_none())))
}

fn read_workspace(text: Option<&str>) -> NamedWorkspace {
    text.and_then(|text| text.parse().ok()).map_or(NamedWorkspace::Malformed, NamedWorkspace::Id)
}

fn user_agent(headers: &HeaderMap) -> String {
    let value = headers.get(USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes())).unwrap_or_default();
    value.chars().take(USER_AGENT_MAX).collect()
}
