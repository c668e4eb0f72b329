//! The whole table as a text for reviewers.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{Refusal, SHOWN_ROW};
use crate::{SNAPSHOTS, wire::Bodies};
use actix_web::http::Method;
use octavo_core_model::{
    AppScope, Bucket, Fault, KeyScope, Level, Role, StoreError,
    event::EventMark,
    fault::{
        BlockFlaw, BlockProblem, ComputeFault, Confirmed, Conflict, DataIssue, DataProblem, Denial, FailedOperation,
        ImportFault, Issue, OauthFlaw, PageLimit, PrincipalField, TextFlaw, TextProblem, Unknown, Unprocessable,
        Violation,
    },
    id::{BlockId, DatabaseId, EventId, PropertyId, RecordId, UserId, WorkspaceId},
    invitation::InvitationState,
    version::Stale,
};
use serde_json::json;
use std::fmt::Write;

/// All variants of an enum. A missing one does not compile.
macro_rules! every {
    ($set:ident: $($word:ident)+) => {{
        let _: fn($set) = |one| match one { $($set::$word => {})+ };
        [$($set::$word),+]
    }};
}

/// Examples of all variants. A missing one does not compile.
macro_rules! examples {
    ($set:ident: $($variant:pat => $examples:expr,)+) => {{
        let _: fn(&$set) = |one| match one { $($variant => {})+ };
        [$(Vec::from($examples)),+].concat()
    }};
}

#[expect(clippy::too_many_lines, reason = "a row for each fault")]
fn faults() -> Vec<Fault> {
    let unknown = every!(Unknown: TokenMissing TokenMalformed TokenExpired RefreshInvalid Login InvalidCredentials
        KeyRevoked KeyExpired SharePasswordRequired SharePasswordWrong);
    let denials = examples! { Denial:
        Denial::AccountSuspended => [Denial::AccountSuspended],
        Denial::AccountDeleting => [Denial::AccountDeleting],
        Denial::SessionRevoked => [Denial::SessionRevoked],
        Denial::SignupClosed => [Denial::SignupClosed],
        Denial::ReauthRequired { .. } => [
            Denial::ReauthRequired { by_password: true },
            Denial::ReauthRequired { by_password: false },
        ],
        Denial::WorkspaceMismatch => [Denial::WorkspaceMismatch],
        Denial::AppOutsideWorkspace => [Denial::AppOutsideWorkspace],
        Denial::KeyOutsideWorkspace => [Denial::KeyOutsideWorkspace],
        Denial::RequiresUser => [Denial::RequiresUser],
        Denial::RequiresLogin => [Denial::RequiresLogin],
        Denial::RequiresRole(_) => [Denial::RequiresRole(Role::Admin), Denial::RequiresRole(Role::Owner)],
        Denial::RequiresLevel(_) => [Denial::RequiresLevel(Level::Edit), Denial::RequiresLevel(Level::FullAccess)],
        Denial::KeyScope(_) => [Denial::KeyScope(KeyScope::Write), Denial::KeyScope(KeyScope::Admin)],
        Denial::OauthRole => [Denial::OauthRole],
        Denial::AppScope(_) => [Denial::AppScope(None), Denial::AppScope(Some(AppScope::PagesRead))],
        Denial::AddressNotAllowed => [Denial::AddressNotAllowed],
        Denial::WorkspaceQuota => [Denial::WorkspaceQuota],
        Denial::MemberQuota => [Denial::MemberQuota],
        Denial::DatabaseQuota => [Denial::DatabaseQuota],
        Denial::EmailMismatch => [Denial::EmailMismatch],
        Denial::EmailUnverified => [Denial::EmailUnverified],
        Denial::ShareLinksDisabled => [Denial::ShareLinksDisabled],
        Denial::DuplicateNotAllowed => [Denial::DuplicateNotAllowed],
        Denial::Excluded => [Denial::Excluded],
        Denial::NotAuthor => [Denial::NotAuthor],
        Denial::SignatureInvalid => [Denial::SignatureInvalid],
        Denial::SignatureExpired => [Denial::SignatureExpired],
    };
    let violations = vec![
        Violation::new("email", Issue::InvalidFormat).with(json!("ada")),
        Violation::new("password", Issue::TooShort),
    ];
    examples! { Fault:
        Fault::Invalid(_) => [Fault::Invalid(violations)],
        Fault::Unauthenticated(_) => unknown.map(Fault::Unauthenticated),
        Fault::RefreshReused => [Fault::RefreshReused],
        Fault::Forbidden(_) => denials.into_iter().map(Fault::Forbidden).collect::<Vec<_>>(),
        Fault::NotFound => [Fault::NotFound],
        Fault::UnknownId(_) => [Fault::UnknownId("parentId")],
        Fault::FormulaTimeout => [Fault::FormulaTimeout],
        Fault::NoMember => [Fault::NoMember],
        Fault::Oauth(_) => oauth_flaws().into_iter().map(Fault::Oauth).collect::<Vec<_>>(),
        Fault::GrantWidened(_) => [Fault::GrantWidened("scopes")],
        Fault::Conflict(_) => conflicts().into_iter().map(Fault::Conflict).collect::<Vec<_>>(),
        Fault::Unprocessable(_) => unfit().into_iter().map(Fault::Unprocessable).collect::<Vec<_>>(),
        Fault::Blocks(_) => block_problems().into_iter().map(|problem| Fault::Blocks(vec![BlockFlaw::new(1, problem).within(Some("block"))].into())).collect::<Vec<_>>(),
        Fault::NotInVersion(_) => [Fault::NotInVersion(vec![BlockId::LOWEST].into())],
        Fault::Data(_) => data_problems().into_iter().map(|problem| Fault::Data(vec![problem].into())).collect::<Vec<_>>(),
        Fault::FieldTaken(_) => [Fault::FieldTaken("properties.1.name".into())],
        Fault::Text(_) => text_problems().into_iter().map(|problem| Fault::Text(TextFlaw { index: Some(2), problem })).collect::<Vec<_>>(),
        Fault::TooManyOperations(_) => [Fault::TooManyOperations(200)],
        Fault::Operations(_) => [Fault::Operations(vec![
            FailedOperation::new(3, Fault::UnknownId("recordId")),
            FailedOperation::new(5, Fault::NotFound),
        ])],
        Fault::Import(_) => [
            Fault::Import(ImportFault::TooManyRows(20_000)),
            Fault::Import(ImportFault::Rejected(SHOWN_ROW.into())),
            Fault::Import(ImportFault::Stopped {
                database: DatabaseId::LOWEST,
                imported: 1_000,
                row: 1_002,
                cause: Box::new(Fault::Forbidden(Denial::RequiresLevel(Level::Edit))),
            }),
        ],
        Fault::ConfirmRequired(_) => every!(Confirmed: Page Workspace Record).map(Fault::ConfirmRequired),
        Fault::TokenExpired => [Fault::TokenExpired],
        Fault::ShareExpired => [Fault::ShareExpired],
        Fault::HistoryLost { .. } => [
            Fault::HistoryLost { oldest: None },
            Fault::HistoryLost { oldest: Some(EventMark { id: EventId::new(1, [0; 10]), sequence: 42 }) },
        ],
        Fault::ContentGone => [Fault::ContentGone],
        Fault::OutOfRange { .. } => [Fault::OutOfRange { size: 12000 }],
        Fault::WorkspaceDeleting => [Fault::WorkspaceDeleting],
        Fault::SoleOwner(_) => [Fault::SoleOwner(vec![WorkspaceId::new(1, [0; 10])])],
        Fault::KeyReused => [Fault::KeyReused],
        Fault::TooManyFailures { .. } => [Fault::TooManyFailures { retry_after: 840 }],
        Fault::TooManyStreams { .. } => [Fault::TooManyStreams { bucket: Bucket::Generic, retry_after: 5 }],
        Fault::TooMuchWritten { .. } => [Fault::TooMuchWritten { bucket: Bucket::Generic, retry_after: 30 }],
        Fault::HasherBusy => [Fault::HasherBusy],
        Fault::Compute(_) => every!(ComputeFault: Busy MemoryFull TablesFull Timeout Failed).map(Fault::Compute),
        Fault::IndexBehind => [Fault::IndexBehind],
        Fault::Store(_) => every!(StoreError: Unavailable Busy Collision Timeout).map(Fault::Store),
        Fault::Internal(_) => [Fault::Internal("never shown")],
    }
}

fn oauth_flaws() -> Vec<OauthFlaw> {
    let issue = Issue::InvalidValue;
    examples! { OauthFlaw:
        OauthFlaw::InvalidGrant { .. } => [OauthFlaw::InvalidGrant { parameter: "code_verifier", issue }],
        OauthFlaw::InvalidClient { .. } => [OauthFlaw::InvalidClient { parameter: "client_secret", issue }],
        OauthFlaw::OtherClient => [OauthFlaw::OtherClient],
        OauthFlaw::InvalidScope => [OauthFlaw::InvalidScope],
        OauthFlaw::UnsupportedGrantType => [OauthFlaw::UnsupportedGrantType],
    }
}

fn unfit() -> Vec<Unprocessable> {
    examples! { Unprocessable:
        Unprocessable::CycleDetected => [Unprocessable::CycleDetected],
        Unprocessable::MaxDepth => [Unprocessable::MaxDepth],
        Unprocessable::DatabaseParent => [Unprocessable::DatabaseParent],
        Unprocessable::RecordPage => [Unprocessable::RecordPage],
        Unprocessable::TooLarge => [Unprocessable::TooLarge],
        Unprocessable::PageTooLarge(_) => every!(PageLimit: Blocks Bytes).map(Unprocessable::PageTooLarge),
        Unprocessable::ListTooLarge(_) => every!(PageLimit: Blocks Bytes).map(Unprocessable::ListTooLarge),
        Unprocessable::UnknownPrincipal(_) => [
            Unprocessable::UnknownPrincipal(PrincipalField::Absent),
            Unprocessable::UnknownPrincipal(PrincipalField::OfGrant),
            Unprocessable::UnknownPrincipal(PrincipalField::InGrants(1)),
        ],
        Unprocessable::SelfLockout => [Unprocessable::SelfLockout],
        Unprocessable::ViewOnlyLink => [Unprocessable::ViewOnlyLink],
    }
}

/// One for each issue, and one with everything that a problem can have.
fn data_problems() -> Vec<DataProblem> {
    let plain = DataIssue::ALL.iter().copied().map(DataProblem::new);
    let full = DataProblem {
        path: Some("conditions.0.value".to_owned()),
        dependents: vec![PropertyId::LOWEST],
        records: vec![RecordId::LOWEST],
        rule: Some("a record is linked once".to_owned()),
        ..DataProblem::of_property(DataIssue::CardinalityViolation, PropertyId::LOWEST)
    };
    plain.chain([full]).collect()
}

fn text_problems() -> Vec<TextProblem> {
    examples! { TextProblem:
        TextProblem::FindNotFound => [TextProblem::FindNotFound],
        TextProblem::FindNotUnique { .. } => [TextProblem::FindNotUnique { matches: 3 }],
        TextProblem::UnknownBlock(_) => [TextProblem::UnknownBlock(BlockId::LOWEST)],
        TextProblem::TooLong { .. } => [TextProblem::TooLong { most: 1_048_576 }],
        TextProblem::TooDeep => [TextProblem::TooDeep],
        TextProblem::TooMuch { .. } => [TextProblem::TooMuch { most: 20_000, unit: "blocks" }],
        TextProblem::InvalidNesting => [TextProblem::InvalidNesting],
    }
}

fn block_problems() -> Vec<BlockProblem> {
    let block = BlockId::LOWEST;
    examples! { BlockProblem:
        BlockProblem::Invalid(_) => [BlockProblem::Invalid(Violation::new("content.text", Issue::TooLong))],
        BlockProblem::Unknown(_) => [BlockProblem::Unknown("blockId")],
        BlockProblem::Missing(_) => [BlockProblem::Missing("parentId")],
        BlockProblem::Taken(_) => [BlockProblem::Taken(block)],
        BlockProblem::Stale(_) => [BlockProblem::Stale(Stale { actual: 7, received: 6 })],
        BlockProblem::InvalidNesting { .. } => [BlockProblem::InvalidNesting { block, parent: Some(block) }],
        BlockProblem::CycleDetected(_) => [BlockProblem::CycleDetected(block)],
        BlockProblem::MaxDepth(_) => [BlockProblem::MaxDepth(block)],
        BlockProblem::SyncedReadonly { .. } => [BlockProblem::SyncedReadonly { source: block }],
        BlockProblem::SyncCycle(_) => [BlockProblem::SyncCycle(block)],
    }
}

fn conflicts() -> Vec<Conflict> {
    let answered = [InvitationState::Accepted, InvitationState::Declined, InvitationState::Revoked];
    examples! { Conflict:
        Conflict::Taken(_) => [Conflict::Taken("email")],
        Conflict::Reserved(_) => [Conflict::Reserved("slug")],
        Conflict::PersonalWorkspace => [Conflict::PersonalWorkspace],
        Conflict::LastOwner => [Conflict::LastOwner],
        Conflict::TokenUsed => [Conflict::TokenUsed],
        Conflict::TokenRevoked => [Conflict::TokenRevoked],
        Conflict::InvitationAnswered(_) => answered.map(Conflict::InvitationAnswered),
        Conflict::KeyRevoked => [Conflict::KeyRevoked],
        Conflict::KeyLimit => [Conflict::KeyLimit],
        Conflict::ShareLinkRevoked => [Conflict::ShareLinkRevoked],
        Conflict::AlreadyDecided => [Conflict::AlreadyDecided],
        Conflict::PublicApp => [Conflict::PublicApp],
        Conflict::JobFinished => [Conflict::JobFinished],
        Conflict::JobRunning => [Conflict::JobRunning],
        Conflict::Stale(_) => [Conflict::Stale(Stale { actual: 7, received: 6 })],
        Conflict::StaleSchema(_) => [Conflict::StaleSchema(Stale { actual: 4, received: 3 })],
        Conflict::StaleBase(_) => [Conflict::StaleBase(Stale { actual: 7, received: 6 })],
        Conflict::PageLocked { .. } => [Conflict::PageLocked { by: UserId::new(1, [0; 10]) }],
        Conflict::PageTrashed => [Conflict::PageTrashed],
        Conflict::DatabaseArchived => [Conflict::DatabaseArchived],
        Conflict::ViewLocked => [Conflict::ViewLocked],
        Conflict::NotTrashed => [Conflict::NotTrashed],
        Conflict::LimitReached(_) => [Conflict::LimitReached(200)],
        Conflict::TooManyPages(_) => [Conflict::TooManyPages(50_000)],
        Conflict::InProgress => [Conflict::InProgress],
    }
}

/// An example of every refusal.
pub(crate) fn all() -> Vec<Refusal> {
    examples! { Refusal:
        Refusal::Fault(_) => faults().into_iter().map(Refusal::Fault).collect::<Vec<_>>(),
        Refusal::Taken { .. } => [Refusal::Taken { field: "slug", received: json!("acme") }],
        Refusal::UnknownPath => [Refusal::UnknownPath],
        Refusal::WrongVerb(_) => [Refusal::WrongVerb(vec![Method::GET, Method::PATCH])],
        Refusal::MalformedRequest(_) => [Refusal::MalformedRequest("header_folding")],
        Refusal::UriTooLong => [Refusal::UriTooLong],
        Refusal::HeadersTooLarge => [Refusal::HeadersTooLarge],
        Refusal::BodyTooLarge { .. } => [Refusal::BodyTooLarge { max: 16384 }],
        Refusal::WrongMediaType(_) => [Bodies::Json, Bodies::Form, Bodies::JsonOrForm, Bodies::Csv].map(Refusal::WrongMediaType),
        Refusal::ForeignForm => [Refusal::ForeignForm],
        Refusal::FormOfOtherAddress(_) => [Refusal::FormOfOtherAddress("https://octavo.test".to_owned())],
        Refusal::ForeignEmbedding => [Refusal::ForeignEmbedding],
        Refusal::StaleForm => [Refusal::StaleForm],
        Refusal::EncodedBody => [Refusal::EncodedBody],
        Refusal::TooSlow => [Refusal::TooSlow],
        Refusal::RateLimited { .. } => [Refusal::RateLimited { bucket: Bucket::Generic, retry_after: 12 }],
        Refusal::NotEnabled(_) => [Refusal::NotEnabled("debug_events")],
        Refusal::Unready(_) => [Refusal::Unready(vec![("database", "down"), ("queue", "down")])],
        Refusal::Overloaded => [Refusal::Overloaded],
    }
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
            ("Content-Range", problem.size.map(|size| format!("bytes */{size}"))),
            ("logged", problem.cause.map(str::to_owned)),
            ("load", problem.load.map(|limit| limit.name().to_owned())),
        ] {
            if let Some(value) = value {
                writeln!(table, "    {name}: {value}").unwrap();
            }
        }
    }
    insta::with_settings!({ snapshot_path => SNAPSHOTS, prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("refusals", table);
    });
}

/// A cause is named in `reason` or `issue`, depending on the status.
#[test]
fn details_name_causes_as_their_status_wants() {
    for refusal in all() {
        let problem = refusal.problem();
        let wrong = match problem.status.as_u16() {
            // A formula that takes too long has a code of its own.
            _ if problem.code == "FORMULA_TIMEOUT" => "issue",
            400 | 409 | 413 | 415 | 422 => "reason",
            _ => "issue",
        };
        for detail in &problem.details {
            let under_both = detail.get("issue") == detail.get("reason");
            assert!(detail.get(wrong).is_none() || under_both, "{refusal:?} says {wrong}");
        }
    }
}
