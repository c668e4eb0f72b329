//! What decides who may see pages, for many of them at once.

use super::super::{
    Scope,
    dialect::{ListType, among, list},
};
use crate::{
    prepared::{Columns, Prepare},
    stored::Stored,
};
use diesel::{
    sql_query,
    sql_types::{Bool, Text},
};
use octavo_core_model::{
    id::{DatabaseId, PageId, WorkspaceId},
    page::Node,
};
use octavo_ports::{pages::PagePlace, store::StoreResult};

type Row = (Stored<PageId>, Stored<Node>, bool, bool, bool);
type RowColumns = (Text, Text, Bool, Bool, Bool);

/// Selects places from a table `p`. A database has the body of its node's id.
fn select(from: &str) -> String {
    format!(
        "SELECT p.id, p.container_id, p.access_id = p.id, \
             CASE WHEN p.trash_root_id = p.id THEN TRUE ELSE FALSE END, \
             CASE WHEN p.kind = 'database' THEN EXISTS (SELECT 1 FROM databases AS d \
                 WHERE d.workspace_id = $1 AND d.id = '{}' || substr(p.id, {}) AND d.archived_at IS NOT NULL) \
             ELSE FALSE END \
         FROM {from} WHERE p.workspace_id = $1",
        DatabaseId::PREFIX,
        PageId::PREFIX.len() + 1,
    )
}

fn place((id, container, has_entries, is_trash_root, is_archived): Row) -> PagePlace {
    PagePlace { id: id.0, container: container.0, has_entries, is_trash_root, is_archived }
}

impl Scope {
    pub(super) async fn places(
        &mut self,
        workspace: WorkspaceId,
        after: Option<PageId>,
        limit: u32,
    ) -> StoreResult<Vec<PagePlace>> {
        // No page has an empty id, and all ids are behind it.
        let after = after.map_or_else(String::new, |id| id.to_string());
        let next = sql_query(format!("{} AND p.id > $2 ORDER BY p.id LIMIT {limit}", select("pages AS p")))
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(after);
        let rows = self.all::<Row, _>(next.columns::<RowColumns>().prepared()).await?;
        Ok(rows.into_iter().map(place).collect())
    }

    pub(super) async fn places_by_id(&mut self, workspace: WorkspaceId, ids: &[PageId]) -> StoreResult<Vec<PagePlace>> {
        let found = sql_query(format!("{} AND p.id {}", select("pages AS p"), among(2)))
            .bind::<Text, _>(Stored(workspace))
            .bind::<ListType, _>(list(ids.iter().copied()));
        let rows = self.all::<Row, _>(found.columns::<RowColumns>().prepared()).await?;
        Ok(rows.into_iter().map(place).collect())
    }

    pub(super) async fn places_below(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
    ) -> StoreResult<Vec<PagePlace>> {
        let below = sql_query(format!(
            "WITH RECURSIVE below (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND container_id {} \
                 UNION \
                 SELECT n.id FROM below AS b JOIN pages AS n ON n.workspace_id = $1 AND n.container_id = b.id) \
             {}",
            among(2),
            select("below AS b JOIN pages AS p ON p.workspace_id = $1 AND p.id = b.id"),
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(roots.iter().copied()));
        let rows = self.all::<Row, _>(below.columns::<RowColumns>().prepared()).await?;
        Ok(rows.into_iter().map(place).collect())
    }
}
