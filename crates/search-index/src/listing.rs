//! Lists units in the order of their keys.

use octavo_ports::search::{IndexedUnit, UnitKey};

/// The next of these units after a key.
pub(crate) fn next(mut units: Vec<IndexedUnit>, after: Option<UnitKey>, limit: usize) -> Vec<IndexedUnit> {
    if let Some(after) = after {
        units.retain(|unit| unit.key > after);
    }
    if limit < units.len() {
        units.select_nth_unstable_by_key(limit, |unit| unit.key);
        units.truncate(limit);
    }
    units.sort_unstable_by_key(|unit| unit.key);
    units
}
