//! Compares whether a move raises somebody with the levels that a literal walk finds before and after it.

use super::{
    callers::{team, user},
    literal_walk::{Parent, World, credentials, world},
};
use crate::{
    AppScopes, Authority, ContentNode, LastingResolver, Member, MovedNode, NodeEntry, Principal, Root, Team,
    move_raises,
};
use octavo_core_model::{AppScope, Level, Role};
use proptest::{prelude::*, sample::Index};

const NOTHING: ContentNode<'static> = ContentNode { inherit: true, entries: &[] };

impl World {
    fn content(&self, node: usize) -> ContentNode<'_> {
        ContentNode { inherit: self.nodes[node].inherit, entries: &self.nodes[node].grants }
    }

    fn resolver_at<'a>(&self, authority: &'a Authority, place: Parent) -> LastingResolver<'a> {
        match place {
            Parent::Workspace => LastingResolver::at(authority, Root::Workspace),
            Parent::Team(own) => {
                let is_private = self.teams[usize::from(own)];
                LastingResolver::at(authority, Root::Team(Team { id: team(own), is_private }))
            }
            Parent::Node(node) => self.resolver_at(authority, self.nodes[node].parent).enter(self.content(node)),
        }
    }

    fn lies_in(&self, node: usize, top: usize) -> bool {
        node == top || matches!(self.nodes[node].parent, Parent::Node(parent) if self.lies_in(parent, top))
    }

    fn has_entries(&self, node: usize) -> bool {
        !self.nodes[node].inherit || !self.nodes[node].grants.is_empty()
    }

    /// The nearest access node above, at most the moved one.
    fn outer(&self, node: usize, top: usize) -> usize {
        match self.nodes[node].parent {
            Parent::Node(parent) if parent != top && !self.has_entries(parent) => self.outer(parent, top),
            Parent::Node(parent) => parent,
            Parent::Workspace | Parent::Team(_) => top,
        }
    }

    /// The nodes with entries of their own, in an arbitrary order, as a store would list them.
    fn nodes_below(&self, top: usize) -> Vec<MovedNode<'_, usize>> {
        let below = (0..self.nodes.len()).rev().filter(|node| *node != top && self.lies_in(*node, top));
        let listed = below.filter(|node| self.has_entries(*node));
        listed.map(|id| MovedNode { id, outer: self.outer(id, top), content: self.content(id) }).collect()
    }
}

fn place(world: &World, index: Index) -> Parent {
    let nodes = world.nodes.len();
    match index.index(nodes + world.teams.len() + 1) {
        node if node < nodes => Parent::Node(node),
        number if number == nodes => Parent::Workspace,
        number => Parent::Team(u8::try_from(number - nodes - 1).unwrap()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_move_raises_where_a_literal_walk_finds_a_higher_level_after_it(
        world in world(), page: Index, target: Index,
    ) {
        let top = page.index(world.nodes.len());
        let target = place(&world, target);
        prop_assume!(!matches!(target, Parent::Node(node) if world.lies_in(node, top)));
        let mut moved = world.clone();
        moved.nodes[top].parent = target;
        let inside: Vec<_> = (0..world.nodes.len()).filter(|node| world.lies_in(*node, top)).collect();
        for credential in credentials() {
            let authority = world.authority(credential);
            let before = world.resolver_at(&authority, world.nodes[top].parent);
            let after = world.resolver_at(&authority, target);
            let found = move_raises(before, after, world.content(top), &world.nodes_below(top));
            let level = |world: &World, node: usize| world.literal_lasting_level(credential, node);
            let literal = inside.iter().any(|node| level(&moved, *node) > level(&world, *node));
            prop_assert_eq!(found, literal, "{:?}", credential);
        }
    }

    #[test]
    fn caps_and_entries_that_expire_make_no_difference(world in world(), page: Index, target: Index) {
        let top = page.index(world.nodes.len());
        let target = place(&world, target);
        prop_assume!(!matches!(target, Parent::Node(node) if world.lies_in(node, top)));
        let mut lasting = world.clone();
        for node in &mut lasting.nodes {
            node.grants.retain(|entry| !entry.expires);
        }
        let raises = |world: &World, authority: &Authority| {
            let (before, after) = (world.nodes[top].parent, target);
            let (before, after) = (world.resolver_at(authority, before), world.resolver_at(authority, after));
            move_raises(before, after, world.content(top), &world.nodes_below(top))
        };
        for credential in credentials() {
            let authority = world.authority(credential);
            prop_assert_eq!(raises(&world, &authority), raises(&lasting, &authority));
            if let Authority::App { member, .. } = &authority {
                prop_assert_eq!(raises(&world, &authority), raises(&world, &Authority::Member(member.clone())));
            }
        }
    }
}

/// On their own root page a member has more, but their app has the same as on a page of somebody else.
#[test]
fn an_app_hides_no_raise() {
    let member = Member::new(user(0), Role::Member, []);
    let own = [NodeEntry { principal: Principal::User(user(0)), level: Level::FullAccess, expires: false }];
    let scopes = AppScopes::from_iter([AppScope::PagesWrite]);
    for authority in [Authority::Member(member.clone()), Authority::App { member, scopes }] {
        let top = LastingResolver::at(&authority, Root::Workspace);
        let below_own = top.clone().enter(ContentNode { inherit: true, entries: &own });
        assert!(move_raises::<u8>(top.clone(), below_own.clone(), NOTHING, &[]));
        assert!(!move_raises::<u8>(below_own, top, NOTHING, &[]));
    }
}

#[test]
fn an_unreachable_node_counts_as_raised() {
    let authority = Authority::Member(Member::new(user(0), Role::Member, []));
    let top = LastingResolver::at(&authority, Root::Workspace);
    let circle = [(1, 2), (2, 1)].map(|(id, outer)| MovedNode { id, outer, content: NOTHING });
    assert!(move_raises(top.clone(), top, NOTHING, &circle));
}

#[test]
fn a_lasting_level_is_compared_without_the_cap_of_guests() {
    let guest = Authority::Member(Member::new(user(0), Role::Guest, []));
    let entries = [NodeEntry { principal: Principal::User(user(0)), level: Level::FullAccess, expires: false }];
    let lasting = LastingResolver::at(&guest, Root::Workspace).enter(ContentNode { inherit: true, entries: &entries });
    assert!(lasting.level().exceeds(Level::Edit) && !lasting.level().exceeds(Level::FullAccess));
}
