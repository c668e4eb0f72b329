//! Events of pages.

use super::{FieldChanges, Location, MAX_LISTED, NodeFields, Payload, block_mention::BlockMention};
use crate::{
    event::Resource,
    id::{BlockId, PageId, PageVersionId, TeamId},
    name::named,
    page::{Page, ResourceId},
    text::{Name, PageTitle},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The data of every event about a page, and the data of its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfPage<T> {
    page_id: PageId,
    team_id: Option<TeamId>,
    version: i64,
    #[serde(flatten)]
    more: T,
    #[serde(skip)]
    location: Location,
}

/// The data of one type of event about a page.
pub trait OnPage: Serialize + Sized {
    /// What the description shows.
    fn example() -> Self;

    /// One for each further form that it can have; see [`Payload::more_examples`].
    fn more_examples() -> Vec<Self> {
        Vec::new()
    }
}

impl<T> OfPage<T> {
    /// The event of this page.
    pub fn new(page: &Page, more: T) -> Self {
        let location = Location::of_node(page);
        Self { page_id: page.id, team_id: page.team, version: page.version, more, location }
    }

    fn example_with(more: T) -> Self {
        let (page_id, team_id) = (PageId::EXAMPLE, Some(TeamId::EXAMPLE));
        Self { page_id, team_id, version: 7, more, location: Location::of_page(page_id, team_id) }
    }
}

impl<T: OnPage> Payload for OfPage<T> {
    fn resource(&self) -> Resource {
        Resource::Page(self.page_id)
    }

    fn location(&self) -> Location {
        self.location
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        Self::example_with(T::example())
    }

    fn more_examples() -> Vec<Self> {
        let location = Location::of_page(PageId::EXAMPLE, None);
        let without_team = Self { team_id: None, location, ..Self::example() };
        [without_team].into_iter().chain(T::more_examples().into_iter().map(Self::example_with)).collect()
    }
}

named! {
    /// The kind of a page's parent.
    ParentType {
        Workspace = "workspace",
        Page = "page",
        Database = "database",
    }
}

named! {
    /// How a page was created, if not from scratch.
    MadeBy {
        Import = "import",
        Duplicate = "duplicate",
    }
}

/// How a page was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum PageCreated {
    /// A new page.
    Made {
        /// The title that it began with.
        title: PageTitle,
        /// The kind of thing it was put in.
        parent_type: ParentType,
        /// The page or database it was put in, if it was put in one.
        parent_id: Option<ResourceId>,
        /// How it was made, unless somebody simply created it.
        #[serde(skip_serializing_if = "Option::is_none")]
        via: Option<MadeBy>,
        /// Whom its blocks mention, unless they come from a document; the first [`MAX_LISTED`](super::MAX_LISTED).
        #[serde(skip_serializing_if = "Vec::is_empty")]
        new_mentions: Vec<BlockMention>,
    },
    /// The root of a copy.
    Copied {
        /// Always `duplicate`.
        via: MadeBy,
        /// The page that was copied.
        source_page_id: PageId,
        /// How many pages were made, the root included.
        page_count: usize,
    },
}

impl PageCreated {
    /// The root of a copy of this page, with this many pages in all.
    pub const fn copy_of(source: PageId, page_count: usize) -> Self {
        Self::Copied { via: MadeBy::Duplicate, source_page_id: source, page_count }
    }
}

impl OnPage for PageCreated {
    fn example() -> Self {
        Self::Made {
            title: PageTitle::from_stored("Roadmap".to_owned()),
            parent_type: ParentType::Page,
            parent_id: Some(PageId::EXAMPLE.into()),
            via: None,
            new_mentions: vec![BlockMention::example()],
        }
    }

    fn more_examples() -> Vec<Self> {
        let imported = Self::Made {
            title: PageTitle::from_stored("Roadmap".to_owned()),
            parent_type: ParentType::Workspace,
            parent_id: None,
            via: Some(MadeBy::Import),
            new_mentions: Vec::new(),
        };
        vec![imported, Self::copy_of(PageId::EXAMPLE, 4)]
    }
}

/// A document became a page, or a table became records of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageImported {
    #[serde(flatten)]
    node: NodeFields,
    version: i64,
    title: PageTitle,
    format: &'static str,
}

impl PageImported {
    /// The event of this page or database. The format of a table is `csv`.
    pub fn new(node: &Page, format: &'static str) -> Self {
        Self { node: NodeFields::of(node), version: node.version, title: node.title.clone(), format }
    }
}

impl Payload for PageImported {
    fn resource(&self) -> Resource {
        self.node.resource()
    }

    fn location(&self) -> Location {
        self.node.location()
    }

    fn version(&self) -> Option<i64> {
        Some(self.version)
    }

    fn example() -> Self {
        let title = PageTitle::from_stored("Roadmap".to_owned());
        Self { node: NodeFields::example(), version: 7, title, format: "markdown" }
    }

    fn more_examples() -> Vec<Self> {
        NodeFields::more_examples().map(|node| Self { node, ..Self::example() }).into_iter().collect()
    }
}

/// Fields or blocks were changed. Blocks are only mentioned: their changes are in `blocks.changed`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PageUpdated {
    /// Which fields changed; blocks are not described here.
    pub changes: FieldChanges,
}

impl OnPage for PageUpdated {
    fn example() -> Self {
        Self { changes: FieldChanges::example("title", "Plan", "Roadmap") }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { changes: FieldChanges { changed_fields: vec!["blocks"], ..FieldChanges::default() } }]
    }
}

/// The place of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePlace {
    /// The page or database above it, if there is one.
    pub parent: Option<ResourceId>,
    /// The team that it belongs to.
    pub team: Option<TeamId>,
    /// The key of its place among its siblings.
    pub position: String,
}

impl PagePlace {
    fn fields(&self) -> Map<String, Value> {
        Map::from_iter([
            ("parentId".to_owned(), json!(self.parent)),
            ("teamId".to_owned(), json!(self.team)),
            ("position".to_owned(), json!(self.position)),
        ])
    }
}

/// A page was moved; contains the complete old and new place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PageMoved {
    changes: FieldChanges,
}

impl PageMoved {
    /// The event of a page that moved from one place to another.
    pub fn new(before: &PagePlace, after: &PagePlace) -> Self {
        let (before, after) = (before.fields(), after.fields());
        let fields = ["parentId", "teamId", "position"].into_iter();
        let changed_fields = fields.filter(|name| before.get(*name) != after.get(*name)).collect();
        Self { changes: FieldChanges { changed_fields, before, after } }
    }
}

impl OnPage for PageMoved {
    fn example() -> Self {
        let place = |position: &str| PagePlace {
            parent: Some(PageId::EXAMPLE.into()),
            team: Some(TeamId::EXAMPLE),
            position: position.to_owned(),
        };
        Self::new(&place("a1"), &place("a2"))
    }
}

/// A page was moved to the trash, with all pages below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageTrashed {
    /// The pages among them that every reader of the event may see; the first [`MAX_LISTED`].
    pub page_ids: Vec<PageId>,
    /// How many there are of these, listed or not. Pages below with entries of their own have events of their own.
    pub trashed_count: u64,
}

impl OnPage for PageTrashed {
    fn example() -> Self {
        Self { page_ids: vec![PageId::EXAMPLE], trashed_count: 1 }
    }
}

/// A page was restored from the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRestored {
    /// The pages among them that every reader of the event may see; the first [`MAX_LISTED`].
    pub page_ids: Vec<PageId>,
    /// How many there are of these, listed or not. Pages below with entries of their own have events of their own.
    pub restored_count: u64,
    /// Whether it is in another place than before.
    pub relocated: bool,
    /// The page or database that it is under now, if it is under one.
    pub parent_id: Option<ResourceId>,
}

impl OnPage for PageRestored {
    fn example() -> Self {
        let parent_id = Some(PageId::EXAMPLE.into());
        Self { page_ids: vec![PageId::EXAMPLE], restored_count: 1, relocated: false, parent_id }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { parent_id: None, ..Self::example() }]
    }
}

/// A page was deleted permanently, with all pages below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageDeleted {
    /// `user`, `empty_trash` or `retention`.
    pub via: &'static str,
    /// How many pages went, the page itself included.
    pub page_count: u64,
}

impl OnPage for PageDeleted {
    fn example() -> Self {
        Self { via: "user", page_count: 4 }
    }
}

/// A version was saved on request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageVersionCreated {
    /// The version.
    pub version_id: PageVersionId,
    /// The name that somebody gave it.
    pub label: Option<Name>,
}

impl OnPage for PageVersionCreated {
    fn example() -> Self {
        Self { version_id: PageVersionId::EXAMPLE, label: Some(Name::from_stored("Before the launch".to_owned())) }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { label: None, ..Self::example() }]
    }
}

/// A page, or some of its blocks, was set back to an earlier version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageVersionRestored {
    /// The version that was restored.
    pub version_id: PageVersionId,
    /// The number of the page's version that the restored state has.
    pub page_version: i64,
    /// The blocks that are as they were then; the first [`MAX_LISTED`].
    pub restored_block_ids: Vec<BlockId>,
    /// How many these are, listed or not.
    pub restored_count: u64,
    /// The blocks that did not exist then and are deleted; the first [`MAX_LISTED`].
    pub removed_block_ids: Vec<BlockId>,
    /// How many these are, listed or not.
    pub removed_count: u64,
}

impl PageVersionRestored {
    /// Lists blocks as far as an event lists them.
    pub fn new(version_id: PageVersionId, page_version: i64, restored: &[BlockId], removed: &[BlockId]) -> Self {
        let listed = |ids: &[BlockId]| ids.iter().copied().take(MAX_LISTED).collect();
        Self {
            version_id,
            page_version,
            restored_block_ids: listed(restored),
            restored_count: restored.len() as u64,
            removed_block_ids: listed(removed),
            removed_count: removed.len() as u64,
        }
    }
}

impl OnPage for PageVersionRestored {
    fn example() -> Self {
        Self::new(PageVersionId::EXAMPLE, 4, &[BlockId::EXAMPLE], &[])
    }

    fn more_examples() -> Vec<Self> {
        vec![Self::new(PageVersionId::EXAMPLE, 4, &[], &[BlockId::EXAMPLE])]
    }
}
