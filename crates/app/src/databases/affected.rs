//! What a change of a schema means for the values of records.

use super::schemas::LockedSchemas;
use crate::{
    outcome::AppResult,
    record_scan::RecordScan,
    relations::{other_side, side_of, visible},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
    id::{DatabaseId, PropertyId, RecordId, WorkspaceId},
};
use octavo_databases::{
    Property, Schema,
    schema::{Effect, Effects},
    stored::{Usage, decode, encode},
    types::Side,
};
use octavo_permissions::Authority;
use octavo_ports::store::Transaction;

/// How many links are removed at once.
const CHUNK: u32 = 5_000;

/// How many records are changed at once.
const CHANGED_AT_ONCE: usize = 500;

/// How many records a refusal names.
const NAMED: u32 = 20;

/// Takes the values away from records that a change of schemas removes, and returns how many records had one. Values
/// of a deleted property stay where they are: their slot is never used again, so they are never read again. Removed
/// options are taken out of the values, because a new option can get the same id.
pub(super) async fn settle(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
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
            Effect::Removed(property) => remove_links(unit, workspace, property).await?,
            Effect::CardinalityNarrowed(property) => {
                require_few_links(unit, workspace, authority, locked.schema(database)?, *property).await?;
                0
            }
            Effect::Added(_) | Effect::Updated(_) => 0,
        };
    }
    Ok(total)
}

/// Removes the links of a relation, and returns how many records had one. The reverse of a relation has no links of its
/// own.
async fn remove_links(unit: &mut Unit, workspace: WorkspaceId, property: &Property) -> AppResult<u64> {
    let Some(relation) = property.config.relation() else { return Ok(0) };
    if relation.side == Side::Reverse {
        return Ok(0);
    }
    let side = side_of(property, relation);
    let links = unit.tx.record_links().count(workspace, property.id).await?;
    unit.expect_content(links, 0)?;
    let count = unit.tx.record_links().count_linked(workspace, side).await?;
    while unit.tx.record_links().remove_of_property(workspace, property.id, CHUNK).await? == u64::from(CHUNK) {}
    Ok(count)
}

/// Refuses a relation that allows fewer links than records have. Only records that the caller sees are named.
async fn require_few_links(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    schema: &Schema,
    property: PropertyId,
) -> AppResult<()> {
    let Some(property) = schema.property(property) else { return Ok(()) };
    let Some(relation) = property.config.relation() else { return Ok(()) };
    let side = side_of(property, relation);
    let own = relation.links_one().then_some((side, schema.database()));
    let other = relation.is_linked_once().then(|| (other_side(side), relation.target));
    for (side, database) in [own, other].into_iter().flatten() {
        let records = unit.tx.record_links().list_linked_twice(workspace, side, NAMED).await?;
        if !records.is_empty() {
            let named = records.into_iter().map(|record| (database, record)).collect();
            let seen = visible(unit, workspace, authority, &named).await?;
            let records = seen.into_iter().map(|(_, record)| record).collect();
            let problem = DataProblem::of_property(DataIssue::CardinalityViolation, property.id);
            let field = Some("config.cardinality".to_owned());
            return Err(Fault::from(DataProblem { records, field, ..problem }).into());
        }
    }
    Ok(())
}

/// Counts the records that have such a value. If there is a schema, they keep only the values that it knows.
async fn scan(
    unit: &mut Unit,
    workspace: WorkspaceId,
    database: DatabaseId,
    usage: &Usage,
    kept: Option<&Schema>,
) -> AppResult<u64> {
    let (mut scan, mut count) = (RecordScan::begin(unit, workspace, database).await?, 0);
    while let Some(bags) = scan.next(unit).await? {
        let concerned: Vec<_> = bags.into_iter().filter(|(_, bag)| usage.is_in(bag)).map(|(id, _)| id).collect();
        count += concerned.len() as u64;
        if let Some(schema) = kept {
            for ids in concerned.chunks(CHANGED_AT_ONCE) {
                reduce(unit.tx.as_mut(), workspace, ids, schema).await?;
            }
        }
    }
    Ok(count)
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
