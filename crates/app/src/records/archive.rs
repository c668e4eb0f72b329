//! Archiving a record, and taking it out of the archive.

use super::{
    access::{self, HeldDatabase, Hold},
    shown::RecordDetails,
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    event::{
        EventPayload,
        records::{NoDetails, OfRecord},
    },
    id::RecordId,
    version::Expected,
};

/// Archives a record. Its parts stay as they are.
pub async fn archive(
    unit: &mut Unit,
    id: Draft<RecordId>,
    expected: Draft<Option<Expected>>,
) -> AppResult<RecordDetails> {
    set_archived(unit, id, expected, true).await
}

/// Takes a record out of the archive.
pub async fn unarchive(
    unit: &mut Unit,
    id: Draft<RecordId>,
    expected: Draft<Option<Expected>>,
) -> AppResult<RecordDetails> {
    set_archived(unit, id, expected, false).await
}

async fn set_archived(
    unit: &mut Unit,
    id: Draft<RecordId>,
    expected: Draft<Option<Expected>>,
    is_archived: bool,
) -> AppResult<RecordDetails> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::DATABASES_CHANGE).await?;
    let seen = access::look_up(unit, &caller, &authority, &id).await?;
    let Some(seen) = seen else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Edit)?;
    unit.claim().await?;
    let expected = expected?;
    let held = HeldDatabase::lock(unit, &seen.node.page, seen.record.database, Hold::Shared).await?;
    let locked = unit.tx.records().lock(caller.workspace, seen.record.id).await?;
    let mut record = locked.ok_or(Fault::NotFound)?;
    expected.unwrap_or(Expected::Any).check(record.version)?;
    if record.archived_at.is_some() != is_archived {
        let now = unit.call.now;
        record.archived_at = is_archived.then_some(now);
        record.touch(caller.author(), now);
        unit.tx.records().save_many(vec![record.clone()]).await?;
        let by = if is_archived { -1 } else { 1 };
        unit.tx.databases().change_record_count(caller.workspace, record.database, record.id, by).await?;
        let event = OfRecord::new(&record, seen.node.page.team, NoDetails {});
        let payload =
            if is_archived { EventPayload::RecordArchived(event) } else { EventPayload::RecordUnarchived(event) };
        unit.emit(caller.workspace, payload);
    }
    let found = RecordDetails::load(unit, caller.workspace, &authority, vec![record], &held.schema).await?;
    Ok(found.into_iter().next().ok_or(Fault::NotFound)?)
}
