//! Compares the index with the store.

use super::{
    obstacle::Obstacle,
    part::do_part,
    rest::{self, Rest},
};
use crate::engine::Engine;
use octavo_core_model::{Timestamp, id::WorkspaceId};
use octavo_ports::search::{SearchIndex, UnitKey};
use std::collections::{BTreeMap, BTreeSet};

/// How many units of the index are listed at once.
const LISTED: usize = 50_000;

/// How the index of a workspace differs from the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// How many units the store has.
    pub units: u64,
    /// Units that the index does not have.
    pub missing: BTreeSet<UnitKey>,
    /// Units of which the index has another state.
    pub stale: BTreeSet<UnitKey>,
    /// Units of the index that the store does not have.
    pub superfluous: BTreeSet<UnitKey>,
}

impl Comparison {
    pub fn is_clean(&self) -> bool {
        self.missing.is_empty() && self.stale.is_empty() && self.superfluous.is_empty()
    }

    /// Adds what differs in another workspace.
    pub fn add(&mut self, other: Self) {
        self.units += other.units;
        self.missing.extend(other.missing);
        self.stale.extend(other.stale);
        self.superfluous.extend(other.superfluous);
    }

    /// What differs here and in another comparison. Differences that only one has come from changes meanwhile.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let both = |one: &BTreeSet<UnitKey>, other: &BTreeSet<UnitKey>| one.intersection(other).copied().collect();
        Self {
            units: other.units,
            missing: both(&self.missing, &other.missing),
            stale: both(&self.stale, &other.stale),
            superfluous: both(&self.superfluous, &other.superfluous),
        }
    }
}

/// Compares all units of a workspace: whether they exist, and when they were last changed.
pub async fn compare(
    engine: &Engine,
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    now: Timestamp,
) -> Result<Comparison, Obstacle> {
    let mut indexed = BTreeMap::new();
    loop {
        let after = indexed.last_key_value().map(|(key, _)| *key);
        let some = index.list(workspace, after, LISTED)?;
        let is_last = some.len() < LISTED;
        indexed.extend(some.into_iter().map(|unit| (unit.key, unit.updated_at)));
        if is_last {
            break;
        }
    }
    let mut compared = Comparison::default();
    let mut rests = Rest::EVERYTHING.to_vec();
    while let Some(first) = rests.first().copied() {
        let part = do_part(engine, index, workspace, first, now).await?;
        rests.remove(0);
        rests.splice(0..0, part.next);
        rest::add(&mut rests, part.added);
        for unit in part.units {
            compared.units += 1;
            match indexed.remove(&unit.key) {
                None => drop(compared.missing.insert(unit.key)),
                Some(updated_at) if updated_at != unit.updated_at => drop(compared.stale.insert(unit.key)),
                Some(_) => {}
            }
        }
    }
    compared.superfluous = indexed.into_keys().collect();
    Ok(compared)
}
