//! The index that searches read.
//!
//! Each node has an index of its own, for all workspaces. It follows the event logs, and how far it has come in each
//! of them is part of it. It holds no texts, only which unit has which words where, so what is shown of a unit comes
//! from the store.

use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    cancellation::Cancellation,
    id::{BlockId, CommentId, DatabaseId, InvalidId, PageId, PropertyId, RecordId, UserId, WorkspaceId},
};
use octavo_search::{Class, Field, Fields, Query};
use std::{cmp::Ordering, fmt, str::FromStr, time::Duration};

/// Something that a search finds as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKey {
    /// A thread: the comment that begins it and its replies.
    Comment(CommentId),
    Database(DatabaseId),
    Page(PageId),
    /// A record with its page.
    Record(RecordId),
}

impl fmt::Display for UnitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comment(id) => id.fmt(f),
            Self::Database(id) => id.fmt(f),
            Self::Page(id) => id.fmt(f),
            Self::Record(id) => id.fmt(f),
        }
    }
}

impl FromStr for UnitKey {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let page = || text.parse().map(Self::Page);
        let record = || text.parse().map(Self::Record);
        let database = || text.parse().map(Self::Database);
        text.parse().map(Self::Comment).or_else(|_| database()).or_else(|_| page()).or_else(|_| record())
    }
}

impl UnitKey {
    pub const fn kind(self) -> UnitKind {
        match self {
            Self::Comment(_) => UnitKind::Comment,
            Self::Database(_) => UnitKind::Database,
            Self::Page(_) => UnitKind::Page,
            Self::Record(_) => UnitKind::Record,
        }
    }
}

/// The kinds of units, in the order of the prefixes of their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKind {
    Comment,
    Database,
    Page,
    Record,
}

impl UnitKind {
    pub const ALL: [Self; 4] = [Self::Comment, Self::Database, Self::Page, Self::Record];
}

/// A node of the tree of pages in short: the lower half of its id, all of it random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey(pub u64);

impl From<PageId> for NodeKey {
    #[expect(clippy::cast_possible_truncation, reason = "only the lower half is wanted")]
    fn from(id: PageId) -> Self {
        Self(id.bits() as u64)
    }
}

impl From<DatabaseId> for NodeKey {
    fn from(id: DatabaseId) -> Self {
        id.node().into()
    }
}

/// What decides who may view a text: its page. The page of a record may have no row of its own; then it is the database.
/// The index does not know which is the case, so that it need not follow how pages are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub page: NodeKey,
    /// The database, if the page is that of a record.
    pub database: Option<NodeKey>,
}

/// Where in a unit a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextPlace {
    Title,
    /// A block of the page, or the instance that shows one; `None` for the description of a database.
    Text(Option<BlockId>),
    Property(PropertyId),
    /// The comment that begins a thread, or one of its replies.
    Comment,
}

impl TextPlace {
    pub const fn field(self) -> Field {
        match self {
            Self::Title => Field::Title,
            Self::Text(_) => Field::Text,
            Self::Property(_) => Field::Property,
            Self::Comment => Field::Comment,
        }
    }
}

/// A text of a unit. No phrase goes from one text to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitText {
    pub place: TextPlace,
    pub text: String,
    /// Where the text comes from, if that is not the unit itself: the page of a linked record, or of a synced block. Who
    /// may not view that does not find the unit by this text.
    pub source: Option<Place>,
}

/// Something else that the texts of a unit depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dependency {
    /// The name of a person.
    User(UserId),
    /// The title of a linked record.
    Record(RecordId),
    /// The blocks of a page that instances show elsewhere.
    Blocks(PageId),
    /// A part of the properties of a database on which texts of records depend, as a number. The database itself depends
    /// on all of these parts, so that it is known whether its records were indexed with them.
    Schema(u64),
}

/// All that the index learns about a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub key: UnitKey,
    pub place: Place,
    /// Whether it is a record in the archive.
    pub is_archived: bool,
    pub created_by: Option<UserId>,
    pub updated_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub texts: Vec<UnitText>,
    pub depends_on: Vec<Dependency>,
}

/// What is no longer there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Removal {
    Unit(UnitKey),
    /// A node with what is on it: comments and, if it is a database, records.
    Node(NodeKey),
    /// Everything of the workspace, and how far its log was followed.
    Workspace,
}

/// How far an index has come in the log of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of the last event that it contains.
    pub up_to: i64,
    /// Whether everything has been indexed that was there before the events.
    pub is_complete: bool,
    /// What is still to be done, in a form that the index does not know; empty if nothing.
    pub rest: String,
}

/// Changes of one workspace, which take effect together.
#[derive(Clone, Debug)]
pub struct UnitChanges {
    pub workspace: WorkspaceId,
    /// Removals come first.
    pub removed: Vec<Removal>,
    /// New and changed units.
    pub units: Vec<Unit>,
    /// How far the log was followed with these changes; `None` if that is as before.
    pub progress: Option<Progress>,
}

/// The order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relevance,
    NewestChange,
    OldestChange,
    Newest,
    Oldest,
}

/// Times from the first one on, up to but not including the second one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    pub from: Option<Timestamp>,
    pub before: Option<Timestamp>,
}

/// What to find.
#[derive(Clone, Debug)]
pub struct Look {
    pub workspace: WorkspaceId,
    /// The words to find; `None` for everything that the rest lets through.
    pub query: Option<Query>,
    /// The fields in which to look for words.
    pub fields: Fields,
    pub kinds: Vec<UnitKind>,
    pub created_by: Option<UserId>,
    pub updated_by: Option<UserId>,
    pub created: TimeRange,
    pub updated: TimeRange,
    /// Whether to find records in the archive. Archived databases are a matter of the filter of nodes.
    pub with_archived: bool,
    pub order: Order,
    /// Where to continue.
    pub after: Option<Mark>,
    /// How many hits to return.
    pub limit: usize,
}

/// The place of a hit among the results of a search, after which the next page begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub class: Class,
    /// Score in thousandths. Zero without words.
    pub score: u32,
    /// The time by which hits are ordered; with the order by relevance that of the last change.
    pub time: Timestamp,
    pub key: UnitKey,
    /// How much each term of the query counted. The next page counts them in the same way, so that scores stay
    /// comparable while the index grows.
    pub weights: Vec<u32>,
}

impl Mark {
    /// Which of two hits of a search comes first.
    pub fn compare(&self, other: &Self, order: Order) -> Ordering {
        let by_time = match order {
            Order::OldestChange | Order::Oldest => self.time.cmp(&other.time),
            Order::NewestChange | Order::Newest => other.time.cmp(&self.time),
            Order::Relevance => {
                let (own, others) = ((self.class, other.score), (other.class, self.score));
                own.cmp(&others).then(other.time.cmp(&self.time))
            }
        };
        by_time.then(self.key.cmp(&other.key))
    }
}

/// A unit that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub key: UnitKey,
    pub place: Place,
    pub mark: Mark,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// The next certain hits, in their order: those that fit the query by texts that the caller may view.
    pub hits: Vec<Hit>,
    /// Units of which the filter shows the place, but not all sources, and whose texts have to be looked at to know
    /// whether the caller finds them: up to [`MAX_DOUBTFUL`], those behind the mark first, each part in its order. None
    /// of them is among the hits. Their scores do not count the texts in doubt.
    pub doubtful: Vec<Hit>,
    /// Whether there are more of them.
    pub doubtful_cut: bool,
    /// How many certain hits there are on all pages together, up to [`MAX_TOTAL`].
    pub total: usize,
    /// Whether there are certain hits behind the last one of these.
    pub has_more: bool,
}

/// Where the total stops.
pub const MAX_TOTAL: usize = 1_000;

/// How many hits in doubt are returned.
pub const MAX_DOUBTFUL: usize = 300;

/// What a caller may view.
pub trait NodeFilter: Sync {
    /// Whether the caller may view what has this place. Called for each candidate that would be counted, so it must not
    /// wait.
    fn shows(&self, place: Place) -> bool;

    /// The only nodes for which [`Self::shows`] can be true, if these are few: pages of places, or their databases.
    fn few(&self) -> Option<&[NodeKey]> {
        None
    }
}

/// A unit of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexedUnit {
    pub key: UnitKey,
    /// When it had last been changed.
    pub updated_at: Timestamp,
}

/// Why an index did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexFailure {
    /// Nobody waits for the answer any more.
    #[error("cancelled")]
    Cancelled,
    /// It is being opened or made anew, or its disk fails. The adapter has logged the latter.
    #[error("the index is not available")]
    Unavailable,
}

/// Whether an index can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There is none, because the program serves no searches.
    Disabled,
    Down,
    Open {
        /// How long the log that has waited longest has waited to be followed to its end.
        lag: Duration,
    },
}

/// The index of a node.
///
/// All methods but the asynchronous ones work at once, on the calling thread.
#[async_trait]
pub trait SearchIndex: Send + Sync {
    /// How far the index has come in the log of a workspace; `None` if it does not know the workspace. Cheap.
    fn progress(&self, workspace: WorkspaceId) -> Result<Option<Progress>, IndexFailure>;

    /// The workspaces that the index knows, with the last event that it contains of each.
    fn workspaces(&self) -> Result<Vec<(WorkspaceId, i64)>, IndexFailure>;

    /// Makes changes durable and visible, all at once: after a crash there are all of them or none.
    fn apply(&self, changes: Vec<UnitChanges>) -> Result<(), IndexFailure>;

    /// Finds units. This is work for the compute pool.
    fn find(&self, look: &Look, filter: &dyn NodeFilter, stop: &Cancellation) -> Result<Hits, IndexFailure>;

    /// Units after a key, in the order of their keys, whose texts depend on this.
    fn list_depending(
        &self,
        workspace: WorkspaceId,
        on: Dependency,
        after: Option<UnitKey>,
        limit: usize,
    ) -> Result<Vec<UnitKey>, IndexFailure>;

    /// The threads on a page.
    fn list_comments(&self, workspace: WorkspaceId, page: PageId) -> Result<Vec<CommentId>, IndexFailure>;

    /// Units after a key, in the order of their keys.
    fn list(
        &self,
        workspace: WorkspaceId,
        after: Option<UnitKey>,
        limit: usize,
    ) -> Result<Vec<IndexedUnit>, IndexFailure>;

    fn state(&self) -> IndexState;

    /// Asks for the index to come up to this event soon, and waits until it has, for this long at most. Returns whether
    /// it has.
    async fn reach(&self, workspace: WorkspaceId, sequence: i64, within: Duration) -> bool;
}

/// In place of an index, for programs that serve no searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIndex;

#[async_trait]
impl SearchIndex for NoIndex {
    fn progress(&self, _: WorkspaceId) -> Result<Option<Progress>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn workspaces(&self) -> Result<Vec<(WorkspaceId, i64)>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn apply(&self, _: Vec<UnitChanges>) -> Result<(), IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn find(&self, _: &Look, _: &dyn NodeFilter, _: &Cancellation) -> Result<Hits, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list_depending(
        &self,
        _: WorkspaceId,
        _: Dependency,
        _: Option<UnitKey>,
        _: usize,
    ) -> Result<Vec<UnitKey>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list_comments(&self, _: WorkspaceId, _: PageId) -> Result<Vec<CommentId>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list(&self, _: WorkspaceId, _: Option<UnitKey>, _: usize) -> Result<Vec<IndexedUnit>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn state(&self) -> IndexState {
        IndexState::Disabled
    }

    async fn reach(&self, _: WorkspaceId, _: i64, _: Duration) -> bool {
        false
    }
}
