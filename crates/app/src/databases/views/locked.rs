//! A database that is locked for a change of its views.

use super::shown::views_of;
use crate::{
    access::WorkspaceCaller,
    databases::{access::SeenDatabase, events::emit_view},
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    scope::Unit,
};
use octavo_core_model::{
    Level,
    event::databases::DatabaseChange,
    id::{DatabaseId, ViewId},
};
use octavo_databases::{Schema, views::View};
use octavo_permissions::Authority;
use std::sync::Arc;

/// A database that is locked for a change of its views.
pub(super) struct LockedViews<'a> {
    pub(super) seen: SeenDatabase<'a>,
    pub(super) schema: Arc<Schema>,
    /// All views in their order.
    pub(super) views: Vec<View>,
}

impl<'a> LockedViews<'a> {
    /// Locks the database that a call names, for a caller that may edit it.
    pub(super) async fn lock(
        unit: &mut Unit,
        caller: &WorkspaceCaller,
        authority: &'a Authority,
        id: &Draft<DatabaseId>,
    ) -> AppResult<Option<Self>> {
        let Some(node) = page_access::lock(unit, caller.workspace, authority, id).await? else { return Ok(None) };
        need(authority, node.lineage.level(), Level::Edit)?;
        let database = unit.tx.databases().lock(caller.workspace, node.page.id.as_database()).await?;
        let Some(database) = database else { return Ok(None) };
        let schema = schema_of(unit, &database).await?;
        let views = views_of(unit, caller.workspace, &schema).await?;
        Ok(Some(Self { seen: SeenDatabase { node, database }, schema, views }))
    }

    /// Takes the view that a call names out of the others, with its place among them.
    pub(super) fn take(&mut self, id: Draft<ViewId>) -> Option<(usize, View)> {
        let id = id.ok()?;
        let index = self.views.iter().position(|view| view.id == id)?;
        Some((index, self.views.remove(index)))
    }

    /// Saves a view that existed before.
    pub(super) async fn save(&self, unit: &mut Unit, view: &View) -> AppResult<()> {
        let database = &self.seen.database;
        unit.tx.databases().save_view(database.workspace, database.id, &view.to_stored()).await?;
        Ok(())
    }

    /// Records that the views of the database have changed, and reports how.
    pub(super) async fn report(mut self, unit: &mut Unit, change: DatabaseChange, view: ViewId) -> AppResult<()> {
        let (node, database) = (&mut self.seen.node.page, &mut self.seen.database);
        node.updated_at = unit.call.now;
        database.updated_at = unit.call.now;
        unit.tx.pages().save(node).await?;
        unit.tx.databases().save(database).await?;
        emit_view(unit, node, database.schema.version, change, view);
        Ok(())
    }
}
