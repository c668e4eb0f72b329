//! The shortest cycles of a graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Debug, Default)]
pub(super) struct Graph<'a> {
    edges: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// A shortest cycle, and the size of the group that it is in: of the nodes that all reach each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cycle<'a> {
    /// Each node is followed by the next, and the last one by the first.
    pub(super) nodes: Vec<&'a str>,
    pub(super) group_size: usize,
}

impl<'a> Graph<'a> {
    pub(super) fn of(edges: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut graph = Self::default();
        for (from, to) in edges.into_iter().filter(|(from, to)| from != to) {
            graph.edges.entry(from).or_default().insert(to);
        }
        graph
    }

    /// One cycle for each group of nodes that reach each other.
    pub(super) fn cycles(&self) -> Vec<Cycle<'a>> {
        let mut cycles = self.edges.keys().filter_map(|node| self.path(node, node)).collect::<Vec<_>>();
        cycles.sort_by_key(Vec::len);
        let mut found: Vec<Cycle<'a>> = Vec::new();
        for nodes in cycles {
            let is_known = found.iter().any(|known| self.meet(known.nodes[0], nodes[0]));
            if !is_known {
                let group_size = self.edges.keys().filter(|node| self.meet(node, nodes[0])).count();
                found.push(Cycle { nodes, group_size });
            }
        }
        found
    }

    fn meet(&self, a: &str, b: &str) -> bool {
        self.path(a, b).is_some() && self.path(b, a).is_some()
    }

    /// A shortest path of at least one edge, without its end.
    pub(super) fn path(&self, start: &str, end: &str) -> Option<Vec<&'a str>> {
        let (&start, _) = self.edges.get_key_value(start)?;
        let mut came_from = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(node) = open.pop_front() {
            for &next in self.edges.get(node).into_iter().flatten() {
                if next == end {
                    return Some(way_back(&came_from, start, node));
                }
                if next != start && !came_from.contains_key(next) {
                    came_from.insert(next, node);
                    open.push_back(next);
                }
            }
        }
        None
    }
}

fn way_back<'a>(came_from: &BTreeMap<&'a str, &'a str>, start: &'a str, end: &'a str) -> Vec<&'a str> {
    let mut nodes = vec![end];
    let mut node = end;
    while node != start {
        let Some(&before) = came_from.get(node) else { break };
        nodes.push(before);
        node = before;
    }
    nodes.reverse();
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles<'a>(edges: &[(&'a str, &'a str)]) -> Vec<Cycle<'a>> {
        Graph::of(edges.iter().copied()).cycles()
    }

    #[test]
    fn a_graph_without_a_way_back_has_no_cycle() {
        assert_eq!(cycles(&[("a", "b"), ("b", "c"), ("a", "c"), ("a", "a")]), []);
    }

    #[test]
    fn the_shortest_cycle_of_a_group_is_named() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "c"), ("e", "a")];
        assert_eq!(cycles(&edges), [Cycle { nodes: vec!["c", "d"], group_size: 4 }]);
    }

    #[test]
    fn each_group_is_named() {
        let edges = [("a", "b"), ("b", "a"), ("b", "x"), ("x", "y"), ("y", "x")];
        let found = cycles(&edges).into_iter().map(|cycle| cycle.nodes).collect::<Vec<_>>();
        assert_eq!(found, [["a", "b"], ["x", "y"]]);
    }
}
