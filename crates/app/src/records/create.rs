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
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Level,
    event::{
        EventPayload,
        records::{OfRecord, RecordCreated},
    },
    id::{DatabaseId, RecordId, TeamId},
    position::Position,
    record::{Record, RecordPage},
    text::{PageIcon, WebAddress},
};
use octavo_databases::{
    record::{How, Write, read},
    stored::encode,
    types::Form,
    value::Values,
};
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
    let hold = if wanted.parent.is_some() { Hold::Alone } else { Hold::Shared };
    let held = HeldDatabase::lock(unit, &node.page, node.page.id.as_database(), hold).await?;
    put(unit, &caller, node.page.team, &held, wanted).await
}

/// Adds a record to a database that the unit holds.
async fn put(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    team: Option<TeamId>,
    held: &HeldDatabase,
    wanted: NewRecord,
) -> AppResult<RecordDetails> {
    let (workspace, database) = (caller.workspace, held.database.id);
    let how = How { write: Write::Create, form: Form::Exact, allows_references: false };
    let sent = read(&held.schema, wanted.properties, how).map_err(of_values)?;
    let found = look_up(unit, workspace, &[&sent]).await?;
    let mut values = Values::default();
    let resolved = sent.resolve(&found, &values).map_err(|refusals| of_refusals(&refusals))?;
    resolved.apply(&mut values);
    if let Some(parent) = wanted.parent {
        require_parent(unit, workspace, database, parent, None).await?;
    }
    let position = match wanted.position {
        Some(position) => position,
        None => Position::after(unit.tx.records().find_last_position(workspace, database).await?.as_ref()),
    };
    let (author, now) = (Some(caller.author()), unit.call.now);
    let mut record = Record {
        id: unit.id(RecordId::new),
        workspace,
        database,
        parent: wanted.parent,
        position,
        bag: encode(&values),
        icon: wanted.icon,
        cover_url: wanted.cover_url,
        number: None,
        archived_at: None,
        page: RecordPage::Implied,
        version: 1,
        created_by: author,
        created_at: now,
        updated_by: author,
        updated_at: now,
    };
    unit.count_written(WrittenSize::of_records(1, written_bytes(&record)))?;
    if has_numbers(&held.schema) {
        record.number = Some(unit.tx.databases().take_numbers(workspace, database, 1).await?);
    }
    unit.tx.records().insert_many(vec![record.clone()]).await?;
    unit.tx.databases().change_record_count(workspace, database, record.id, 1).await?;
    let created = RecordCreated { parent_record_id: record.parent, properties: snapshot(&values, &held.schema) };
    unit.emit(workspace, EventPayload::RecordCreated(OfRecord::new(&record, team, created)));
    Ok(RecordDetails::single(record, values, held.schema.clone()))
}
