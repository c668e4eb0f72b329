//! Which units a caller may view, decided in memory.

use crate::page_map::{MapNode, PageMap};
use octavo_core_model::{
    id::{PageId, TeamId},
    page::Node,
};
use octavo_ports::search::{NodeFilter, NodeKey, Place};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU8, Ordering},
};

/// The access nodes that the caller may view.
#[derive(Clone, Debug)]
pub(super) enum SeenNodes {
    All,
    /// Pages by their keys, teams, and whether the workspace itself is one of them.
    Some {
        pages: BTreeSet<NodeKey>,
        teams: BTreeSet<TeamId>,
        home: bool,
    },
}

impl SeenNodes {
    /// `None` stands for all nodes.
    pub(super) fn new(nodes: Option<Vec<Node>>) -> Self {
        let Some(nodes) = nodes else { return Self::All };
        let (mut pages, mut teams, mut home) = (BTreeSet::new(), BTreeSet::new(), false);
        for node in nodes {
            match node {
                Node::Page(id) => drop(pages.insert(NodeKey::from(id))),
                Node::Team(id) => drop(teams.insert(id)),
                Node::Workspace(_) => home = true,
            }
        }
        Self::Some { pages, teams, home }
    }

    fn has_page(&self, id: PageId) -> bool {
        match self {
            Self::All => true,
            Self::Some { pages, .. } => pages.contains(&NodeKey::from(id)),
        }
    }

    fn has_root(&self, root: Node) -> bool {
        match (self, root) {
            (Self::All, _) => true,
            (Self::Some { teams, .. }, Node::Team(id)) => teams.contains(&id),
            (Self::Some { home, .. }, Node::Workspace(_)) => *home,
            (Self::Some { .. }, Node::Page(_)) => false,
        }
    }
}

/// The part of the workspace that a search is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) team: Option<TeamId>,
    /// Only this page and what lies below it.
    pub(super) parent: Option<NodeKey>,
    /// Only this database, its records and the comments on them.
    pub(super) database: Option<NodeKey>,
    /// Whether databases in the archive belong to it.
    pub(super) with_archived: bool,
}

/// What is known of a node, as bits that are remembered for it.
#[derive(Clone, Copy)]
struct Facts(u8);

impl Facts {
    const KNOWN: u8 = 1;
    /// It leads up to a root, and neither it nor a node above it is in the trash.
    const ALIVE: u8 = 2;
    /// The caller may view its access node.
    const SEEN: u8 = 4;
    /// It lies in the subtree that the search is about.
    const INSIDE: u8 = 8;
    /// It lies in the team that the search is about.
    const IN_TEAM: u8 = 16;

    const fn has(self, bits: u8) -> bool {
        self.0 & bits == bits
    }
}

/// Decides for each candidate of a search whether the caller may view it, and whether it lies where the search looks.
#[derive(Debug)]
pub(super) struct SearchFilter {
    map: PageMap,
    seen: SeenNodes,
    part: Part,
    few: Option<Vec<NodeKey>>,
    /// The facts of each node of the map that was met, because many candidates lie in the same ones.
    known: Vec<AtomicU8>,
}

impl SearchFilter {
    /// `pages` are the only nodes that the caller may view, if these are few.
    pub(super) fn new(map: PageMap, seen: SeenNodes, part: Part, pages: Option<&[PageId]>) -> Self {
        let few = pages.map(|pages| pages.iter().copied().map(NodeKey::from).collect());
        let mut known = Vec::new();
        known.resize_with(map.len(), AtomicU8::default);
        Self { map, seen, part, few, known }
    }

    pub(super) const fn map(&self) -> &PageMap {
        &self.map
    }

    /// Whether the caller may view a place, wherever the search looks.
    pub(super) fn is_visible(&self, place: Place) -> bool {
        self.facts_of(place).is_some_and(|facts| facts.has(Facts::ALIVE | Facts::SEEN))
    }

    fn facts_of(&self, place: Place) -> Option<Facts> {
        let node = self.map.find(place.page).or_else(|| self.map.find(place.database?))?;
        Some(self.facts(node))
    }

    fn facts(&self, node: MapNode) -> Facts {
        let mut climbed = vec![node];
        // Climb to a node that is known or to a root, then go down again.
        let mut facts = loop {
            let Some(top) = climbed.last().copied() else { break Facts(0) };
            let remembered = Facts(self.known[top.index()].load(Ordering::Relaxed));
            if remembered.has(Facts::KNOWN) {
                climbed.pop();
                break remembered;
            }
            let Some(place) = self.map.place(top) else { break Facts(Facts::KNOWN) };
            let Some(container) = place.container.page() else { break self.facts_of_root(place.container) };
            match self.map.find(NodeKey::from(container)) {
                Some(next) if climbed.len() < self.known.len() => climbed.push(next),
                // The node above is gone.
                _ => break Facts(Facts::KNOWN),
            }
        };
        for node in climbed.into_iter().rev() {
            facts = self.facts_below(facts, node);
            self.known[node.index()].store(facts.0, Ordering::Relaxed);
        }
        facts
    }

    fn facts_of_root(&self, root: Node) -> Facts {
        let seen = if self.seen.has_root(root) { Facts::SEEN } else { 0 };
        let in_team = if self.part.team.is_some_and(|team| root == Node::Team(team)) { Facts::IN_TEAM } else { 0 };
        Facts(Facts::KNOWN | Facts::ALIVE | seen | in_team)
    }

    fn facts_below(&self, above: Facts, node: MapNode) -> Facts {
        let Some(place) = self.map.place(node) else { return Facts(Facts::KNOWN) };
        let mut bits = above.0;
        if place.is_trash_root {
            bits &= !Facts::ALIVE;
        }
        if place.has_entries {
            bits &= !Facts::SEEN;
            if self.seen.has_page(place.id) {
                bits |= Facts::SEEN;
            }
        }
        if self.part.parent == Some(NodeKey::from(place.id)) {
            bits |= Facts::INSIDE;
        }
        Facts(bits)
    }

    /// Whether a place is a database, or one of its records.
    fn is_of_database(&self, place: Place, database: NodeKey) -> bool {
        let container = || self.map.place(self.map.find(place.page)?)?.container.page();
        place.database == Some(database) || place.page == database || container().map(NodeKey::from) == Some(database)
    }

    fn is_archived(&self, place: Place) -> bool {
        let find = |key: NodeKey| self.map.find(key).and_then(|node| self.map.place(node));
        let page = find(place.page);
        let database = place.database.or_else(|| page?.container.page().map(NodeKey::from));
        page.into_iter().chain(database.and_then(find)).any(|place| place.is_archived)
    }
}

impl NodeFilter for SearchFilter {
    fn shows(&self, place: Place) -> bool {
        let Some(facts) = self.facts_of(place) else { return false };
        let Part { team, parent, database, with_archived } = self.part;
        facts.has(Facts::ALIVE | Facts::SEEN)
            && (team.is_none() || facts.has(Facts::IN_TEAM))
            && parent.is_none_or(|parent| facts.has(Facts::INSIDE) || place.page == parent)
            && database.is_none_or(|database| self.is_of_database(place, database))
            && (with_archived || !self.is_archived(place))
    }

    fn few(&self) -> Option<&[NodeKey]> {
        self.few.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{Timestamp, id::WorkspaceId};
    use octavo_ports::pages::PagePlace;

    const HOME: Node = Node::Workspace(WorkspaceId::LOWEST);

    fn id(number: u8) -> PageId {
        PageId::new(1, [number; 10])
    }

    fn key(number: u8) -> NodeKey {
        NodeKey::from(id(number))
    }

    fn node(number: u8, container: Node) -> PagePlace {
        PagePlace { id: id(number), container, has_entries: false, is_trash_root: false, is_archived: false }
    }

    fn inside(number: u8, container: u8) -> PagePlace {
        node(number, Node::Page(id(container)))
    }

    fn filter(tree: impl IntoIterator<Item = PagePlace>, nodes: Option<Vec<Node>>, part: Part) -> SearchFilter {
        SearchFilter::new(PageMap::new(tree, 0, Timestamp::from_millis(0)), SeenNodes::new(nodes), part, None)
    }

    fn shown(filter: &SearchFilter, pages: impl IntoIterator<Item = u8>) -> Vec<u8> {
        pages.into_iter().filter(|page| filter.shows(Place { page: key(*page), database: None })).collect()
    }

    #[test]
    fn a_page_has_the_access_of_the_nearest_node_with_entries() {
        let own = |place| PagePlace { has_entries: true, ..place };
        let tree = [node(1, HOME), inside(2, 1), own(inside(3, 2)), inside(4, 3), node(5, Node::Team(TeamId::EXAMPLE))];
        let part = Part::default();
        assert_eq!(shown(&filter(tree, None, part), 1..=5), [1, 2, 3, 4, 5]);
        assert_eq!(shown(&filter(tree, Some(vec![HOME]), part), 1..=5), [1, 2]);
        assert_eq!(shown(&filter(tree, Some(vec![Node::Page(id(3))]), part), 1..=5), [3, 4]);
        assert_eq!(shown(&filter(tree, Some(vec![Node::Team(TeamId::EXAMPLE)]), part), 1..=5), [5]);
        assert_eq!(shown(&filter(tree, Some(vec![]), part), 1..=5), [0; 0]);
    }

    #[test]
    fn nothing_below_a_page_in_the_trash_is_shown() {
        let gone = |place| PagePlace { is_trash_root: true, ..place };
        let tree = [node(1, HOME), gone(inside(2, 1)), inside(3, 2), inside(4, 1)];
        assert_eq!(shown(&filter(tree, None, Part::default()), 1..=4), [1, 4]);
    }

    #[test]
    fn nothing_below_a_page_that_is_gone_is_shown() {
        let tree = [inside(2, 1), inside(3, 2), node(4, HOME)];
        assert_eq!(shown(&filter(tree, None, Part::default()), 1..=5), [4]);
    }

    #[test]
    fn a_search_can_be_about_a_part_of_the_tree() {
        let team = Node::Team(TeamId::EXAMPLE);
        let tree = [node(1, HOME), inside(2, 1), inside(3, 2), node(4, team), inside(5, 4)];
        let below = Part { parent: Some(key(2)), ..Part::default() };
        assert_eq!(shown(&filter(tree, None, below), 1..=5), [2, 3]);
        let of_team = Part { team: Some(TeamId::EXAMPLE), ..Part::default() };
        assert_eq!(shown(&filter(tree, None, of_team), 1..=5), [4, 5]);
    }

    #[test]
    fn a_record_without_a_row_has_the_access_of_its_database() {
        let archived = PagePlace { is_archived: true, ..node(2, HOME) };
        let tree = [node(1, HOME), archived];
        let of = |database| Place { page: key(9), database: Some(key(database)) };
        let filter_of = |part| filter(tree, None, part);
        assert!(filter_of(Part::default()).shows(of(1)));
        assert!(!filter_of(Part::default()).shows(of(2)), "it is in the archive");
        assert!(filter_of(Part { with_archived: true, ..Part::default() }).shows(of(2)));
        assert!(!filter_of(Part::default()).shows(of(3)));
        let by_database = filter_of(Part { database: Some(key(1)), ..Part::default() });
        assert!(by_database.shows(of(1)) && !by_database.shows(Place { page: key(3), database: None }));
        // A comment on a record names only the page.
        let with_row = filter([node(1, HOME), inside(5, 1), node(6, HOME)], None, by_database.part);
        assert_eq!(shown(&with_row, [1, 5, 6]), [1, 5]);
        assert!(filter_of(Part { parent: Some(key(9)), ..Part::default() }).shows(of(1)));
    }
}
