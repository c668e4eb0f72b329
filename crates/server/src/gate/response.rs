//! Builds the response from an answer: its body, and the headers that every answer has.

use super::{
    body_reading, cors,
    limits::{BucketState, UNLIMITED},
    request_context::RequestContext,
};
use crate::{
    answer::{Answer, Document, FileBody, FileBytes, put_header},
    backend::Backend,
    entity_tag,
    refusal::Problem,
    route::{CrossOrigin, Indexing, Options, Route},
    screen::{self, Screen, ScreenContent},
};
use actix_web::{
    HttpResponse, HttpResponseBuilder,
    body::BoxBody,
    http::{
        Method, StatusCode,
        header::{
            ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
            HeaderMap, HeaderName, HeaderValue, HttpDate, LOCATION, REFERRER_POLICY, RETRY_AFTER, SET_COOKIE,
            STRICT_TRANSPORT_SECURITY, VARY, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
        },
    },
};
use octavo_app::Reply;
use octavo_core_model::Timestamp;
use std::{
    fmt::Write,
    time::{Duration, SystemTime},
};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const VARY_BY_CALLER: HeaderValue =
    HeaderValue::from_static("Authorization, X-Service-Workspace, Origin, Accept-Encoding");
/// Lets a browser keep the answer for its user, if it revalidates it each time.
const ASK_ALWAYS: HeaderValue = HeaderValue::from_static("private, no-cache");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const BUCKET: HeaderName = HeaderName::from_static("x-ratelimit-bucket");
const POLICIES: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_LIMITS: HeaderName = HeaderName::from_static("ratelimit");

pub(super) fn response(
    context: &mut RequestContext,
    backend: &Backend,
    answer: Answer,
    problem: Option<&Problem>,
) -> HttpResponse {
    let is_indexable = match &answer {
        Answer::Reply(reply) => reply.indexable,
        Answer::Screen(screen) => screen.is_indexable,
        Answer::Document(_) | Answer::File(_) | Answer::Preflight(_) | Answer::Refused(_) => false,
    };
    let mut response = match answer {
        Answer::Reply(reply) => of_reply(context, reply),
        Answer::Document(document) => of_document(context, document),
        Answer::Screen(screen) => of_screen(context, backend, &screen),
        Answer::File(file) => of_file(context, backend, file),
        Answer::Preflight(preflight) => {
            let mut response = HttpResponse::with_body(StatusCode::NO_CONTENT, BoxBody::new(()));
            put_header(response.headers_mut(), ALLOW, &cors::list(&preflight.verbs));
            response.headers_mut().insert(VARY, HeaderValue::from_static("Origin"));
            cors::preflight(context, &preflight, response.headers_mut());
            response
        }
        Answer::Refused(_) => match problem {
            Some(problem) if context.on_screen => {
                let screen = Screen::page(problem.status, screen::of_problem(problem, context.id));
                with_refusal_headers(of_screen(context, backend, &screen), backend, problem)
            }
            Some(problem) => of_problem(context, backend, problem),
            None => HttpResponse::with_body(StatusCode::INTERNAL_SERVER_ERROR, BoxBody::new(())),
        },
    };
    let headers = response.headers_mut();
    put_header(headers, REQUEST_ID, &context.id.to_string());
    if !is_indexable && context.route.is_some_and(|route| route.options.indexing == Indexing::Excluded) {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    let cache = context.route.filter(|_| problem.is_none()).map_or(Options::PLAIN.cache, |route| route.options.cache);
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    }
    secure(context, backend, headers);
    rate(context, headers);
    deprecate(context, headers);
    if let Some(reading) = &context.body_reading {
        body_reading::add_headers(reading, headers);
    }
    response
}

fn of_reply(context: &RequestContext, reply: Reply) -> HttpResponse {
    let etag = reply.etag.as_deref().filter(|_| context.reads());
    if let (Some(etag), Some(known)) = (etag, &context.if_none_match)
        && reply.status == 200
        && entity_tag::names(known, etag)
    {
        return of_reply(context, Reply { status: 304, body: Vec::new(), etag: reply.etag, ..Reply::default() });
    }
    // An invalid status would be a bug here; it is answered as an internal error.
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    debug_assert!(
        context.route.is_none_or(|route| route.answers.iter().any(|answer| answer.status == reply.status)),
        "{:?} answers {status}, which it does not declare",
        context.route.map(|route| route.name)
    );
    debug_assert!(
        context.route.is_none_or(|route| {
            let mut answers = route.answers.iter().filter(|answer| answer.status == reply.status);
            answers.all(|answer| answer.shape.has_location == reply.location.is_some())
        }),
        "{:?} answers {status} with a Location that it does not declare, or without one that it declares",
        context.route.map(|route| route.name)
    );
    let is_empty = reply.body.is_empty();
    let is_tagged_read = etag.is_some();
    let mut response = HttpResponse::with_body(status, BoxBody::new(reply.body));
    let headers = response.headers_mut();
    if !is_empty {
        headers.insert(CONTENT_TYPE, JSON);
    }
    json_headers(context, headers);
    for (name, value) in [(LOCATION, reply.location), (ETAG, reply.etag)] {
        if let Some(value) = value {
            put_header(headers, name, &value);
        }
    }
    if is_tagged_read {
        headers.insert(CACHE_CONTROL, ASK_ALWAYS);
    }
    if reply.replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn of_problem(context: &RequestContext, backend: &Backend, problem: &Problem) -> HttpResponse {
    if context.oauth_form {
        return of_oauth_problem(context, backend, problem);
    }
    let mut response = HttpResponse::with_body(problem.status, BoxBody::new(problem.to_json(context.id)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    json_headers(context, headers);
    with_refusal_headers(response, backend, problem)
}

/// Like [`of_problem`], in the format of RFC 6749. An app that authenticated in the header is asked to do so again.
fn of_oauth_problem(context: &RequestContext, backend: &Backend, problem: &Problem) -> HttpResponse {
    let asks_again = context.has_basic && problem.asks_for_client;
    let status = if asks_again { StatusCode::UNAUTHORIZED } else { problem.status };
    let mut response = HttpResponse::with_body(status, BoxBody::new(problem.to_oauth_json(context.id)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    json_headers(context, headers);
    let mut response = with_refusal_headers(response, backend, problem);
    if asks_again {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"octavo\""));
    }
    response
}

/// Adds the headers of a refusal.
fn with_refusal_headers(mut response: HttpResponse, backend: &Backend, problem: &Problem) -> HttpResponse {
    let headers = response.headers_mut();
    if let Some(seconds) = problem.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(size) = problem.size {
        put_header(headers, CONTENT_RANGE, &format!("bytes */{size}"));
    }
    if let Some(verbs) = &problem.allow {
        put_header(headers, ALLOW, &cors::list(verbs));
    }
    if problem.status == StatusCode::UNAUTHORIZED {
        challenge(backend, headers, problem.lacks_credential);
    }
    response
}

/// RFC 6750, 3.1: a call without a credential is told which one is needed, not that one is wrong.
fn challenge(backend: &Backend, headers: &mut HeaderMap, lacks_credential: bool) {
    let error = if lacks_credential { "" } else { ", error=\"invalid_token\"" };
    let metadata = format!("{}/.well-known/oauth-protected-resource", backend.settings.origin);
    let challenge = format!("Bearer realm=\"octavo\"{error}, resource_metadata=\"{metadata}\"");
    put_header(headers, WWW_AUTHENTICATE, &challenge);
}

fn of_document(context: &RequestContext, document: Document) -> HttpResponse {
    let known = context.if_none_match.as_deref();
    let is_known = document.etag.as_deref().zip(known).is_some_and(|(etag, known)| entity_tag::names(known, etag));
    let mut response = if is_known {
        HttpResponse::with_body(StatusCode::NOT_MODIFIED, BoxBody::new(()))
    } else {
        HttpResponseBuilder::new(StatusCode::OK).body(document.body)
    };
    if let Some(encodings) = document.encodings {
        response.extensions_mut().insert(encodings);
    }
    let headers = response.headers_mut();
    if !is_known {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(document.media));
    }
    if document.is_brotli && !is_known {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    let is_open = context.route.is_some_and(Route::is_open_to_other_origins);
    let vary = if is_open { "Origin, Accept-Encoding" } else { "Accept-Encoding" };
    headers.insert(VARY, HeaderValue::from_static(vary));
    cors::allow(context, headers);
    put_header(headers, CONTENT_SECURITY_POLICY, &document.policy);
    if let Some(etag) = &document.etag {
        put_header(headers, ETAG, etag);
    }
    response
}

fn of_screen(context: &RequestContext, backend: &Backend, screen: &Screen) -> HttpResponse {
    debug_assert!(
        screen.status.as_u16() >= 400
            || context.route.is_none_or(|route| route.answers.iter().any(|answer| answer.status == screen.status)),
        "{:?} answers {}, which it does not declare",
        context.route.map(|route| route.name),
        screen.status
    );
    // Without random bits the style sheet is not loaded: a plain page is better than none.
    let nonce = screen::generate_nonce().unwrap_or_default();
    let body = match &screen.content {
        ScreenContent::Page(page) => BoxBody::new(page.render(&nonce)),
        ScreenContent::Redirect(_) => BoxBody::new(()),
    };
    let mut response = HttpResponse::with_body(screen.status, body);
    let headers = response.headers_mut();
    put_header(headers, CONTENT_SECURITY_POLICY, &screen_policy(&nonce, screen));
    match &screen.content {
        ScreenContent::Page(_) => {
            headers.insert(CONTENT_TYPE, HTML);
        }
        ScreenContent::Redirect(address) => put_header(headers, LOCATION, address),
    }
    if let Some(cookie) = &screen.cookie {
        put_header(headers, SET_COOKIE, &cookie.to_header(screen::is_secure(&backend.settings.origin)));
    }
    if let Some(seconds) = screen.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if screen.status == StatusCode::UNAUTHORIZED {
        challenge(backend, headers, false);
    }
    response
}

fn of_file(context: &mut RequestContext, backend: &Backend, file: FileBytes) -> HttpResponse {
    let body = match (file.body, context.counted.take()) {
        (FileBody::Streamed(stream), Some(counted)) => {
            let stream = if context.method == Method::HEAD { stream.without_pieces() } else { stream };
            stream.into_body(&backend.closing, counted)
        }
        (FileBody::Whole(bytes), _) => BoxBody::new(bytes),
        // The body of an answer is sent only once.
        (FileBody::Streamed(_), None) => BoxBody::new(()),
    };
    let mut response = HttpResponse::with_body(file.status, body);
    let headers = response.headers_mut();
    for (name, value) in file.headers {
        headers.insert(name, value);
    }
    // A signed address leads everybody to the same bytes.
    if context.route.is_none_or(|route| route.cross_origin() != CrossOrigin::Anybody) {
        headers.insert(VARY, VARY_BY_CALLER);
    }
    cors::allow(context, headers);
    response
}

/// Allows the page's own style sheet and the picture that it shows. Forms may be sent to this origin and redirected to
/// the given ones, which browsers check too.
fn screen_policy(nonce: &str, screen: &Screen) -> String {
    let style = if nonce.is_empty() { "'none'".to_owned() } else { format!("'nonce-{nonce}'") };
    let images = sources(screen.picture_origin.as_deref().into_iter());
    let forms = sources(screen.form_origins.iter().map(String::as_str));
    format!(
        "default-src 'none'; style-src {style}; img-src {images}; form-action {forms}; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}

/// This origin and others, for a policy.
fn sources<'a>(others: impl Iterator<Item = &'a str>) -> String {
    ["'self'"].into_iter().chain(others).collect::<Vec<_>>().join(" ")
}

fn json_headers(context: &RequestContext, headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, JSON_POLICY);
    headers.insert(VARY, VARY_BY_CALLER);
    cors::allow(context, headers);
}

fn secure(context: &RequestContext, backend: &Backend, headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // Without a referrer, browsers send forms with the origin `null`, which is useless.
    let referrer = if context.on_screen { "same-origin" } else { "no-referrer" };
    headers.insert(REFERRER_POLICY, HeaderValue::from_static(referrer));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    if backend.settings.origin.starts_with("https:") {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(STRICT_TRANSPORT_SECURITY, value);
    }
}

/// The rate limit headers: the older ones describe one bucket, the standard ones all of them.
fn rate(context: &RequestContext, headers: &mut HeaderMap) {
    let now = context.now;
    let Some(state) = context.limits_met.bucket_in_headers() else {
        headers.insert(LIMIT, HeaderValue::from(UNLIMITED));
        headers.insert(REMAINING, HeaderValue::from(UNLIMITED));
        headers.insert(RESET, HeaderValue::from(now.seconds()));
        return;
    };
    headers.insert(LIMIT, HeaderValue::from(state.limit));
    headers.insert(REMAINING, HeaderValue::from(state.remaining));
    headers.insert(RESET, HeaderValue::from(state.reset_second(now)));
    headers.insert(BUCKET, HeaderValue::from_static(state.bucket.name()));
    put_header(
        headers,
        POLICIES,
        &members(&context.limits_met.states, |state, text| {
            write!(text, "q={};w={}", state.limit, state.bucket.window().as_secs())
        }),
    );
    put_header(
        headers,
        RATE_LIMITS,
        &members(&context.limits_met.states, |state, text| {
            write!(text, "r={};t={}", state.remaining, state.resets_in(now))
        }),
    );
}

/// A structured list with one member for each bucket.
fn members(states: &[BucketState], parameters: impl Fn(&BucketState, &mut String) -> std::fmt::Result) -> String {
    let mut list = String::with_capacity(32 * states.len());
    for state in states {
        if !list.is_empty() {
            list.push_str(", ");
        }
        // Writing to a String cannot fail.
        let _ = write!(list, "\"{}\";", state.bucket.name());
        let _ = parameters(state, &mut list);
    }
    list
}

/// Adds the removal date of a deprecated route to every answer, including refusals.
fn deprecate(context: &RequestContext, headers: &mut HeaderMap) {
    let Some(sunset) = context.route.and_then(|route| route.options.deprecated) else { return };
    headers.insert(DEPRECATION, HeaderValue::from_static("true"));
    if let Ok(day) = Timestamp::parse(&format!("{sunset}T00:00:00Z")) {
        let millis = Duration::from_millis(u64::try_from(day.millis()).unwrap_or_default());
        put_header(headers, SUNSET, &HttpDate::from(SystemTime::UNIX_EPOCH + millis).to_string());
    }
}
