//! The groups that records were found in.

use crate::{
    aggregate::{Input, Measure, Total},
    context::Zone,
    number::{narrow, wide},
};
use std::collections::BTreeMap;

/// Stands for no group where a level is missing.
pub(crate) const NO_GROUP: u32 = u32::MAX;

/// The groups that records were found in, with their counts and totals.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The nodes of the outermost level by group, plus one; zero if there is none yet.
    outermost: Vec<u32>,
    /// The nodes below others by group.
    below: BTreeMap<(u32, u32), u32>,
}

/// A group within the groups above it.
pub(crate) struct Node {
    /// The group of its level.
    pub(crate) group: u32,
    /// How many records are in it.
    pub(crate) count: u64,
    pub(crate) totals: Vec<Total>,
}

impl Tree {
    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a group below another node, or of one of the outermost.
    pub(crate) fn node(&mut self, above: Option<u32>, group: u32, measures: &[Measure<'_>]) -> u32 {
        let next = narrow(self.nodes.len());
        let known = match above {
            None => {
                if self.outermost.len() <= wide(group) {
                    self.outermost.resize(wide(group) + 1, 0);
                }
                let place = &mut self.outermost[wide(group)];
                if *place != 0 {
                    return *place - 1;
                }
                *place = next + 1;
                next
            }
            Some(above) => *self.below.entry((above, group)).or_insert(next),
        };
        if known == next {
            let totals = measures.iter().map(Measure::start).collect();
            self.nodes.push(Node { group, count: 0, totals });
        }
        known
    }

    /// Counts a record in a group.
    #[inline]
    pub(crate) fn count(&mut self, node: u32, row: usize, inputs: &[Input<'_>], zone: &Zone) {
        let node = &mut self.nodes[wide(node)];
        node.count += 1;
        for (total, input) in node.totals.iter_mut().zip(inputs) {
            total.add(input, row, zone);
        }
    }

    /// The nodes below another one, or the outermost.
    pub(crate) fn children(&self, above: Option<u32>) -> Vec<u32> {
        match above {
            None => self.outermost.iter().filter_map(|place| place.checked_sub(1)).collect(),
            Some(above) => self.below.range((above, 0)..=(above, u32::MAX)).map(|(_, node)| *node).collect(),
        }
    }

    pub(crate) fn get(&self, node: u32) -> &Node {
        &self.nodes[wide(node)]
    }
}
