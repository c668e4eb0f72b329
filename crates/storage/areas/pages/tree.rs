//! The shape of the tree: ancestors, descendants, and positions among siblings.
//!
//! Walks are recursive statements, written by hand because diesel cannot express them. Both engines number the
//! parameters `$1`, `$2` in the order in which each first appears.

use super::super::{
    Scope,
    dialect::{ListType, among, list},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::pages::{StepColumns, StepRow},
    schema::pages,
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_core_model::{
    id::{PageId, TeamId, WorkspaceId},
    page::{Node, Page, Step},
    position::{BEHIND_PAGES, Position},
};
use octavo_ports::{pages::SubtreeSize, store::StoreResult};
use std::collections::BTreeMap;

/// The pages in a container, without databases, which have no order among themselves.
macro_rules! pages_of {
    ($workspace:expr, $container:expr) => {
        pages::table
            .filter(pages::workspace_id.eq(Stored($workspace)))
            .filter(pages::container_id.eq(Stored($container)))
            .filter(pages::position.lt(BEHIND_PAGES))
    };
}

/// The active ones among them.
macro_rules! siblings {
    ($workspace:expr, $container:expr) => {
        pages_of!($workspace, $container).filter(pages::trashed_at.is_null())
    };
}

/// Puts the steps to a page in order. The statement returns them in any order, because sorting there costs more.
fn from_root(steps: impl Iterator<Item = Step>, id: PageId) -> Vec<Step> {
    let mut steps: BTreeMap<_, _> = steps.map(|step| (step.id, step)).collect();
    let mut lineage = Vec::with_capacity(steps.len());
    let mut next = Some(id);
    while let Some(step) = next.and_then(|id| steps.remove(&id)) {
        next = step.container.page();
        lineage.push(step);
    }
    lineage.reverse();
    lineage
}

impl Scope {
    pub(super) async fn lineage(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<Step>> {
        // Only a root page can be in a team, so teams are not searched for the other pages.
        let walk = sql_query(format!(
            "WITH RECURSIVE lineage (id, kind, container_id, access_id, inherit, title, icon) AS ( \
                 SELECT id, kind, container_id, access_id, inherit, title, icon FROM pages \
                 WHERE workspace_id = $1 AND id = $2 \
                 UNION ALL \
                 SELECT p.id, p.kind, p.container_id, p.access_id, p.inherit, p.title, p.icon \
                 FROM lineage AS l JOIN pages AS p ON p.workspace_id = $1 AND p.id = l.container_id) \
             SELECT l.id, l.kind, l.container_id, l.access_id, l.inherit, l.title, l.icon, \
                 CASE WHEN substr(l.container_id, 1, {}) = '{}' THEN \
                     (SELECT t.is_private FROM teams AS t WHERE t.workspace_id = $1 AND t.id = l.container_id) END, \
                 EXISTS (SELECT 1 FROM share_links AS s \
                     WHERE s.workspace_id = $1 AND s.resource_id = l.id AND s.revoked_at IS NULL) \
             FROM lineage AS l",
            TeamId::PREFIX.len(),
            TeamId::PREFIX,
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(id));
        let walked = self.all::<StepRow, _>(walk.columns::<StepColumns>().prepared()).await?;
        Ok(from_root(walked.into_iter().map(Step::from), id))
    }

    /// For an active page this counts the active pages below it, for a page in the trash those that were deleted with
    /// it. The condition hides what it compares from PostgreSQL's planner, which would expect it to leave next to nothing.
    pub(super) async fn subtree_size(&mut self, page: &Page, most: Option<u64>) -> StoreResult<SubtreeSize> {
        let walk = sql_query(
            "WITH RECURSIVE below (id, depth) AS ( \
                 SELECT id, 1 FROM pages WHERE workspace_id = $1 AND id = $2 \
                 UNION ALL \
                 SELECT p.id, b.depth + 1 FROM below AS b \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = b.id \
                     AND CASE WHEN COALESCE(p.trash_root_id, '') = $3 THEN TRUE ELSE FALSE END) \
             SELECT CAST(COALESCE(MAX(depth), 0) AS BIGINT), count(*) \
             FROM (SELECT depth FROM below LIMIT $4) AS counted",
        )
        .bind::<Text, _>(Stored(page.workspace))
        .bind::<Text, _>(Stored(page.id))
        .bind::<Text, _>(page.trash.map_or_else(String::new, |trash| trash.root.to_string()))
        .bind::<BigInt, _>(most.and_then(|most| i64::try_from(most).ok()).unwrap_or(i64::MAX));
        let (levels, pages) = self.one::<(i64, i64), _>(walk.columns::<(BigInt, BigInt)>().prepared()).await?;
        Ok(SubtreeSize { levels: u32::try_from(levels).unwrap_or(u32::MAX), pages: pages.unsigned_abs() })
    }

    pub(super) async fn page_ids_above(
        &mut self,
        workspace: WorkspaceId,
        ids: &[PageId],
    ) -> StoreResult<Vec<(PageId, PageId)>> {
        let climb = sql_query(format!(
            "WITH RECURSIVE above (start, id, container_id) AS ( \
                 SELECT id, id, container_id FROM pages WHERE workspace_id = $1 AND id {} \
                 UNION ALL \
                 SELECT a.start, p.id, p.container_id FROM above AS a \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.id = a.container_id) \
             SELECT start, id FROM above",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(ids.iter().copied()));
        let found = self.all::<(Stored<PageId>, Stored<PageId>), _>(climb.columns::<(Text, Text)>().prepared()).await?;
        Ok(found.into_iter().map(|(page, above)| (page.0, above.0)).collect())
    }

    pub(super) async fn page_ids_below(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<Vec<PageId>> {
        let walk = sql_query(
            "WITH RECURSIVE below (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND container_id = $2 \
                 UNION ALL \
                 SELECT p.id FROM below AS b JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = b.id) \
             SELECT id FROM below",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(id));
        let found = self.all::<Stored<PageId>, _>(walk.columns::<Text>().prepared()).await?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }

    pub(super) async fn put_below_into_team(&mut self, page: &Page, team: Option<TeamId>) -> StoreResult<()> {
        let update = sql_query(
            "WITH RECURSIVE below (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND container_id = $2 \
                 UNION ALL \
                 SELECT p.id FROM below AS b JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = b.id) \
             UPDATE pages SET team_id = $3 WHERE workspace_id = $1 AND id IN (SELECT id FROM below)",
        )
        .bind::<Text, _>(Stored(page.workspace))
        .bind::<Text, _>(Stored(page.id))
        .bind::<Nullable<Text>, _>(team.map(Stored));
        self.execute(update.prepared()).await.map(drop)
    }

    pub(super) async fn last_position(
        &mut self,
        workspace: WorkspaceId,
        container: Node,
    ) -> StoreResult<Option<Position>> {
        let last = siblings!(workspace, container).order(pages::position.desc()).limit(1).select(pages::position);
        Ok(self.optional::<Stored<Position>, _>(last).await?.map(|position| position.0))
    }

    pub(super) async fn next_position(&mut self, page: &Page, but: Option<PageId>) -> StoreResult<Option<Position>> {
        let (position, made, id) = rank(page);
        let tied = pages::position.eq(position.clone());
        let younger = pages::created_at.gt(made).or(pages::created_at.eq(made).and(pages::id.gt(id)));
        // The position alone is a redundant bound, which lets the index find the place.
        let next = siblings!(page.workspace, page.container)
            .filter(pages::position.ge(position.clone()))
            .filter(pages::position.gt(position).or(tied.and(younger)))
            .filter(pages::id.ne(name(but)))
            .order((pages::position, pages::created_at, pages::id))
            .limit(1)
            .select(pages::position);
        Ok(self.optional::<Stored<Position>, _>(next).await?.map(|position| position.0))
    }

    pub(super) async fn previous_position(
        &mut self,
        page: &Page,
        but: Option<PageId>,
    ) -> StoreResult<Option<Position>> {
        let (position, made, id) = rank(page);
        let tied = pages::position.eq(position.clone());
        let older = pages::created_at.lt(made).or(pages::created_at.eq(made).and(pages::id.lt(id)));
        let previous = siblings!(page.workspace, page.container)
            .filter(pages::position.le(position.clone()))
            .filter(pages::position.lt(position).or(tied.and(older)))
            .filter(pages::id.ne(name(but)))
            .order((pages::position.desc(), pages::created_at.desc(), pages::id.desc()))
            .limit(1)
            .select(pages::position);
        Ok(self.optional::<Stored<Position>, _>(previous).await?.map(|position| position.0))
    }

    pub(super) async fn pages_in(&mut self, workspace: WorkspaceId, container: Node) -> StoreResult<Vec<PageId>> {
        let all =
            pages_of!(workspace, container).order((pages::position, pages::created_at, pages::id)).select(pages::id);
        Ok(self.all::<Stored<PageId>, _>(all).await?.into_iter().map(|id| id.0).collect())
    }
}

/// The values that order a page among its siblings.
fn rank(page: &Page) -> (Stored<Position>, i64, Stored<PageId>) {
    (Stored(page.position.clone()), page.created_at.millis(), Stored(page.id))
}

/// No page has an empty id.
fn name(but: Option<PageId>) -> String {
    but.map_or_else(String::new, |id| id.to_string())
}
