//! The groups that records were found in.

use super::table::Numbers;
use crate::{
    aggregate::{Input, Measure, Total},
    context::Zone,
    number::{narrow, wide},
};

/// Stands for no group where a level is missing.
pub(crate) const NO_GROUP: u32 = u32::MAX;

/// The groups that records were found in, with their counts and totals.
pub(crate) struct Tree {
    /// How many totals each group has.
    measures: usize,
    nodes: Vec<Node>,
    /// The totals of all nodes, one node after the other.
    totals: Vec<Total>,
    /// The nodes of the outermost level by group, plus one; zero if there is none yet.
    outermost: Vec<u32>,
    /// The nodes below others, by node and group.
    below: Numbers,
}

/// A group within the groups above it.
pub(crate) struct Node {
    /// The node around it.
    above: Option<u32>,
    /// The group of its level.
    pub(crate) group: u32,
    /// How many records are in it.
    pub(crate) count: u64,
}

impl Tree {
    /// A tree whose groups have so many totals.
    pub(crate) fn new(measures: usize) -> Self {
        let (nodes, totals, outermost) = (Vec::new(), Vec::new(), Vec::new());
        Self { measures, nodes, totals, outermost, below: Numbers::default() }
    }

    /// How many groups and totals there are.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.totals.len()
    }

    /// The nodes from the one with this number on, each with its group and the number of its level.
    pub(crate) fn nodes_from(&self, first: usize) -> impl Iterator<Item = (usize, u32)> {
        let nodes = self.nodes.get(first..).unwrap_or_default();
        nodes.iter().map(|node| (std::iter::successors(node.above, |above| self.get(*above).above).count(), node.group))
    }

    /// How many nodes there are.
    pub(crate) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.totals.capacity() * size_of::<Total>()
            + self.totals.iter().map(Total::memory).sum::<usize>()
            + self.outermost.capacity() * 4
            + self.below.memory()
    }

    /// The node of a group below another node, or of one of the outermost.
    #[inline]
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
            Some(above) => self.below.get_or_insert(u64::from(above) << 32 | u64::from(group), next),
        };
        if known == next {
            self.totals.extend(measures.iter().take(self.measures).map(|measure| Total::start(measure.function)));
            self.nodes.push(Node { above, group, count: 0 });
        }
        known
    }

    /// Counts a record in a group.
    #[inline]
    pub(crate) fn count(&mut self, node: u32, row: usize, inputs: &[Input<'_>], zone: &Zone) {
        self.nodes[wide(node)].count += 1;
        let start = wide(node) * self.measures;
        for (total, input) in self.totals[start..start + self.measures].iter_mut().zip(inputs) {
            total.add(input, row, zone);
        }
    }

    /// Counts rows, each in one group.
    pub(crate) fn count_all(&mut self, nodes: &[u32], rows: &[u32], inputs: &[Input<'_>], zone: &Zone) {
        for node in nodes {
            self.nodes[wide(*node)].count += 1;
        }
        for (at, input) in inputs.iter().enumerate().take(self.measures) {
            for (node, row) in nodes.iter().zip(rows) {
                self.totals[wide(*node) * self.measures + at].add(input, wide(*row), zone);
            }
        }
    }

    /// The nodes below each node, and the outermost.
    pub(crate) fn children(&self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let (mut outermost, mut below) = (Vec::new(), vec![Vec::new(); self.nodes.len()]);
        for (id, node) in (0..).zip(&self.nodes) {
            node.above.map_or(&mut outermost, |above| &mut below[wide(above)]).push(id);
        }
        (outermost, below)
    }

    pub(crate) fn get(&self, node: u32) -> &Node {
        &self.nodes[wide(node)]
    }

    /// The totals of a node.
    pub(crate) fn totals(&self, node: u32) -> &[Total] {
        let start = wide(node) * self.measures;
        &self.totals[start..start + self.measures]
    }
}
