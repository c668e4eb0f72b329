//! The reasons for refusing an operation. The server maps each fault to a status, a code and details in one table.

use crate::{
    event::EventMark,
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
    pub issue: Issue,
    /// The received value; `None` if it is secret or was absent.
    pub received: Option<Value>,
}

/// How a value breaks its constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    Required,
    InvalidType,
    InvalidFormat,
    InvalidValue,
    TooShort,
    TooLong,
    TooSmall,
    TooLarge,
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
    /// The named neighbour is not a sibling.
    AnchorNotSibling,
    /// A place can be changed only by moving.
    UseMoveRoute,
    /// This is not supported yet.
    Unsupported,
}

impl Issue {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::InvalidType => "invalid_type",
            Self::InvalidFormat => "invalid_format",
            Self::InvalidValue | Self::Duplicate => "invalid_value",
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
            Self::UseMoveRoute => "use_move_route",
            Self::Unsupported => "unsupported",
        }
    }
}

impl Violation {
    pub fn new(field: impl Into<String>, issue: Issue) -> Self {
        Self { field: field.into(), issue, received: None }
    }

    #[must_use]
    pub fn with(mut self, received: Value) -> Self {
        self.received = Some(received);
        self
    }
}

/// Why a caller could not be identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    TokenMissing,
    TokenMalformed,
    TokenExpired,
    /// A refresh token that was never issued or has expired.
    RefreshInvalid,
    /// The address or the password is wrong; the answer does not reveal which.
    Login,
    /// A password that was sent as a confirmation is wrong.
    InvalidCredentials,
    /// The API key was revoked, or its secret was replaced and the grace period is over.
    KeyRevoked,
    KeyExpired,
    /// The share link requires a password, and the proof of it is missing or invalid.
    SharePasswordRequired,
    SharePasswordWrong,
}

/// Why an identified caller is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    AccountSuspended,
    AccountDeleting,
    SessionRevoked,
    SignupClosed,
    /// The last interactive proof of identity is too old.
    ReauthRequired {
        /// Whether the account has a password to authenticate with.
        by_password: bool,
    },
    /// The call names a workspace that the caller does not belong to or that the credential does not reach.
    WorkspaceMismatch,
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
    TokenUsed,
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
    /// The change is based on an outdated version.
    Stale(Stale),
    /// The same for the version of the page that a batch of blocks names.
    StaleBase(Stale),
    /// A user has locked the page.
    PageLocked {
        by: UserId,
    },
    /// The page is in the trash.
    PageTrashed,
    /// Only pages in the trash can be deleted permanently.
    NotTrashed,
    /// The limit is reached.
    LimitReached(u32),
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
    /// More than one call can copy.
    TooLarge,
    /// A page would exceed the limits of pages.
    PageTooLarge(PageLimit),
    /// The named principal does not belong to the workspace.
    UnknownPrincipal,
    /// It would remove the caller's own access to the page.
    SelfLockout,
    /// A link of the level `VIEW` does not let anybody join.
    ViewOnlyLink,
}

impl Unprocessable {
    pub const fn name(self) -> &'static str {
        match self {
            Self::CycleDetected => "cycle_detected",
            Self::MaxDepth => "max_depth",
            Self::DatabaseParent => "database_parent",
            Self::TooLarge | Self::PageTooLarge(_) => "too_large",
            Self::UnknownPrincipal => "unknown_principal",
            Self::SelfLockout => "self_lockout",
            Self::ViewOnlyLink => "view_only_link",
        }
    }
}

/// Why a text cannot become blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFlaw {
    /// The index among several edits; `None` if there is only one text.
    pub index: Option<usize>,
    pub problem: TextProblem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextProblem {
    /// The text to find does not occur on the page.
    FindNotFound,
    /// It occurs several times, and the edit does not say that all occurrences are meant.
    FindNotUnique {
        matches: usize,
    },
    UnknownBlock(BlockId),
    /// More bytes than this.
    TooLong {
        most: usize,
    },
    /// Blocks would be nested deeper than allowed.
    TooDeep,
    /// More blocks, cells or marks than one call may create.
    TooMuch {
        most: usize,
        /// What there is too much of, in the plural: `blocks`.
        unit: &'static str,
    },
    /// A block would be in a parent that does not allow this type.
    InvalidNesting,
}

/// A flaw in a change of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockFlaw {
    /// The index in a batch; `None` for a single change.
    pub operation: Option<usize>,
    /// The part of the operation that contains the field; `None` if the operation was sent without such a part.
    pub part: Option<&'static str>,
    pub problem: BlockProblem,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BlockProblem {
    Invalid(Violation),
    /// The page does not have this block.
    Unknown(&'static str),
    /// A parent, or something else that the block names, does not exist for the caller. Contains the name of the
    /// field.
    Missing(&'static str),
    /// The id is taken.
    Taken(BlockId),
    Stale(Stale),
    /// The parent does not allow blocks of this type; `None` stands for the page.
    InvalidNesting {
        block: BlockId,
        parent: Option<BlockId>,
    },
    /// A block would become its own descendant.
    CycleDetected(BlockId),
    MaxDepth(BlockId),
    /// An instance can be changed only through its source.
    SyncedReadonly {
        source: BlockId,
    },
    /// An instance would show itself.
    SyncCycle(BlockId),
}

impl BlockFlaw {
    pub const fn new(operation: usize, problem: BlockProblem) -> Self {
        Self { operation: Some(operation), part: None, problem }
    }

    /// Adds the part of the operation that contains the field.
    #[must_use]
    pub fn within(self, part: Option<&'static str>) -> Self {
        Self { part, ..self }
    }

    /// Removes the index, for an operation that was sent alone.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { operation: None, part: None, ..self }
    }
}

/// Why an app's request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OauthFlaw {
    /// The code or refresh token is unknown, used, expired or sent with a wrong proof.
    InvalidGrant,
    /// The app could not be identified.
    InvalidClient,
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
    /// Too many callers are waiting, or two units blocked each other.
    Busy,
    /// One statement exceeded the timeout.
    Timeout,
}

/// Why the compute pool did not do some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputeFault {
    /// The queue is full.
    Busy,
    /// It was not done in time.
    Timeout,
    /// It panicked.
    Failed,
}

/// A limit on the content of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageLimit {
    Blocks,
    Bytes,
}

/// A refusal of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Invalid(Vec<Violation>),
    Unauthenticated(Unknown),
    RefreshReused,
    Forbidden(Denial),
    NotFound,
    /// The user that the call names does not belong to the workspace.
    NoMember,
    Oauth(OauthFlaw),
    /// Owners of a grant can only reduce it; extending it requires new consent. Contains the name of the field that
    /// would extend it.
    GrantWidened(&'static str),
    Conflict(Conflict),
    Unprocessable(Unprocessable),
    /// Flaws in changes of blocks; there is at least one, and nothing of the batch is applied.
    Blocks(Cow<'static, [BlockFlaw]>),
    /// A text that cannot become blocks.
    Text(TextFlaw),
    /// A batch of more than 200 operations.
    TooManyOperations,
    /// Blocks that are not in this version of the page; there is at least one.
    NotInVersion(Cow<'static, [BlockId]>),
    /// A permanent deletion must be confirmed.
    ConfirmRequired,
    /// A single-use token has expired.
    TokenExpired,
    /// The share link has expired.
    ShareExpired,
    /// The event log no longer contains the place from which the caller wants to continue.
    HistoryLost {
        oldest: Option<EventMark>,
    },
    /// The bytes that the address leads to were removed.
    ContentGone,
    /// The requested range starts after the end of the bytes.
    OutOfRange {
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
        retry_after: u64,
    },
    /// Too many passwords are waiting to be hashed.
    HasherBusy,
    Compute(ComputeFault),
    Store(StoreError),
    /// A bug: an invariant is broken. The text is for the log.
    Internal(&'static str),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ComputeFault> for Fault {
    fn from(fault: ComputeFault) -> Self {
        Self::Compute(fault)
    }
}

impl From<Stale> for Fault {
    fn from(stale: Stale) -> Self {
        Self::Conflict(Conflict::Stale(stale))
    }
}

impl From<Unprocessable> for Fault {
    fn from(unfit: Unprocessable) -> Self {
        Self::Unprocessable(unfit)
    }
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        Self::Invalid(vec![violation])
    }
}
