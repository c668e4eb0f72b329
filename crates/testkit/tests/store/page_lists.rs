//! Lists of pages: orders, filters, counts.

use crate::{
    pages::chain,
    support::{join, owner, person, read, write},
};
use octavo_core_model::{
    Level, Role,
    grant::Grantee,
    id::PageId,
    page::{AccessNode, ChildCount, Listed, Node, Page, PageFilter, PageSort, Roots, Trash, Visit},
    position::Position,
    text::PageTitle,
    time::days,
    workspace::Workspace,
};
use octavo_ports::store::Store;
use octavo_testkit::{Database, make};

fn home(workspace: &Workspace) -> Node {
    Node::Workspace(workspace.id)
}

async fn walk(store: &dyn Store, workspace: &Workspace, filter: &PageFilter, sort: PageSort) -> Vec<PageId> {
    let (mut walked, mut after) = (Vec::new(), None);
    loop {
        let found = read!(store, view => view.pages().list(workspace.id, filter, sort, after.as_ref(), 1).await);
        let Some(page) = found.into_iter().next() else { return walked };
        after = Some(page.mark(sort));
        walked.push(page.id);
    }
}

/// Five pages at the root, with ties in every order; the fifth is in the trash.
async fn five(store: &dyn Store, workspace: &Workspace) -> Vec<Page> {
    let mut pages = Vec::new();
    for (number, position, title, created, updated) in
        [(1, "a1", "b", 3, 5), (2, "A0", "B", 2, 5), (3, "a1", "a", 2, 4), (4, "a0", "", 1, 9), (5, "a0", "z", 1, 9)]
    {
        let mut page = make::page(number, workspace.id, home(workspace), home(workspace));
        page.position = Position::parse(position).unwrap();
        page.title = PageTitle::parse(title).unwrap();
        page.created_at = make::NOW.plus(days(created));
        page.updated_at = make::NOW.plus(days(updated));
        if number == 5 {
            page.trash = Some(Trash { by: None, at: make::NOW, root: page.id, purge_at: make::NOW });
        }
        pages.push(page);
    }
    write!(store, unit => unit.pages().insert_many(&pages).await);
    pages
}

pub(crate) async fn pages_are_listed_in_every_order_page_by_page(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    five(&*store, &workspace).await;
    for (word, expected) in [
        ("position", [2, 4, 3, 1]),
        ("title", [4, 3, 1, 2]),
        ("-title", [2, 1, 3, 4]),
        ("createdAt", [4, 2, 3, 1]),
        ("-createdAt", [1, 3, 2, 4]),
        ("updatedAt", [3, 1, 2, 4]),
        ("-updatedAt", [4, 2, 1, 3]),
    ] {
        let (_, sort) = PageSort::ALL.into_iter().find(|(known, _)| *known == word).unwrap();
        let walked = walk(&*store, &workspace, &PageFilter::default(), sort).await;
        assert_eq!(walked, expected.map(make::page_id), "{word}");
    }
}

pub(crate) async fn pages_are_listed_by_what_is_asked_for(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let team = make::team(1, &workspace).id;
    let (one, own) = (Node::Page(make::page_id(1)), Node::Page(make::page_id(4)));
    let mut pages = vec![
        make::page(1, workspace.id, home(&workspace), home(&workspace)),
        make::page(2, workspace.id, one, home(&workspace)),
        make::page(3, workspace.id, Node::Team(team), Node::Team(team)),
        make::page(4, workspace.id, Node::Page(make::page_id(3)), own),
    ];
    pages[3].team = Some(team);
    pages[3].created_by = Some(make::user_id(9));
    pages[1].updated_at = make::NOW.plus(days(1));
    write!(store, unit => unit.pages().insert_many(&pages).await);
    let plain = PageFilter::default;
    for (filter, expected) in [
        (plain(), vec![1, 2, 3, 4]),
        (PageFilter { place: Some(Roots::Anywhere), ..plain() }, vec![1, 3]),
        (PageFilter { place: Some(Roots::In(home(&workspace))), ..plain() }, vec![1]),
        (PageFilter { place: Some(Roots::In(one)), ..plain() }, vec![2]),
        (PageFilter { place: Some(Roots::In(Node::Team(team))), ..plain() }, vec![3]),
        (PageFilter { team: Some(team), ..plain() }, vec![3, 4]),
        (PageFilter { created_by: Some(make::user_id(9)), ..plain() }, vec![4]),
        (PageFilter { updated_after: Some(make::NOW), ..plain() }, vec![2]),
        (PageFilter { within: Some(vec![own, home(&workspace)]), ..plain() }, vec![1, 2, 4]),
        (PageFilter { within: Some(vec![]), ..plain() }, vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(make::page_id).collect();
        assert_eq!(walk(&*store, &workspace, &filter, PageSort::POSITION).await, expected, "{filter:?}");
    }
    let below = async |parents: &[u64], within: Option<&[Node]>, limit| {
        let parents: Vec<_> = parents.iter().copied().map(make::page_id).collect();
        let found = read!(store, view => view.pages().list_children(workspace.id, &parents, Listed::Pages, within, limit).await);
        found.into_iter().map(|page| page.id).collect::<Vec<_>>()
    };
    assert_eq!(below(&[1, 3], None, 10).await, [2, 4].map(make::page_id));
    assert_eq!(below(&[1, 3], None, 1).await, [2].map(make::page_id));
    assert_eq!(below(&[3], Some(&[home(&workspace)]), 10).await, []);
    let filter = PageFilter { among: Some([1, 3].map(make::page_id).into()), ..PageFilter::default() };
    assert_eq!(walk(&*store, &workspace, &filter, PageSort::POSITION).await, [1, 3].map(make::page_id));
}

pub(crate) async fn children_are_counted_by_the_node_they_are_read_from(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (one, own) = (Node::Page(make::page_id(1)), Node::Page(make::page_id(3)));
    let mut pages = vec![make::page(1, workspace.id, home(&workspace), home(&workspace))];
    for (number, access) in [(2, home(&workspace)), (3, own), (4, home(&workspace)), (5, home(&workspace))] {
        pages.push(make::page(number, workspace.id, one, access));
    }
    pages[4].trash = Some(Trash { by: None, at: make::NOW, root: pages[4].id, purge_at: make::NOW });
    write!(store, unit => unit.pages().insert_many(&pages).await);
    let ids = [make::page_id(1), make::page_id(2)];
    let mut counts = read!(store, view => view.pages().count_children(workspace.id, &ids).await);
    counts.sort_unstable_by_key(|count| count.count);
    let count = |access, count| ChildCount { parent: make::page_id(1), access, count };
    assert_eq!(counts, [count(own, 1), count(home(&workspace), 2)]);
}

pub(crate) async fn nodes_with_entries_are_found(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let mut pages = chain(&*store, &workspace, 5).await;
    for index in [3, 1] {
        let page = &mut pages[index];
        write!(store, unit => unit.pages().move_access(page, Node::Page(page.id)).await);
    }
    pages[1].access = Node::Page(pages[1].id);
    pages[1].inherit = false;
    write!(store, unit => unit.pages().save(&pages[1]).await);
    let node = |index: usize, outer, inherit| AccessNode {
        id: pages[index].id,
        container: pages[index].container,
        outer,
        inherit,
    };
    let (two, four) = (node(1, home(&workspace), false), node(3, Node::Page(pages[1].id), true));
    let open = async |and: &[PageId], limit| {
        let mut found = read!(store, view => view.pages().list_open_nodes(workspace.id, and, limit).await);
        found.sort_unstable_by_key(|node| node.id);
        found
    };
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    assert_eq!(open(&[], 10).await, [four], "what is closed has to be named");
    assert_eq!(open(&ids, 10).await, [two, four]);
    assert_eq!(open(&ids, 1).await.len(), 1);
    let chain = async |ids: &[PageId]| {
        let mut found = read!(store, view => view.pages().list_access_chains(workspace.id, ids).await);
        found.sort_unstable_by_key(|node| node.id);
        found
    };
    assert_eq!(chain(&[pages[3].id]).await, [two, four]);
    assert_eq!(chain(&[pages[1].id]).await, [two]);
    assert_eq!(chain(&[pages[0].id, pages[2].id]).await, [], "they have no entries of their own");
    let reached = async |roots: &[PageId], limit| {
        let mut found = read!(store, view => view.pages().list_open(workspace.id, roots, limit).await);
        found.sort_unstable_by_key(|page| page.node.id);
        found.into_iter().map(|page| (page.node.id, page.access)).collect::<Vec<_>>()
    };
    assert_eq!(reached(&[pages[0].id], 10).await, [(pages[0].id, home(&workspace))], "the next one is closed");
    let own = |index: usize| Node::Page(pages[index].id);
    let below = [(pages[1].id, own(1)), (pages[2].id, own(1)), (pages[3].id, own(3)), (pages[4].id, own(3))];
    assert_eq!(reached(&[pages[1].id, pages[3].id], 10).await, below);
    assert_eq!(reached(&[pages[1].id], 2).await.len(), 2);
    let given = async |grantee: Grantee, level| {
        let grant = make::access_grant(1, &pages[3], grantee.clone(), level);
        write!(store, unit => unit.grants().put(&grant).await);
        read!(store, view => view.pages().list_nodes_given_to(workspace.id, &[grantee], make::NOW).await)
    };
    let user = Grantee::User(make::user_id(1));
    assert_eq!(given(user.clone(), Level::View).await, [four]);
    assert_eq!(given(user, Level::None).await, []);
    assert_eq!(read!(store, view => view.pages().list_access_nodes_below(workspace.id, pages[0].id).await).len(), 2);
    assert_eq!(read!(store, view => view.pages().list_access_nodes_below(workspace.id, pages[1].id).await), [four]);
    assert_eq!(read!(store, view => view.pages().list_access_nodes_below(workspace.id, pages[3].id).await), []);
    let mut among = read!(store, view => view.pages().find_access_nodes(workspace.id, &ids).await);
    among.sort_unstable_by_key(|node| node.id);
    assert_eq!(among.iter().map(|node| node.id).collect::<Vec<_>>(), [pages[1].id, pages[3].id]);
}

pub(crate) async fn what_is_below_a_page_is_found_at_any_depth(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 3).await;
    let trash = Trash { by: None, at: make::NOW, root: pages[2].id, purge_at: make::NOW };
    write!(store, unit => unit.pages().trash(&pages[2], &trash).await);
    let below = async |workspace, page: &Page| {
        let mut found = read!(store, view => view.pages().list_ids_below(workspace, page.id).await);
        found.sort_unstable();
        found
    };
    assert_eq!(below(workspace.id, &pages[0]).await, [pages[1].id, pages[2].id], "what is in the trash too");
    assert_eq!(below(workspace.id, &pages[2]).await, []);
    assert_eq!(below(elsewhere.id, &pages[0]).await, []);
}

pub(crate) async fn visits_are_remembered_once_and_for_members_only(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let stranger = person(&*store, 2).await;
    let member = person(&*store, 3).await;
    join(&*store, 3, &workspace, &member, Role::Member).await;
    let pages = chain(&*store, &workspace, 3).await;
    let visit = |user, page: usize, day| Visit {
        workspace: workspace.id,
        user,
        page: pages[page].id,
        at: make::NOW.plus(days(day)),
    };
    let visits = [
        visit(user.id, 0, 1),
        visit(user.id, 1, 2),
        visit(user.id, 0, 3),
        visit(user.id, 0, 2),
        visit(stranger.id, 0, 9),
        visit(member.id, 2, 4),
    ];
    write!(store, unit => unit.pages().save_visits(&visits).await);
    let list = async |user, within: Option<&[Node]>| {
        let found = read!(store, view => view.pages().list_visited(workspace.id, user, within, 9).await);
        found.into_iter().map(|(page, at)| (page.id, at)).collect::<Vec<_>>()
    };
    let expected = [(pages[0].id, make::NOW.plus(days(3))), (pages[1].id, make::NOW.plus(days(2)))];
    assert_eq!(list(user.id, None).await, expected);
    assert_eq!(list(user.id, Some(&[])).await, []);
    assert_eq!(list(stranger.id, None).await, []);
    assert_eq!(list(member.id, None).await.len(), 1);
    write!(store, unit => unit.members().remove(workspace.id, member.id).await);
    assert_eq!(list(member.id, None).await, []);
}

pub(crate) async fn many_pages_are_written_at_once(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages: Vec<_> =
        (1..=500).map(|number| make::page(number, workspace.id, home(&workspace), home(&workspace))).collect();
    write!(store, unit => unit.pages().insert_many(&pages).await);
    assert_eq!(database.number("SELECT count(*) FROM pages").await, 500);
    let last = read!(store, view => view.pages().find(workspace.id, make::page_id(500)).await);
    assert_eq!(last.as_ref(), pages.last());
}
