//! Lists of pages.

use super::super::{
    Db, Scope,
    dialect::{IN_SUBQUERY, one_of},
};
use crate::{
    prepared::Prepare,
    rows::pages::{ChildCountRow, PageRow},
    schema::{page_visits, pages, share_links as links},
    stored::Stored,
};
use diesel::{
    dsl::{count_star, not, sql},
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Text},
};
use octavo_core_model::{
    Timestamp,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{
        ChildCount, Listed, Node, Page, PageFilter, PageKind, PageMark, PageOrder, PageSort, PublicAccess, Roots, Visit,
    },
};
use octavo_ports::store::StoreResult;

/// Continues after a position in the order of a column and the id. The first condition is redundant, but lets the
/// index find the position.
macro_rules! behind {
    ($query:expr, $column:expr, $descending:expr, $key:expr, $id:expr) => {{
        let (key, id) = ($key, Stored($id));
        if $descending {
            $query.filter($column.le(key.clone())).filter($column.lt(key).or(pages::id.lt(id)))
        } else {
            $query.filter($column.ge(key.clone())).filter($column.gt(key).or(pages::id.gt(id)))
        }
    }};
}

/// Orders by a column and the id, both in the same direction.
macro_rules! in_order {
    ($query:expr, $column:expr, $descending:expr) => {
        if $descending { $query.order(($column.desc(), pages::id.desc())) } else { $query.order(($column, pages::id)) }
    };
}

/// The pages that have a valid link of their own now.
macro_rules! linked {
    ($workspace:expr, $now:expr) => {
        links::table
            .filter(links::workspace_id.eq(Stored($workspace)))
            .filter(links::revoked_at.is_null())
            .filter(links::expires_at.is_null().or(links::expires_at.gt($now.millis())))
            .select(links::resource_id)
    };
}

/// The same as `linked`, for a condition that is negated: PostgreSQL could go through the whole list for each row.
macro_rules! is_linked {
    ($workspace:expr, $now:expr) => {
        sql::<Bool>("pages.id ")
            .sql(IN_SUBQUERY.0)
            .sql("SELECT resource_id FROM share_links WHERE revoked_at IS NULL AND workspace_id = ")
            .bind::<Text, _>(Stored($workspace))
            .sql(" AND (expires_at IS NULL OR expires_at > ")
            .bind::<BigInt, _>($now.millis())
            .sql(")")
            .sql(IN_SUBQUERY.1)
    };
}

/// Whether page `p` excludes nobody at a given time. The caller appends the time and three closing brackets.
const EXCLUDES_NOBODY: &str = "(p.access_id <> p.id OR NOT EXISTS ( \
     SELECT 1 FROM access_grants AS g \
     WHERE g.workspace_id = p.workspace_id AND g.resource_id = p.id AND g.level = 'NONE' \
         AND (g.expires_at IS NULL OR g.expires_at > ";

/// Whether a valid link of a page above also shows this page.
macro_rules! shown_from_above {
    ($workspace:expr, $now:expr) => {
        sql::<Bool>("pages.id ")
            .sql(IN_SUBQUERY.0)
            .sql(
                "WITH RECURSIVE shown (id) AS ( \
                     SELECT p.id FROM share_links AS s \
                     JOIN pages AS p \
                         ON p.workspace_id = s.workspace_id AND p.container_id = s.resource_id AND p.inherit \
                     WHERE s.include_children AND s.revoked_at IS NULL AND s.workspace_id = ",
            )
            .bind::<Text, _>(Stored($workspace))
            .sql(" AND (s.expires_at IS NULL OR s.expires_at > ")
            .bind::<BigInt, _>($now.millis())
            .sql(") AND ")
            .sql(EXCLUDES_NOBODY)
            .bind::<BigInt, _>($now.millis())
            .sql(
                "))) UNION SELECT p.id FROM shown AS o \
                 JOIN pages AS p ON p.container_id = o.id AND p.inherit AND p.workspace_id = ",
            )
            .bind::<Text, _>(Stored($workspace))
            .sql(" AND ")
            .sql(EXCLUDES_NOBODY)
            .bind::<BigInt, _>($now.millis())
            .sql(")))) SELECT id FROM shown")
            .sql(IN_SUBQUERY.1)
    };
}

/// The kinds that a list contains.
fn kinds(listed: Listed) -> impl Iterator<Item = Stored<PageKind>> {
    let kinds: &[PageKind] = match listed {
        Listed::Pages => &[PageKind::Page],
        Listed::PagesAndRecords => &[PageKind::Page, PageKind::Record],
        Listed::PagesAndDatabases => &[PageKind::Page, PageKind::Database],
        Listed::Databases => &[PageKind::Database],
    };
    kinds.iter().copied().map(Stored)
}

fn stored(nodes: &[Node]) -> Vec<Stored<Node>> {
    nodes.iter().copied().map(Stored).collect()
}

impl Scope {
    #[allow(clippy::too_many_lines, reason = "one statement, condition by condition")]
    pub(super) async fn pages_in_order(
        &mut self,
        workspace: WorkspaceId,
        filter: &PageFilter,
        sort: PageSort,
        after: Option<&PageMark>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        let mut list = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(pages::trashed_at.is_null())
            .filter(one_of!(pages::kind, kinds(filter.listed)))
            .limit(limit.into())
            .select(PageRow::as_select())
            .into_boxed::<Db>();
        list = match filter.place {
            None => list,
            Some(Roots::In(node)) => list.filter(pages::container_id.eq(Stored(node))),
            Some(Roots::Anywhere) => list.filter(
                pages::container_id.eq(Stored(workspace)).or(pages::container_id.nullable().eq(pages::team_id)),
            ),
        };
        if let Some(team) = filter.team {
            list = list.filter(pages::team_id.eq(Stored(team)));
        }
        if let Some(user) = filter.created_by {
            list = list.filter(pages::created_by.eq(Stored(user)));
        }
        if let Some(time) = filter.updated_after {
            list = list.filter(pages::updated_at.gt(time.millis()));
        }
        if let Some(nodes) = &filter.within {
            list = list.filter(one_of!(pages::access_id, stored(nodes)));
        }
        if let Some(ids) = &filter.among {
            list = list.filter(one_of!(pages::id, ids.iter().copied().map(Stored)));
        }
        list = match filter.public {
            None => list,
            Some((PublicAccess::Direct, now)) => list.filter(pages::id.eq_any(linked!(workspace, now))),
            Some((PublicAccess::Inherited, now)) => {
                list.filter(not(is_linked!(workspace, now))).filter(shown_from_above!(workspace, now))
            }
            Some((PublicAccess::None, now)) => {
                list.filter(not(is_linked!(workspace, now))).filter(not(shown_from_above!(workspace, now)))
            }
        };
        list = match after {
            None => list,
            Some(PageMark::Position { position, created_at, id }) => {
                let (position, at) = (Stored(position.clone()), created_at.millis());
                let later = pages::created_at.gt(at).or(pages::created_at.eq(at).and(pages::id.gt(Stored(*id))));
                list.filter(pages::position.ge(position.clone())).filter(pages::position.gt(position).or(later))
            }
            Some(PageMark::Title { key, id }) => {
                behind!(list, pages::title_key, sort.descending, key.to_owned(), *id)
            }
            Some(PageMark::Time { at, id }) if sort.by == PageOrder::Created => {
                behind!(list, pages::created_at, sort.descending, at.millis(), *id)
            }
            Some(PageMark::Time { at, id }) => behind!(list, pages::updated_at, sort.descending, at.millis(), *id),
        };
        let list = match sort.by {
            PageOrder::Position => list.order((pages::position, pages::created_at, pages::id)),
            PageOrder::Title => in_order!(list, pages::title_key, sort.descending),
            PageOrder::Created => in_order!(list, pages::created_at, sort.descending),
            PageOrder::Updated => in_order!(list, pages::updated_at, sort.descending),
        };
        Ok(self.all::<PageRow, _>(list).await?.into_iter().map(Page::from).collect())
    }

    pub(super) async fn children(
        &mut self,
        workspace: WorkspaceId,
        containers: &[PageId],
        listed: Listed,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        let mut list = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::kind, kinds(listed)))
            .filter(one_of!(pages::container_id, containers.iter().copied().map(Stored)))
            .filter(pages::trashed_at.is_null())
            .order((pages::container_id, pages::position, pages::created_at, pages::id))
            .limit(limit.into())
            .select(PageRow::as_select())
            .into_boxed::<Db>();
        if let Some(nodes) = within {
            list = list.filter(one_of!(pages::access_id, stored(nodes)));
        }
        Ok(self.all::<PageRow, _>(list).await?.into_iter().map(Page::from).collect())
    }

    pub(super) async fn child_counts(
        &mut self,
        workspace: WorkspaceId,
        parents: &[PageId],
    ) -> StoreResult<Vec<ChildCount>> {
        let counts = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::container_id, parents.iter().copied().map(Stored)))
            .filter(pages::kind.eq(Stored(PageKind::Page)))
            .filter(pages::trashed_at.is_null())
            .group_by((pages::container_id, pages::access_id))
            .select((pages::container_id, pages::access_id, count_star()));
        Ok(self.all::<ChildCountRow, _>(counts).await?.into_iter().map(ChildCount::from).collect())
    }

    pub(super) async fn team_page_counts(
        &mut self,
        workspace: WorkspaceId,
        teams: &[TeamId],
    ) -> StoreResult<Vec<(TeamId, u64)>> {
        let counts = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::team_id, teams.iter().copied().map(Stored)))
            .filter(pages::kind.eq(Stored(PageKind::Page)))
            .filter(pages::trashed_at.is_null())
            .group_by(pages::team_id)
            .select((pages::team_id, count_star()));
        let counts = self.all::<(Option<Stored<TeamId>>, i64), _>(counts).await?.into_iter();
        Ok(counts.filter_map(|(team, count)| Some((team?.0, count.unsigned_abs()))).collect())
    }

    pub(super) async fn visited(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        within: Option<&[Node]>,
        limit: u32,
    ) -> StoreResult<Vec<(Page, Timestamp)>> {
        let same = pages::workspace_id.eq(page_visits::workspace_id).and(pages::id.eq(page_visits::page_id));
        let mut list = page_visits::table
            .inner_join(pages::table.on(same))
            .filter(page_visits::workspace_id.eq(Stored(workspace)))
            .filter(page_visits::user_id.eq(Stored(user)))
            .filter(pages::trashed_at.is_null())
            .order((page_visits::visited_at.desc(), page_visits::page_id.desc()))
            .limit(limit.into())
            .select((PageRow::as_select(), page_visits::visited_at))
            .into_boxed::<Db>();
        if let Some(nodes) = within {
            list = list.filter(one_of!(pages::access_id, stored(nodes)));
        }
        let shown = |(page, at): (PageRow, i64)| (page.into(), Timestamp::from_millis(at));
        Ok(self.all::<(PageRow, i64), _>(list).await?.into_iter().map(shown).collect())
    }

    pub(super) async fn put_visit(&mut self, visit: &Visit) -> StoreResult<()> {
        let insert = sql_query(
            "INSERT INTO page_visits (workspace_id, user_id, page_id, visited_at) \
             SELECT $1, $2, $3, $4 FROM memberships WHERE workspace_id = $1 AND user_id = $2 \
             ON CONFLICT (workspace_id, user_id, page_id) DO UPDATE SET visited_at = excluded.visited_at \
             WHERE excluded.visited_at > page_visits.visited_at",
        )
        .bind::<Text, _>(Stored(visit.workspace))
        .bind::<Text, _>(Stored(visit.user))
        .bind::<Text, _>(Stored(visit.page))
        .bind::<BigInt, _>(visit.at.millis());
        self.execute(insert.prepared()).await.map(drop)
    }
}
