//! Changing a record.

use super::{
    access::{self, HeldDatabase, Hold},
    lookups::look_up,
    nesting::require_parent,
    own_page,
    shown::RecordDetails,
};
use crate::{
    access::RouteAccess,
    databases::faults::{of_refusals, of_values},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    pages::refuse_files,
    record_values::{report_changes, title_of, values_of, written_bytes},
    relations::{LinkWriter, OtherSides, Wanted, plan},
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        EventPayload,
        records::{OfRecord, RecordUpdated},
    },
    id::{RecordId, TeamId, UserId},
    page::PageChange,
    position::Position,
    record::Record,
    text::{PageIcon, WebAddress},
    version::Expected,
};
use octavo_databases::{
    fault::ValuesFault,
    record::{How, ReadValues, Write, read},
    stored::encode,
    types::Form,
    value::Values,
};
use serde_json::{Map, Value, json};

/// Changes of a record, and the version that they are based on. Fields that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct RecordUpdate {
    /// Values as they were sent, by the ids of properties.
    pub properties: Option<Map<String, Value>>,
    /// `Some(None)` removes it.
    pub icon: Option<Option<PageIcon>>,
    /// `Some(None)` removes it.
    pub cover_url: Option<Option<WebAddress>>,
    pub position: Option<Position>,
    /// The record that it is to be a part of; `Some(None)` for none.
    pub parent: Option<Option<RecordId>>,
    pub expected: Option<Expected>,
}

/// Changes values and fields of a record.
pub async fn update(unit: &mut Unit, id: Draft<RecordId>, draft: Draft<RecordUpdate>) -> AppResult<RecordDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let seen = access::look_up(unit, &caller, &authority, &id).await?;
    let Some(seen) = seen else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    let wanted = draft?;
    refuse_files(wanted.icon.as_ref().and_then(Option::as_ref))?;
    let moves = wanted.parent.is_some_and(|parent| parent.is_some() && parent != seen.record.parent);
    let mode = if moves { Hold::Alone } else { Hold::Shared };
    let held = HeldDatabase::lock(unit, &seen.node.page, seen.record.database, mode).await?;
    let page = own_page::lock(unit, &seen.record).await?;
    let locked = unit.tx.records().lock(caller.workspace, seen.record.id).await?;
    let mut record = locked.ok_or(Fault::NotFound)?;
    let how = How { write: Write::Update, form: Form::Exact, allows_references: false };
    let sent = match wanted.properties.clone().map(|sent| read(&held.schema, sent, how)).transpose() {
        // Flaws of the form are reported before a stale version, other refusals after it.
        Err(fault @ ValuesFault::Invalid(_)) => return Err(of_values(fault).into()),
        sent => sent,
    };
    wanted.expected.unwrap_or(Expected::Any).check(record.version)?;
    let sent = sent.map_err(of_values)?;
    let mut values = values_of(&record, &held.schema)?;
    let mut updated = RecordUpdated::default();
    let title_before = title_of(&values, &held.schema);
    let mut other_sides = OtherSides::default();
    if let Some(sent) = sent {
        let writer = LinkWriter { workspace: caller.workspace, authority: &authority, creates_targets: false };
        other_sides = change_values(unit, writer, &held, sent, (&record, &mut values), &mut updated).await?;
        record.bag = encode(&values);
    }
    let page_change = change_fields(&mut record, &wanted, &mut updated);
    if moves && let Some(parent) = record.parent {
        require_parent(unit, caller.workspace, &authority, record.database, parent, Some(record.id)).await?;
    }
    if !updated.is_empty() {
        save(unit, &mut record, caller.author(), updated, seen.node.page.team).await?;
        let title = title_of(&values, &held.schema);
        let title = (title != title_before).then_some(title);
        own_page::change(unit, &record, page, PageChange { title, ..page_change }, caller.author()).await?;
    }
    other_sides.save(unit, caller.workspace, caller.author()).await?;
    let found = RecordDetails::load(unit, caller.workspace, &authority, vec![record], &held.schema).await?;
    Ok(found.into_iter().next().ok_or(Fault::NotFound)?)
}

/// Changes the values of a record, and returns what its links mean for other records.
async fn change_values(
    unit: &mut Unit,
    writer: LinkWriter<'_>,
    held: &HeldDatabase,
    sent: ReadValues,
    (record, values): (&Record, &mut Values),
    updated: &mut RecordUpdated,
) -> AppResult<OtherSides> {
    let found = look_up(unit, writer.workspace, writer.authority, &[&sent]).await?;
    let resolved = sent.resolve(&found, values).map_err(|refusals| of_refusals(&refusals))?;
    report_changes(updated, &resolved.apply(values), &held.schema);
    let mut other_sides = OtherSides::default();
    for (id, targets) in &resolved.links {
        let Some(property) = held.schema.property(*id) else { continue };
        let Some(relation) = property.config.relation() else { continue };
        let plan = plan(unit, writer, property, relation, record.id, Wanted::All(targets)).await?;
        if !plan.changes_nothing() {
            plan.write(unit, writer.workspace).await?;
            plan.report(updated);
            other_sides.add(&plan);
        }
    }
    for property in other_sides.take(record.id) {
        updated.report_links(property);
    }
    Ok(other_sides)
}

/// Changes the fields of a record that are no values, and returns what that means for its page.
fn change_fields(record: &mut Record, wanted: &RecordUpdate, updated: &mut RecordUpdated) -> PageChange {
    let mut page = PageChange::default();
    if let Some(icon) = wanted.icon.clone().filter(|icon| *icon != record.icon) {
        updated.report_field("icon", json!(record.icon), json!(icon));
        record.icon.clone_from(&icon);
        page.icon = Some(icon);
    }
    if let Some(cover) = wanted.cover_url.clone().filter(|cover| *cover != record.cover_url) {
        updated.report_field("coverUrl", json!(record.cover_url), json!(cover));
        record.cover_url.clone_from(&cover);
        page.cover_url = Some(cover);
    }
    if let Some(position) = wanted.position.clone().filter(|position| *position != record.position) {
        updated.report_field("position", json!(record.position.as_str()), json!(position.as_str()));
        record.position = position;
    }
    if let Some(parent) = wanted.parent.filter(|parent| *parent != record.parent) {
        updated.report_field("parentRecordId", json!(record.parent), json!(parent));
        record.parent = parent;
    }
    page
}

async fn save(
    unit: &mut Unit,
    record: &mut Record,
    by: UserId,
    updated: RecordUpdated,
    team: Option<TeamId>,
) -> AppResult<()> {
    record.touch(by, unit.call.now);
    unit.count_written(WrittenSize::of_records(1, written_bytes(record)))?;
    unit.tx.records().save_many(vec![record.clone()]).await?;
    unit.emit(record.workspace, EventPayload::RecordUpdated(OfRecord::new(record, team, updated)));
    Ok(())
}
