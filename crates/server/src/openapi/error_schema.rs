//! The schemas of refusals.

use crate::wire::{Documented, reference};
use octavo_core_model::{
    AppScope, Bucket,
    id::{BlockId, DatabaseId, PropertyId, RecordId, RequestId, UserId, WorkspaceId},
};
use serde_json::{Map, Value, json};

/// The values of `code`.
const CODES: &[&str] = &[
    "CONFIRM_REQUIRED",
    "CONFLICT",
    "FORBIDDEN",
    "FORMULA_TIMEOUT",
    "GONE",
    "HEADERS_TOO_LARGE",
    "INTERNAL_ERROR",
    "INVALID_CLIENT",
    "INVALID_GRANT",
    "INVALID_SCOPE",
    "METHOD_NOT_ALLOWED",
    "NOT_FOUND",
    "NOT_IMPLEMENTED",
    "PAYLOAD_TOO_LARGE",
    "RANGE_NOT_SATISFIABLE",
    "RATE_LIMITED",
    "REFRESH_TOKEN_REUSED",
    "REQUEST_TIMEOUT",
    "SERVICE_UNAVAILABLE",
    "UNAUTHORIZED",
    "UNPROCESSABLE_ENTITY",
    "UNSUPPORTED_MEDIA_TYPE",
    "URI_TOO_LONG",
    "VALIDATION_ERROR",
];

/// The values of `issue`.
const ISSUES: &[&str] = &[
    "aggregate_type",
    "already_decided",
    "already_exists",
    "ambiguous_match",
    "anchor_mismatch",
    "anchor_not_sibling",
    "api_key_revoked",
    "block_not_in_version",
    "body",
    "cannot_delete_title_property",
    "cardinality_violation",
    "cell_too_long",
    "chart_invalid",
    "confirm_mismatch",
    "content_encoding",
    "content_length",
    "content_type",
    "cycle_detected",
    "database_archived",
    "database_parent",
    "find_not_found",
    "find_not_unique",
    "formula_budget",
    "formula_parse_error",
    "grant_widened",
    "has_dependents",
    "header_folding",
    "header_name",
    "header_value",
    "host",
    "idempotency_in_progress",
    "idempotency_key_reused",
    "immutable",
    "invalid_filter",
    "invalid_format",
    "invalid_group",
    "invalid_id",
    "invalid_mark",
    "invalid_nesting",
    "invalid_position",
    "invalid_sort",
    "invalid_type",
    "invalid_value",
    "invitation_accepted",
    "invitation_declined",
    "invitation_pending",
    "invitation_revoked",
    "job_finished",
    "job_running",
    "key_limit",
    "last_owner",
    "last_view",
    "limit_reached",
    "line_end",
    "max_depth",
    "not_found",
    "not_supported",
    "not_text_compatible",
    "not_trashed",
    "page_locked",
    "page_trashed",
    "personal_workspace",
    "position_taken",
    "public_app",
    "read_only_property",
    "record_page",
    "relation_integrity",
    "request_line",
    "required",
    "reserved",
    "row_too_long",
    "self_lockout",
    "share_link_revoked",
    "sole_owner",
    "sync_cycle",
    "synced_block_readonly",
    "token_revoked",
    "token_used",
    "too_large",
    "too_long",
    "too_many_cells",
    "too_short",
    "too_small",
    "transfer_encoding",
    "unclosed_quote",
    "unknown_block",
    "unknown_field",
    "unknown_file",
    "unknown_option",
    "unknown_principal",
    "unsupported",
    "upgrade",
    "uri",
    "use_move_route",
    "version",
    "version_mismatch",
    "view_config_invalid",
    "view_locked",
    "view_only_link",
    "widget_layout",
];

/// The values of `reason`.
const REASONS: &[&str] = &[
    "account_deleting",
    "account_suspended",
    "api_key_expired",
    "api_key_revoked",
    "api_key_scope_admin",
    "api_key_scope_write",
    "busy",
    "database_quota",
    "duplicate_not_allowed",
    "email_mismatch",
    "email_unverified",
    "excluded",
    "expired",
    "foreign_embedding",
    "foreign_form",
    "formula_budget",
    "history_lost",
    "index_behind",
    "invalid_credentials",
    "ip_not_allowed",
    "last_owner",
    "member_quota",
    "memory_full",
    "must_be_workspace_member",
    "not_author",
    "not_found",
    "oauth_role_denied",
    "oauth_scope",
    "personal_workspace",
    "query_timeout",
    "queue_full",
    "reauth_required",
    "refresh_token_reused",
    "requires_ADMIN",
    "requires_COMMENT",
    "requires_EDIT",
    "requires_FULL_ACCESS",
    "requires_MEMBER",
    "requires_OWNER",
    "requires_VIEW",
    "requires_login",
    "requires_user_credentials",
    "session_revoked",
    "share_expired",
    "share_links_disabled",
    "share_password_required",
    "share_password_wrong",
    "signature_expired",
    "signature_invalid",
    "signup_closed",
    "stale_form",
    "table_memory_full",
    "timeout",
    "token_expired",
    "token_malformed",
    "token_missing",
    "workspace_deleting",
    "workspace_mismatch",
    "workspace_quota",
    "open_streams",
    "written_bytes",
];

pub(super) fn form_schema() -> Value {
    json!({
        "type": "object",
        "description": "The refusal of a call with a form body, as libraries for OAuth expect it (RFC 6749).",
        "properties": {
            "error": { "type": "string", "description": "The cause, for programs.", "examples": ["invalid_grant"] },
            "error_description": { "type": "string", "description": "The cause, for people." },
            "requestId": { "type": "string", "description": "Names the request in the log." },
        },
        "required": ["error", "error_description", "requestId"],
    })
}

/// The envelope of refusals.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "description": "Why a call was not served.",
        "properties": {
            "error": {
                "type": "object",
                "properties": {
                    "code": {
                        "type": "string",
                        "description": "The kind of refusal, for programs.",
                        "enum": CODES,
                        "examples": ["VALIDATION_ERROR"],
                    },
                    "message": {
                        "type": "string",
                        "description": "The same for people.",
                        "examples": ["Some values are not valid; see the details."],
                    },
                    "details": {
                        "type": "array",
                        "description": "The causes; for an invalid request one entry per violated rule.",
                        "items": reference("ErrorDetail"),
                        "examples": [[{ "field": "email", "issue": "invalid_format", "received": "ada" }]],
                    },
                    "requestId": {
                        "type": "string",
                        "description": "The same as the `X-Request-Id` header.",
                        "examples": [RequestId::example()],
                    },
                },
                "required": ["code", "message", "requestId"],
            },
        },
        "required": ["error"],
    })
}

/// One cause of a refusal.
pub(super) fn detail_schema() -> Value {
    let keys = causes().into_iter().chain(hints()).chain(circumstances());
    let properties: Map<_, _> = keys.map(|(name, schema)| (name.to_owned(), schema)).collect();
    let about =
        "One cause of a refusal. Which keys it has depends on the cause; later versions may add values to the lists.";
    json!({ "type": "object", "description": about, "properties": properties })
}

/// What is wrong, and where.
fn causes() -> Vec<(&'static str, Value)> {
    let parent = json!({
        "type": ["string", "null"],
        "description": "The parent that does not allow the block; null for the top of the page.",
    });
    vec![
        ("issue", word("What is wrong with the call; with 400, 409, 413, 415 and 422.", ISSUES)),
        ("reason", word("Why it is refused; with 401, 403, 404, 410, 429 and 5xx.", REASONS)),
        ("field", text("The path of the value, for example `email` or `items.0.name`, or the name of a header.")),
        ("received", json!({ "description": "The value that was sent, unless it is secret." })),
        ("op", number("The index of the operation in the batch.")),
        ("row", number("The row of a table as a spreadsheet shows it: the header is row 1.")),
        ("index", number("The index of the edit.")),
        ("block", described("The block that is refused.", BlockId::schema())),
        ("parent", parent),
        ("path", text("The place in a filter, an order or groups, for example `conditions.0.value`.")),
        ("property", described("The property whose value is refused.", PropertyId::schema())),
        (
            "recordIds",
            json!({ "type": "array", "items": RecordId::schema(), "description": "Records that break the rule." }),
        ),
        ("resource", text("The kind of thing that the cause is about.")),
        ("alias", text("Another name of the cause.")),
    ]
}

/// What would have been right.
fn hints() -> Vec<(&'static str, Value)> {
    let scopes: Vec<_> = AppScope::ALL.iter().map(|scope| scope.name()).collect();
    vec![
        ("allowed", texts("The values that are allowed.")),
        ("min", number("The smallest value that is allowed.")),
        ("max", number("The largest value that is allowed.")),
        ("pattern", text("The regular expression that values match.")),
        ("rules", texts("The rules for values, for people.")),
        ("line", number("Where broken JSON ends: the line, from 1.")),
        (
            "column",
            json!({
                "type": ["integer", "string", "null"],
                "description": "Where broken JSON ends: the character of the line, from 1. Of a row of a table the name of the column.",
            }),
        ),
        ("position", number("How many characters of a formula are right; what is behind them is not.")),
        ("opLimit", number("How many operations a formula may take for one record.")),
        ("timeoutMs", number("How many milliseconds a formula may take for one record.")),
        ("sourceBlockId", described("The source of the instance, which can be changed instead.", BlockId::schema())),
        ("required", word("The scope that the app needs.", &scopes)),
        ("methods", texts("The ways to re-authenticate.")),
        ("allowedMethods", texts("The verbs of the path.")),
        ("retryAfterSeconds", number("How many seconds to wait.")),
    ]
}

/// The state that caused the refusal.
fn circumstances() -> Vec<(&'static str, Value)> {
    let buckets: Vec<_> = Bucket::ALL.iter().map(|bucket| bucket.name()).collect();
    let oldest = json!({
        "type": ["object", "null"],
        "description": "The oldest event that is still in the log.",
        "properties": { "id": { "type": "string" }, "sequence": { "type": "integer" } },
        "required": ["id", "sequence"],
    });
    let workspaces = json!({
        "type": "array",
        "items": WorkspaceId::schema(),
        "description": "The workspaces of which the caller is the only owner.",
    });
    vec![
        (
            "dependents",
            json!({
                "type": "array",
                "items": PropertyId::schema(),
                "description": "The rollups and formulas that use the property.",
            }),
        ),
        ("expected", number("The present version.")),
        ("matches", number("How often the page contains the text.")),
        ("limit", number("The limit that would be exceeded.")),
        ("unit", word("What the limit counts.", &["blocks", "bytes", "cells", "marks", "rows"])),
        ("maxBytes", number("The largest size in bytes.")),
        ("lockedBy", described("The user who locked the page.", UserId::schema())),
        ("workspaceIds", workspaces),
        ("maxAgeSeconds", number("How old the last proof of identity may be.")),
        ("bucket", word("The bucket of the rate limit.", &buckets)),
        ("service", text("The part of the service that is unavailable or busy.")),
        ("status", text("Its state.")),
        ("feature", text("The feature that this deployment does not offer.")),
        ("oldest", oldest),
        (
            "databaseId",
            described("The database that contains the records of an import that stopped.", DatabaseId::schema()),
        ),
        ("importedRecords", number("How many records an import created before it stopped.")),
    ]
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn texts(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": about })
}

fn number(about: &str) -> Value {
    json!({ "type": "integer", "description": about })
}

fn word(about: &str, words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words, "description": about })
}

fn described(about: &str, mut schema: Value) -> Value {
    schema["description"] = about.into();
    schema
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::refusal::snapshot;

    fn fits(schema: &Value, value: &Value) -> bool {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let allowed = &schema["type"];
        let is_kind =
            allowed.is_null() || *allowed == kind || allowed.as_array().is_some_and(|all| all.contains(&json!(kind)));
        is_kind && schema["enum"].as_array().is_none_or(|words| words.contains(value))
    }

    #[test]
    fn every_refusal_fits_the_schemas() {
        let (envelope, detail_schema) = (schema(), detail_schema());
        let codes = &envelope["properties"]["error"]["properties"]["code"];
        for refusal in snapshot::all() {
            let problem = refusal.problem();
            assert!(fits(codes, &json!(problem.code)), "{refusal:?}: {} is not described", problem.code);
            for detail in &problem.details {
                for (key, value) in detail.as_object().unwrap() {
                    let schema = &detail_schema["properties"][key];
                    assert!(!schema.is_null() && fits(schema, value), "{refusal:?}: {key} {value} is not described");
                }
            }
        }
    }
}
