//! Groups of up to two levels with what charts show of them.

use super::Scan;
use crate::{
    aggregate::Partial,
    group::{GroupKey, Level},
};
use std::collections::BTreeMap;

/// The groups of the first level and, within them, those of the second, with the first aggregate of the query over each.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The groups of the first level in their order; none if the query has no groups.
    pub groups: Vec<Cell>,
    /// All groups of the second level in their order.
    pub inner: Vec<GroupKey>,
    /// How many records were found.
    pub count: u64,
    /// The aggregate over all of them.
    pub total: Partial,
}

/// A group of the first level.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What the records have in common.
    pub key: GroupKey,
    /// How many records are in it.
    pub count: u64,
    /// The aggregate over them.
    pub total: Partial,
    /// The groups of the second level, in their order.
    pub inner: Vec<InnerCell>,
}

/// A group of the second level within one of the first.
#[derive(Clone, Debug)]
pub struct InnerCell {
    /// Its place among all groups of the second level.
    pub group: usize,
    /// How many records are in it.
    pub count: u64,
    /// The aggregate over them.
    pub total: Partial,
}

impl Scan<'_> {
    /// The groups without their records, when all chunks were read. The query has an aggregate, also for each group.
    pub fn into_cells(self) -> Option<Cells> {
        let function = self.prepared.functions().first().copied()?;
        let measure = self.prepared.aggregates.first().copied()?;
        let total = |totals: &[crate::aggregate::Total]| match measure.and_then(|at| totals.get(at)) {
            Some(total) => Partial::new(total.clone()),
            // The property no longer exists.
            None => Partial::nothing(function),
        };
        let (outermost, below) = self.tree.children();
        let mut places = BTreeMap::new();
        let mut inner = Vec::new();
        if let Some(level) = self.levels.get(1) {
            let nodes = outermost.iter().flat_map(|node| &below[*node as usize]);
            let mut groups: Vec<_> = nodes.map(|node| self.tree.get(*node).group).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.sort_by(|a, b| level.compare(*a, *b));
            inner = groups.iter().map(|group| level.show(*group, &self.prepared.context)).collect();
            places = groups.into_iter().zip(0..).collect();
        }
        let Some(level) = self.levels.first() else {
            return Some(Cells { groups: Vec::new(), inner, count: self.count, total: total(&self.totals) });
        };
        let cell = |node: u32| {
            let found = self.tree.get(node);
            let within = below[node as usize].iter().map(|node| {
                let found = self.tree.get(*node);
                let group = places.get(&found.group).copied().unwrap_or_default();
                InnerCell { group, count: found.count, total: total(self.tree.totals(*node)) }
            });
            let mut within: Vec<_> = within.collect();
            within.sort_unstable_by_key(|cell| cell.group);
            Cell {
                key: level.show(found.group, &self.prepared.context),
                count: found.count,
                total: total(self.tree.totals(node)),
                inner: within,
            }
        };
        let groups = in_order(level, &outermost, |node| self.tree.get(node).group).into_iter().map(cell).collect();
        Some(Cells { groups, inner, count: self.count, total: total(&self.totals) })
    }
}

fn in_order(level: &Level<'_>, nodes: &[u32], group: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable_by(|a, b| level.compare(group(*a), group(*b)));
    nodes
}
