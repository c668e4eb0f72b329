//! The reasons for refusing an operation. The server maps each fault to a status, a code and details in one table.

mod compute;
mod confirmation;
mod content;
mod conversions;
mod data;
mod hint;
mod import;
mod operation;

pub use compute::ComputeFault;
pub use confirmation::Confirmed;
pub use content::{BlockFlaw, BlockProblem, TextFlaw, TextProblem};
pub use data::{DataIssue, DataProblem};
pub use hint::{Hint, TextPosition};
pub use import::{ImportFault, RejectedRow};
pub use operation::FailedOperation;

use crate::{
    bucket::Bucket,
    event_mark::EventMark,
    id::{BlockId, UserId, WorkspaceId},
    invitation::InvitationState,
    level::Level,
    role::Role,
    scope::{AppScope, KeyScope},
    version::Stale,
};
use serde_json::Value;
use std::borrow::Cow;

/// One failed constraint of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The path of the field, for example `email` or `items.0.name`, or the name of a header.
    pub field: String,
    /// How the value breaks the constraint.
    pub issue: Issue,
    /// The received value; `None` if it is secret or was absent.
    pub received: Option<Value>,
    /// What would have been right; `None` if the issue says everything.
    pub hint: Option<Box<Hint>>,
}

/// How a value breaks its constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// It is missing.
    Required,
    /// It is of another JSON type than it should be.
    InvalidType,
    /// It is not written as it should be.
    InvalidFormat,
    /// It is none of the values that are allowed.
    InvalidValue,
    /// The text or list is too short.
    TooShort,
    /// The text or list is too long.
    TooLong,
    /// The number is too small.
    TooSmall,
    /// The number is too large.
    TooLarge,
    /// It is not an id of the right kind.
    InvalidId,
    /// A malformed position in an order.
    InvalidPosition,
    /// A mark that is empty, extends beyond its text or covers nothing that can be marked.
    InvalidMark,
    /// A position that a sibling already has.
    PositionTaken,
    /// The field cannot be changed.
    Immutable,
    /// It was sent twice. Callers learn only that the value is invalid.
    Duplicate,
    /// A lower bound is above the upper one.
    MinAboveMax,
    /// Two options have the same name.
    DuplicateOption,
    /// The named neighbour is not a sibling.
    AnchorNotSibling,
    /// It is not on the page or record that is named beside it.
    AnchorMismatch,
    /// The route knows no field with this name.
    UnknownField,
    /// A place can be changed only by moving.
    UseMoveRoute,
    /// The property has no option with this id or name.
    UnknownOption,
    /// The text is no formula.
    FormulaParseError,
    /// This is not supported yet.
    Unsupported,
    /// It is none of the emojis with which people react.
    UnsupportedEmoji,
}

impl Issue {
    /// The name of the issue in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::InvalidType => "invalid_type",
            Self::InvalidFormat => "invalid_format",
            Self::InvalidValue | Self::Duplicate => "invalid_value",
            Self::MinAboveMax => "min_gt_max",
            Self::DuplicateOption => "duplicate_option",
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::TooSmall => "too_small",
            Self::TooLarge => "too_large",
            Self::InvalidId => "invalid_id",
            Self::InvalidPosition => "invalid_position",
            Self::InvalidMark => "invalid_mark",
            Self::PositionTaken => "position_taken",
            Self::Immutable => "immutable",
            Self::AnchorNotSibling => "anchor_not_sibling",
            Self::AnchorMismatch => "anchor_mismatch",
            Self::UnknownField => "unknown_field",
            Self::UseMoveRoute => "use_move_route",
            Self::UnknownOption => "unknown_option",
            Self::FormulaParseError => "formula_parse_error",
            Self::Unsupported => "unsupported",
            Self::UnsupportedEmoji => "not_supported",
        }
    }
}

impl Violation {
    /// A constraint that a field breaks, without the value that was sent.
    pub fn new(field: impl Into<String>, issue: Issue) -> Self {
        Self { field: field.into(), issue, received: None, hint: None }
    }

    /// The same with the value that was sent.
    #[must_use]
    pub fn with(mut self, received: Value) -> Self {
        self.received = Some(received);
        self
    }

    /// The same with what would have been right.
    #[must_use]
    pub fn hinting(mut self, hint: Hint) -> Self {
        self.hint = (!hint.is_empty()).then(|| Box::new(hint));
        self
    }
}

/// Why a caller could not be identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The call carries no credential.
    TokenMissing,
    /// The credential is not one of ours, or was altered.
    TokenMalformed,
    /// The access token has expired.
    TokenExpired,
    /// A refresh token that was never issued or has expired.
    RefreshInvalid,
    /// The address or the password is wrong; the answer does not reveal which.
    Login,
    /// A password that was sent as a confirmation is wrong.
    InvalidCredentials,
    /// The API key was revoked, or its secret was replaced and the grace period is over.
    KeyRevoked,
    /// The API key has expired.
    KeyExpired,
    /// The share link requires a password, and the proof of it is missing or invalid.
    SharePasswordRequired,
    /// The password of the share link is wrong.
    SharePasswordWrong,
}

/// Why an identified caller is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// The operator suspended the account.
    AccountSuspended,
    /// The account is deleted and waits for its purge.
    AccountDeleting,
    /// The session of the token was ended.
    SessionRevoked,
    /// The operator has closed registration.
    SignupClosed,
    /// The last interactive proof of identity is too old.
    ReauthRequired {
        /// Whether the account has a password to authenticate with.
        by_password: bool,
    },
    /// The call names a workspace that the user does not belong to or that the session does not reach.
    WorkspaceMismatch,
    /// The call of an app names a workspace that the app has no access to.
    AppOutsideWorkspace,
    /// The call with an API key names another workspace than that of the key.
    KeyOutsideWorkspace,
    /// The route requires a user in person.
    RequiresUser,
    /// The session reaches one workspace only.
    RequiresLogin,
    /// The workspace role is too low.
    RequiresRole(Role),
    /// The level on the page is too low.
    RequiresLevel(Level),
    /// The key does not have the required scope.
    KeyScope(KeyScope),
    /// Only owners and admins of the workspace manage its apps.
    OauthRole,
    /// The app was not granted a scope that opens this route; `None` if no scope does.
    AppScope(Option<AppScope>),
    /// The key must not be used from this address.
    AddressNotAllowed,
    /// The user already owns as many workspaces as the operator allows.
    WorkspaceQuota,
    /// The workspace already has as many members as it may have.
    MemberQuota,
    /// The workspace already has as many databases as it may have.
    DatabaseQuota,
    /// The invitation is for another address.
    EmailMismatch,
    /// The address of the account is not verified.
    EmailUnverified,
    /// In this workspace only those who run it may make pages public.
    ShareLinksDisabled,
    /// The share link does not allow copies.
    DuplicateNotAllowed,
    /// An entry on the page excludes the caller by name.
    Excluded,
    /// The comment is that of somebody else.
    NotAuthor,
    /// The address of the download was not signed here, or was changed.
    SignatureInvalid,
    /// The address of the download has expired.
    SignatureExpired,
}

/// Why a change conflicts with the present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// A unique value is taken; contains the name of the field.
    Taken(&'static str),
    /// A unique value is reserved; contains the name of the field.
    Reserved(&'static str),
    /// A personal workspace exists for as long as its account.
    PersonalWorkspace,
    /// A workspace must always have an owner.
    LastOwner,
    /// The one-time token was used before.
    TokenUsed,
    /// The one-time token was revoked before it was used.
    TokenRevoked,
    /// The invitation is no longer open.
    InvitationAnswered(InvitationState),
    /// A revoked API key cannot be changed.
    KeyRevoked,
    /// The workspace already has as many API keys as it may have.
    KeyLimit,
    /// A revoked share link cannot be changed.
    ShareLinkRevoked,
    /// The access request was answered or has expired.
    AlreadyDecided,
    /// A public app has no secret to replace.
    PublicApp,
    /// The job has ended.
    JobFinished,
    /// As many jobs of this kind as may run are waiting or running already.
    JobRunning,
    /// The change is based on an outdated version.
    Stale(Stale),
    /// The same for the version of the page that a batch of blocks names.
    StaleBase(Stale),
    /// The same for the version of a schema.
    StaleSchema(Stale),
    /// A user has locked the page.
    PageLocked {
        /// Who locked the page.
        by: UserId,
    },
    /// The page is in the trash.
    PageTrashed,
    /// Only pages in the trash can be deleted permanently.
    NotTrashed,
    /// The database is archived.
    DatabaseArchived,
    /// The configuration, filter, sort and groups of the view are protected.
    ViewLocked,
    /// The limit is reached.
    LimitReached(u32),
    /// The workspace would have more pages than this limit allows.
    TooManyPages(u32),
    /// The idempotency key is in use by a call that is still running.
    InProgress,
}

/// Why a well-formed change is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprocessable {
    /// A page would become its own ancestor.
    CycleDetected,
    /// A page would be deeper than allowed.
    MaxDepth,
    /// Databases contain records, not pages.
    DatabaseParent,
    /// The page belongs to a record, with which it moves and goes.
    RecordPage,
    /// More than one call can copy.
    TooLarge,
    /// A page would exceed the limits of pages.
    PageTooLarge(PageLimit),
    /// A list of blocks with deleted ones would exceed the limits of pages.
    ListTooLarge(PageLimit),
    /// The named principal does not belong to the workspace.
    UnknownPrincipal(PrincipalField),
    /// It would remove the caller's own access to the page.
    SelfLockout,
    /// A link of the level `VIEW` does not let anybody join.
    ViewOnlyLink,
}

impl Unprocessable {
    /// The name of the reason in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CycleDetected => "cycle_detected",
            Self::MaxDepth => "max_depth",
            Self::DatabaseParent => "database_parent",
            Self::RecordPage => "record_page",
            Self::TooLarge | Self::PageTooLarge(_) | Self::ListTooLarge(_) => "too_large",
            Self::UnknownPrincipal(_) => "unknown_principal",
            Self::SelfLockout => "self_lockout",
            Self::ViewOnlyLink => "view_only_link",
        }
    }
}

/// The field of a body that names a principal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrincipalField {
    /// The body has no such field: the path leads to the principal.
    Absent,
    /// The body is a grant.
    OfGrant,
    /// The grant with this index in the list of grants.
    InGrants(usize),
}

/// Why an app's request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OauthFlaw {
    /// The code or refresh token is unknown, used or expired, or what was sent with it does not fit.
    InvalidGrant {
        /// The parameter at fault.
        parameter: &'static str,
        /// What is wrong with it.
        issue: Issue,
    },
    /// The app could not be identified.
    InvalidClient {
        /// The parameter or header at fault. The ids of apps are public, so naming it reveals nothing.
        parameter: &'static str,
        /// What is wrong with it.
        issue: Issue,
    },
    /// The app was identified, and it is not the expected one.
    OtherClient,
    /// A scope that the app does not offer or that was not granted.
    InvalidScope,
    /// A grant type that this service does not support.
    UnsupportedGrantType,
}

/// Why the store failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The database cannot be reached, is full or lost the transaction.
    Unavailable,
    /// Too many callers are waiting, or a lock was not released in time.
    Busy,
    /// Two units collided, for example in a deadlock, and this one was rolled back. The other one continues, so this
    /// one may succeed if it runs again at once.
    Collision,
    /// One statement exceeded the timeout.
    Timeout,
}

/// A limit on the content of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageLimit {
    /// The number of its blocks.
    Blocks,
    /// The size of its blocks as JSON.
    Bytes,
}

/// A refusal of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The request breaks constraints; there is at least one.
    Invalid(Vec<Violation>),
    /// It is not known who calls.
    Unauthenticated(Unknown),
    /// The refresh token was used before, so its session was ended.
    RefreshReused,
    /// The caller may not do this.
    Forbidden(Denial),
    /// There is no such thing, or the caller may not know of it.
    NotFound,
    /// The same for a thing that the body names; contains the field.
    UnknownId(&'static str),
    /// The formula takes too long for a single record.
    FormulaTimeout,
    /// The user that the call names does not belong to the workspace.
    NoMember,
    /// A request of an app is refused.
    Oauth(OauthFlaw),
    /// Owners of a grant can only reduce it; extending it requires new consent. Contains the name of the field that
    /// would extend it.
    GrantWidened(&'static str),
    /// The state of a thing does not allow the change.
    Conflict(Conflict),
    /// The change is well formed, but cannot be made.
    Unprocessable(Unprocessable),
    /// Flaws in changes of blocks; there is at least one, and nothing of the batch is applied.
    Blocks(Cow<'static, [BlockFlaw]>),
    /// A change of a database or of its records that is impossible; there is at least one reason.
    Data(Cow<'static, [DataProblem]>),
    /// A unique value is taken; contains the path of the field.
    FieldTaken(Cow<'static, str>),
    /// A text that cannot become blocks.
    Text(TextFlaw),
    /// A call with more operations than this.
    TooManyOperations(u32),
    /// Operations that failed, in their order; there is at least one, and nothing of the call is applied.
    Operations(Vec<FailedOperation>),
    /// A table that was not imported, or only a part of it.
    Import(ImportFault),
    /// Blocks that are not in this version of the page; there is at least one.
    NotInVersion(Cow<'static, [BlockId]>),
    /// A permanent deletion must be confirmed with an id.
    ConfirmRequired(Confirmed),
    /// A single-use token has expired.
    TokenExpired,
    /// The share link has expired.
    ShareExpired,
    /// The event log no longer contains the place from which the caller wants to continue.
    HistoryLost {
        /// The oldest event that the log still holds.
        oldest: Option<EventMark>,
    },
    /// The bytes that the address leads to were removed.
    ContentGone,
    /// The requested range starts after the end of the bytes.
    OutOfRange {
        /// How many bytes there are.
        size: u64,
    },
    /// The workspace of the call is deleted and waits for its removal.
    WorkspaceDeleting,
    /// These workspaces would be left without an owner although they have other members.
    SoleOwner(Vec<WorkspaceId>),
    /// The idempotency key was used for another call.
    KeyReused,
    /// There were so many failed sign-ins for one address that unknown networks have to wait, in whole seconds.
    TooManyFailures {
        /// How long, in seconds.
        retry_after: u64,
    },
    /// The caller has written so much content within an hour that they have to wait, in whole seconds.
    TooMuchWritten {
        /// The bucket of all ordinary calls of this caller.
        bucket: Bucket,
        /// How long, in seconds.
        retry_after: u64,
    },
    /// The caller or the workspace has as many open streams as are allowed.
    TooManyStreams {
        /// The bucket of all ordinary calls of this caller.
        bucket: Bucket,
        /// When to try again, in seconds.
        retry_after: u64,
    },
    /// Too many passwords are waiting to be hashed.
    HasherBusy,
    /// Work that takes the processor's time was not done.
    Compute(ComputeFault),
    /// The index of this node does not have the latest changes of the workspace yet.
    IndexBehind,
    /// The store could not do its part.
    Store(StoreError),
    /// A bug: an invariant is broken. The text is for the log.
    Internal(&'static str),
}
