//! What the person or key behind a call has for good, and whether a move would raise it.

use crate::{Authority, ContentNode, Root, resolver::NodeOutcome};
use octavo_core_model::Level;
use std::collections::{BTreeMap, BTreeSet};

/// A level without the caps of apps and guests and without entries that expire.
///
/// Only a [`LastingResolver`] makes one, so the level that a call is held to, which may be capped or end soon, cannot take its place in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LastingLevel(Level);

impl LastingLevel {
    /// Whether it is higher than a level.
    pub fn exceeds(self, level: Level) -> bool {
        self.0 > level
    }

    /// Whether it is at least as high as a level.
    pub fn reaches(self, level: Level) -> bool {
        self.0 >= level
    }
}

/// A walk down a chain like that of a [`Resolver`](crate::Resolver), for what remains when no cap and no expiring entry hides or lends anything.
///
/// It never answers what a call may do. It answers what somebody gains or loses by a change.
#[derive(Clone, Debug)]
pub struct LastingResolver<'a>(NodeOutcome<'a>);

impl<'a> LastingResolver<'a> {
    /// Stands on the root of a chain.
    pub fn at(authority: &'a Authority, root: Root) -> Self {
        Self(NodeOutcome::at(authority, root))
    }

    /// Steps down to a node.
    #[must_use]
    pub fn enter(mut self, node: ContentNode<'_>) -> Self {
        self.0.enter(node.inherit, node.entries.iter().filter(|entry| !entry.expires));
        self
    }

    /// The level on the node that was entered last.
    pub fn level(&self) -> LastingLevel {
        LastingLevel(self.0.level())
    }
}

/// A page below a moved one that has entries of its own.
#[derive(Clone, Copy, Debug)]
pub struct MovedNode<'n, K> {
    /// Which one.
    pub id: K,
    /// The nearest page above it with entries of its own. Where that is none of the nodes below the moved page, this one hangs on the moved page.
    pub outer: K,
    /// What it adds.
    pub content: ContentNode<'n>,
}

/// Whether a move raises the lasting level of whoever moves, on the page or on anything below it.
///
/// `before` and `after` stand on what the page stands in and on what it is to stand in. `page` is what the page itself adds, nothing for one without
/// entries of its own; `below` are the nodes with entries below it, in any order. A node that no way leads to counts as raised.
pub fn move_raises<K: Copy + Ord>(
    before: LastingResolver<'_>,
    after: LastingResolver<'_>,
    page: ContentNode<'_>,
    below: &[MovedNode<'_, K>],
) -> bool {
    let ids: BTreeSet<_> = below.iter().map(|node| node.id).collect();
    let mut by_outer = BTreeMap::<Option<K>, Vec<_>>::new();
    for node in below {
        by_outer.entry(Some(node.outer).filter(|outer| ids.contains(outer))).or_default().push(node);
    }
    let mut open = vec![(None, before.enter(page), after.enter(page))];
    while let Some((node, before, after)) = open.pop() {
        if after.level() > before.level() {
            return true;
        }
        for next in by_outer.remove(&node).unwrap_or_default() {
            open.push((Some(next.id), before.clone().enter(next.content), after.clone().enter(next.content)));
        }
    }
    !by_outer.is_empty()
}
