//! Makes the response of an answer: its body, and every header that any answer has.

use super::{
    cors,
    limits::{BucketStanding, UNLIMITED},
    trail::Trail,
};
use crate::{
    answer::{Answer, Document},
    backend::Backend,
    refusal::Problem,
    route::Options,
};
use actix_web::{
    HttpResponse, HttpResponseBuilder,
    body::BoxBody,
    http::{
        StatusCode,
        header::{
            ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
            HttpDate, LOCATION, REFERRER_POLICY, RETRY_AFTER, STRICT_TRANSPORT_SECURITY, VARY, WWW_AUTHENTICATE,
            X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
        },
    },
};
use octavo_app::Reply;
use octavo_core_model::Timestamp;
use std::{
    fmt::Write,
    time::{Duration, SystemTime},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const BUCKET: HeaderName = HeaderName::from_static("x-ratelimit-bucket");
const POLICIES: HeaderName = HeaderName::from_static("ratelimit-policy");
const STANDINGS: HeaderName = HeaderName::from_static("ratelimit");

pub(super) fn dress(trail: &Trail, backend: &Backend, answer: Answer, problem: Option<&Problem>) -> HttpResponse {
    let mut response = match answer {
        Answer::Reply(reply) => of_reply(trail, reply),
        Answer::Document(document) => of_document(document),
        Answer::Preflight(entry) => {
            let mut response = HttpResponse::with_body(StatusCode::NO_CONTENT, BoxBody::new(()));
            put(response.headers_mut(), ALLOW, &cors::list(&entry.verbs()));
            cors::preflight(trail, &entry, response.headers_mut());
            response
        }
        Answer::Refused(_) => match problem {
            Some(problem) => of_problem(trail, backend, problem),
            None => HttpResponse::with_body(StatusCode::INTERNAL_SERVER_ERROR, BoxBody::new(())),
        },
    };
    let headers = response.headers_mut();
    put(headers, REQUEST_ID, &trail.id.to_string());
    let cache = trail.route.filter(|_| problem.is_none()).map_or(Options::PLAIN.cache, |route| route.options.cache);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    secure(backend, headers);
    rate(trail, headers);
    deprecate(trail, headers);
    response
}

fn of_reply(trail: &Trail, reply: Reply) -> HttpResponse {
    // A status that is no status would be a bug of ours, and is answered like one.
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    debug_assert!(
        trail.route.is_none_or(|route| route.answers.iter().any(|answer| answer.status == reply.status)),
        "{:?} answers {status}, which it does not declare",
        trail.route.map(|route| route.name)
    );
    let is_empty = reply.body.is_empty();
    let mut response = HttpResponse::with_body(status, BoxBody::new(reply.body));
    let headers = response.headers_mut();
    if !is_empty {
        headers.insert(CONTENT_TYPE, JSON);
    }
    json_headers(trail, headers);
    for (name, value) in [(LOCATION, reply.location), (ETAG, reply.etag)] {
        if let Some(value) = value {
            put(headers, name, &value);
        }
    }
    if reply.replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn of_problem(trail: &Trail, backend: &Backend, problem: &Problem) -> HttpResponse {
    let mut response = HttpResponse::with_body(problem.status, BoxBody::new(problem.to_json(trail.id)));
    if [StatusCode::PAYLOAD_TOO_LARGE, StatusCode::REQUEST_TIMEOUT].contains(&problem.status) {
        response.head_mut().set_connection_type(actix_http::ConnectionType::Close);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    json_headers(trail, headers);
    if let Some(seconds) = problem.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(verbs) = &problem.allow {
        put(headers, ALLOW, &cors::list(verbs));
    }
    if problem.status == StatusCode::UNAUTHORIZED {
        let metadata = format!("{}/.well-known/oauth-protected-resource", backend.settings.origin);
        put(headers, WWW_AUTHENTICATE, &format!("Bearer error=\"invalid_token\", resource_metadata=\"{metadata}\""));
    }
    response
}

fn of_document(document: Document) -> HttpResponse {
    let mut response = HttpResponseBuilder::new(StatusCode::OK).body(document.body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(document.media));
    put(headers, CONTENT_SECURITY_POLICY, &document.policy);
    response
}

fn json_headers(trail: &Trail, headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, JSON_POLICY);
    headers.insert(VARY, HeaderValue::from_static("Authorization, X-Service-Workspace, Origin"));
    cors::allow(trail, headers);
}

fn secure(backend: &Backend, headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    if backend.settings.origin.starts_with("https:") {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(STRICT_TRANSPORT_SECURITY, value);
    }
}

/// The rate headers: one bucket in the common ones, all of them in the standard ones.
fn rate(trail: &Trail, headers: &mut HeaderMap) {
    let now = trail.now;
    let Some(shown) = trail.tally.shown() else {
        headers.insert(LIMIT, HeaderValue::from(UNLIMITED));
        headers.insert(REMAINING, HeaderValue::from(UNLIMITED));
        headers.insert(RESET, HeaderValue::from(now.seconds()));
        return;
    };
    headers.insert(LIMIT, HeaderValue::from(shown.limit));
    headers.insert(REMAINING, HeaderValue::from(shown.remaining));
    headers.insert(RESET, HeaderValue::from(shown.reset_second(now)));
    headers.insert(BUCKET, HeaderValue::from_static(shown.bucket.name()));
    put(
        headers,
        POLICIES,
        &members(&trail.tally.standings, |standing, text| {
            write!(text, "q={};w={}", standing.limit, standing.bucket.window().as_secs())
        }),
    );
    put(
        headers,
        STANDINGS,
        &members(&trail.tally.standings, |standing, text| {
            write!(text, "r={};t={}", standing.remaining, standing.resets_in(now))
        }),
    );
}

/// A structured list with one member for each bucket.
fn members(
    standings: &[BucketStanding],
    parameters: impl Fn(&BucketStanding, &mut String) -> std::fmt::Result,
) -> String {
    let mut list = String::with_capacity(32 * standings.len());
    for standing in standings {
        if !list.is_empty() {
            list.push_str(", ");
        }
        // Writing to a String cannot fail.
        let _ = write!(list, "\"{}\";", standing.bucket.name());
        let _ = parameters(standing, &mut list);
    }
    list
}

/// Says on every answer of a deprecated route, refusals too, when it goes away.
fn deprecate(trail: &Trail, headers: &mut HeaderMap) {
    let Some(sunset) = trail.route.and_then(|route| route.options.deprecated) else { return };
    headers.insert(DEPRECATION, HeaderValue::from_static("true"));
    if let Ok(day) = Timestamp::parse(&format!("{sunset}T00:00:00Z")) {
        let millis = Duration::from_millis(u64::try_from(day.millis()).unwrap_or_default());
        put(headers, SUNSET, &HttpDate::from(SystemTime::UNIX_EPOCH + millis).to_string());
    }
}

/// Sets a header whose value was put together here; one that cannot stand in a header is left out.
fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
