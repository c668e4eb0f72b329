//! Finding records by the values of certain properties.

use crate::{outcome::AppResult, record_scan::RecordScan, scope::Unit};
use octavo_core_model::{
    Fault,
    database::Database,
    id::{PropertyId, RecordId},
};
use octavo_databases::{Schema, record::MatchKey, stored::decode_slots, value::Values};
use std::collections::{BTreeMap, BTreeSet};

/// The values of all properties by which records are found.
type Keys = Vec<MatchKey>;

/// Combinations of values for which records are looked for.
pub(super) type Wanted = BTreeSet<Keys>;

/// Which records have a wanted combination of values.
#[derive(Debug, Default)]
pub(super) struct MatchIndex {
    slots: Vec<u32>,
    found: BTreeMap<Keys, BTreeSet<RecordId>>,
}

/// The slots of properties.
pub(super) fn slots_of(schema: &Schema, match_on: &[PropertyId]) -> Vec<u32> {
    match_on.iter().filter_map(|id| schema.property(*id)).map(|property| property.slot).collect()
}

/// The combination of values in these slots; `None` if one has no value.
pub(super) fn keys_of(slots: &[u32], values: &Values) -> Option<Keys> {
    if slots.is_empty() {
        return None;
    }
    slots.iter().map(|slot| values.get(*slot).map(MatchKey::of)).collect()
}

impl MatchIndex {
    pub(super) fn new(wanted: Wanted, schema: &Schema, match_on: &[PropertyId]) -> Self {
        let found = wanted.into_iter().map(|keys| (keys, BTreeSet::new())).collect();
        Self { slots: slots_of(schema, match_on), found }
    }

    pub(super) fn add(&mut self, id: RecordId, values: &Values) {
        if let Some(ids) = self.place(values) {
            ids.insert(id);
        }
    }

    pub(super) fn remove(&mut self, id: RecordId, values: &Values) {
        if let Some(ids) = self.place(values) {
            ids.remove(&id);
        }
    }

    pub(super) fn matching(&self, values: &Values) -> impl Iterator<Item = RecordId> {
        let found = keys_of(&self.slots, values).and_then(|keys| self.found.get(&keys));
        found.into_iter().flatten().copied()
    }

    fn place(&mut self, values: &Values) -> Option<&mut BTreeSet<RecordId>> {
        let keys = keys_of(&self.slots, values)?;
        self.found.get_mut(&keys)
    }
}

/// The records of a database that have one of these combinations of values. Reads the values of all records.
pub(super) async fn scan(
    unit: &mut Unit,
    database: &Database,
    schema: &Schema,
    match_on: &[PropertyId],
    wanted: &Wanted,
) -> AppResult<Vec<RecordId>> {
    let slots = slots_of(schema, match_on);
    let mut found = Vec::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let mut scan = RecordScan::begin(unit, database.workspace, database.id).await?;
    while let Some(bags) = scan.next(unit).await? {
        for (id, bag) in bags {
            let values = decode_slots(&bag, schema, &slots);
            let values = values.map_err(|_| Fault::Internal("the values of a record are unreadable"))?;
            if keys_of(&slots, &values).is_some_and(|keys| wanted.contains(&keys)) {
                found.push(id);
            }
        }
    }
    Ok(found)
}
