//! How many records lose a value when a schema changes.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::id::{DatabaseId, WorkspaceId};
use octavo_databases::{
    schema::{Effect, Effects},
    stored::Usage,
};

/// How many records are read at once.
const CHUNK: u32 = 5_000;

/// How many records have a value that the change takes away. Values are not removed from the records: without their
/// property or option they are never read again.
pub(super) async fn count(unit: &mut Unit, workspace: WorkspaceId, effects: &Effects) -> AppResult<u64> {
    let mut total = 0;
    for (database, effect) in effects.iter() {
        let usage = match effect {
            Effect::Removed(property) if property.kind().facts().shape().is_some() => Usage::of_slot(property.slot),
            Effect::OptionsRemoved { slot, options, .. } => Usage::of_options(*slot, options.clone()),
            _ => continue,
        };
        total += count_in(unit, workspace, database, &usage).await?;
    }
    Ok(total)
}

async fn count_in(unit: &mut Unit, workspace: WorkspaceId, database: DatabaseId, usage: &Usage) -> AppResult<u64> {
    let (mut after, mut count) = (None, 0);
    loop {
        let bags = unit.tx.records().list_bags(workspace, database, after, CHUNK).await?;
        count += bags.iter().filter(|(_, bag)| usage.is_in(bag)).count() as u64;
        match bags.last() {
            Some((last, _)) if bags.len() == CHUNK as usize => after = Some(*last),
            _ => return Ok(count),
        }
    }
}
