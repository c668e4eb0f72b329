//! Deleting a record.

use super::{
    access::{self, HeldDatabase, Hold},
    own_page,
};
use crate::{
    access::{RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    page_access::lineage::need,
    pages::trash::{remove_below, remove_content},
    record_values::{title_of, values_of},
    relations::other_sides_of_removed,
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        Chain, EventPayload, EventType, Resource,
        records::{NoDetails, OfRecord},
    },
    fault::Confirmed,
    id::RecordId,
    version::Expected,
};
use serde_json::json;

/// A deletion, and the version that it is based on.
#[derive(Clone, Debug, Default)]
pub struct Deletion {
    /// Must name the record.
    pub confirmation: Option<String>,
    pub expected: Option<Expected>,
}

/// Deletes a record with its page and everything below that. Its parts become records without a parent, and records that
/// show a link to it lose the link.
pub async fn delete(unit: &mut Unit, id: Draft<RecordId>, draft: Draft<Deletion>) -> AppResult<RecordId> {
    // Pages are created and removed under the lock of the workspace.
    let (caller, workspace) = enter_locked(unit, RouteAccess::DATABASES_CHANGE).await?;
    let authority = crate::access::authority_in_teams(unit, &caller).await?;
    let seen = access::look_up(unit, &caller, &authority, &id).await?;
    let Some(seen) = seen else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    let Deletion { confirmation, expected } = draft?;
    let held = HeldDatabase::lock(unit, &seen.node.page, seen.record.database, Hold::Shared).await?;
    own_page::lock(unit, &seen.record).await?;
    let locked = unit.tx.records().lock(workspace.id, seen.record.id).await?;
    let record = locked.ok_or(Fault::NotFound)?;
    expected.unwrap_or(Expected::Any).check(record.version)?;
    if confirmation != Some(record.id.to_string()) {
        return Err(Fault::ConfirmRequired(Confirmed::Record).into());
    }
    let page = own_page::lock(unit, &record).await?;
    let gone = match &page {
        Some(page) => remove_below(unit, page).await?,
        None => Vec::new(),
    };
    let other_sides = other_sides_of_removed(unit, workspace.id, &held.schema, &[record.id]).await?;
    unit.tx.record_links().remove_of_records(workspace.id, &[record.id]).await?;
    unit.tx.records().remove_many(workspace.id, &[record.id]).await?;
    if record.archived_at.is_none() {
        unit.tx.databases().change_record_count(workspace.id, record.database, record.id, -1).await?;
    }
    let title = title_of(&values_of(&record, &held.schema)?, &held.schema);
    let event = OfRecord::new(&record, seen.node.page.team, NoDetails {});
    unit.emit(workspace.id, EventPayload::RecordDeleted(event));
    other_sides.save(unit, workspace.id, caller.author()).await?;
    let change = json!({ "field": "record", "from": title, "to": null });
    let entry =
        NewAuditEntry::new(Chain::Workspace(workspace.id), EventType::RecordDeleted, Resource::Record(record.id));
    unit.audit(entry.labelled(title.as_str()).with_changes(vec![change]));
    if !gone.is_empty() {
        remove_content(unit, workspace.id, gone, Some(caller.author())).await?;
    }
    Ok(record.id)
}
