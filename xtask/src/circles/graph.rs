//! The shortest circles of a graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Debug, Default)]
pub(super) struct Graph<'a> {
    edges: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

/// A shortest circle, and how many nodes reach each other with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Circle<'a> {
    /// Each node is followed by the next, and the last one by the first.
    pub(super) nodes: Vec<&'a str>,
    pub(super) knot: usize,
}

impl<'a> Graph<'a> {
    pub(super) fn of(edges: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut graph = Self::default();
        for (from, to) in edges.into_iter().filter(|(from, to)| from != to) {
            graph.edges.entry(from).or_default().insert(to);
        }
        graph
    }

    /// One circle for each group of nodes that reach each other.
    pub(super) fn circles(&self) -> Vec<Circle<'a>> {
        let mut circles = self.edges.keys().filter_map(|node| self.path(node, node)).collect::<Vec<_>>();
        circles.sort_by_key(Vec::len);
        let mut found: Vec<Circle<'a>> = Vec::new();
        for nodes in circles {
            let is_known = found.iter().any(|known| self.meet(known.nodes[0], nodes[0]));
            if !is_known {
                let knot = self.edges.keys().filter(|node| self.meet(node, nodes[0])).count();
                found.push(Circle { nodes, knot });
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

    fn circles<'a>(edges: &[(&'a str, &'a str)]) -> Vec<Circle<'a>> {
        Graph::of(edges.iter().copied()).circles()
    }

    #[test]
    fn a_graph_without_a_way_back_has_no_circle() {
        assert_eq!(circles(&[("a", "b"), ("b", "c"), ("a", "c"), ("a", "a")]), []);
    }

    #[test]
    fn of_a_knot_the_shortest_circle_is_named() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "c"), ("e", "a")];
        assert_eq!(circles(&edges), [Circle { nodes: vec!["c", "d"], knot: 4 }]);
    }

    #[test]
    fn each_knot_is_named() {
        let edges = [("a", "b"), ("b", "a"), ("b", "x"), ("x", "y"), ("y", "x")];
        let found = circles(&edges).into_iter().map(|circle| circle.nodes).collect::<Vec<_>>();
        assert_eq!(found, [["a", "b"], ["x", "y"]]);
    }
}
