//! The whole table as a text that a reviewer reads.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::Refusal;
use crate::snapshot;
use actix_web::http::Method;
use octavo_core_model::{
    Bucket, Fault, StoreError,
    fault::{Conflict, Denial, Issue, Unknown, Violation},
    id::WorkspaceId,
};
use serde_json::json;
use std::fmt::Write;

/// One of each; the compiler names what is missing here when a refusal is added to the table.
fn all() -> Vec<Refusal> {
    let violations = vec![
        Violation::new("email", Issue::InvalidFormat).with(json!("ada")),
        Violation::new("password", Issue::TooShort),
    ];
    let mut faults = vec![
        Fault::Invalid(violations),
        Fault::RefreshReused,
        Fault::NotFound,
        Fault::TokenExpired,
        Fault::SoleOwner(vec![WorkspaceId::new(1, [0; 10])]),
        Fault::KeyReused,
        Fault::TooManyFailures { retry_after: 840 },
        Fault::HasherBusy,
        Fault::Internal("never shown"),
    ];
    let unknown = [
        Unknown::TokenMissing,
        Unknown::TokenMalformed,
        Unknown::TokenExpired,
        Unknown::RefreshInvalid,
        Unknown::Login,
        Unknown::InvalidCredentials,
    ];
    let denials = [
        Denial::AccountSuspended,
        Denial::AccountDeleting,
        Denial::SessionRevoked,
        Denial::SignupClosed,
        Denial::ReauthRequired,
        Denial::WorkspaceMismatch,
    ];
    let conflicts = [Conflict::Taken("email"), Conflict::TokenUsed, Conflict::TokenRevoked, Conflict::InProgress];
    let store = [StoreError::Unavailable, StoreError::Busy, StoreError::Timeout];
    faults.extend(unknown.map(Fault::Unauthenticated));
    faults.extend(denials.map(Fault::Forbidden));
    faults.extend(conflicts.map(Fault::Conflict));
    faults.extend(store.map(Fault::Store));
    let mut refusals: Vec<_> = faults.into_iter().map(Refusal::Fault).collect();
    refusals.extend([
        Refusal::UnknownPath,
        Refusal::WrongVerb(vec![Method::GET, Method::PATCH]),
        Refusal::MalformedRequest("header_folding"),
        Refusal::UriTooLong,
        Refusal::HeadersTooLarge,
        Refusal::BodyTooLarge { max: 16384 },
        Refusal::WrongMediaType,
        Refusal::EncodedBody,
        Refusal::TooSlow,
        Refusal::RateLimited { bucket: Bucket::Generic, retry_after: 12 },
        Refusal::NotEnabled("debug_events"),
        Refusal::Unready(vec![("database", "down"), ("queue", "down")]),
        Refusal::Overloaded,
    ]);
    refusals
}

#[test]
fn the_table_reads_as_reviewed() {
    let mut table = String::new();
    for refusal in all() {
        let problem = refusal.problem();
        writeln!(table, "{refusal:?}").unwrap();
        writeln!(table, "    {} {}: {}", problem.status.as_u16(), problem.code, problem.message).unwrap();
        for detail in &problem.details {
            writeln!(table, "    {detail}").unwrap();
        }
        for (name, value) in [
            ("Retry-After", problem.retry_after.map(|seconds| seconds.to_string())),
            ("Allow", problem.allow.map(|methods| format!("{methods:?}"))),
            ("logged", problem.cause.map(str::to_owned)),
        ] {
            if let Some(value) = value {
                writeln!(table, "    {name}: {value}").unwrap();
            }
        }
    }
    snapshot::check("refusals.txt", &table);
}

/// A cause is named under `reason` or `issue`, depending on the status.
#[test]
fn details_name_causes_as_their_status_wants() {
    for refusal in all() {
        let problem = refusal.problem();
        let wrong = match problem.status.as_u16() {
            400 | 409 | 413 | 415 | 422 => "reason",
            _ => "issue",
        };
        for detail in &problem.details {
            assert!(detail.get(wrong).is_none(), "{refusal:?} says {wrong}");
        }
    }
}
