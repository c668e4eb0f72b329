//! Lists units in the order of their keys.

use octavo_ports::search::UnitKey;

/// The next of these units after a key.
pub(crate) fn next(mut keys: Vec<UnitKey>, after: Option<UnitKey>, limit: usize) -> Vec<UnitKey> {
    if let Some(after) = after {
        keys.retain(|key| *key > after);
    }
    if limit < keys.len() {
        keys.select_nth_unstable(limit);
        keys.truncate(limit);
    }
    keys.sort_unstable();
    keys
}
