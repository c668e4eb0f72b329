//! Compares lists of pages with the level computed for every page individually.

use crate::world::{Calling, Device, World};
use octavo_app::{
    pages::{self, PageList, TreeRequest, TreeRoot, trash},
    teams,
};
use octavo_core_model::{
    Level, Role, TeamRole,
    grant::{Grant, Grantee},
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{Node, Page, PageOrder, PageSort, Trash},
    position::Position,
};
use octavo_permissions::{Authority, ContentNode, Member, NodeEntry, Principal, Root, Team, level};
use octavo_ports::store::Record;
use octavo_testkit::{Database, fresh_postgres, fresh_sqlite, make};
use std::collections::{BTreeMap, BTreeSet};

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Pages and their grants, to be compared with lists.
#[derive(Default)]
struct Forest {
    pages: Vec<Page>,
    grants: BTreeMap<(PageId, String), Grant>,
    private: BTreeMap<TeamId, bool>,
}

/// A caller that lists pages.
struct Caller {
    device: Device,
    authority: Authority,
}

impl Forest {
    fn add(&mut self, number: u64, workspace: WorkspaceId, container: Node, inherit: bool) -> PageId {
        let parent = self.pages.iter().find(|page| container.page() == Some(page.id));
        let (outer, team) = parent.map_or((container, container.team()), |page| (page.access, page.team));
        let mut page = make::page(number, workspace, container, outer);
        page.position = Position::from_stored(format!("a{number:05}1"));
        page.updated_at = make::NOW.plus(std::time::Duration::from_secs(number));
        page.team = team;
        page.inherit = inherit;
        if !inherit {
            page.access = Node::Page(page.id);
        }
        self.pages.push(page);
        make::page_id(number)
    }

    /// Pages below it are to be added after this.
    #[allow(clippy::needless_pass_by_value, reason = "callers make it for this call")]
    fn grant(&mut self, page: PageId, grantee: Grantee, level: Level) {
        let page = self.pages.iter_mut().find(|other| other.id == page).unwrap();
        page.access = Node::Page(page.id);
        let number = u64::try_from(self.grants.len()).unwrap() + 1;
        let grant = make::access_grant(number, page, grantee.clone(), level);
        self.grants.insert((page.id, grantee.to_string()), grant);
    }

    async fn insert(&self, world: &World) {
        for pages in self.pages.chunks(500) {
            let mut unit = world.engine.store.writer().await.unwrap();
            unit.pages().insert_many(pages).await.unwrap();
            unit.commit(Record::default()).await.unwrap();
        }
        let mut unit = world.engine.store.writer().await.unwrap();
        for grant in self.grants.values() {
            unit.grants().put(grant).await.unwrap();
        }
        unit.commit(Record::default()).await.unwrap();
    }

    fn page(&self, id: PageId) -> &Page {
        self.pages.iter().find(|page| page.id == id).unwrap()
    }

    /// The definition, taken literally: from the root down, every page with its entries.
    fn level(&self, authority: &Authority, page: &Page) -> Level {
        let mut chain = vec![page];
        while let Some(parent) = chain.last().unwrap().container.page() {
            chain.push(self.page(parent));
        }
        let root = match chain.last().unwrap().container {
            Node::Team(id) => Root::Team(Team { id, is_private: self.private[&id] }),
            Node::Workspace(_) | Node::Page(_) => Root::Workspace,
        };
        let entries = |page: &Page| -> Vec<NodeEntry> {
            let on_page = self.grants.iter().filter(|((id, _), _)| *id == page.id);
            let entry = |(_, grant): (_, &Grant)| {
                let principal = match grant.grantee {
                    Grantee::User(user) => Principal::User(user),
                    Grantee::Team(team) => Principal::Team(team),
                    Grantee::Workspace(_) => Principal::Workspace,
                    Grantee::Email(_) => return None,
                };
                Some(NodeEntry { principal, level: grant.level, expires: grant.expires_at.is_some() })
            };
            on_page.filter_map(entry).collect()
        };
        let steps: Vec<_> = chain.iter().rev().map(|page| (page.inherit, entries(page))).collect();
        level(authority, root, steps.iter().map(|(inherit, entries)| ContentNode { inherit: *inherit, entries }))
    }

    fn levels(&self, authority: &Authority) -> BTreeMap<PageId, Level> {
        self.pages.iter().map(|page| (page.id, self.level(authority, page))).collect()
    }
}

/// The active pages in an order, chunk by chunk, with level and number of children.
#[allow(clippy::option_option, reason = "as the list takes it: not asked for, the root, a page")]
async fn listed(
    world: &World,
    caller: &Caller,
    id: WorkspaceId,
    sort: Option<PageSort>,
    parent: Option<Option<PageId>>,
) -> Vec<(PageId, Level, u64)> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let asked = PageList {
            parent,
            team: None,
            created_by: None,
            updated_after: None,
            public_access: None,
            include_record_pages: false,
            sort,
            after: after.take(),
            limit: 40,
        };
        let order = asked.sort();
        let call = world.by(&caller.device).naming(id);
        let some = world.read(call, move |view| Box::pin(pages::list(view, Ok(asked)))).await.unwrap();
        after = some.last().map(|shown| shown.page.mark(order));
        let is_last = some.len() < 40;
        found.extend(some.into_iter().map(|shown| (shown.page.id, shown.level, shown.child_count)));
        if is_last {
            return found;
        }
    }
}

async fn branches(world: &World, caller: &Caller, id: WorkspaceId, root: TreeRoot, depth: u32) -> Vec<pages::Branch> {
    let asked = TreeRequest { root, depth, after: None, limit: 10_000 };
    let call = world.by(&caller.device).naming(id);
    world.read(call, move |view| Box::pin(pages::tree(view, Ok(asked)))).await.unwrap()
}

fn names(branches: &[pages::Branch], into: &mut BTreeSet<PageId>) {
    for branch in branches {
        into.insert(branch.page.id);
        names(&branch.children, into);
    }
}

/// Compares every list of pages with the levels computed page by page.
async fn compare(world: &World, forest: &Forest, caller: &Caller, id: WorkspaceId, what: &str) {
    let levels = forest.levels(&caller.authority);
    let sees = |page: &Page| levels[&page.id] >= Level::View;
    let active = |page: &&Page| page.trash.is_none();
    let children = |page: PageId| {
        let below =
            forest.pages.iter().filter(active).filter(|child| child.container == Node::Page(page) && sees(child));
        u64::try_from(below.count()).unwrap()
    };
    let entry = |page: &Page| (page.id, levels[&page.id], children(page.id));

    let mut by_change: Vec<_> = forest.pages.iter().filter(active).filter(|page| sees(page)).collect();
    by_change.sort_by_key(|page| std::cmp::Reverse(page.updated_at));
    let expected: Vec<_> = by_change.iter().map(|page| entry(page)).collect();
    assert_eq!(listed(world, caller, id, None, None).await, expected, "{what}: all pages");

    let by_position = Some(PageSort { by: PageOrder::Position, descending: false });
    let mut roots: Vec<_> = by_change.iter().filter(|page| page.container.page().is_none()).collect();
    roots.sort_by_key(|page| page.position.as_str().to_owned());
    let expected: Vec<_> = roots.iter().map(|page| entry(page)).collect();
    assert_eq!(listed(world, caller, id, by_position, Some(None)).await, expected, "{what}: root pages");

    let mut in_tree = BTreeSet::new();
    names(&branches(world, caller, id, TreeRoot::Workspace, 3).await, &mut in_tree);
    let mut expected = BTreeSet::new();
    for page in &by_change {
        let mut above = vec![*page];
        while let Some(parent) = above.last().unwrap().container.page() {
            above.push(forest.page(parent));
        }
        let is_in_workspace = matches!(above.last().unwrap().container, Node::Workspace(_));
        if is_in_workspace && above.len() <= 3 && above.iter().all(|page| active(page) && sees(page)) {
            expected.insert(page.id);
        }
    }
    assert_eq!(in_tree, expected, "{what}: tree");

    let mut shared = BTreeSet::new();
    names(&branches(world, caller, id, TreeRoot::Shared, 1).await, &mut shared);
    let own_teams: BTreeSet<_> = caller.authority.member().unwrap().teams().iter().map(|(team, _)| *team).collect();
    let is_guest = caller.authority.member().unwrap().role() == Role::Guest;
    let is_hidden = |page: &Page| match page.container {
        Node::Workspace(_) => false,
        Node::Team(team) => !own_teams.contains(&team) && (is_guest || forest.private[&team]),
        Node::Page(parent) => levels[&parent] < Level::View,
    };
    let expected: BTreeSet<_> = by_change.iter().filter(|page| is_hidden(page)).map(|page| page.id).collect();
    assert_eq!(shared, expected, "{what}: shared");

    let call = world.by(&caller.device).naming(id);
    let asked = trash::TrashList { root: None, trashed_by: None, before: None, limit: 10_000 };
    let discarded = world.read(call, move |view| Box::pin(trash::list(view, Ok(asked)))).await.unwrap();
    let discarded: BTreeSet<_> = discarded.into_iter().map(|page| page.page.id).collect();
    let gone = forest.pages.iter().filter(|page| page.trash.is_some() && levels[&page.id] >= Level::Edit);
    assert_eq!(discarded, gone.map(|page| page.id).collect(), "{what}: trash");
}

struct Participants {
    id: WorkspaceId,
    callers: Vec<(&'static str, Caller, UserId)>,
    teams: [TeamId; 2],
}

/// A workspace with a public and a private team; a member and a guest who are in the first, a member who is in none.
async fn participants(world: &mut World, forest: &mut Forest) -> Participants {
    let (owner, device) = world.newcomer().await;
    let id = world.creates_workspace(&owner).await;
    let workspace = world.engine.store.reader().await.unwrap().workspaces().find(id).await.unwrap().unwrap();
    let (open, closed) = (make::team(1, &workspace), make::team(2, &workspace));
    let closed = octavo_core_model::team::Team { is_private: true, ..closed };
    let mut callers = Vec::new();
    for (name, role, is_in_team) in
        [("member", Role::Member, true), ("loner", Role::Member, false), ("guest", Role::Guest, true)]
    {
        let (person, own) = world.newcomer().await;
        world.adds(world.by(&device).at(id), person.id, role).await.unwrap();
        let teams = is_in_team.then_some((open.id, TeamRole::Member));
        let authority = Authority::Member(Member::new(person.id, role, teams));
        callers.push((name, Caller { device: own, authority }, person.id));
    }
    let mut unit = world.engine.store.writer().await.unwrap();
    for team in [&open, &closed] {
        assert!(unit.teams().insert(team).await.unwrap());
        forest.private.insert(team.id, team.is_private);
    }
    for (number, (_, caller, user)) in (1..).zip(&callers) {
        if !caller.authority.member().unwrap().teams().is_empty() {
            let membership = make::team_membership(number, &open, *user, TeamRole::Member);
            assert!(unit.teams().insert_membership(&membership).await.unwrap());
        }
    }
    unit.commit(Record::default()).await.unwrap();
    Participants { id, callers, teams: [open.id, closed.id] }
}

/// A random forest; `density` per cent of its pages have an additional entry.
fn grow(forest: &mut Forest, participants: &Participants, dice: &mut Dice, count: u64, density: u64) {
    let levels = [Level::None, Level::View, Level::Edit, Level::FullAccess];
    for number in 1..=count {
        let container = match dice.below(10) {
            0 => Node::Workspace(participants.id),
            1 => Node::Team(participants.teams[usize::try_from(dice.below(2)).unwrap()]),
            _ if number > 1 => Node::Page(make::page_id(1 + dice.below(number - 1))),
            _ => Node::Workspace(participants.id),
        };
        let depth = |forest: &Forest, mut at: Node| {
            let mut depth = 1;
            while let Some(parent) = at.page() {
                (at, depth) = (forest.page(parent).container, depth + 1);
            }
            depth
        };
        let container = if depth(forest, container) > 8 { Node::Workspace(participants.id) } else { container };
        let id = forest.add(number, participants.id, container, dice.below(10) > 1);
        while dice.below(100) < density {
            let grantee = match dice.below(6) {
                0 => Grantee::Workspace(participants.id),
                1 => Grantee::Team(participants.teams[0]),
                _ => Grantee::User(participants.callers[usize::try_from(dice.below(3)).unwrap()].2),
            };
            let level = levels[usize::try_from(dice.below(4)).unwrap()];
            forest.grant(id, grantee, level);
        }
        let page = forest.pages.last_mut().unwrap();
        if dice.below(12) == 0 {
            page.trash = Some(Trash { by: None, at: page.updated_at, root: page.id, purge_at: page.updated_at });
        }
    }
}

async fn lists_agree(database: Database) {
    let mut world = World::over(database).await;
    // Few entries, a few hundred, and so many that no list looks up all of them in advance.
    for (seed, count, density) in [(1, 120, 10), (2, 300, 50), (3, 1_200, 70)] {
        let mut forest = Forest::default();
        let participants = participants(&mut world, &mut forest).await;
        grow(&mut forest, &participants, &mut Dice(seed), count, density);
        forest.insert(&world).await;
        for (name, caller, _) in &participants.callers {
            compare(&world, &forest, caller, participants.id, &format!("{name} among {count}")).await;
        }
    }
}

#[tokio::test]
async fn lists_show_what_each_page_by_itself_shows_on_sqlite() {
    lists_agree(fresh_sqlite().await).await;
}

#[tokio::test]
async fn lists_show_what_each_page_by_itself_shows_on_postgres() {
    let Some(database) = fresh_postgres().await else { return };
    lists_agree(database).await;
}

/// Many private pages of others that are newer than the caller's own, which are many too.
async fn crowd(world: &mut World, mine: u64, others: u64) -> (Forest, Participants) {
    let mut forest = Forest::default();
    let participants = participants(world, &mut forest).await;
    for number in 1..=mine + others {
        let id = forest.add(number, participants.id, Node::Workspace(participants.id), false);
        let whose = usize::from(number > mine);
        forest.grant(id, Grantee::User(participants.callers[whose].2), Level::FullAccess);
    }
    forest.insert(world).await;
    (forest, participants)
}

#[tokio::test]
async fn a_list_goes_on_past_thousands_of_hidden_pages() {
    let mut world = World::new().await;
    let (forest, participants) = crowd(&mut world, 300, 1_300).await;
    for (name, caller, _) in &participants.callers {
        compare(&world, &forest, caller, participants.id, name).await;
    }
}

#[tokio::test]
async fn a_team_shows_the_root_pages_that_its_member_sees() {
    let mut world = World::new().await;
    let mut forest = Forest::default();
    let participants = participants(&mut world, &mut forest).await;
    for number in 1..=400 {
        let id = forest.add(number, participants.id, Node::Team(participants.teams[0]), false);
        if number > 100 {
            forest.grant(id, Grantee::User(participants.callers[0].2), Level::View);
        }
    }
    forest.insert(&world).await;
    let (call, team) = (world.by(&participants.callers[0].1.device).at(participants.id), participants.teams[0]);
    let portrait = world.read(call, move |view| Box::pin(teams::get(view, Ok(team)))).await.unwrap();
    assert_eq!(portrait.root_pages.first().map(|page| page.id), Some(make::page_id(101)));
}
