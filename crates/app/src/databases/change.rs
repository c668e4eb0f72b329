//! Changing the fields of a database, and archiving it.

use super::{
    access::SeenDatabase,
    events::emit_updated,
    shown::{DatabaseDetails, details},
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need, lock, require_writable},
    pages::refuse_files,
    scope::Unit,
};
use octavo_core_model::{
    Level,
    event::FieldChanges,
    fault::Conflict,
    id::{DatabaseId, UserId},
    page::PageChange,
    text::{DatabaseDescription, DatabaseTitle, PageIcon},
};
use serde_json::{Value, json};

/// A change of a database; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct DatabaseUpdate {
    pub title: Option<DatabaseTitle>,
    /// `Some(None)` removes it.
    pub icon: Option<Option<PageIcon>>,
    /// `Some(None)` removes it.
    pub description: Option<Option<DatabaseDescription>>,
    pub is_archived: Option<bool>,
}

/// Changes title, icon or description of a database, or archives it. `is_archived` is the state in the draft, which
/// needs full access even if the rest of the draft is flawed.
pub async fn update(
    unit: &mut Unit,
    id: Draft<DatabaseId>,
    is_archived: Draft<Option<bool>>,
    draft: Draft<DatabaseUpdate>,
) -> AppResult<DatabaseDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let Some(node) = lock(unit, caller.workspace, &authority, &id).await? else { return Err(unit.absent().await) };
    let database = unit.tx.databases().lock(caller.workspace, node.page.id.as_database()).await?;
    let Some(database) = database else { return Err(unit.absent().await) };
    let archives =
        is_archived.is_ok_and(|wanted| wanted.is_some_and(|wanted| wanted != database.archived_at.is_some()));
    need(&authority, node.lineage.level(), if archives { Level::FullAccess } else { Level::Edit })?;
    unit.claim().await?;
    let wanted = draft?;
    require_writable(&node.page)?;
    if database.archived_at.is_some() && wanted.is_archived != Some(false) {
        return Err(Conflict::DatabaseArchived.into());
    }
    refuse_files(wanted.icon.as_ref().and_then(Option::as_ref))?;
    let mut seen = SeenDatabase { node, database };
    let changes = apply(unit, &mut seen, wanted, caller.author());
    if !changes.changed_fields.is_empty() {
        unit.tx.pages().save(&seen.node.page).await?;
        unit.tx.databases().save(&seen.database).await?;
        emit_updated(unit, &seen.node.page, seen.database.schema.version, changes);
    }
    details(unit, seen).await
}

fn apply(unit: &Unit, seen: &mut SeenDatabase<'_>, wanted: DatabaseUpdate, by: UserId) -> FieldChanges {
    let now = unit.call.now;
    let (node, database) = (&mut seen.node.page, &mut seen.database);
    let mut changes = FieldChanges::default();
    let mut report = |field: &'static str, before: Value, after: Value| {
        changes.changed_fields.push(field);
        changes.before.insert(field.to_owned(), before);
        changes.after.insert(field.to_owned(), after);
    };
    let before = (node.title.clone(), node.icon.clone());
    let change =
        PageChange { title: wanted.title.map(DatabaseTitle::of_node), icon: wanted.icon, ..PageChange::default() };
    for field in node.apply(change, by, now) {
        match field {
            "title" => report(field, json!(before.0), json!(node.title)),
            _ => report(field, json!(before.1), json!(node.icon)),
        }
    }
    if let Some(description) = wanted.description.filter(|new| *new != database.description) {
        report("description", json!(database.description), json!(description));
        database.description = description;
    }
    if let Some(archived) = wanted.is_archived.filter(|wanted| *wanted != database.archived_at.is_some()) {
        report("archived", json!(!archived), json!(archived));
        database.archived_at = archived.then_some(now);
    }
    if !changes.changed_fields.is_empty() {
        database.updated_at = now;
        node.updated_at = now;
        node.updated_by = Some(by);
    }
    changes
}
