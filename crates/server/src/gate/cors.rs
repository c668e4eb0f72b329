//! What pages of other origins may do and see (CORS).

use super::request_context::RequestContext;
use crate::answer::Preflight;
use actix_web::http::{
    Method,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue,
    },
};

const EXPOSED: HeaderValue = HeaderValue::from_static(
    "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Bucket, RateLimit, \
     RateLimit-Policy, Retry-After, Idempotency-Replayed, ETag, Location, Deprecation, Sunset, X-Unknown-Fields, \
     Preference-Applied, Content-Disposition, Content-Range",
);

/// Lets pages of an allowed origin read the answer. Credentials are never allowed: scripts add tokens explicitly,
/// browsers do not send them by themselves.
pub(super) fn allow(context: &RequestContext, headers: &mut HeaderMap) {
    if let Some(origin) = &context.origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

/// Answers a preflight request: which requests a page of an allowed origin may send to a path.
pub(super) fn preflight(context: &RequestContext, preflight: &Preflight, headers: &mut HeaderMap) {
    let Some(origin) = &context.origin else { return };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    let known: Vec<_> = preflight.headers.iter().copied().collect();
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_METHODS, list(&preflight.verbs_for_other_origins)),
        (ACCESS_CONTROL_ALLOW_HEADERS, known.join(", ")),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}

/// A list of verbs for a header.
pub(super) fn list(verbs: &[Method]) -> String {
    verbs.iter().map(Method::as_str).collect::<Vec<_>>().join(", ")
}
