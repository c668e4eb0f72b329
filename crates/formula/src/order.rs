//! The order in which formulas that use each other are evaluated.

use std::collections::BTreeMap;

/// Formulas in an order in which each comes after those that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order<K> {
    /// All that are in no cycle. Those that use one in a cycle are among them: its error becomes theirs.
    pub ordered: Vec<K>,
    /// Those that use themselves, possibly through others.
    pub cyclic: Vec<K>,
}

/// Orders formulas by what they use. Names that are no keys are ignored: they are properties with values of their own.
/// The order depends on nothing but the keys and uses.
pub fn order<K: Ord + Clone>(uses: &BTreeMap<K, Vec<K>>) -> Order<K> {
    let keys: Vec<&K> = uses.keys().collect();
    let edges = uses.values().map(|used| used.iter().filter_map(|key| keys.binary_search(&key).ok()).collect());
    let mut search = Search::new(edges.collect());
    for node in 0..keys.len() {
        search.from(node);
    }
    let named = |nodes: Vec<usize>| nodes.into_iter().map(|node| keys[node].clone()).collect();
    search.cyclic.sort_unstable();
    Order { ordered: named(search.ordered), cyclic: named(search.cyclic) }
}

/// Tarjan's search for strongly connected components, with a stack of its own in place of recursion.
struct Search {
    edges: Vec<Vec<usize>>,
    /// When each node was met, and the earliest node that it leads back to.
    met: Vec<Option<(usize, usize)>>,
    count: usize,
    /// Nodes whose component is not complete.
    open: Vec<usize>,
    is_open: Vec<bool>,
    ordered: Vec<usize>,
    cyclic: Vec<usize>,
}

impl Search {
    fn new(edges: Vec<Vec<usize>>) -> Self {
        let (met, is_open) = (vec![None; edges.len()], vec![false; edges.len()]);
        Self { edges, met, count: 0, open: vec![], is_open, ordered: vec![], cyclic: vec![] }
    }

    fn from(&mut self, start: usize) {
        if self.met[start].is_some() {
            return;
        }
        let mut path = vec![(start, 0)];
        self.meet(start);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(next) = self.edges[node].get(*edge).copied() {
                *edge += 1;
                match self.met[next] {
                    None => {
                        self.meet(next);
                        path.push((next, 0));
                    }
                    Some((number, _)) if self.is_open[next] => self.leads_back(node, number),
                    Some(_) => {}
                }
            } else {
                path.pop();
                let (number, earliest) = self.met[node].unwrap_or_default();
                if let Some((parent, _)) = path.last() {
                    self.leads_back(*parent, earliest);
                }
                if number == earliest {
                    self.complete(node);
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.met[node] = Some((self.count, self.count));
        self.count += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn leads_back(&mut self, node: usize, to: usize) {
        if let Some((_, earliest)) = &mut self.met[node] {
            *earliest = to.min(*earliest);
        }
    }

    /// Takes the component of a node, which is the last of it that is met, off the open nodes.
    fn complete(&mut self, node: usize) {
        let at = self.open.iter().rposition(|open| *open == node).unwrap_or_default();
        let component = self.open.split_off(at);
        for member in &component {
            self.is_open[*member] = false;
        }
        if component.len() > 1 || self.edges[node].contains(&node) {
            self.cyclic.extend(component);
        } else {
            self.ordered.extend(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};
    use std::collections::BTreeSet;

    fn uses(list: &[(u8, &[u8])]) -> BTreeMap<u8, Vec<u8>> {
        list.iter().map(|(key, used)| (*key, used.to_vec())).collect()
    }

    #[test]
    fn what_is_used_comes_first() {
        let order = order(&uses(&[(1, &[2, 3]), (2, &[3, 9]), (3, &[]), (4, &[1])]));
        assert_eq!(order, Order { ordered: vec![3, 2, 1, 4], cyclic: vec![] });
    }

    #[test]
    fn only_those_in_a_cycle_are_cyclic() {
        // 1 uses a cycle of 2 and 3, from which 4 is used; 5 uses itself.
        let order = order(&uses(&[(1, &[2]), (2, &[3]), (3, &[2, 4]), (4, &[]), (5, &[5])]));
        assert_eq!(order, Order { ordered: vec![4, 1], cyclic: vec![2, 3, 5] });
    }

    #[test]
    fn long_chains_do_not_recurse() {
        let chain: BTreeMap<u32, Vec<u32>> = (0..200_000).map(|key| (key, vec![key + 1])).collect();
        assert_eq!(order(&chain).ordered.first(), Some(&199_999));
    }

    /// All keys that are used by a key, directly or not.
    fn reached(uses: &BTreeMap<u8, Vec<u8>>, from: u8) -> BTreeSet<u8> {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(key) = open.pop() {
            open.extend(uses.get(&key).into_iter().flatten().copied().filter(|key| found.insert(*key)));
        }
        found
    }

    proptest! {
        #[test]
        fn the_order_agrees_with_what_is_reached(lists in vec(vec(0_u8..9, 0..3), 0..9)) {
            let uses: BTreeMap<u8, Vec<u8>> = (0..).zip(lists).collect();
            let order = order(&uses);
            let mut done = BTreeSet::new();
            for key in &order.ordered {
                prop_assert!(!reached(&uses, *key).contains(key));
                prop_assert!(uses[key].iter().all(|used| !uses.contains_key(used) || done.contains(used) || order.cyclic.contains(used)));
                done.insert(*key);
            }
            for key in &order.cyclic {
                prop_assert!(reached(&uses, *key).contains(key));
            }
            prop_assert_eq!(order.ordered.len() + order.cyclic.len(), uses.len());
        }
    }
}
