//! Pages: the tree, access nodes, and the trash.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    database::Database as Typed,
    id::{PageId, TeamId, UserId},
    page::{Lock, Node, Page, Trash},
    position::Position,
    share_link::ShareLink,
    text::{PageIcon, PageTitle},
    time::days,
    workspace::Workspace,
};
use octavo_ports::{
    pages::{PagePlace, TrashFilter},
    store::Store,
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

pub(crate) fn home(workspace: &Workspace) -> Node {
    Node::Workspace(workspace.id)
}

fn at(text: &str) -> Position {
    Position::parse(text).unwrap()
}

/// Page 1 at the root and pages below it, each in the previous one; the workspace is the access node of all.
pub(crate) async fn chain(store: &dyn Store, workspace: &Workspace, length: u64) -> Vec<Page> {
    let mut container = home(workspace);
    let mut pages = Vec::new();
    for number in 1..=length {
        let page = make::page(number, workspace.id, container, home(workspace));
        assert!(write!(store, unit => unit.pages().insert(&page).await));
        container = Node::Page(page.id);
        pages.push(page);
    }
    pages
}

async fn found(store: &dyn Store, workspace: &Workspace, number: u64) -> Page {
    read!(store, view => view.pages().find(workspace.id, make::page_id(number)).await).unwrap()
}

async fn accesses(store: &dyn Store, workspace: &Workspace, numbers: std::ops::RangeInclusive<u64>) -> Vec<Node> {
    let mut accesses = Vec::new();
    for number in numbers {
        accesses.push(found(store, workspace, number).await.access);
    }
    accesses
}

fn trash(root: PageId, at: Timestamp) -> Trash {
    Trash { by: Some(make::user_id(1)), at, root, purge_at: at.plus(days(30)) }
}

pub(crate) async fn a_page_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut page = chain(&*store, &workspace, 1).await.remove(0);
    assert_eq!(read!(store, view => view.pages().find(workspace.id, page.id).await), Some(page.clone()));
    assert_eq!(read!(store, view => view.pages().find(elsewhere.id, page.id).await), None);
    page.title = PageTitle::parse("\u{c4}rger").unwrap();
    page.icon = Some(PageIcon::parse("\u{1F680}").unwrap());
    page.lock = Some(Lock { by: make::user_id(2), at: make::NOW });
    page.trash = Some(trash(page.id, make::NOW));
    page.inherit = false;
    page.access = Node::Page(page.id);
    page.touch(make::user_id(2), make::NOW.plus(days(1)));
    write!(store, unit => unit.pages().save(&page).await);
    assert_eq!(read!(store, view => view.pages().find(workspace.id, page.id).await), Some(page.clone()));
    let cleared = Page { icon: None, lock: None, trash: None, ..page.clone() };
    write!(store, unit => unit.pages().save(&cleared).await);
    assert_eq!(write!(store, unit => unit.pages().lock(workspace.id, page.id).await), Some(cleared));
}

pub(crate) async fn a_taken_id_is_refused_within_its_workspace_only(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let other = Page { title: PageTitle::parse("Other").unwrap(), ..page.clone() };
    assert!(!write!(store, unit => unit.pages().insert(&other).await));
    assert_eq!(found(&*store, &workspace, 1).await, page);
    let abroad = make::page(1, elsewhere.id, home(&elsewhere), home(&elsewhere));
    assert!(write!(store, unit => unit.pages().insert(&abroad).await));
}

pub(crate) async fn of_twenty_pages_with_one_id_one_stays(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tries = (0..20).map(|_| {
        let (store, workspace) = (Arc::clone(&store), workspace.clone());
        tokio::spawn(async move {
            let page = make::page(1, workspace.id, home(&workspace), home(&workspace));
            write!(store, unit => unit.pages().insert(&page).await)
        })
    });
    let mut winners = 0;
    for tried in tries.collect::<Vec<_>>() {
        winners += u32::from(tried.await.unwrap());
    }
    assert_eq!(winners, 1);
}

pub(crate) async fn the_path_to_a_page_is_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 40).await;
    let path = async |workspace, number| read!(store, view => view.pages().find_lineage(workspace, make::page_id(number)).await);
    let ids = |steps: Vec<octavo_core_model::page::Step>| steps.into_iter().map(|step| step.id).collect::<Vec<_>>();
    assert_eq!(ids(path(workspace.id, 40).await), pages.iter().map(|page| page.id).collect::<Vec<_>>());
    assert_eq!(ids(path(workspace.id, 1).await), [pages[0].id]);
    assert_eq!(path(workspace.id, 41).await, []);
    assert_eq!(path(elsewhere.id, 40).await, []);
    let above = async |workspace, numbers: &[u64]| {
        let ids: Vec<_> = numbers.iter().map(|number| make::page_id(*number)).collect();
        let mut found = read!(store, view => view.pages().list_ids_above(workspace, &ids).await);
        found.sort_unstable();
        found
    };
    let pairs = |pairs: &[(u64, u64)]| {
        pairs.iter().map(|(page, above)| (make::page_id(*page), make::page_id(*above))).collect::<Vec<_>>()
    };
    assert_eq!(above(workspace.id, &[3, 1, 41]).await, pairs(&[(1, 1), (3, 1), (3, 2), (3, 3)]));
    assert_eq!(above(elsewhere.id, &[3]).await, []);
    assert_eq!(above(workspace.id, &[]).await, []);
    let mut team = make::team(1, &workspace);
    team.is_private = true;
    assert!(write!(store, unit => unit.teams().insert(&team).await));
    let root = make::page(50, workspace.id, Node::Team(team.id), Node::Team(team.id));
    let below = make::page(51, workspace.id, Node::Page(root.id), Node::Team(team.id));
    write!(store, unit => unit.pages().insert_many(&[root, below]).await);
    let privacy: Vec<_> = path(workspace.id, 51).await.into_iter().map(|step| step.in_private_team).collect();
    assert_eq!(privacy, [Some(true), None]);
    let revoked = ShareLink { revoked_at: Some(make::NOW), ..make::share_link(1, &pages[0]) };
    let expired = ShareLink { expires_at: Some(make::NOW), ..make::share_link(2, &pages[2]) };
    for link in [revoked, expired] {
        write!(store, unit => unit.share_links().insert(&link).await);
    }
    let linked: Vec<_> = path(workspace.id, 4).await.into_iter().map(|step| step.has_link).collect();
    assert_eq!(linked, [false, false, true, false]);
}

pub(crate) async fn places_among_siblings_are_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    for (number, position) in [(1, "a1"), (2, "A0"), (3, "a1"), (4, "a5"), (5, "a7")] {
        let mut page = make::page(number, workspace.id, home(&workspace), home(&workspace));
        page.position = at(position);
        page.trash = (number == 5).then(|| trash(page.id, make::NOW));
        assert!(write!(store, unit => unit.pages().insert(&page).await));
    }
    let (id, container) = (workspace.id, home(&workspace));
    assert_eq!(write!(store, unit => unit.pages().find_last_position(id, container).await), Some(at("a5")));
    let page = async |number| found(&*store, &workspace, number).await;
    let next = async |number, but: Option<u64>| {
        let page = page(number).await;
        write!(store, unit => unit.pages().find_next_position(&page, but.map(make::page_id)).await)
    };
    assert_eq!(next(2, None).await, Some(at("a1")));
    assert_eq!(next(1, None).await, Some(at("a1")), "the page made at the same place behind it");
    assert_eq!(next(1, Some(3)).await, Some(at("a5")));
    assert_eq!(next(3, None).await, Some(at("a5")));
    assert_eq!(next(3, Some(4)).await, None, "what is in the trash does not count");
    let previous = async |number, but: Option<u64>| {
        let page = page(number).await;
        write!(store, unit => unit.pages().find_previous_position(&page, but.map(make::page_id)).await)
    };
    assert_eq!(previous(1, None).await, Some(at("A0")));
    assert_eq!(previous(1, Some(2)).await, None);
    assert_eq!(previous(3, None).await, Some(at("a1")));
    assert_eq!(previous(3, Some(1)).await, Some(at("A0")));
    assert_eq!(previous(2, None).await, None);
    let all: Vec<_> = [2, 1, 3, 4, 5].map(make::page_id).into();
    assert_eq!(write!(store, unit => unit.pages().list_in(id, container).await), all, "those in the trash included");
    let places: Vec<_> = all.iter().copied().zip(Position::spread(all.len())).collect();
    write!(store, unit => unit.pages().respread(id, &places).await);
    assert_eq!(write!(store, unit => unit.pages().list_in(id, container).await), all);
    let (first, last) = (page(2).await, page(5).await);
    assert_eq!((first.position, last.position, first.version), (at("a0"), at("a4"), 1));
    let empty = Node::Page(make::page_id(1));
    assert_eq!(write!(store, unit => unit.pages().find_last_position(id, empty).await), None);
}

pub(crate) async fn a_subtree_is_measured(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 5).await;
    let size = async |page: &Page| {
        let size = write!(store, unit => unit.pages().measure_subtree(page, None).await);
        (size.levels, size.pages)
    };
    let part = write!(store, unit => unit.pages().measure_subtree(&pages[0], Some(2)).await);
    assert_eq!((part.levels, part.pages), (2, 2), "counting ends at the limit");
    assert_eq!(size(&pages[0]).await, (5, 5));
    assert_eq!(size(&pages[4]).await, (1, 1));
    write!(store, unit => unit.pages().trash(&pages[3], &trash(pages[3].id, make::NOW)).await);
    assert_eq!(size(&pages[0]).await, (3, 3), "what is in the trash takes no room");
    assert_eq!(size(&found(&*store, &workspace, 4).await).await, (2, 2), "but what went along does");
}

pub(crate) async fn what_is_read_from_a_node_is_rerouted_together(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 4).await;
    let (one, two, three) = (&pages[0], &pages[1], &pages[2]);
    write!(store, unit => unit.pages().move_access(three, Node::Page(three.id)).await);
    write!(store, unit => unit.pages().move_access(one, Node::Page(one.id)).await);
    let (first, third) = (Node::Page(one.id), Node::Page(three.id));
    assert_eq!(accesses(&*store, &workspace, 1..=4).await, [first, first, third, third]);
    let two = Page { access: first, ..two.clone() };
    write!(store, unit => unit.pages().move_access(&two, home(&workspace)).await);
    assert_eq!(accesses(&*store, &workspace, 1..=4).await, [first, home(&workspace), third, third]);
    let three = Page { access: third, ..three.clone() };
    write!(store, unit => unit.pages().move_access(&three, home(&workspace)).await);
    assert_eq!(accesses(&*store, &workspace, 2..=4).await, [home(&workspace); 3]);
}

async fn teams_of(
    store: &dyn Store,
    workspace: &Workspace,
    numbers: std::ops::RangeInclusive<u64>,
) -> Vec<Option<TeamId>> {
    let mut teams = Vec::new();
    for number in numbers {
        teams.push(found(store, workspace, number).await.team);
    }
    teams
}

pub(crate) async fn a_team_goes_with_the_page_at_the_root(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let team = Some(make::team(1, &workspace).id);
    write!(store, unit => unit.pages().move_team_below(&pages[0], team).await);
    assert_eq!(teams_of(&*store, &workspace, 1..=3).await, [None, team, team]);
    write!(store, unit => unit.pages().move_team_below(&pages[1], None).await);
    assert_eq!(teams_of(&*store, &workspace, 1..=3).await, [None, team, None]);
}

pub(crate) async fn the_pages_of_a_team_go_on_without_it(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (open, private) = (make::team(1, &workspace).id, make::team(2, &workspace).id);
    for (first, team) in [(1, open), (11, private)] {
        let of = Node::Team(team);
        let root = make::page(first, workspace.id, of, of);
        let below = Page { team: Some(team), ..make::page(first + 1, workspace.id, Node::Page(root.id), of) };
        let own = Node::Page(make::page_id(first + 2));
        let kept = Page { team: Some(team), ..make::page(first + 2, workspace.id, Node::Page(below.id), own) };
        write!(store, unit => unit.pages().insert_many(&[root, below, kept]).await);
    }
    assert_eq!(read!(store, view => view.pages().count_by_team(workspace.id, &[open]).await), [(open, 3)],);
    assert_eq!(write!(store, unit => unit.pages().release_from_team(workspace.id, open, false).await), 3);
    let kept = Node::Page(make::page_id(3));
    assert_eq!(accesses(&*store, &workspace, 1..=3).await, [home(&workspace), home(&workspace), kept]);
    assert_eq!(found(&*store, &workspace, 1).await.container, home(&workspace));
    assert_eq!(teams_of(&*store, &workspace, 1..=3).await, [None; 3]);
    assert_eq!(teams_of(&*store, &workspace, 11..=13).await, [Some(private); 3]);
    assert_eq!(write!(store, unit => unit.pages().release_from_team(workspace.id, private, true).await), 3);
    let (root, kept) = (Node::Page(make::page_id(11)), Node::Page(make::page_id(13)));
    assert_eq!(accesses(&*store, &workspace, 11..=13).await, [root, root, kept]);
    let (root, below) = (found(&*store, &workspace, 11).await, found(&*store, &workspace, 12).await);
    assert_eq!((root.inherit, root.grants_version, root.container), (false, 2, home(&workspace)));
    assert_eq!((below.inherit, below.grants_version), (true, 1));
    assert_eq!(read!(store, view => view.pages().count_by_team(workspace.id, &[open, private]).await), []);
}

pub(crate) async fn the_trash_takes_what_is_active_and_gives_back_what_went_along(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 4).await;
    let (first, later) = (trash(pages[2].id, make::NOW), trash(pages[0].id, make::NOW.plus(days(1))));
    let mut gone = write!(store, unit => unit.pages().trash(&pages[2], &first).await);
    gone.sort_unstable();
    let from = Node::Workspace(workspace.id);
    assert_eq!(gone, [(pages[2].id, from), (pages[3].id, from)]);
    let mut gone = write!(store, unit => unit.pages().trash(&pages[0], &later).await);
    gone.sort_unstable();
    assert_eq!(gone, [(pages[0].id, from), (pages[1].id, from)], "what was there before keeps how it came there");
    for (number, expected) in [(1, later), (2, later), (3, first), (4, first)] {
        let page = found(&*store, &workspace, number).await;
        assert_eq!((page.trash, page.version), (Some(expected), 2), "{number}");
        assert_eq!((page.updated_at, page.updated_by), (expected.at, expected.by));
    }
    let list = async |filter: TrashFilter, before, limit| {
        let found = read!(store, view => view.pages().list_trash(workspace.id, &filter, before, limit).await);
        found.into_iter().map(|page| page.id).collect::<Vec<_>>()
    };
    assert_eq!(list(TrashFilter::default(), None, 9).await, [pages[0].id, pages[2].id]);
    assert_eq!(list(TrashFilter::default(), Some((later.at, pages[0].id)), 9).await, [pages[2].id]);
    let along = TrashFilter { root: Some(pages[2].id), ..TrashFilter::default() };
    assert_eq!(list(along, None, 9).await, [pages[3].id, pages[2].id]);
    let by: Option<UserId> = Some(make::user_id(7));
    assert_eq!(list(TrashFilter { trashed_by: by, ..TrashFilter::default() }, None, 9).await, []);
    let nowhere = TrashFilter { within: Some(vec![Node::Page(pages[1].id)]), ..TrashFilter::default() };
    assert_eq!(list(nowhere, None, 9).await, []);
    let mut counts =
        read!(store, view => view.pages().count_trashed_along(workspace.id, &[pages[0].id, pages[2].id]).await);
    counts.sort_unstable();
    assert_eq!(counts, [(pages[0].id, 1), (pages[2].id, 1)]);
    let own = Node::Page(pages[1].id);
    write!(store, unit => unit.pages().move_access(&pages[1], own).await);
    let one = found(&*store, &workspace, 1).await;
    let mut back = write!(store, unit => unit.pages().untrash(&one, by, make::NOW).await);
    back.sort_unstable();
    assert_eq!(back, [(pages[0].id, from), (pages[1].id, own)], "each with what it is read from");
    let two = found(&*store, &workspace, 2).await;
    assert_eq!((two.trash, two.version, two.updated_by), (None, 3, by));
    assert!(found(&*store, &workspace, 3).await.trash.is_some());
}

pub(crate) async fn what_is_removed_leaves_nothing(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 4).await;
    let abroad = make::page(2, elsewhere.id, home(&elsewhere), home(&elsewhere));
    assert!(write!(store, unit => unit.pages().insert(&abroad).await));
    for (number, page) in (1..).zip(&pages) {
        let to = octavo_core_model::grant::Grantee::User(user.id);
        let grant = make::access_grant(number, page, to, octavo_core_model::Level::View);
        write!(store, unit => unit.grants().put(&grant).await);
        let visit =
            octavo_core_model::page::Visit { workspace: workspace.id, user: user.id, page: page.id, at: make::NOW };
        write!(store, unit => unit.pages().save_visits(&[visit]).await);
        let favorite = octavo_core_model::page::Favorite {
            workspace: workspace.id,
            user: user.id,
            page: page.id,
            position: at("a0"),
            created_at: make::NOW,
        };
        write!(store, unit => unit.favorites().put(&favorite).await);
    }
    assert_eq!(write!(store, unit => unit.pages().remove(workspace.id, pages[1].id).await), 3);
    for table in ["access_grants", "page_visits", "favorites"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
    }
    assert_eq!(database.number("SELECT count(*) FROM pages").await, 2);
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    for table in ["access_grants", "page_visits", "favorites"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(database.number("SELECT count(*) FROM pages").await, 1);
}

pub(crate) async fn the_trash_waits_as_long_as_its_workspace_says(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 2).await;
    write!(store, unit => unit.pages().trash(&pages[0], &trash(pages[0].id, make::NOW)).await);
    let due = async |after| write!(store, unit => unit.pages().list_due(make::NOW.plus(days(after)), 9).await);
    assert_eq!(due(29).await, []);
    assert_eq!(due(30).await, [(workspace.id, pages[0].id)]);
    write!(store, unit => unit.pages().reschedule_purges(workspace.id, 2).await);
    assert_eq!(due(1).await, []);
    assert_eq!(due(2).await, [(workspace.id, pages[0].id)]);
    assert_eq!(write!(store, unit => unit.pages().list_trash_roots(workspace.id).await), [pages[0].id]);
    assert_eq!(found(&*store, &workspace, 2).await.trash.unwrap().purge_at, make::NOW.plus(days(2)));
}

pub(crate) async fn places_of_nodes_are_listed(database: &Database) {
    let store = database.store().await;
    let ((_, workspace), (_, elsewhere)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let pages = chain(&*store, &workspace, 3).await;
    chain(&*store, &elsewhere, 4).await;
    let base = make::database_node(5, workspace.id, Node::Page(pages[0].id), home(&workspace));
    let own = Page {
        access: Node::Page(make::page_id(6)),
        ..make::page(6, workspace.id, home(&workspace), home(&workspace))
    };
    let typed = Typed { archived_at: Some(NOW), ..make::database(5, workspace.id) };
    write!(store, unit => unit.pages().insert_many(&[base.clone(), own.clone()]).await);
    write!(store, unit => unit.databases().insert(&typed).await);
    write!(store, unit => unit.pages().trash(&pages[1], &trash(pages[1].id, NOW)).await);
    let place = |page: &Page| PagePlace {
        id: page.id,
        container: page.container,
        has_entries: false,
        is_trash_root: false,
        is_archived: false,
    };
    let expected = [
        place(&pages[0]),
        PagePlace { is_trash_root: true, ..place(&pages[1]) },
        place(&pages[2]),
        PagePlace { is_archived: true, ..place(&base) },
        PagePlace { has_entries: true, ..place(&own) },
    ];
    let list = async |after, limit| read!(store, view => view.pages().list_places(workspace.id, after, limit).await);
    assert_eq!(list(None, 9).await, expected);
    assert_eq!(list(Some(pages[0].id), 2).await, expected[1..3]);
    let sorted = |mut places: Vec<PagePlace>| {
        places.sort_by_key(|place| place.id);
        places
    };
    let ids = [own.id, pages[1].id, make::page_id(4)];
    let found = read!(store, view => view.pages().list_places_by_id(workspace.id, &ids).await);
    assert_eq!(sorted(found), [expected[1], expected[4]], "page 4 is in another workspace");
    let roots = [pages[0].id, pages[1].id];
    let below = read!(store, view => view.pages().list_places_below(workspace.id, &roots).await);
    assert_eq!(sorted(below), expected[1..4]);
}
