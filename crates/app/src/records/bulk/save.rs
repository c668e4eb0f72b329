//! Writing what became of records.

use super::{
    Context, OperationResult, OperationStatus,
    apply::Applied,
    working_set::{Entry, State},
};
use crate::{
    audit_entry::NewAuditEntry,
    outcome::AppResult,
    pages::trash::{remove_below, remove_content},
    record_values::{has_numbers, title_of, written_bytes},
    records::own_page,
    relations::{OtherSides, other_sides_of_removed},
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    event::{
        Chain, EventPayload, EventType, Resource,
        records::{OfRecord, RecordUpdated},
    },
    id::RecordId,
    page::PageChange,
    record::Record,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the records of operations once they are written.
pub(super) struct Saved {
    pub(super) results: Vec<OperationResult>,
    /// The records that the results are about and that still exist.
    pub(super) records: Vec<Record>,
}

/// Writes the records.
pub(super) async fn save(unit: &mut Unit, context: &Context<'_>, applied: Applied) -> AppResult<Saved> {
    let Applied { records, results, events, mut other_sides, new_links } = applied;
    let (mut new, mut changed, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
    let mut unchanged = Vec::new();
    let mut events = events;
    let removed = records.entries.values().filter(|entry| matches!(entry.state, State::Deleted));
    let removed: Vec<_> = removed.map(|entry| entry.record.id).collect();
    if !removed.is_empty() {
        let (workspace, schema) = (context.caller.workspace, &context.held.schema);
        other_sides.extend(other_sides_of_removed(unit, workspace, schema, &removed).await?);
    }
    for mut entry in records.entries.into_values() {
        show_links(unit, context, &mut entry, &mut other_sides, &mut events);
        match entry.state {
            State::New => new.push(entry),
            State::Changed => changed.push(entry),
            State::Deleted => deleted.push(entry),
            State::Stored => unchanged.push(entry),
            State::Dropped => {}
        }
    }
    number(unit, context, &mut new, &results).await?;
    count(unit, context, &new, &changed, &deleted, &results).await?;
    if !new.is_empty() {
        unit.tx.records().insert_many(records_of(&new)).await?;
    }
    if !changed.is_empty() {
        unit.tx.records().save_many(records_of(&changed)).await?;
    }
    for entry in &changed {
        follow(unit, context, entry).await?;
    }
    remove(unit, context, &deleted).await?;
    if let Some(links) = new_links {
        links.write(unit, context.caller.workspace).await?;
    }
    other_sides.save(unit, context.caller.workspace, context.caller.author()).await?;
    for event in events {
        unit.emit(context.caller.workspace, event);
    }
    let touched: BTreeSet<RecordId> = results.iter().filter_map(|result| result.record).collect();
    let shown = new.into_iter().chain(changed).chain(unchanged).filter(|entry| touched.contains(&entry.record.id));
    let records = shown.map(|entry| entry.record).collect();
    Ok(Saved { results, records })
}

/// Changes a record in memory to which other records got links, or lost them.
fn show_links(
    unit: &Unit,
    context: &Context<'_>,
    entry: &mut Entry,
    other_sides: &mut OtherSides,
    events: &mut Vec<EventPayload>,
) {
    let changed = other_sides.take(entry.record.id);
    if changed.is_empty() || matches!(entry.state, State::Deleted | State::Dropped) {
        return;
    }
    entry.record.touch(context.caller.author(), unit.call.now);
    if entry.state == State::Stored {
        entry.state = State::Changed;
    }
    let updated = RecordUpdated { changed_property_ids: changed.into_iter().collect(), ..RecordUpdated::default() };
    events.push(EventPayload::RecordUpdated(OfRecord::new(&entry.record, context.team, updated)));
}

fn records_of(entries: &[Entry]) -> Vec<Record> {
    entries.iter().map(|entry| entry.record.clone()).collect()
}

/// Gives numbers to new records, in the order of the operations that created them.
async fn number(
    unit: &mut Unit,
    context: &Context<'_>,
    new: &mut [Entry],
    results: &[OperationResult],
) -> AppResult<()> {
    if new.is_empty() || !has_numbers(&context.held.schema) {
        return Ok(());
    }
    let database = &context.held.database;
    let count = u32::try_from(new.len()).unwrap_or(u32::MAX);
    let mut next = unit.tx.databases().take_numbers(database.workspace, database.id, count).await?;
    let created = results.iter().filter(|result| result.status == OperationStatus::Created);
    let order: BTreeMap<_, _> = created.enumerate().map(|(place, result)| (result.record, place)).collect();
    new.sort_by_key(|entry| order.get(&Some(entry.record.id)).copied());
    for entry in new {
        entry.record.number = Some(next);
        next += 1;
    }
    Ok(())
}

/// Counts active records, and what is written.
async fn count(
    unit: &mut Unit,
    context: &Context<'_>,
    new: &[Entry],
    changed: &[Entry],
    deleted: &[Entry],
    results: &[OperationResult],
) -> AppResult<()> {
    let written = new.iter().chain(changed);
    let bytes = written.clone().map(|entry| written_bytes(&entry.record)).sum();
    unit.count_written(WrittenSize::of_records(written.count() as u64, bytes))?;
    let database = &context.held.database;
    let difference = active_difference(new, changed, deleted, results);
    let Some(first) = new.iter().chain(changed).chain(deleted).next().filter(|_| difference != 0) else {
        return Ok(());
    };
    let (workspace, id) = (database.workspace, first.record.id);
    Ok(unit.tx.databases().change_record_count(workspace, database.id, id, difference).await?)
}

/// How many active records there are more than before.
fn active_difference(new: &[Entry], changed: &[Entry], deleted: &[Entry], results: &[OperationResult]) -> i64 {
    let is_active = |entry: &&Entry| entry.record.archived_at.is_none();
    let created = new.iter().filter(is_active).count();
    // How often each stored record was archived more than unarchived: 1, 0 or -1.
    let mut archived: BTreeMap<RecordId, i64> = BTreeMap::new();
    for result in results {
        let by = match result.status {
            OperationStatus::Archived => 1,
            OperationStatus::Unarchived => -1,
            _ => continue,
        };
        if let Some(id) = result.record {
            *archived.entry(id).or_default() += by;
        }
    }
    let less = |entry: &Entry| archived.get(&entry.record.id).copied().unwrap_or(0);
    let fewer: i64 = changed.iter().map(less).sum();
    // A deleted record counted if it was active before the first operation.
    let removed: i64 = deleted.iter().map(|entry| i64::from(is_active(&entry)) + less(entry)).sum();
    i64::try_from(created).unwrap_or(i64::MAX) - fewer - removed
}

/// Changes the page of a record along with it.
async fn follow(unit: &mut Unit, context: &Context<'_>, entry: &Entry) -> AppResult<()> {
    let title = title_of(&entry.values, &context.held.schema);
    let title = (title != entry.title_before).then_some(title);
    let change = PageChange { title, icon: Some(entry.record.icon.clone()), ..PageChange::default() };
    own_page::change(unit, &entry.record, None, change, context.caller.author()).await
}

/// Removes records with their links and pages.
async fn remove(unit: &mut Unit, context: &Context<'_>, deleted: &[Entry]) -> AppResult<()> {
    if deleted.is_empty() {
        return Ok(());
    }
    let workspace = context.caller.workspace;
    let mut gone = Vec::new();
    for Entry { record, values, .. } in deleted {
        if let Some(page) = own_page::lock(unit, record).await? {
            gone.extend(remove_below(unit, &page).await?);
        }
        let title = title_of(values, &context.held.schema);
        let change = json!({ "field": "record", "from": title, "to": null });
        let resource = Resource::Record(record.id);
        let entry = NewAuditEntry::new(Chain::Workspace(workspace), EventType::RecordDeleted, resource);
        unit.audit(entry.labelled(title.as_str()).with_changes(vec![change]));
    }
    let ids: Vec<_> = deleted.iter().map(|entry| entry.record.id).collect();
    unit.tx.record_links().remove_of_records(workspace, &ids).await?;
    unit.tx.records().remove_many(workspace, &ids).await?;
    if gone.is_empty() {
        return Ok(());
    }
    remove_content(unit, workspace, gone, Some(context.caller.author())).await
}
