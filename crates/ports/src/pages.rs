//! Pages: the tree of a workspace, what is in the trash, and who looked at what.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    grant::Grantee,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{AccessNode, ChildCount, Node, OpenPage, Page, PageFilter, PageMark, PageSort, Step, Trash, Visit},
    position::Position,
};

/// Trash roots to list.
#[derive(Clone, Debug, Default)]
pub struct TrashFilter {
    /// Every page that went along with this one; otherwise only those that took others along.
    pub root: Option<PageId>,
    pub trashed_by: Option<UserId>,
    /// Only pages that inherit from one of these nodes; all pages when left out.
    pub within: Option<Vec<Node>>,
}

#[async_trait]
pub trait PageReads: Send {
    /// A page, in the trash or not.
    async fn find(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>>;

    /// The pages from the root of the tree down to this one, itself the last; empty where there is no such page. One statement, however
    /// deep it lies.
    async fn find_lineage(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<Step>>;

    /// Active pages in an order, after a mark of the same order.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &PageFilter,
        sort: PageSort,
        after: Option<&PageMark>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// The active pages in these containers, each container's in their order, at most so many of them. `within` as in [`PageFilter`].
    async fn list_children(
        &mut self,
        workspace: WorkspaceId,
        containers: &[PageId],
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// The pages with these ids that exist, in no particular order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<Page>>;

    /// The number of active children of these nodes, by the node that they inherit from.
    async fn count_children(&mut self, workspace: WorkspaceId, parents: &[PageId]) -> StoreResult<Vec<ChildCount>>;

    /// The pages with entries of their own into which access flows from above, and those of these pages that have entries of their own; in the
    /// trash or not, at most so many.
    async fn list_open_nodes(
        &mut self,
        workspace: WorkspaceId,
        and: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<AccessNode>>;

    /// Those of these pages that have entries of their own, and the nodes from which access flows into them: up to the first that does not inherit.
    /// One statement, however many levels there are.
    async fn list_access_chains(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>>;

    /// These pages and those below them into which access flows, in the trash or not; at most so many. One statement.
    async fn list_open(&mut self, workspace: WorkspaceId, roots: &[PageId], limit: u32) -> StoreResult<Vec<OpenPage>>;

    /// The pages that stand in a page or a team and have an entry that counts now and gives one of these something.
    async fn list_nodes_given_to(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
    ) -> StoreResult<Vec<AccessNode>>;

    /// The pages among these that have entries of their own.
    async fn find_access_nodes(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>>;

    /// The pages below this one that have entries of their own.
    async fn list_access_nodes_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<AccessNode>>;

    /// The pages below this one, at any depth, in the trash or not. One statement.
    async fn list_ids_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<PageId>>;

    /// How many active pages each of these teams has, at the root and below; one without any is left out.
    async fn count_by_team(&mut self, workspace: WorkspaceId, teams: &[TeamId]) -> StoreResult<Vec<(TeamId, u64)>>;

    /// The pages in the trash, last trashed first, after the given place.
    async fn list_trash(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        before: Option<(Timestamp, PageId)>,
        limit: u32,
    ) -> StoreResult<Vec<Page>>;

    /// How many pages went into the trash along with each of these, themselves not counted.
    async fn count_trashed_along(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
    ) -> StoreResult<Vec<(PageId, u64)>>;

    /// The active pages somebody looked at, last visit first. `within` as in [`PageFilter`].
    async fn list_visited(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<(Page, Timestamp)>>;
}

/// Changes to the shape of the tree, or to who may see it, are made under the lock of the workspace.
#[async_trait]
pub trait Pages: PageReads {
    /// Writes a new page; false, and nothing written, when its id is taken in the workspace.
    async fn insert(&mut self, page: &Page) -> StoreResult<bool>;

    /// Writes many new pages at once; their ids were drawn here.
    async fn insert_many(&mut self, pages: &[Page]) -> StoreResult<()>;

    /// Finds a page and locks it until the unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>>;

    /// Saves everything of one page that may change.
    async fn save(&mut self, page: &Page) -> StoreResult<()>;

    /// The place of the last active page in a container.
    async fn find_last_position(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Option<Position>>;

    /// The place of the active page that comes next behind this one in its container, `but` left out. It may be the same place: pages at one
    /// place stand in the order in which they were made.
    async fn find_next_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>>;

    /// The place of the active page that comes right before this one in its container, `but` left out.
    async fn find_previous_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>>;

    /// All pages in a container in their order, those in the trash included: they keep their place among the others.
    async fn list_in(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Vec<PageId>>;

    /// Puts pages at other places of the container they stand in, which is no change of theirs.
    async fn respread(&mut self, workspace: WorkspaceId, places: &[(PageId, Position)]) -> StoreResult<()>;

    /// How many levels of pages there are from this one down, itself counted. In the trash, those count that went along with it.
    async fn measure_height(&mut self, page: &Page) -> StoreResult<u32>;

    /// Has the page, and the pages below it that are read from the same node, read from another one. One statement.
    async fn move_access(&mut self, page: &Page, to: Node) -> StoreResult<()>;

    /// Puts all pages below this one into a team, or into none. One statement.
    async fn move_team_below(&mut self, page: &Page, team: Option<TeamId>) -> StoreResult<()>;

    /// Takes the team from all pages that have it; those of a private team inherit no more, so that nobody gains access. Says how many
    /// active pages went on without.
    async fn release_from_team(&mut self, workspace: WorkspaceId, team: TeamId, is_private: bool) -> StoreResult<u64>;

    /// Puts a page and all active ones below it into the trash; returns which, and what each is read from.
    async fn trash(&mut self, page: &Page, trash: &Trash) -> StoreResult<Vec<(PageId, Node)>>;

    /// Takes a page out of the trash, with those below it that went along with it; returns which, and what each is read from.
    async fn untrash(&mut self, page: &Page, by: Option<UserId>, now: Timestamp) -> StoreResult<Vec<(PageId, Node)>>;

    /// Removes a page and all pages below it with their grants, and returns how many pages.
    async fn remove(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<u64>;

    /// Applies the workspace's current retention to everything in its trash.
    async fn reschedule_purges(&mut self, workspace: WorkspaceId, retention_days: u32) -> StoreResult<()>;

    /// The trash roots whose time is over, oldest first.
    async fn list_due(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, PageId)>>;

    /// Every trash root of the workspace.
    async fn list_trash_roots(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<PageId>>;

    /// Records visits to pages; visits of people who are not members are skipped, and an older visit changes nothing.
    async fn save_visits(&mut self, visits: &[Visit]) -> StoreResult<()>;
}
