//! Why an operation is refused. The server maps each fault to a status, a code and details in one table.

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
    /// The path of the field, for example `email` or `items.0.name`; a header by its name.
    pub field: String,
    /// How the value breaks the constraint.
    pub issue: Issue,
    /// What was sent; `None` where it is a secret or was absent.
    pub received: Option<Value>,
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
    /// A place in an order that is written wrongly.
    InvalidPosition,
    /// A mark that is empty, reaches outside its text or says nothing that can be marked.
    InvalidMark,
    /// A place that a sibling stands at.
    PositionTaken,
    /// The field never changes.
    Immutable,
    /// It was sent twice. Callers are told no more than that it does not go that way.
    Duplicate,
    /// What is named as a neighbour stands elsewhere.
    AnchorNotSibling,
    /// A place is changed by moving.
    UseMoveRoute,
    /// Nothing here can do that yet.
    Unsupported,
}

impl Issue {
    /// The name of the issue in the API.
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
    /// A constraint that a field breaks, without the value that was sent.
    pub fn new(field: impl Into<String>, issue: Issue) -> Self {
        Self { field: field.into(), issue, received: None }
    }

    /// The same with the value that was sent.
    #[must_use]
    pub fn with(mut self, received: Value) -> Self {
        self.received = Some(received);
        self
    }
}

/// Why a caller is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The call carries no credential.
    TokenMissing,
    /// The credential is not one of ours, or was altered.
    TokenMalformed,
    /// The access token has expired.
    TokenExpired,
    /// A refresh token that nobody issued, or that ran out.
    RefreshInvalid,
    /// The address or the password is wrong; the answer does not say which.
    Login,
    /// A password sent to confirm something is wrong.
    InvalidCredentials,
    /// The API key was revoked, or the secret was replaced and its grace is over.
    KeyRevoked,
    /// The API key has expired.
    KeyExpired,
    /// The share link opens by a password, and what came along does not open it.
    SharePasswordRequired,
    /// The password of the share link is wrong.
    SharePasswordWrong,
}

/// Why a known caller may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// The operator suspended the account.
    AccountSuspended,
    /// The account is deleted and waits for its purge.
    AccountDeleting,
    /// The session of the token was ended.
    SessionRevoked,
    /// The operator lets nobody register.
    SignupClosed,
    /// The last interactive proof is too long ago.
    ReauthRequired {
        /// Whether the account has a password to prove it with.
        by_password: bool,
    },
    /// The call aims at a workspace the caller does not belong to, or that the credential does not reach.
    WorkspaceMismatch,
    /// The route needs a user in person.
    RequiresUser,
    /// The session reaches one workspace only.
    RequiresLogin,
    /// The workspace role is too low.
    RequiresRole(Role),
    /// The level on the page is too low.
    RequiresLevel(Level),
    /// The key's scopes do not include the one that is needed.
    KeyScope(KeyScope),
    /// Apps are managed by owners and admins of their workspace.
    OauthRole,
    /// The app was not granted a scope that opens this; `None` where no scope does.
    AppScope(Option<AppScope>),
    /// The key may not be used from this address.
    AddressNotAllowed,
    /// The user owns as many workspaces as the operator allows.
    WorkspaceQuota,
    /// The workspace has as many members as it may.
    MemberQuota,
    /// The invitation is for another address.
    EmailMismatch,
    /// The mailbox of the account is not proven.
    EmailUnverified,
    /// The workspace leaves it to those who run it to open pages to the world.
    ShareLinksDisabled,
    /// The share link lets nobody copy what it shows.
    DuplicateNotAllowed,
    /// An entry on the page takes everything there from the caller by name.
    Excluded,
    /// The address of the bytes was not signed here, or was altered.
    SignatureInvalid,
    /// The address of the bytes worked for its time.
    SignatureExpired,
}

/// What stands against a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// A unique value is taken; the field is named.
    Taken(&'static str),
    /// A unique value is kept back; the field is named.
    Reserved(&'static str),
    /// A personal workspace stays as long as its account.
    PersonalWorkspace,
    /// A workspace always has an owner.
    LastOwner,
    /// The one-time token was used before.
    TokenUsed,
    /// The one-time token was revoked before it was used.
    TokenRevoked,
    /// The invitation waits for no answer any more.
    InvitationAnswered(InvitationState),
    /// A revoked API key stays as it is.
    KeyRevoked,
    /// The workspace has as many API keys in use as it may have.
    KeyLimit,
    /// A revoked share link stays as it is.
    ShareLinkRevoked,
    /// The access request was answered, or ran out.
    AlreadyDecided,
    /// A public app has no secret that could be replaced.
    PublicApp,
    /// The job has ended.
    JobFinished,
    /// The change rests on a version that is no longer there.
    Stale(Stale),
    /// The same of the version of a page that a batch of blocks names.
    StaleBase(Stale),
    /// Somebody keeps the page as it is.
    PageLocked {
        /// Who locked the page.
        by: UserId,
    },
    /// The page is in the trash.
    PageTrashed,
    /// Only what is in the trash is removed for good.
    NotTrashed,
    /// As many as there may be.
    LimitReached(u32),
    /// The idempotency key is in use by a call that is still running.
    InProgress,
}

/// What a change asks for that cannot be, though it is well said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprocessable {
    /// A page would stand under itself.
    CycleDetected,
    /// A page would lie deeper than pages may.
    MaxDepth,
    /// Databases hold records, not pages.
    DatabaseParent,
    /// More than one call copies.
    TooLarge,
    /// A page would hold more than pages may.
    PageTooLarge(PageLimit),
    /// Whom it names does not belong to the workspace.
    UnknownPrincipal,
    /// It would remove the caller's own access to the page.
    SelfLockout,
    /// Nobody joins by a link that only shows something.
    ViewOnlyLink,
}

impl Unprocessable {
    /// The name of the reason in the API.
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

/// Why a text does not become blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFlaw {
    /// Which of several edits; `None` where there is but one text.
    pub index: Option<usize>,
    /// What is wrong with it.
    pub problem: TextProblem,
}

/// What is wrong with a text or an edit of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextProblem {
    /// What is looked for is nowhere on the page.
    FindNotFound,
    /// It is in several places, and it was not said that all are meant.
    FindNotUnique {
        /// In how many places it was found.
        matches: usize,
    },
    /// The text names a block that is not on the page.
    UnknownBlock(BlockId),
    /// More bytes than that.
    TooLong {
        /// How many bytes a text may have.
        most: usize,
    },
    /// Blocks would lie deeper than blocks may.
    TooDeep,
    /// More blocks, cells or marks than one call makes.
    TooMuch {
        /// How many there may be.
        most: usize,
    },
    /// A block would stand in one that takes no such blocks.
    InvalidNesting,
}

/// What is wrong with one change of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockFlaw {
    /// Which one of a batch; `None` where there is but one.
    pub operation: Option<usize>,
    /// The part of the operation that fields are told from; `None` where it is sent without one around it.
    pub part: Option<&'static str>,
    /// What is wrong with the change.
    pub problem: BlockProblem,
}

/// Why a block cannot be changed like this.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockProblem {
    /// A field breaks a constraint.
    Invalid(Violation),
    /// The page has no such block.
    Unknown(&'static str),
    /// What a block is to stand in, or what it names, is not there for the caller. The field is named.
    Missing(&'static str),
    /// The id is in use.
    Taken(BlockId),
    /// The change was made for another version of the block.
    Stale(Stale),
    /// The parent does not take blocks of this type; `None` is the page.
    InvalidNesting {
        /// The block that would be put there.
        block: BlockId,
        /// The block that it would be put in; `None` is the page.
        parent: Option<BlockId>,
    },
    /// It would become its own descendant.
    CycleDetected(BlockId),
    /// The block, or one below it, would lie deeper than blocks may.
    MaxDepth(BlockId),
    /// An instance is changed through its source.
    SyncedReadonly {
        /// The block that the instance shows.
        source: BlockId,
    },
    /// An instance would show itself.
    SyncCycle(BlockId),
}

impl BlockFlaw {
    /// A problem of the operation with this index.
    pub const fn new(operation: usize, problem: BlockProblem) -> Self {
        Self { operation: Some(operation), part: None, problem }
    }

    /// The same, of a field in a part of the operation.
    #[must_use]
    pub fn within(self, part: Option<&'static str>) -> Self {
        Self { part, ..self }
    }

    /// The same, of an operation that is the only one and sent bare.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { operation: None, part: None, ..self }
    }
}

/// Why an app does not get what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OauthFlaw {
    /// The code or refresh token is unknown, used, over or not proven.
    InvalidGrant,
    /// It is not known which app asks.
    InvalidClient,
    /// It is known which app asks, and it is another one than it should be.
    OtherClient,
    /// A scope that the app does not offer, or that was not granted.
    InvalidScope,
    /// It asks in a way that this service does not offer.
    UnsupportedGrantType,
}

/// What the store could not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The database cannot be reached, is full or lost the transaction.
    Unavailable,
    /// Too much waits for it, or two units stood in each other's way.
    Busy,
    /// One statement took longer than a request may wait.
    Timeout,
}

/// Why work that takes the processor's time was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputeFault {
    /// As much as may wait is waiting.
    Busy,
    /// It was not done in time.
    Timeout,
    /// It broke off.
    Failed,
}

/// What bounds the content of a page.
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
    /// Whom the call names does not belong to the workspace.
    NoMember,
    /// An app does not get what it asks for.
    Oauth(OauthFlaw),
    /// A grant is narrowed by its owner; it is widened by consenting anew. The field is named that would widen it.
    GrantWidened(&'static str),
    /// The state of a thing stands against the change.
    Conflict(Conflict),
    /// The change is well formed, but cannot be made.
    Unprocessable(Unprocessable),
    /// Changes of blocks that cannot be made; there is at least one. None of their batch is made.
    Blocks(Cow<'static, [BlockFlaw]>),
    /// A text that does not become blocks.
    Text(TextFlaw),
    /// A batch of more than 200 operations.
    TooManyOperations,
    /// Blocks that the version of the page does not show; there is at least one.
    NotInVersion(Cow<'static, [BlockId]>),
    /// What is to be removed for good has to be spelled out.
    ConfirmRequired,
    /// A one-time token ran out.
    TokenExpired,
    /// The share link showed something for its time.
    ShareExpired,
    /// The event log does not reach back to where the caller wants to go on.
    HistoryLost {
        /// The oldest event that the log still holds.
        oldest: Option<EventMark>,
    },
    /// The bytes that the address leads to were removed.
    ContentGone,
    /// The requested range begins after the end of the bytes.
    OutOfRange {
        /// How many bytes there are.
        size: u64,
    },
    /// The workspace of the call is deleted and waits for its removal.
    WorkspaceDeleting,
    /// These workspaces would be left without an owner while they have other members.
    SoleOwner(Vec<WorkspaceId>),
    /// The idempotency key was used for another call.
    KeyReused,
    /// So many failed sign-ins for one address that unknown networks have to wait, in whole seconds.
    TooManyFailures {
        /// How long, in seconds.
        retry_after: u64,
    },
    /// Too many passwords wait to be hashed.
    HasherBusy,
    /// Work that takes the processor's time was not done.
    Compute(ComputeFault),
    /// The store could not do its part.
    Store(StoreError),
    /// An invariant of our own is broken. The text is for the log.
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
