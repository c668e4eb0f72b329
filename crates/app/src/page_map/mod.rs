//! Where the nodes of the tree of pages of a workspace are, in memory.
//!
//! A search decides for thousands of candidates whether the caller may view them. So it needs to know the access node of a
//! page, whether it is in the trash, and what it lies in, without a statement for each. A map is loaded by the first
//! search and then follows the event log: each search reads which nodes have changed since, and puts them into a copy that
//! shares everything else. So it sees every change that was committed before it began, on every node of the deployment.
//!
//! Nothing is stored of a node that follows from the nodes above it. So a change of a page with a thousand pages below it
//! changes one entry.

mod kept;

pub(crate) use kept::PageMaps;

use octavo_core_model::{Timestamp, id::PageId};
use octavo_ports::{pages::PagePlace, search::NodeKey};
use std::{mem::size_of, sync::Arc};

/// How many changes a map holds besides its sorted nodes.
const MANY_CHANGES: usize = 2_000;

/// The most levels that a map climbs. Pages are nested less deep.
const MAX_CLIMB: usize = 200;

/// A node and its key, by which entries are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: NodeKey,
    place: PagePlace,
}

/// The nodes of a workspace at some place in its log.
#[derive(Clone, Debug)]
pub(crate) struct PageMap {
    nodes: Arc<[Entry]>,
    /// What has changed since; `None` for nodes that are gone. Sorted by their keys.
    changes: Arc<[(NodeKey, Option<PagePlace>)]>,
    /// The number of the last event whose change is in the map.
    pub(crate) up_to: i64,
    /// When the log was read for it.
    pub(crate) as_of: Timestamp,
}

/// A node of a map, by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapNode(usize);

impl MapNode {
    /// The position, which is below [`PageMap::len`].
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

impl PageMap {
    pub(crate) fn new(places: impl IntoIterator<Item = PagePlace>, up_to: i64, as_of: Timestamp) -> Self {
        let mut nodes: Vec<_> = places.into_iter().map(|place| Entry { key: NodeKey::from(place.id), place }).collect();
        nodes.sort_unstable_by_key(|entry| entry.key);
        nodes.dedup_by_key(|entry| entry.key);
        Self { nodes: nodes.into(), changes: Arc::default(), up_to, as_of }
    }

    /// The map with changed nodes; `None` in place of those that are gone.
    pub(crate) fn with(
        &self,
        places: impl IntoIterator<Item = (PageId, Option<PagePlace>)>,
        up_to: i64,
        as_of: Timestamp,
    ) -> Self {
        let newer = places.into_iter().map(|(id, place)| (NodeKey::from(id), place));
        let mut changes: Vec<_> = newer.chain(self.changes.iter().copied()).collect();
        // The sort is stable, so the newest change of a node comes first.
        changes.sort_by_key(|(key, _)| *key);
        changes.dedup_by_key(|(key, _)| *key);
        if changes.len() <= MANY_CHANGES {
            return Self { nodes: Arc::clone(&self.nodes), changes: changes.into(), up_to, as_of };
        }
        let is_changed = |entry: &Entry| changes.binary_search_by_key(&entry.key, |(key, _)| *key).is_ok();
        let same = self.nodes.iter().filter(|entry| !is_changed(entry)).map(|entry| entry.place);
        Self::new(same.chain(changes.iter().filter_map(|(_, place)| *place)), up_to, as_of)
    }

    /// The same map at a later place in the log.
    pub(crate) fn unchanged(&self, up_to: i64, as_of: Timestamp) -> Self {
        Self { up_to, as_of, ..self.clone() }
    }

    /// How many positions nodes have.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.changes.len()
    }

    pub(crate) fn find(&self, key: NodeKey) -> Option<MapNode> {
        if let Ok(at) = self.changes.binary_search_by_key(&key, |(key, _)| *key) {
            return self.changes[at].1.map(|_| MapNode(self.nodes.len() + at));
        }
        self.nodes.binary_search_by_key(&key, |entry| entry.key).ok().map(MapNode)
    }

    pub(crate) fn place(&self, node: MapNode) -> Option<&PagePlace> {
        match self.nodes.get(node.0) {
            Some(entry) => Some(&entry.place),
            None => self.changes.get(node.0 - self.nodes.len()).and_then(|(_, place)| place.as_ref()),
        }
    }

    /// The node and those above it, from the bottom to the top. Does not reach a root if a node in between is gone.
    pub(crate) fn climb(&self, from: NodeKey) -> impl Iterator<Item = &PagePlace> {
        let mut next = Some(from);
        std::iter::from_fn(move || {
            let place = self.place(self.find(next.take()?)?)?;
            next = place.container.page().map(NodeKey::from);
            Some(place)
        })
        .take(MAX_CLIMB)
    }

    /// How many bytes the map takes.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Entry>() + self.changes.len() * size_of::<(NodeKey, Option<PagePlace>)>()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::{
        id::{TeamId, WorkspaceId},
        page::Node,
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn id(number: u8) -> PageId {
        PageId::new(1, [number; 10])
    }

    fn place(number: u8, container: Node) -> PagePlace {
        PagePlace { id: id(number), container, has_entries: false, is_trash_root: false, is_archived: false }
    }

    fn climbed(map: &PageMap, number: u8) -> Vec<PageId> {
        map.climb(NodeKey::from(id(number))).map(|place| place.id).collect()
    }

    #[test]
    fn a_move_changes_what_lies_above() {
        let (home, team) = (Node::Workspace(WorkspaceId::LOWEST), Node::Team(TeamId::EXAMPLE));
        let tree = [place(1, home), place(2, Node::Page(id(1))), place(3, Node::Page(id(2))), place(4, team)];
        let map = PageMap::new(tree, 1, NOW);
        assert_eq!(climbed(&map, 3), [id(3), id(2), id(1)]);
        let moved = map.with([(id(2), Some(place(2, Node::Page(id(4)))))], 2, NOW);
        assert_eq!(climbed(&moved, 3), [id(3), id(2), id(4)]);
        assert_eq!(climbed(&map, 3), [id(3), id(2), id(1)], "searches that began before see the former map");
    }

    #[test]
    fn a_climb_ends_below_a_node_that_is_gone() {
        let home = Node::Workspace(WorkspaceId::LOWEST);
        let map = PageMap::new([place(1, home), place(2, Node::Page(id(1)))], 1, NOW);
        let map = map.with([(id(1), None)], 2, NOW);
        assert_eq!(map.find(NodeKey::from(id(1))), None);
        assert_eq!(climbed(&map, 2), [id(2)]);
    }

    #[test]
    fn a_circle_ends() {
        let map = PageMap::new([place(1, Node::Page(id(2))), place(2, Node::Page(id(1)))], 1, NOW);
        assert_eq!(climbed(&map, 1).len(), MAX_CLIMB);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Whatever changes come in whatever parts, a map holds the last state of each node.
        #[test]
        fn a_map_holds_the_last_state_of_each_node(
            parts in prop::collection::vec(prop::collection::vec((any::<u16>(), any::<Option<bool>>()), 0..900), 0..6),
        ) {
            let wide = |number: u16| PageId::new(1, [[0; 8].as_slice(), &number.to_be_bytes()].concat().try_into().unwrap());
            let mut map = PageMap::new([], 0, NOW);
            let mut expected = BTreeMap::new();
            for part in parts {
                let part: BTreeMap<u16, Option<bool>> = part.into_iter().collect();
                let changed = part.iter().map(|(number, state)| {
                    let home = Node::Workspace(WorkspaceId::LOWEST);
                    let place = state.map(|has_entries| PagePlace { id: wide(*number), has_entries, ..place(0, home) });
                    (wide(*number), place)
                });
                map = map.with(changed, 0, NOW);
                expected.extend(part);
            }
            for (number, state) in expected {
                let found = map.find(NodeKey::from(wide(number)));
                let found = found.and_then(|node| map.place(node)).map(|place| place.has_entries);
                prop_assert_eq!(found, state);
            }
        }
    }
}
