//! Pages: implements the traits of the port with the statements in the other files of this folder.

mod access;
mod lists;
mod places;
mod trash;
mod tree;

use super::{
    Scope,
    dialect::{self, locked, one_of},
};
use crate::{prepared::Prepare, rows::pages::PageRow, schema::pages, stored::Stored};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp,
    grant::Grantee,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{AccessNode, ChildCount, Listed, Node, OpenPage, Page, PageFilter, PageMark, PageSort, Step, Trash, Visit},
    position::Position,
};
use octavo_ports::{
    pages::{PagePlace, PageReads, Pages, RemovedContent, SubtreeSize, TrashFilter},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl PageReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>> {
        let page = pages::table.find((Stored(workspace), Stored(id))).select(PageRow::as_select());
        Ok(self.optional(page).await?.map(Page::from))
    }

    async fn find_lineage(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<Step>> {
        self.lineage(workspace, id).await
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &PageFilter,
        sort: PageSort,
        after: Option<&PageMark>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        self.pages_in_order(workspace, filter, sort, after, limit).await
    }

    async fn list_children(
        &mut self,
        workspace: WorkspaceId,
        containers: &[PageId],
        listed: Listed,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        self.children(workspace, containers, listed, within, limit).await
    }

    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<Page>> {
        let found = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::id, ids.iter().copied().map(Stored)))
            .select(PageRow::as_select());
        Ok(self.all::<PageRow, _>(found).await?.into_iter().map(Page::from).collect())
    }

    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        let list = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(pages::id.gt(after.map_or_else(String::new, |id| id.to_string())))
            .order(pages::id)
            .limit(limit.into())
            .select(PageRow::as_select());
        Ok(self.all::<PageRow, _>(list).await?.into_iter().map(Page::from).collect())
    }

    async fn count_children(&mut self, workspace: WorkspaceId, parents: &[PageId]) -> StoreResult<Vec<ChildCount>> {
        self.child_counts(workspace, parents).await
    }

    async fn list_open_nodes(
        &mut self,
        workspace: WorkspaceId,
        and: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<AccessNode>> {
        self.open_nodes(workspace, and, limit).await
    }

    async fn list_access_chains(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>> {
        self.access_chains(workspace, ids).await
    }

    async fn list_open(&mut self, workspace: WorkspaceId, roots: &[PageId], limit: u32) -> StoreResult<Vec<OpenPage>> {
        self.open_pages(workspace, roots, limit).await
    }

    async fn list_nodes_given_to(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
    ) -> StoreResult<Vec<AccessNode>> {
        self.nodes_given_to(workspace, grantees, now).await
    }

    async fn find_access_nodes(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<AccessNode>> {
        self.access_nodes_among(workspace, ids).await
    }

    async fn list_access_nodes_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<AccessNode>> {
        self.access_nodes_below(workspace, id).await
    }

    async fn list_ids_above(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<(PageId, PageId)>> {
        self.page_ids_above(workspace, ids).await
    }

    async fn list_ids_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<PageId>> {
        self.page_ids_below(workspace, id).await
    }

    async fn list_places(
        &mut self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u32,
    ) -> StoreResult<Vec<PagePlace>> {
        self.places(workspace, after, limit).await
    }

    async fn list_places_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<PagePlace>> {
        self.places_by_id(workspace, ids).await
    }

    async fn list_places_below(&mut self, workspace: WorkspaceId, roots: &[PageId]) -> StoreResult<Vec<PagePlace>> {
        self.places_below(workspace, roots).await
    }

    async fn count_by_team(&mut self, workspace: WorkspaceId, teams: &[TeamId]) -> StoreResult<Vec<(TeamId, u64)>> {
        self.team_page_counts(workspace, teams).await
    }

    async fn list_trash(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        before: Option<(Timestamp, PageId)>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        self.pages_in_trash(workspace, filter, before, limit).await
    }

    async fn count_trashed_along(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
    ) -> StoreResult<Vec<(PageId, u64)>> {
        self.trashed_along(workspace, roots).await
    }

    async fn list_visited(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<(Page, Timestamp)>> {
        self.visited(workspace, user, within, limit).await
    }
}

#[area]
impl Pages for Scope {
    async fn insert(&mut self, page: &Page) -> StoreResult<bool> {
        let row = PageRow::from(page);
        let insert = diesel::insert_into(pages::table)
            .values(&row)
            .on_conflict((pages::workspace_id, pages::id))
            .do_nothing()
            .prepared();
        Ok(self.execute(insert).await? == 1)
    }

    async fn insert_many(&mut self, pages: &[Page]) -> StoreResult<()> {
        let rows = pages.iter().map(PageRow::from).collect();
        let answer = dialect::insert_pages(self.conn().await?, rows).await;
        self.checked(answer)
    }

    async fn lock(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Option<Page>> {
        let page = pages::table.find((Stored(workspace), Stored(id))).select(PageRow::as_select());
        Ok(self.optional(locked!(page)).await?.map(Page::from))
    }

    async fn save(&mut self, page: &Page) -> StoreResult<()> {
        let row = pages::table.find((Stored(page.workspace), Stored(page.id)));
        self.execute(diesel::update(row).set(PageRow::from(page)).prepared()).await.map(drop)
    }

    async fn find_last_position(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Option<Position>> {
        self.last_position(workspace, container).await
    }

    async fn find_next_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>> {
        self.next_position(page, but).await
    }

    async fn find_previous_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>> {
        self.previous_position(page, but).await
    }

    async fn list_in(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Vec<PageId>> {
        self.pages_in(workspace, container).await
    }

    async fn respread(&mut self, workspace: WorkspaceId, places: &[(PageId, Position)]) -> StoreResult<()> {
        let answer = dialect::move_pages(self.conn().await?, workspace, places).await;
        self.checked(answer)
    }

    async fn measure_subtree(&mut self, page: &Page, most: Option<u64>) -> StoreResult<SubtreeSize> {
        self.subtree_size(page, most).await
    }

    async fn move_access(&mut self, page: &Page, to: Node) -> StoreResult<()> {
        self.reroute_access(page, to).await
    }

    async fn move_team_below(&mut self, page: &Page, team: Option<TeamId>) -> StoreResult<()> {
        self.put_below_into_team(page, team).await
    }

    async fn release_from_team(&mut self, workspace: WorkspaceId, team: TeamId, is_private: bool) -> StoreResult<u64> {
        self.release_team(workspace, team, is_private).await
    }

    async fn trash(&mut self, page: &Page, trash: &Trash) -> StoreResult<Vec<(PageId, Node)>> {
        self.put_into_trash(page, trash).await
    }

    async fn untrash(&mut self, page: &Page, by: Option<UserId>, now: Timestamp) -> StoreResult<Vec<(PageId, Node)>> {
        self.take_out_of_trash(page, by, now).await
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<u64> {
        self.remove_subtree(workspace, id).await
    }

    async fn remove_content(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        limit: u32,
    ) -> StoreResult<RemovedContent> {
        self.remove_content_of_pages(workspace, pages, limit).await
    }

    async fn reschedule_purges(&mut self, workspace: WorkspaceId, retention_days: u32) -> StoreResult<()> {
        self.reschedule(workspace, retention_days).await
    }

    async fn list_due(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, PageId)>> {
        self.due_roots(now, limit).await
    }

    async fn list_trash_roots(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<PageId>> {
        self.trash_roots(workspace).await
    }

    async fn save_visits(&mut self, visits: &[Visit]) -> StoreResult<()> {
        for visit in visits {
            self.put_visit(visit).await?;
        }
        Ok(())
    }
}
