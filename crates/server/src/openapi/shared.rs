//! Parts that all operations share.

use octavo_core_model::AppScope;
use serde_json::{Map, Value, json};

/// What all operations have in common, in Markdown.
pub(crate) const OVERVIEW: &str = include_str!("overview.md");

pub(super) fn info() -> Value {
    json!({
        "title": "Octavo",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "A workspace platform you host yourself.",
        "description": OVERVIEW,
        "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
    })
}

pub(super) fn security_schemes() -> Value {
    json!({
        "accessToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "The access token of a signed-in user. It works for 15 minutes; `POST /auth/refresh` gets the next one.",
        },
        "apiKey": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "svc_live_...",
            "description": "An API key. It acts for its workspace and not for a user, works until it is revoked or expires, and counts in the \
                bucket `api_key` in place of `generic` and `ip`. `WRITE` includes `READ`, `ADMIN` includes both.",
        },
        "appToken": {
            "type": "oauth2",
            "description": "The access token that an app got for a user. It reaches the workspaces the user chose, each call names one in \
                `X-Service-Workspace`, and counts per grant.",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "/api/v1/oauth/authorize",
                    "tokenUrl": "/api/v1/oauth/token",
                    "refreshUrl": "/api/v1/oauth/token",
                    "scopes": AppScope::ALL.iter().map(|scope| (scope.name().to_owned(), json!(scope_in_words(*scope)))).collect::<Map<_, _>>(),
                },
            },
        },
    })
}

const fn scope_in_words(scope: AppScope) -> &'static str {
    match scope {
        AppScope::PagesRead => "Read pages, blocks and comments.",
        AppScope::PagesWrite => "Read and change pages, blocks and comments.",
        AppScope::DatabasesRead => "Read databases, views, records and forms.",
        AppScope::DatabasesWrite => "Read and change databases, views, records and forms.",
        AppScope::FilesRead => "Read files.",
        AppScope::FilesWrite => "Read, upload and change files.",
    }
}

/// Without examples, because the interactive page would send them with every call that a reader tries.
pub(super) fn parameters() -> Value {
    json!({
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "Makes a retry safe: for 24 hours a call with the same key and content gets the first answer again, with \
                `Idempotency-Replayed: true`, instead of acting twice. 1 to 255 visible ASCII characters.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
        },
        "IfNoneMatch": {
            "name": "If-None-Match",
            "in": "header",
            "required": false,
            "description": "The `ETag` of an answer that the client already has, or several with commas between them. If the answer would be \
                the same, it is 304 without a body.",
            "schema": { "type": "string" },
        },
        "Workspace": {
            "name": "X-Service-Workspace",
            "in": "header",
            "required": false,
            "description": "The workspace of the call, if it is not the one that the access token was issued for. A workspace that the caller \
                does not belong to is refused.",
            "schema": { "type": "string" },
        },
    })
}

/// Headers that every answer has.
pub(super) const ALWAYS: &[(&str, &str)] = &[
    ("X-Request-Id", "RequestId"),
    ("X-RateLimit-Limit", "RateLimitLimit"),
    ("X-RateLimit-Remaining", "RateLimitRemaining"),
    ("X-RateLimit-Reset", "RateLimitReset"),
];

/// `deprecating` adds the headers of routes that will be removed.
pub(super) fn headers(deprecating: bool) -> Value {
    let number = |about: &str, example: i64| json!({ "description": about, "schema": { "type": "integer" }, "example": example });
    let text = |about: &str, example: &str| json!({ "description": about, "schema": { "type": "string" }, "example": example });
    let mut headers = json!({
        "RequestId": text("Names this call; support and logs know it by this id.", "req_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"),
        "RateLimitLimit": number("How many calls the bucket with the smallest share left lets through in its window.", 100),
        "RateLimitRemaining": number("How many of them are left.", 99),
        "RateLimitReset": number("The Unix second at which a place becomes free.", 1_763_720_400),
        "ETag": text("Names what was answered. It changes with whatever the answer shows.", "\"7-60303ae22b998861\""),
        "Location": text("The path of the new thing, or the address of the next page.", "/api/v1/pages/pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"),
        "UnknownFields": text(
            "The fields of the body that the route does not know and therefore ignored: at most 20, with commas between them. Left out if there are none.",
            "markdwn, grants.0.lvl",
        ),
        "PreferenceApplied": text("`handling=strict` if the call asked for that with `Prefer`.", "handling=strict"),
        "RetryAfter": number("How many seconds to wait.", 12),
        "IdempotencyReplayed": text("`true` when this is the kept answer of an earlier call.", "true"),
        "WwwAuthenticate": text(
            "A bearer token is required; with `error` if the call carried a credential that was refused.",
            "Bearer realm=\"octavo\", error=\"invalid_token\", \
             resource_metadata=\"https://example.com/.well-known/oauth-protected-resource\"",
        ),
    });
    if deprecating {
        headers["Deprecation"] = text("`true` on every answer of a deprecated route.", "true");
        headers["Sunset"] = text("When a deprecated route goes away.", "Sun, 30 Jan 2028 00:00:00 GMT");
    }
    headers
}

/// A reference to one of the headers above.
pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}
