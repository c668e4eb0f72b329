//! Compares the resolver with a walk that follows the definition word by word, on random workspaces.

use super::callers::{team, user};
use crate::{AppScopes, Authority, ContentNode, Member, NodeEntry, Principal, Resolver, Root, Team};
use octavo_core_model::{AppScope, KeyScope, Level, Role, TeamRole};
use proptest::{collection::vec, prelude::*, sample::select};
use std::collections::BTreeMap;

const USERS: u8 = 4;
const TEAMS: u8 = 3;

/// A workspace with everything that access depends on, as tables.
#[derive(Clone, Debug)]
pub(super) struct World {
    roles: Vec<Option<Role>>,
    /// Whether each team is private.
    pub(super) teams: Vec<bool>,
    /// By user and team.
    team_roles: BTreeMap<(u8, u8), TeamRole>,
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Parent,
    pub(super) inherit: bool,
    pub(super) grants: Vec<NodeEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Parent {
    Workspace,
    Team(u8),
    /// An earlier node.
    Node(usize),
}

/// A caller, without the data about it in the tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Credential {
    Key(KeyScope),
    SignedIn(u8),
    App(u8, AppScopes),
}

impl World {
    /// The definition, step by step, with the map of all principals.
    fn literal_level(&self, credential: Credential, node: usize) -> Level {
        let (caller, scopes) = match credential {
            Credential::Key(KeyScope::Read) => return Level::View,
            Credential::Key(KeyScope::Write) => return Level::Edit,
            Credential::Key(KeyScope::Admin) => return Level::FullAccess,
            Credential::SignedIn(caller) => (caller, None),
            Credential::App(caller, scopes) => (caller, Some(scopes)),
        };
        let Some(role) = self.roles[usize::from(caller)] else { return Level::None };
        let mut level = match role {
            Role::Owner | Role::Admin => Level::FullAccess,
            Role::Member | Role::Guest => self.read_map(caller, role, &self.map_at(Parent::Node(node))),
        };
        if role == Role::Guest && level == Level::FullAccess {
            level = Level::Edit;
        }
        let Some(scopes) = scopes else { return level };
        if scopes.iter().any(AppScope::writes) {
            level.min(Level::Edit)
        } else if scopes.is_empty() {
            Level::None
        } else {
            level.min(Level::View)
        }
    }

    /// The definition without its caps, in a workspace without entries that expire.
    pub(super) fn literal_lasting_level(&self, credential: Credential, node: usize) -> Level {
        let mut world = self.clone();
        for node in &mut world.nodes {
            node.grants.retain(|entry| !entry.expires);
        }
        let (Credential::SignedIn(caller) | Credential::App(caller, _)) = credential else {
            return self.literal_level(credential, node);
        };
        match self.roles[usize::from(caller)] {
            None => Level::None,
            Some(Role::Owner | Role::Admin) => Level::FullAccess,
            Some(role) => world.read_map(caller, role, &world.map_at(Parent::Node(node))),
        }
    }

    fn map_at(&self, place: Parent) -> BTreeMap<Principal, Level> {
        match place {
            Parent::Workspace => BTreeMap::from([(Principal::Workspace, Level::Edit)]),
            Parent::Team(own) => {
                let mut map = BTreeMap::from([(Principal::Team(team(own)), Level::Edit)]);
                if !self.teams[usize::from(own)] {
                    map.insert(Principal::Workspace, Level::View);
                }
                for ((member, of), team_role) in &self.team_roles {
                    let role = self.roles[usize::from(*member)];
                    if *of == own && *team_role == TeamRole::Admin && role.is_some() && role != Some(Role::Guest) {
                        map.insert(Principal::User(user(*member)), Level::FullAccess);
                    }
                }
                map
            }
            Parent::Node(index) => {
                let node = &self.nodes[index];
                let mut map = if node.inherit { self.map_at(node.parent) } else { BTreeMap::new() };
                map.extend(node.grants.iter().map(|entry| (entry.principal, entry.level)));
                map
            }
        }
    }

    fn read_map(&self, caller: u8, role: Role, map: &BTreeMap<Principal, Level>) -> Level {
        if let Some(level) = map.get(&Principal::User(user(caller))) {
            return *level;
        }
        if role == Role::Guest {
            return Level::None;
        }
        let own_teams = self.team_roles.keys().filter(|(member, _)| *member == caller);
        let mut entries = own_teams.map(|(_, of)| Principal::Team(team(*of))).collect::<Vec<_>>();
        entries.push(Principal::Workspace);
        entries.iter().filter_map(|principal| map.get(principal)).copied().max().unwrap_or(Level::None)
    }

    pub(super) fn authority(&self, credential: Credential) -> Authority {
        let member = |caller: u8| {
            let own = self.team_roles.iter().filter(move |((member, _), _)| *member == caller);
            let teams = own.map(|((_, of), role)| (team(*of), *role));
            self.roles[usize::from(caller)].map(|role| Member::new(user(caller), role, teams))
        };
        match credential {
            Credential::Key(scope) => Authority::Key(scope),
            Credential::SignedIn(caller) => member(caller).map_or(Authority::Outsider, Authority::Member),
            Credential::App(caller, scopes) => {
                member(caller).map_or(Authority::Outsider, |member| Authority::App { member, scopes })
            }
        }
    }

    /// The levels on all nodes, each resolved from the saved state of its parent.
    fn levels(&self, authority: &Authority) -> Vec<Level> {
        let mut resolvers = Vec::<Resolver<'_>>::new();
        for node in &self.nodes {
            let above = match node.parent {
                Parent::Workspace => Resolver::at(authority, Root::Workspace),
                Parent::Team(own) => {
                    let is_private = self.teams[usize::from(own)];
                    Resolver::at(authority, Root::Team(Team { id: team(own), is_private }))
                }
                Parent::Node(index) => resolvers[index].clone(),
            };
            resolvers.push(above.enter(ContentNode { inherit: node.inherit, entries: &node.grants }));
        }
        resolvers.iter().map(Resolver::level).collect()
    }
}

pub(super) fn world() -> impl Strategy<Value = World> {
    let roles = vec(
        prop::option::weighted(0.9, select(vec![Role::Guest, Role::Member, Role::Member, Role::Admin, Role::Owner])),
        usize::from(USERS),
    );
    let teams = vec(any::<bool>(), usize::from(TEAMS));
    let team_roles = prop::collection::btree_map((0..USERS, 0..TEAMS), select(TeamRole::ALL), 0..8);
    let nodes = vec((any::<usize>(), prop::bool::weighted(0.8), grants()), 1..9);
    (roles, teams, team_roles, nodes).prop_map(|(roles, teams, team_roles, nodes)| {
        let nodes = nodes.into_iter().enumerate().map(|(index, (place, inherit, grants))| {
            let parent = parent(place, index);
            Node { parent, inherit, grants }
        });
        World { roles, teams, team_roles, nodes: nodes.collect() }
    })
}

/// Deep trees with a few roots.
fn parent(place: usize, index: usize) -> Parent {
    let team_or_workspace = u8::try_from(place / 7 % (usize::from(TEAMS) + 1)).unwrap();
    match (place % 7, index) {
        (1.., 1..) => Parent::Node(index - 1 - place / 7 % index.min(2)),
        _ if team_or_workspace == TEAMS => Parent::Workspace,
        _ => Parent::Team(team_or_workspace),
    }
}

fn grants() -> impl Strategy<Value = Vec<NodeEntry>> {
    let principal = prop_oneof![
        (0..USERS).prop_map(|number| Principal::User(user(number))),
        (0..TEAMS).prop_map(|number| Principal::Team(team(number))),
        Just(Principal::Workspace),
    ];
    let grants = prop::collection::btree_map(principal, (select(Level::ALL), prop::bool::weighted(0.2)), 0..4);
    let entry = |(principal, (level, expires))| NodeEntry { principal, level, expires };
    grants.prop_map(move |grants| grants.into_iter().map(entry).collect())
}

pub(super) fn credentials() -> impl Iterator<Item = Credential> {
    let grants = [vec![], vec![AppScope::FilesRead], vec![AppScope::PagesRead, AppScope::DatabasesWrite]];
    let apps = grants.map(AppScopes::from_iter);
    let users = (0..USERS).flat_map(move |caller| {
        let through_apps = apps.map(|scopes| Credential::App(caller, scopes));
        through_apps.into_iter().chain([Credential::SignedIn(caller)])
    });
    users.chain(KeyScope::ALL.iter().copied().map(Credential::Key))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_resolver_says_what_the_definition_says(world in world()) {
        for credential in credentials() {
            let literal = (0..world.nodes.len()).map(|node| world.literal_level(credential, node)).collect::<Vec<_>>();
            prop_assert_eq!(world.levels(&world.authority(credential)), literal, "{:?}", credential);
        }
    }
}
