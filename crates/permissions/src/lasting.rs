//! The lasting level of a caller, and whether a move would raise it.

use crate::{Authority, ContentNode, Root, resolver::NodeOutcome};
use octavo_core_model::Level;
use std::collections::{BTreeMap, BTreeSet};

/// A level without the caps of apps and guests and without entries that expire.
///
/// Only a [`LastingResolver`] creates one. So the level of a call, which may be capped or end soon, cannot be used by
/// mistake in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LastingLevel(Level);

impl LastingLevel {
    /// Whether it is higher than this level.
    pub fn exceeds(self, level: Level) -> bool {
        self.0 > level
    }

    /// Whether it is at least as high as this level.
    pub fn reaches(self, level: Level) -> bool {
        self.0 >= level
    }
}

/// Walks down a chain like a [`Resolver`](crate::Resolver), but ignores caps and entries that expire.
///
/// It does not say what a call may do, but what somebody would gain or lose through a change.
#[derive(Clone, Debug)]
pub struct LastingResolver<'a>(NodeOutcome<'a>);

impl<'a> LastingResolver<'a> {
    /// Starts at the root of a chain.
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
    /// The id of the node.
    pub id: K,
    /// The nearest access node above it. If that is not one of the nodes below the moved page, this node is attached
    /// to the moved page.
    pub outer: K,
    /// Its entries.
    pub content: ContentNode<'n>,
}

/// Whether a move raises the mover's lasting level on the page or on anything below it.
///
/// `before` and `after` are resolved up to the old and the new container. `page` has the entries of the page itself,
/// or is `None` if it has none; `below` are the access nodes below it, in any order. A node that cannot be reached
/// counts as raised.
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
