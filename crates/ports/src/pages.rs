//! Pages: the tree of a workspace, the trash, and visits.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    grant::Grantee,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{AccessNode, ChildCount, Listed, Node, OpenPage, Page, PageFilter, PageMark, PageSort, Step, Trash, Visit},
    position::Position,
};

/// Pages in the trash to list.
#[derive(Clone, Debug, Default)]
pub struct TrashFilter {
    /// The pages that were trashed together with this one; by default the roots that were trashed by themselves.
    pub root: Option<PageId>,
    pub trashed_by: Option<UserId>,
    /// Only pages with one of these access nodes; by default all.
    pub within: Option<Vec<Node>>,
}

/// What one part of a removal of content has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemovedContent {
    /// Whether blocks of these pages may still have references.
    pub references_left: bool,
    /// How many pages at the beginning of the list have no content any more.
    pub complete: usize,
}

/// The size of a page and the pages below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubtreeSize {
    pub levels: u32,
    pub pages: u64,
}

/// What decides who may see a node of the tree, together with the nodes above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePlace {
    pub id: PageId,
    pub container: Node,
    /// Whether it has entries of its own.
    pub has_entries: bool,
    /// Whether it was moved to the trash by itself. Those that went along with it do not count.
    pub is_trash_root: bool,
    /// Whether it is a database in the archive.
    pub is_archived: bool,
}

#[async_trait]
pub trait PageReads: Send {
    /// A page, in the trash or not.
    async fn find(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>>;

    /// The pages from the root of the tree down to this one, including it; empty if it does not exist. One statement
    /// at any depth.
    async fn find_lineage(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<Step>>;

    /// Active pages in the requested order, after a mark of the same order.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &PageFilter,
        sort: PageSort,
        after: Option<&PageMark>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// The active pages in these containers, each container's in their order, up to a limit. `within` as in
    /// [`PageFilter`].
    async fn list_children(
        &mut self,
        workspace: WorkspaceId,
        containers: &[PageId],
        listed: Listed,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// The pages with these ids that exist, in no particular order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<Page>>;

    /// All nodes of the workspace, in the trash or not, in the order of their ids, after an id.
    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// The number of active children of these pages, grouped by their access node.
    async fn count_children(&mut self, workspace: WorkspaceId, parents: &[PageId]) -> StoreResult<Vec<ChildCount>>;

    /// The pages with entries of their own that inherit, and the given ones that have entries of their own;
    /// including the trash, up to a limit.
    async fn list_open_nodes(
        &mut self,
        workspace: WorkspaceId,
        and: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<AccessNode>>;

    /// The given pages that have entries of their own, and the nodes that they inherit from, up to the first
    /// that does not inherit. One statement for any number of levels.
    async fn list_access_chains(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>>;

    /// These pages and those below them that inherit, including the trash, up to a limit. One statement.
    async fn list_open(&mut self, workspace: WorkspaceId, roots: &[PageId], limit: u32) -> StoreResult<Vec<OpenPage>>;

    /// The pages in a page or a team that have a valid entry which gives one of these grantees a level.
    async fn list_nodes_given_to(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
    ) -> StoreResult<Vec<AccessNode>>;

    /// Which of these pages have entries of their own.
    async fn find_access_nodes(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>>;

    /// The pages below this one that have entries of their own.
    async fn list_access_nodes_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<AccessNode>>;

    /// Each of these pages that exists, with itself and with every page above it. One statement.
    async fn list_ids_above(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<(PageId, PageId)>>;

    /// The pages below this one, at any depth, including the trash. One statement.
    async fn list_ids_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<PageId>>;

    /// The places of all nodes of the workspace, in the order of their ids, after an id.
    async fn list_places(
        &mut self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u32,
    ) -> StoreResult<Vec<PagePlace>>;

    /// The places of the nodes with these ids that exist, in no particular order.
    async fn list_places_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<PagePlace>>;

    /// The places of all nodes below these, at any depth. One statement.
    async fn list_places_below(&mut self, workspace: WorkspaceId, roots: &[PageId]) -> StoreResult<Vec<PagePlace>>;

    /// How many active pages each of these teams has, at any depth; teams without pages are skipped.
    async fn count_by_team(&mut self, workspace: WorkspaceId, teams: &[TeamId]) -> StoreResult<Vec<(TeamId, u64)>>;

    /// The pages in the trash, last trashed first, after the given one.
    async fn list_trash(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        before: Option<(Timestamp, PageId)>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// How many pages were trashed together with each of these, not counting itself.
    async fn count_trashed_along(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
    ) -> StoreResult<Vec<(PageId, u64)>>;

    /// The active pages that a user visited, last visit first. `within` as in [`PageFilter`].
    async fn list_visited(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<(Page, Timestamp)>>;
}

/// Changes of the tree and of who may see it are made under the lock of the workspace.
#[async_trait]
pub trait Pages: PageReads {
    /// Inserts a page. Returns false, and writes nothing, if its id is taken in the workspace.
    async fn insert(&mut self, page: &Page) -> StoreResult<bool>;

    /// Inserts many pages at once, whose ids must be newly generated.
    async fn insert_many(&mut self, pages: &[Page]) -> StoreResult<()>;

    /// Finds a page and locks it until the unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>>;

    /// Saves everything of one page that may change.
    async fn save(&mut self, page: &Page) -> StoreResult<()>;

    /// The position of the last active page in a container.
    async fn find_last_position(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Option<Position>>;

    /// The position of the next active page after this one in its container, skipping `but`. It may be the same
    /// position: pages at the same position are ordered by the time of their creation.
    async fn find_next_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>>;

    /// The position of the active page right before this one in its container, skipping `but`.
    async fn find_previous_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>>;

    /// All pages in a container in their order, including those in the trash, which keep their place among the
    /// others.
    async fn list_in(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Vec<PageId>>;

    /// Gives pages new positions in their container without changing their order or version.
    async fn respread(&mut self, workspace: WorkspaceId, places: &[(PageId, Position)]) -> StoreResult<()>;

    /// The size of the subtree of a page. In the trash, only pages that were trashed together with it count, otherwise
    /// only active ones. Counting ends at `most` pages, if given; the levels are then those of the counted pages.
    async fn measure_subtree(&mut self, page: &Page, most: Option<u64>) -> StoreResult<SubtreeSize>;

    /// Changes the access node of a page and of the pages below it with the same access node. One statement.
    async fn move_access(&mut self, page: &Page, to: Node) -> StoreResult<()>;

    /// Moves all pages below this one to a team, or to none. One statement.
    async fn move_team_below(&mut self, page: &Page, team: Option<TeamId>) -> StoreResult<()>;

    /// Removes the team from all its pages and returns the number of active ones. Pages of a private team no longer
    /// inherit, so that nobody gains access.
    async fn release_from_team(&mut self, workspace: WorkspaceId, team: TeamId, is_private: bool) -> StoreResult<u64>;

    /// Moves a page and all active pages below it to the trash. Returns them with their access nodes.
    async fn trash(&mut self, page: &Page, trash: &Trash) -> StoreResult<Vec<(PageId, Node)>>;

    /// Restores a page from the trash, with the pages that were trashed together with it. Returns them with their
    /// access nodes.
    async fn untrash(&mut self, page: &Page, by: Option<UserId>, now: Timestamp) -> StoreResult<Vec<(PageId, Node)>>;

    /// Removes a page and all pages below it with their grants and whatever else leads to them, and returns the number
    /// of pages. [`Self::remove_content`] removes their content.
    async fn remove(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<u64>;

    /// Removes content of pages and databases that were removed: this many rows at most, and fewer if they are large.
    /// First the references that blocks of any of these pages make, then everything else, in the order of the list. The
    /// history of a page and the row of a database are removed last.
    async fn remove_content(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        limit: u32,
    ) -> StoreResult<RemovedContent>;

    /// Applies the present retention of the workspace to everything in its trash.
    async fn reschedule_purges(&mut self, workspace: WorkspaceId, retention_days: u32) -> StoreResult<()>;

    /// Trashed roots whose time is over, oldest first.
    async fn list_due(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, PageId)>>;

    /// All trashed roots of the workspace.
    async fn list_trash_roots(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<PageId>>;

    /// Records visits of pages. Visits of users who are not members are skipped, and an older visit never replaces a
    /// newer one.
    async fn save_visits(&mut self, visits: &[Visit]) -> StoreResult<()>;
}
