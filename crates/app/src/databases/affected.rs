//! What a change of a schema means for the values of records.

use super::schemas::LockedSchemas;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Fault,
    id::{DatabaseId, RecordId, WorkspaceId},
};
use octavo_databases::{
    Schema,
    schema::{Effect, Effects},
    stored::{Usage, decode, encode},
};
use octavo_ports::store::Transaction;

/// How many records are read at once.
const CHUNK: u32 = 5_000;

/// How many records are changed at once.
const CHANGED_AT_ONCE: usize = 500;

/// Takes the values away from records that a change of schemas removes, and returns how many records had one. Values
/// of a deleted property stay where they are: their slot is never used again, so they are never read again. Removed
/// options are taken out of the values, because a new option can get the same id.
pub(super) async fn settle(
    unit: &mut Unit,
    workspace: WorkspaceId,
    effects: &Effects,
    locked: &LockedSchemas,
) -> AppResult<u64> {
    let mut total = 0;
    for (database, effect) in effects.iter() {
        total += match effect {
            Effect::Removed(property) if property.kind().facts().shape().is_some() => {
                scan(unit, workspace, database, &Usage::of_slot(property.slot), None).await?
            }
            Effect::OptionsRemoved { slot, options, .. } => {
                let usage = Usage::of_options(*slot, options.clone());
                scan(unit, workspace, database, &usage, Some(locked.schema(database)?)).await?
            }
            _ => 0,
        };
    }
    Ok(total)
}

/// Counts the records that have such a value. If there is a schema, they keep only the values that it knows.
async fn scan(
    unit: &mut Unit,
    workspace: WorkspaceId,
    database: DatabaseId,
    usage: &Usage,
    kept: Option<&Schema>,
) -> AppResult<u64> {
    let counted = unit.tx.databases().count_records(workspace, &[database]).await?;
    unit.expect_content(counted.first().map_or(0, |(_, count)| *count), 0)?;
    let (mut after, mut count) = (None, 0);
    loop {
        let bags = unit.tx.records().list_bags(workspace, database, after, CHUNK).await?;
        after = bags.last().map(|(last, _)| *last);
        let is_end = bags.len() < CHUNK as usize;
        let concerned: Vec<_> = bags.into_iter().filter(|(_, bag)| usage.is_in(bag)).map(|(id, _)| id).collect();
        count += concerned.len() as u64;
        if let Some(schema) = kept {
            for ids in concerned.chunks(CHANGED_AT_ONCE) {
                reduce(unit.tx.as_mut(), workspace, ids, schema).await?;
            }
        }
        if is_end {
            return Ok(count);
        }
    }
}

/// Takes values out of records that the schema does not know.
async fn reduce(tx: &mut dyn Transaction, workspace: WorkspaceId, ids: &[RecordId], schema: &Schema) -> AppResult<()> {
    let mut records = tx.records().list_by_id(workspace, ids).await?;
    for record in &mut records {
        let values = decode(&record.bag, schema);
        record.bag = encode(&values.map_err(|_| Fault::Internal("the values of a record are unreadable"))?);
    }
    Ok(tx.records().save_many(records).await?)
}
