//! Which pages have grants of their own, and from which page the others take their access.

use super::super::{
    Scope,
    dialect::{ListType, among, list, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::pages::{AccessNodeColumns, AccessNodeRow, OpenPageColumns, OpenPageRow},
    schema::pages,
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use octavo_core_model::{
    Level, Timestamp,
    grant::Grantee,
    id::{PageId, TeamId, WorkspaceId},
    page::{AccessNode, Node, OpenPage, Page},
};
use octavo_ports::store::StoreResult;

impl Scope {
    pub(super) async fn open_nodes(
        &mut self,
        workspace: WorkspaceId,
        and: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<AccessNode>> {
        let nodes = sql_query(format!(
            "SELECT n.id, n.container_id, n.inherit, o.access_id AS outer_id FROM ( \
                 SELECT id, container_id, inherit FROM pages WHERE workspace_id = $1 AND has_entries AND inherit \
                 UNION ALL \
                 SELECT id, container_id, inherit FROM pages \
                 WHERE workspace_id = $1 AND id {} AND access_id = id AND NOT inherit \
                 LIMIT {limit}) AS n \
             LEFT JOIN pages AS o ON o.workspace_id = $1 AND o.id = n.container_id",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(and.iter().copied()));
        Ok(self
            .all::<AccessNodeRow, _>(nodes.columns::<AccessNodeColumns>().prepared())
            .await?
            .into_iter()
            .map(AccessNode::from)
            .collect())
    }

    pub(super) async fn access_chains(
        &mut self,
        workspace: WorkspaceId,
        ids: &[PageId],
    ) -> StoreResult<Vec<AccessNode>> {
        // A node above two of them is returned once.
        let climb = sql_query(format!(
            "WITH RECURSIVE chain (id, container_id, inherit, outer_id) AS ( \
                 SELECT n.id, n.container_id, n.inherit, o.access_id FROM pages AS n \
                 LEFT JOIN pages AS o ON o.workspace_id = $1 AND o.id = n.container_id \
                 WHERE n.workspace_id = $1 AND n.id {} AND n.access_id = n.id \
                 UNION \
                 SELECT n.id, n.container_id, n.inherit, o.access_id FROM chain AS c \
                 JOIN pages AS n ON n.workspace_id = $1 AND n.id = c.outer_id \
                 LEFT JOIN pages AS o ON o.workspace_id = $1 AND o.id = n.container_id \
                 WHERE c.inherit) \
             SELECT id, container_id, inherit, outer_id FROM chain",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(ids.iter().copied()));
        Ok(self
            .all::<AccessNodeRow, _>(climb.columns::<AccessNodeColumns>().prepared())
            .await?
            .into_iter()
            .map(AccessNode::from)
            .collect())
    }

    pub(super) async fn open_pages(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<OpenPage>> {
        // A root below another one is returned once.
        let walk = sql_query(format!(
            "WITH RECURSIVE open (id, container_id, inherit, outer_id, access_id) AS ( \
                 SELECT n.id, n.container_id, n.inherit, o.access_id, n.access_id FROM pages AS n \
                 LEFT JOIN pages AS o ON o.workspace_id = $1 AND o.id = n.container_id \
                 WHERE n.workspace_id = $1 AND n.id {} \
                 UNION \
                 SELECT n.id, n.container_id, n.inherit, o.access_id, n.access_id FROM open AS o \
                 JOIN pages AS n ON n.workspace_id = $1 AND n.container_id = o.id AND n.inherit) \
             SELECT id, container_id, inherit, outer_id, access_id FROM open LIMIT {limit}",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(roots.iter().copied()));
        Ok(self
            .all::<OpenPageRow, _>(walk.columns::<OpenPageColumns>().prepared())
            .await?
            .into_iter()
            .map(OpenPage::from)
            .collect())
    }

    pub(super) async fn nodes_given_to(
        &mut self,
        workspace: WorkspaceId,
        grantees: &[Grantee],
        now: Timestamp,
    ) -> StoreResult<Vec<AccessNode>> {
        // `DISTINCT` over the join would make SQLite copy the table of pages first.
        let nodes = sql_query(format!(
            "SELECT n.id, n.container_id, n.inherit, o.access_id AS outer_id FROM ( \
                 SELECT DISTINCT resource_id FROM access_grants WHERE workspace_id = $1 AND grantee {} \
                     AND (expires_at IS NULL OR expires_at > $3) AND level <> $4) AS g \
             JOIN pages AS n ON n.workspace_id = $1 AND n.id = g.resource_id AND n.container_id <> $1 \
             LEFT JOIN pages AS o ON o.workspace_id = $1 AND o.id = n.container_id",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(grantees.iter().cloned()))
        .bind::<BigInt, _>(now.millis())
        .bind::<Text, _>(Stored(Level::None));
        Ok(self
            .all::<AccessNodeRow, _>(nodes.columns::<AccessNodeColumns>().prepared())
            .await?
            .into_iter()
            .map(AccessNode::from)
            .collect())
    }

    pub(super) async fn access_nodes_among(
        &mut self,
        workspace: WorkspaceId,
        ids: &[PageId],
    ) -> StoreResult<Vec<AccessNode>> {
        // The caller knows what contains these pages; where the containers take their access from is not returned.
        let found = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::id, ids.iter().copied().map(Stored)))
            .filter(pages::access_id.eq(pages::id))
            .select((pages::id, pages::container_id, pages::inherit));
        let node = |(id, container, inherit): (Stored<PageId>, Stored<Node>, bool)| AccessNode {
            id: id.0,
            container: container.0,
            outer: container.0,
            inherit,
        };
        Ok(self.all::<(Stored<PageId>, Stored<Node>, bool), _>(found).await?.into_iter().map(node).collect())
    }

    pub(super) async fn access_nodes_below(
        &mut self,
        workspace: WorkspaceId,
        id: PageId,
    ) -> StoreResult<Vec<AccessNode>> {
        let walk = sql_query(
            "WITH RECURSIVE below (id, container_id, access_id, inherit, outer_id) AS ( \
                 SELECT p.id, p.container_id, p.access_id, p.inherit, o.access_id FROM pages AS o \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = o.id \
                 WHERE o.workspace_id = $1 AND o.id = $2 \
                 UNION ALL \
                 SELECT p.id, p.container_id, p.access_id, p.inherit, b.access_id FROM below AS b \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = b.id) \
             SELECT id, container_id, inherit, outer_id FROM below WHERE access_id = id",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(id));
        Ok(self
            .all::<AccessNodeRow, _>(walk.columns::<AccessNodeColumns>().prepared())
            .await?
            .into_iter()
            .map(AccessNode::from)
            .collect())
    }

    /// The pages below a page that take their access from the same node are connected. The condition hides what it
    /// compares from PostgreSQL's planner: with statistics from before a move it assumes that a node has two pages,
    /// and then compares five thousand with each other.
    pub(super) async fn reroute_access(&mut self, page: &Page, to: Node) -> StoreResult<()> {
        let update = sql_query(
            "WITH RECURSIVE same (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND id = $2 \
                 UNION ALL \
                 SELECT p.id FROM same AS s \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = s.id \
                     AND CASE WHEN p.access_id = $3 THEN TRUE ELSE FALSE END) \
             UPDATE pages SET access_id = $4 WHERE workspace_id = $1 AND id IN (SELECT id FROM same)",
        )
        .bind::<Text, _>(Stored(page.workspace))
        .bind::<Text, _>(Stored(page.id))
        .bind::<Text, _>(Stored(page.access))
        .bind::<Text, _>(Stored(to));
        self.execute(update.prepared()).await.map(drop)
    }

    pub(super) async fn release_team(
        &mut self,
        workspace: WorkspaceId,
        team: TeamId,
        is_private: bool,
    ) -> StoreResult<u64> {
        let count = sql_query(
            "SELECT COUNT(*) FROM pages \
             WHERE workspace_id = $1 AND team_id = $2 AND kind = 'page' AND trashed_at IS NULL",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(team));
        let released = self.one::<i64, _>(count.columns::<BigInt>().prepared()).await?.unsigned_abs();
        if is_private {
            self.cut_off_roots(workspace, team).await?;
        }
        // Pages that still take their access from the team take it from the workspace from now on.
        let update = sql_query(
            "UPDATE pages SET team_id = $1, \
                 access_id = CASE WHEN access_id = $2 THEN $3 ELSE access_id END, \
                 container_id = CASE WHEN container_id = $2 THEN $3 ELSE container_id END \
             WHERE workspace_id = $3 AND team_id = $2",
        )
        .bind::<Nullable<Text>, _>(None::<String>)
        .bind::<Text, _>(Stored(team))
        .bind::<Text, _>(Stored(workspace));
        self.execute(update.prepared()).await?;
        Ok(released)
    }

    /// The roots of a private team become nodes of their own, with no grants and nothing inherited.
    async fn cut_off_roots(&mut self, workspace: WorkspaceId, team: TeamId) -> StoreResult<()> {
        let roots = sql_query(
            "UPDATE pages SET inherit = $1, grants_version = grants_version + 1 \
             WHERE workspace_id = $2 AND container_id = $3 RETURNING id",
        )
        .bind::<Bool, _>(false)
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(team));
        if self.all::<String, _>(roots.columns::<Text>().prepared()).await?.is_empty() {
            return Ok(());
        }
        let update = sql_query(
            "WITH RECURSIVE same (id, root) AS ( \
                 SELECT id, id FROM pages WHERE workspace_id = $1 AND container_id = $2 AND access_id = $2 \
                 UNION ALL \
                 SELECT p.id, s.root FROM same AS s \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = s.id AND p.access_id = $2) \
             UPDATE pages SET access_id = same.root FROM same \
             WHERE pages.workspace_id = $1 AND pages.id = same.id",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(team));
        self.execute(update.prepared()).await.map(drop)
    }
}
