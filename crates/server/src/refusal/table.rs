//! The table of refusals. A new fault does not compile until it has a row here.
// length: one row for each fault

use super::{
    Problem, Refusal, blocks, data, imports, operations,
    problem::{quoted, violation_detail},
    texts, unprocessable,
};
use crate::load::LoadLimit;
use actix_web::http::{Method, StatusCode};
use octavo_core_model::{
    Bucket, Fault, KeyScope, Role, StoreError,
    api_key::MAX_LIVE,
    event::EventMark,
    fault::{ComputeFault, Confirmed, Conflict, Denial, Hint, Issue, OauthFlaw, Unknown, Violation},
    invitation::InvitationState,
    session::FRESHNESS,
    version::Stale,
};
use serde_json::{Value, json};
use std::borrow::Cow;

impl Refusal {
    /// The answer to this refusal.
    pub fn problem(&self) -> Problem {
        match self {
            Self::Fault(fault) => of_fault(fault),
            Self::Taken { field, received } => {
                taken(json!({ "field": field, "issue": "already_exists", "received": quoted(received) }))
            }
            Self::UnknownPath => Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "There is nothing at this path."),
            Self::WrongVerb(allowed) => wrong_verb(allowed),
            Self::MalformedRequest(issue) => {
                Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", "The request is not valid HTTP.")
                    .detail(json!({ "field": "request", "issue": issue }))
            }
            Self::UriTooLong => {
                Problem::new(StatusCode::URI_TOO_LONG, "URI_TOO_LONG", "The address is longer than 8 KB.")
            }
            Self::HeadersTooLarge => Problem::new(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "HEADERS_TOO_LARGE",
                "A header is larger than 8 KB, or all together are larger than 32 KB.",
            ),
            Self::BodyTooLarge { max } => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "PAYLOAD_TOO_LARGE",
                format!("The body is larger than the {max} bytes this route accepts."),
            )
            .detail(json!({ "issue": "too_large", "maxBytes": max })),
            Self::WrongMediaType(bodies) => {
                unsupported(format!("Send the body as {}.", bodies.media().join(" or as ")), "content_type")
            }
            Self::ForeignForm => not_ours("This form was not sent from a page of this service.", "foreign_form"),
            Self::FormOfOtherAddress(origin) => Problem {
                open_instead: Some(origin.clone()),
                ..not_ours("Forms of this service work only at its own address.", "foreign_form")
            },
            Self::ForeignEmbedding => {
                not_ours("Pages of other sites cannot contain the pages of this service.", "foreign_embedding")
            }
            Self::StaleForm => not_ours("This form is out of date, or your browser keeps no cookies.", "stale_form"),
            Self::EncodedBody => unsupported("Send the body as it is, without a content encoding.", "content_encoding"),
            Self::TooSlow => Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "REQUEST_TIMEOUT",
                "The request did not arrive in time; the connection closes.",
            ),
            Self::RateLimited { bucket, retry_after } => too_many(*bucket, *retry_after),
            Self::NotEnabled(feature) => Problem::new(
                StatusCode::NOT_IMPLEMENTED,
                "NOT_IMPLEMENTED",
                "This deployment does not offer that feature.",
            )
            .detail(json!({ "feature": feature })),
            Self::Unready(checks) => Problem {
                details: checks
                    .iter()
                    .map(|(service, status)| json!({ "service": service, "status": status }))
                    .collect(),
                ..unavailable("The service is not ready.")
            },
            Self::Overloaded => busy(LoadLimit::Server, "The service is overloaded. Try again shortly."),
        }
    }
}

#[expect(clippy::too_many_lines, reason = "a row for each fault")]
fn of_fault(fault: &Fault) -> Problem {
    match fault {
        Fault::Invalid(violations) => Problem {
            details: violations.iter().map(violation_detail).collect(),
            ..Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", "Some values are not valid; see the details.")
        },
        Fault::Unauthenticated(unknown) => unauthenticated(*unknown),
        Fault::RefreshReused => Problem::new(
            StatusCode::UNAUTHORIZED,
            "REFRESH_TOKEN_REUSED",
            "This refresh token was used before. The session has ended; sign in again.",
        )
        .detail(json!({ "reason": "refresh_token_reused" })),
        Fault::Forbidden(denial) => forbidden(*denial),
        Fault::NotFound => not_found(),
        Fault::UnknownId(field) => not_found().detail(json!({ "field": field })),
        Fault::FormulaTimeout => unprocessable::formula_timeout(),
        Fault::NoMember => {
            Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "Only members of the workspace can be in its teams.")
                .detail(json!({ "field": "userId", "reason": "must_be_workspace_member" }))
        }
        Fault::Oauth(flaw) => of_oauth(*flaw),
        Fault::GrantWidened(field) => unprocessable::with_detail(
            "A grant can only be reduced here; extending it requires a new authorization.",
            json!({ "issue": "grant_widened", "field": field, "resource": "oauth_grant" }),
        ),
        Fault::Conflict(conflict) => of_conflict(*conflict),
        Fault::Unprocessable(unfit) => unprocessable::problem(*unfit),
        Fault::Blocks(flaws) => blocks::problem(flaws),
        Fault::NotInVersion(unknown) => blocks::not_in_version(unknown),
        Fault::Data(problems) => data::problem(problems),
        Fault::FieldTaken(field) => taken(json!({ "field": field, "issue": "already_exists" })),
        Fault::Text(flaw) => texts::problem(*flaw),
        Fault::TooManyOperations(most) => operations::too_many(*most),
        Fault::Operations(failed) => operations::problem(failed),
        Fault::Import(fault) => imports::problem(fault),
        Fault::ConfirmRequired(confirmed) => confirm_required(*confirmed),
        Fault::TokenExpired => gone("This token has expired.", "token_expired"),
        Fault::ShareExpired => gone("This link has expired.", "share_expired"),
        Fault::HistoryLost { oldest } => history_lost(*oldest),
        Fault::ContentGone => gone("This file is no longer kept.", "expired"),
        Fault::OutOfRange { size } => Problem {
            size: Some(*size),
            ..Problem::new(
                StatusCode::RANGE_NOT_SATISFIABLE,
                "RANGE_NOT_SATISFIABLE",
                "The requested range is outside the file.",
            )
        },
        Fault::WorkspaceDeleting => {
            gone("This workspace is deleted and will be removed permanently.", "workspace_deleting")
        }
        Fault::SoleOwner(workspaces) => conflict_with(
            "You are the only owner of workspaces that others belong to. Make somebody else an owner first.",
            json!({ "issue": "sole_owner", "workspaceIds": workspaces }),
        ),
        Fault::KeyReused => unprocessable::with_detail(
            "This idempotency key was used for a different request.",
            json!({ "issue": "idempotency_key_reused" }),
        ),
        Fault::TooManyFailures { retry_after } => too_many(Bucket::Login, *retry_after),
        Fault::TooMuchWritten { bucket, retry_after } => too_much_written(*bucket, *retry_after),
        Fault::TooManyStreams { bucket, retry_after } => too_many_streams(*bucket, *retry_after),
        Fault::HasherBusy => busy(LoadLimit::Hashing, "Too many sign-ins at once. Try again in a second."),
        Fault::Compute(fault) => of_compute(*fault),
        Fault::IndexBehind => Problem {
            retry_after: Some(1),
            ..unavailable("Search is still reading the latest changes. Try again shortly.")
                .detail(json!({ "service": "search", "reason": "index_behind" }))
        },
        Fault::Store(error) => of_store(*error),
        Fault::Internal(cause) => Problem {
            cause: Some(cause),
            ..Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", "Internal error")
        },
    }
}

fn not_found() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "It does not exist, or you have no access to it.")
}

fn history_lost(oldest: Option<EventMark>) -> Problem {
    let oldest = oldest.map(|mark| json!({ "id": mark.id, "sequence": mark.sequence }));
    Problem::new(StatusCode::GONE, "GONE", "The log does not reach back that far. Start again with its oldest event.")
        .detail(json!({ "reason": "history_lost", "oldest": oldest }))
}

fn gone(message: &'static str, reason: &str) -> Problem {
    Problem::new(StatusCode::GONE, "GONE", message).detail(json!({ "reason": reason }))
}

fn unauthenticated(unknown: Unknown) -> Problem {
    let (message, reason) = match unknown {
        Unknown::TokenMissing => ("Send an access token as Authorization: Bearer <token>.", "token_missing"),
        Unknown::TokenMalformed => ("This is not a credential of this service.", "token_malformed"),
        Unknown::TokenExpired => ("The access token has expired; refresh it.", "token_expired"),
        Unknown::RefreshInvalid => ("The refresh token is unknown or has expired; sign in again.", "token_malformed"),
        Unknown::Login => ("The email address or the password is wrong.", "invalid_credentials"),
        Unknown::InvalidCredentials => ("The password is wrong.", "invalid_credentials"),
        Unknown::KeyRevoked => ("This API key was revoked or replaced.", "api_key_revoked"),
        Unknown::SharePasswordRequired => (
            "This link has a password. Unlock it and send the token you get as X-Share-Access.",
            "share_password_required",
        ),
        Unknown::SharePasswordWrong => ("The password of this link is wrong.", "share_password_wrong"),
        Unknown::KeyExpired => ("This API key has expired.", "api_key_expired"),
    };
    Problem {
        lacks_credential: matches!(unknown, Unknown::TokenMissing | Unknown::SharePasswordRequired),
        ..Problem::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", message).detail(json!({ "reason": reason }))
    }
}

#[allow(clippy::too_many_lines, reason = "one line for each denial")]
fn forbidden(denial: Denial) -> Problem {
    let problem = |message: &'static str| Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", message);
    let (message, reason) = match denial {
        Denial::AccountSuspended => ("This account is suspended.", "account_suspended"),
        Denial::AccountDeleting => {
            ("This account is being deleted. The mail about it says how to restore it.", "account_deleting")
        }
        Denial::SessionRevoked => ("This session was revoked; sign in again.", "session_revoked"),
        Denial::SignupClosed => ("Registration is closed on this deployment.", "signup_closed"),
        Denial::ReauthRequired { by_password } => {
            let methods: &[&str] = if by_password { &["password"] } else { &[] };
            return problem("Confirm who you are first: you last did so too long ago.").detail(json!({
                "reason": "reauth_required",
                "maxAgeSeconds": FRESHNESS.as_secs(),
                "methods": methods,
            }));
        }
        Denial::WorkspaceMismatch => ("You do not belong to the workspace this call names.", "workspace_mismatch"),
        Denial::AppOutsideWorkspace => ("This app has no access to that workspace.", "workspace_mismatch"),
        Denial::KeyOutsideWorkspace => ("This API key belongs to another workspace.", "workspace_mismatch"),
        Denial::RequiresUser => {
            ("Only a user who is signed in may do this, not an API key or an app.", "requires_user_credentials")
        }
        Denial::RequiresLogin => {
            ("This session is limited to the workspace of its invitation. Sign in to do more.", "requires_login")
        }
        Denial::RequiresRole(role) => {
            return problem(role_needed(role)).detail(json!({ "reason": format!("requires_{role}") }));
        }
        Denial::RequiresLevel(level) => {
            return problem("Your access level on this page does not allow this.")
                .detail(json!({ "reason": format!("requires_{level}") }));
        }
        Denial::KeyScope(scope) => {
            let (message, reason) = match scope {
                KeyScope::Read | KeyScope::Write => {
                    ("This needs an API key with the scope WRITE.", "api_key_scope_write")
                }
                KeyScope::Admin => ("This needs an API key with the scope ADMIN.", "api_key_scope_admin"),
            };
            return problem(message).detail(json!({ "reason": reason, "alias": "SCOPE_DENIED" }));
        }
        Denial::OauthRole => ("Only owners and admins of the workspace manage its apps.", "oauth_role_denied"),
        Denial::AppScope(needed) => {
            let mut detail = json!({ "reason": "oauth_scope" });
            if let Some(scope) = needed {
                detail["required"] = json!(scope);
            }
            return problem("The app was not granted a scope that allows this.").detail(detail);
        }
        Denial::AddressNotAllowed => ("This API key may not be used from this address.", "ip_not_allowed"),
        Denial::WorkspaceQuota => ("You own as many workspaces as this deployment allows.", "workspace_quota"),
        Denial::MemberQuota => ("The workspace has reached its limit of members.", "member_quota"),
        Denial::DatabaseQuota => ("The workspace has reached its limit of databases.", "database_quota"),
        Denial::EmailMismatch => ("This invitation is for another email address.", "email_mismatch"),
        Denial::EmailUnverified => ("Confirm your email address first.", "email_unverified"),
        Denial::ShareLinksDisabled => {
            ("Only owners and admins may create share links in this workspace.", "share_links_disabled")
        }
        Denial::DuplicateNotAllowed => ("The pages of this link may not be copied.", "duplicate_not_allowed"),
        Denial::Excluded => ("You were excluded from this page by name.", "excluded"),
        Denial::NotAuthor => ("Only the author of a comment edits it.", "not_author"),
        Denial::SignatureInvalid => {
            ("This address was not signed by this service, or was altered.", "signature_invalid")
        }
        Denial::SignatureExpired => ("This address has expired; get a new one.", "signature_expired"),
    };
    problem(message).detail(json!({ "reason": reason }))
}

/// Each names the parameter at fault, which `error_description` repeats.
fn of_oauth(flaw: OauthFlaw) -> Problem {
    let problem = |code, message: &'static str, violation: Violation| {
        Problem::new(StatusCode::BAD_REQUEST, code, message).detail(violation_detail(&violation))
    };
    let invalid = |parameter| Violation::new(parameter, Issue::InvalidValue);
    match flaw {
        OauthFlaw::InvalidGrant { parameter, issue } => {
            let message = "The code or refresh token is not valid, or its proof is wrong.";
            problem("INVALID_GRANT", message, Violation::new(parameter, issue))
        }
        OauthFlaw::InvalidClient { parameter, issue } => Problem {
            asks_for_client: true,
            ..problem("INVALID_CLIENT", "The app could not be identified.", Violation::new(parameter, issue))
        },
        OauthFlaw::OtherClient => problem("INVALID_CLIENT", "This was issued to another app.", invalid("client_id")),
        OauthFlaw::InvalidScope => {
            problem("INVALID_SCOPE", "The app does not have all of these scopes.", invalid("scope"))
        }
        OauthFlaw::UnsupportedGrantType => {
            let allowed = Hint::one_of(["authorization_code", "refresh_token"]);
            let message = "The grant type must be authorization_code or refresh_token.";
            problem("VALIDATION_ERROR", message, invalid("grant_type").hinting(allowed))
        }
    }
}

const fn role_needed(role: Role) -> &'static str {
    match role {
        Role::Owner => "Only an owner of the workspace may do this.",
        Role::Admin => "Only an owner or an admin of the workspace may do this.",
        Role::Member | Role::Guest => "Guests may not do this.",
    }
}

#[expect(clippy::too_many_lines, reason = "a row for each conflict")]
fn of_conflict(conflict: Conflict) -> Problem {
    match conflict {
        Conflict::Taken(field) => taken(json!({ "field": field, "issue": "already_exists" })),
        Conflict::Reserved(field) => {
            conflict_with("This value is reserved for the service.", json!({ "field": field, "issue": "reserved" }))
        }
        Conflict::PersonalWorkspace => conflict_with(
            "A personal workspace stays with its owner as long as the account exists.",
            json!({ "issue": "personal_workspace", "reason": "personal_workspace" }),
        ),
        Conflict::LastOwner => conflict_with(
            "A workspace keeps at least one owner. Make somebody else an owner first.",
            json!({ "issue": "last_owner", "reason": "last_owner" }),
        ),
        Conflict::TokenUsed => conflict_with("This token was used already.", json!({ "issue": "token_used" })),
        Conflict::TokenRevoked => conflict_with("This token is no longer valid.", json!({ "issue": "token_revoked" })),
        Conflict::InvitationAnswered(state) => invitation_answered(state),
        Conflict::KeyRevoked => {
            conflict_with("This API key was revoked; create a new one.", json!({ "issue": "api_key_revoked" }))
        }
        Conflict::KeyLimit => conflict_with(
            "The workspace has reached its limit of API keys. Revoke one first.",
            json!({ "issue": "key_limit", "limit": MAX_LIVE }),
        ),
        Conflict::ShareLinkRevoked => {
            conflict_with("This link was revoked; create a new one.", json!({ "issue": "share_link_revoked" }))
        }
        Conflict::AlreadyDecided => {
            conflict_with("This request was answered already, or has expired.", json!({ "issue": "already_decided" }))
        }
        Conflict::PublicApp => conflict_with("A public app has no secret.", json!({ "issue": "public_app" })),
        Conflict::JobFinished => conflict_with("The job has ended already.", json!({ "issue": "job_finished" })),
        Conflict::JobRunning => conflict_with("Another import has not ended.", json!({ "issue": "job_running" })),
        Conflict::Stale(stale) => changed_meanwhile("version", stale),
        Conflict::StaleSchema(stale) => changed_meanwhile("schemaVersion", stale),
        Conflict::StaleBase(stale) => changed_meanwhile("baseVersion", stale),
        Conflict::PageLocked { by } => conflict_with(
            "The page is locked. Unlock it first, or ask the user who locked it.",
            json!({ "issue": "page_locked", "lockedBy": by }),
        ),
        Conflict::PageTrashed => {
            conflict_with("The page is in the trash. Restore it first.", json!({ "issue": "page_trashed" }))
        }
        Conflict::DatabaseArchived => conflict_with(
            "The database is archived. Send `archived: false` to its route first.",
            json!({ "issue": "database_archived" }),
        ),
        Conflict::ViewLocked => conflict_with(
            "The view is locked: its configuration, filter, sort and groups are protected. Send `isLocked: false` first, or along.",
            json!({ "issue": "view_locked" }),
        ),
        Conflict::NotTrashed => conflict_with(
            "Only a page in the trash can be removed permanently. Delete it first.",
            json!({ "issue": "not_trashed" }),
        ),
        Conflict::LimitReached(limit) => {
            conflict_with("The limit is reached.", json!({ "issue": "limit_reached", "limit": limit }))
        }
        Conflict::TooManyPages(limit) => conflict_with(
            "The workspace would have more pages than it may have. Pages in the trash count too. Delete pages permanently, \
             or ask the operator of this server to raise the limit.",
            json!({ "issue": "limit_reached", "limit": limit }),
        ),
        Conflict::InProgress => Problem {
            retry_after: Some(1),
            ..conflict_with(
                "A call with this idempotency key is still running.",
                json!({ "issue": "idempotency_in_progress" }),
            )
        },
    }
}

fn changed_meanwhile(field: &str, Stale { actual, received }: Stale) -> Problem {
    conflict_with(
        "It was changed in the meantime. Read it again, then decide.",
        json!({ "field": field, "issue": "version_mismatch", "expected": actual, "received": received }),
    )
}

fn confirm_required(confirmed: Confirmed) -> Problem {
    let rule = match confirmed {
        Confirmed::Page => "the id of the page",
        Confirmed::Workspace => "the id of the workspace",
        Confirmed::Record => "the id of the record",
    };
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "CONFIRM_REQUIRED",
        "Confirm what is to be removed permanently: send its id as `confirm`.",
    )
    .detail(json!({
        "field": "confirm",
        "issue": "confirm_mismatch",
        "rules": [rule],
    }))
}

fn invitation_answered(state: InvitationState) -> Problem {
    let (message, issue) = match state {
        InvitationState::Pending => ("This invitation is still open.", "invitation_pending"),
        InvitationState::Accepted => ("This invitation was accepted already.", "invitation_accepted"),
        InvitationState::Declined => ("This invitation was declined.", "invitation_declined"),
        InvitationState::Revoked => ("This invitation was revoked.", "invitation_revoked"),
    };
    conflict_with(message, json!({ "issue": issue }))
}

fn taken(detail: Value) -> Problem {
    conflict_with("Somebody else has this value already.", detail)
}

fn conflict_with(message: &'static str, detail: Value) -> Problem {
    Problem::new(StatusCode::CONFLICT, "CONFLICT", message).detail(detail)
}

fn of_store(error: StoreError) -> Problem {
    match error {
        StoreError::Unavailable => Problem {
            cause: Some("the store is unavailable"),
            ..unavailable("The database cannot be reached right now.").detail(json!({ "service": "database" }))
        },
        StoreError::Busy => Problem {
            details: vec![json!({ "service": "database", "reason": "busy" })],
            ..busy(LoadLimit::Database, "The database is overloaded. Try again shortly.")
        },
        StoreError::Collision => {
            Problem { cause: Some("the unit collided with another one"), load: None, ..of_store(StoreError::Busy) }
        }
        StoreError::Timeout => Problem {
            cause: Some("a statement took too long"),
            ..unavailable("The database took too long to answer.")
                .detail(json!({ "service": "database", "reason": "query_timeout" }))
        },
    }
}

fn of_compute(fault: ComputeFault) -> Problem {
    match fault {
        ComputeFault::Busy => Problem {
            details: vec![json!({ "service": "compute", "reason": "queue_full" })],
            ..busy(LoadLimit::Compute, "Too many documents are waiting to be read or written. Try again shortly.")
        },
        ComputeFault::MemoryFull => Problem {
            details: vec![json!({ "service": "compute", "reason": "memory_full" })],
            ..busy(LoadLimit::ContentMemory, "Too many large pages are being read. Try again shortly.")
        },
        ComputeFault::TablesFull => Problem {
            details: vec![json!({ "service": "compute", "reason": "table_memory_full" })],
            ..busy(LoadLimit::TableMemory, "Queries hold too much memory. Try again shortly.")
        },
        ComputeFault::Timeout => Problem {
            retry_after: Some(1),
            ..unavailable("Reading or writing the document took too long.")
                .detail(json!({ "service": "compute", "reason": "timeout" }))
        },
        ComputeFault::Failed => Problem {
            cause: Some("work on the compute pool broke off"),
            ..Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR", "Internal error")
        },
    }
}

fn unavailable(message: &'static str) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "SERVICE_UNAVAILABLE", message)
}

/// A refusal because of load.
fn busy(limit: LoadLimit, message: &'static str) -> Problem {
    Problem { retry_after: Some(1), load: Some(limit), ..unavailable(message) }
        .detail(json!({ "service": "server", "reason": "busy" }))
}

fn wrong_verb(allowed: &[Method]) -> Problem {
    let names: Vec<_> = allowed.iter().map(Method::as_str).collect();
    Problem {
        allow: Some(allowed.to_vec()),
        ..Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "This path does not accept that method.")
            .detail(json!({ "allowedMethods": names }))
    }
}

fn not_ours(message: &'static str, reason: &'static str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "FORBIDDEN", message).detail(json!({ "reason": reason }))
}

fn unsupported(message: impl Into<Cow<'static, str>>, issue: &'static str) -> Problem {
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", message)
        .detail(json!({ "issue": issue }))
}

fn too_many(bucket: Bucket, retry_after: u64) -> Problem {
    let message = format!("Too many requests. Try again in {retry_after} seconds.");
    rate_limited(message, retry_after).detail(json!({ "retryAfterSeconds": retry_after, "bucket": bucket.name() }))
}

fn too_much_written(bucket: Bucket, retry_after: u64) -> Problem {
    let message = format!("You have written too much content in a short time. Try again in {retry_after} seconds.");
    let reason = "written_bytes";
    rate_limited(message, retry_after)
        .detail(json!({ "retryAfterSeconds": retry_after, "bucket": bucket.name(), "reason": reason }))
}

fn too_many_streams(bucket: Bucket, retry_after: u64) -> Problem {
    let message = "There are as many open streams as are allowed. Close one of them first.".to_owned();
    let reason = "open_streams";
    rate_limited(message, retry_after)
        .detail(json!({ "retryAfterSeconds": retry_after, "bucket": bucket.name(), "reason": reason }))
}

fn rate_limited(message: String, retry_after: u64) -> Problem {
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message);
    Problem { retry_after: Some(retry_after), ..problem }
}
