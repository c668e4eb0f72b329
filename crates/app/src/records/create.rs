//! Creating a record.

use super::{
    access::{HeldDatabase, Hold},
    lookups::look_up,
    nesting::require_parent,
    shown::RecordDetails,
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    databases::faults::{of_refusals, of_values},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    pages::refuse_files,
    record_values::{has_numbers, snapshot, written_bytes},
    relations::{LinkWriter, OtherSides, Wanted, plan},
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        EventPayload,
        records::{OfRecord, RecordCreated},
    },
    id::{DatabaseId, PropertyId, RecordId, TeamId},
    position::Position,
    record::{Record, RecordPage},
    text::{PageIcon, WebAddress},
};
use octavo_databases::{
    Schema,
    record::{How, Write, read},
    stored::encode,
    types::Form,
    value::Values,
};
use octavo_permissions::Authority;
use serde_json::{Map, Value};

/// A record to be created.
#[derive(Clone, Debug, Default)]
pub struct NewRecord {
    /// Its values as they were sent, by the ids of properties.
    pub properties: Map<String, Value>,
    pub icon: Option<PageIcon>,
    pub cover_url: Option<WebAddress>,
    /// Behind all others by default.
    pub position: Option<Position>,
    /// The record that it is a part of.
    pub parent: Option<RecordId>,
}

/// Creates a record.
pub async fn create(unit: &mut Unit, database: Draft<DatabaseId>, draft: Draft<NewRecord>) -> AppResult<RecordDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let node = page_access::look_up(unit, caller.workspace, &authority, &database).await?;
    let Some(node) = node else { return Err(unit.absent().await) };
    need(&authority, node.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    let wanted = draft?;
    refuse_files(wanted.icon.as_ref())?;
    let mode = if wanted.parent.is_some() { Hold::Alone } else { Hold::Shared };
    let held = HeldDatabase::lock(unit, &node.page, node.page.id.as_database(), mode).await?;
    put(unit, &caller, &authority, node.page.team, &held, wanted).await
}

/// Adds a record to a database that the unit holds.
async fn put(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    team: Option<TeamId>,
    held: &HeldDatabase,
    wanted: NewRecord,
) -> AppResult<RecordDetails> {
    let (workspace, database) = (caller.workspace, held.database.id);
    let how = How { write: Write::Create, form: Form::Exact, allows_references: false };
    let sent = read(&held.schema, wanted.properties, how).map_err(of_values)?;
    let found = look_up(unit, workspace, authority, &[&sent]).await?;
    let mut values = Values::default();
    let resolved = sent.resolve(&found, &values).map_err(|refusals| of_refusals(&refusals))?;
    resolved.apply(&mut values);
    if let Some(parent) = wanted.parent {
        require_parent(unit, workspace, authority, database, parent, None).await?;
    }
    let position = match wanted.position {
        Some(position) => position,
        None => Position::after(unit.tx.records().find_last_position(workspace, database).await?.as_ref()),
    };
    let mut record = Record {
        parent: wanted.parent,
        bag: encode(&values),
        icon: wanted.icon,
        cover_url: wanted.cover_url,
        ..blank(unit, caller, held, position)
    };
    unit.count_written(WrittenSize::of_records(1, written_bytes(&record)))?;
    if has_numbers(&held.schema) {
        record.number = Some(unit.tx.databases().take_numbers(workspace, database, 1).await?);
    }
    unit.tx.records().insert_many(vec![record.clone()]).await?;
    unit.tx.databases().change_record_count(workspace, database, record.id, 1).await?;
    let links = write_links(unit, caller, authority, &held.schema, &record, &resolved.links).await?;
    let mut properties = snapshot(&values, &held.schema);
    properties.extend(links);
    let created = RecordCreated { parent_record_id: record.parent, properties, via: None };
    unit.emit(workspace, EventPayload::RecordCreated(OfRecord::new(&record, team, created)));
    let found = RecordDetails::load(unit, workspace, authority, vec![record], &held.schema).await?;
    Ok(found.into_iter().next().ok_or(Fault::NotFound)?)
}

/// A new record without values.
pub(super) fn blank(unit: &mut Unit, caller: &WorkspaceCaller, held: &HeldDatabase, position: Position) -> Record {
    let (author, now) = (Some(caller.author()), unit.call.now);
    Record {
        id: unit.id(RecordId::new),
        workspace: caller.workspace,
        database: held.database.id,
        parent: None,
        position,
        bag: String::new(),
        icon: None,
        cover_url: None,
        number: None,
        archived_at: None,
        page: RecordPage::Implied,
        version: 1,
        created_by: author,
        created_at: now,
        updated_by: author,
        updated_at: now,
    }
}

/// Writes the links of a new record, and returns them as events contain them.
async fn write_links(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    schema: &Schema,
    record: &Record,
    links: &[(PropertyId, Vec<RecordId>)],
) -> AppResult<Vec<(PropertyId, Value)>> {
    let mut reported = Vec::new();
    let writer = LinkWriter { workspace: caller.workspace, authority, creates_targets: false };
    let mut other_sides = OtherSides::default();
    for (id, targets) in links.iter().filter(|(_, targets)| !targets.is_empty()) {
        let Some(property) = schema.property(*id) else { continue };
        let Some(relation) = property.config.relation() else { continue };
        let plan = plan(unit, writer, property, relation, record.id, Wanted::All(targets)).await?;
        plan.write(unit, caller.workspace).await?;
        reported.extend(plan.value().map(|value| (property.id, value)));
        other_sides.add(&plan);
    }
    other_sides.save(unit, caller.workspace, caller.author()).await?;
    Ok(reported)
}
