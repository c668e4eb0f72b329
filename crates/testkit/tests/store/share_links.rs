//! Share links, and which pages they show.

use crate::{
    pages::chain,
    support::{owner, read, write},
};
use octavo_core_model::{
    Level, Secret,
    grant::{Grant, Grantee},
    id::{PageId, ShareLinkId},
    page::{Node, Page, PageFilter, PageSort, PublicAccess, Trash},
    share_link::{LinkToken, ShareLevel, ShareLink, ShareStatus, Viewed, Views},
    time::days,
};
use octavo_ports::{share_links::ShareLinkFilter, store::Store};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::{sync::Arc, time::Duration};

async fn put(store: &dyn Store, link: &ShareLink) {
    write!(store, unit => unit.share_links().insert(link).await);
}

pub(crate) async fn a_link_reads_back_and_its_token_leads_to_it(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let link = ShareLink {
        password: Some(Secret::new("$argon2id$x".to_owned())),
        expires_at: Some(NOW.plus(days(1))),
        ..make::share_link(1, &page)
    };
    put(&*store, &link).await;
    let found = read!(store, view => view.share_links().find(workspace.id, link.id).await);
    assert_eq!(found, Some(link.clone()));
    assert_eq!(read!(store, view => view.share_links().find(elsewhere.id, link.id).await), None);
    let led = read!(store, view => view.share_links().find_workspace(&link.token.hash).await);
    assert_eq!(led, Some(workspace.id));
    let opened = read!(store, view => view.share_links().find_opened(workspace.id, &link.token.hash).await);
    assert_eq!(opened, Some((link.clone(), page)));
    assert_eq!(read!(store, view => view.share_links().find_opened(elsewhere.id, &link.token.hash).await), None);
    let other = make::share_token(9);
    assert_eq!(read!(store, view => view.share_links().find_workspace(&other.hash).await), None);
}

pub(crate) async fn a_new_token_takes_the_place_of_the_one_before(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let before = make::share_link(1, &page);
    put(&*store, &before).await;
    let viewed = Viewed { workspace: workspace.id, link: before.id, count: 2, last_at: NOW };
    write!(store, unit => unit.share_links().count_views(&[viewed]).await);
    let views = Views { count: 2, last_at: Some(NOW) };
    let after =
        ShareLink { token: make::share_token(2), level: ShareLevel::Edit, revoked_at: Some(NOW), ..before.clone() };
    write!(store, unit => unit.share_links().save(&after).await);
    let found = read!(store, view => view.share_links().find(workspace.id, before.id).await);
    assert_eq!(found, Some(ShareLink { views, ..after.clone() }), "saving leaves the views alone");
    for (token, expected) in [(&before.token, None), (&after.token, Some(workspace.id))] {
        assert_eq!(read!(store, view => view.share_links().find_workspace(&token.hash).await), expected);
        let opened = read!(store, view => view.share_links().find_opened(workspace.id, &token.hash).await);
        assert_eq!(opened.is_some(), expected.is_some());
    }
}

pub(crate) async fn links_are_listed_by_what_is_asked_for_newest_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let pages = chain(&*store, &workspace, 2).await;
    let foreign = Page { workspace: elsewhere.id, ..pages[0].clone() };
    let links = [
        make::share_link(1, &pages[0]),
        ShareLink { expires_at: Some(NOW), ..make::share_link(2, &pages[0]) },
        ShareLink { revoked_at: Some(NOW), expires_at: Some(NOW), ..make::share_link(3, &pages[1]) },
        ShareLink {
            expires_at: Some(NOW.plus(days(1))),
            created_by: make::user_id(7),
            ..make::share_link(4, &pages[1])
        },
        make::share_link(5, &foreign),
    ];
    for link in &links {
        put(&*store, link).await;
    }
    let filter = ShareLinkFilter::default();
    for (filter, expected) in [
        (filter, vec![4, 3, 2, 1]),
        (ShareLinkFilter { status: Some(ShareStatus::Active), ..filter }, vec![4, 1]),
        (ShareLinkFilter { status: Some(ShareStatus::Expired), ..filter }, vec![2]),
        (ShareLinkFilter { status: Some(ShareStatus::Revoked), ..filter }, vec![3]),
        (ShareLinkFilter { page: Some(pages[0].id), ..filter }, vec![2, 1]),
        (ShareLinkFilter { created_by: Some(make::user_id(7)), ..filter }, vec![4]),
    ] {
        let mut walked: Vec<ShareLinkId> = Vec::new();
        loop {
            let before = walked.last().copied();
            let page = read!(store, view => view.share_links().list(workspace.id, filter, NOW, before, 1).await);
            let Some(link) = page.into_iter().next() else { break };
            walked.push(link.id);
        }
        assert_eq!(walked, expected.into_iter().map(make::share_link_id).collect::<Vec<_>>(), "{filter:?}");
    }
    let of_page = read!(store, view => view.share_links().list_of(workspace.id, pages[1].id).await);
    assert_eq!(of_page, [links[3].clone(), links[2].clone()]);
    let count = async |page: PageId| write!(store, unit => unit.share_links().count(workspace.id, page).await);
    assert_eq!((count(pages[0].id).await, count(pages[1].id).await), (2, 1), "revoked ones are not counted");
}

pub(crate) async fn views_add_up_and_the_last_one_counts(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let links = [make::share_link(1, &page), make::share_link(2, &page)];
    for link in &links {
        put(&*store, link).await;
    }
    let writers = (1..=20).map(|number| {
        let (store, links) = (Arc::clone(&store), links.clone());
        tokio::spawn(async move {
            let last_at = NOW.plus(Duration::from_secs(number));
            let viewed = links.map(|link| Viewed { workspace: link.workspace, link: link.id, count: number, last_at });
            write!(store, unit => unit.share_links().count_views(&viewed).await);
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    for link in links {
        let found = read!(store, view => view.share_links().find(workspace.id, link.id).await).unwrap();
        assert_eq!(found.views, Views { count: 210, last_at: Some(NOW.plus(Duration::from_secs(20))) });
    }
}

/// Page 1 with a link; 2 below it, 3 in 2; 4 in 3 does not inherit, 5 in 4; 6 is separate.
pub(crate) async fn what_a_link_shows_is_found_for_pages_and_in_lists(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = Node::Workspace(workspace.id);
    let mut pages = Vec::new();
    for (number, container, inherit) in [
        (1, None, true),
        (2, Some(1), true),
        (3, Some(2), true),
        (4, Some(3), false),
        (5, Some(4), true),
        (6, None, true),
    ] {
        let container = container.map_or(home, |number| Node::Page(make::page_id(number)));
        let page = Page { inherit, ..make::page(number, workspace.id, container, home) };
        assert!(write!(store, unit => unit.pages().insert(&page).await));
        pages.push(page);
    }
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let shown = async |store: &dyn Store| {
        let mut found = read!(store, view => view.share_links().list_public_access(workspace.id, &ids, NOW).await);
        found.sort_unstable_by_key(|(id, _)| *id);
        for (access, expected) in [
            (PublicAccess::Direct, of(&found, PublicAccess::Direct)),
            (PublicAccess::Inherited, of(&found, PublicAccess::Inherited)),
            (PublicAccess::None, ids.iter().copied().filter(|id| found.iter().all(|(shown, _)| shown != id)).collect()),
        ] {
            let filter = PageFilter { public: Some((access, NOW)), ..PageFilter::default() };
            let sort = PageSort { by: octavo_core_model::page::PageOrder::Created, descending: false };
            let listed = read!(store, view => view.pages().list(workspace.id, &filter, sort, None, 100).await);
            let listed: Vec<_> = listed.into_iter().map(|page| page.id).collect();
            assert_eq!(listed, expected, "the list agrees on {access}");
        }
        found
    };
    let (direct, inherited) = (PublicAccess::Direct, PublicAccess::Inherited);
    assert_eq!(shown(&*store).await, []);
    let mut link = make::share_link(1, &pages[0]);
    put(&*store, &link).await;
    assert_eq!(shown(&*store).await, [(ids[0], direct), (ids[1], inherited), (ids[2], inherited)]);
    link.include_children = false;
    write!(store, unit => unit.share_links().save(&link).await);
    assert_eq!(shown(&*store).await, [(ids[0], direct)]);
    put(&*store, &make::share_link(2, &pages[3])).await;
    assert_eq!(shown(&*store).await, [(ids[0], direct), (ids[3], direct), (ids[4], inherited)]);
    write!(store, unit => unit.share_links().save(&ShareLink { expires_at: Some(NOW), ..link.clone() }).await);
    assert_eq!(shown(&*store).await, [(ids[3], direct), (ids[4], inherited)]);
    let linked = read!(store, view => view.share_links().list_linked_pages(workspace.id, &ids, NOW).await);
    assert_eq!(linked, [(ids[3], true)]);
    let of_link = async |store: &dyn Store, link: &ShareLink| {
        let mut found = read!(store, view => view.share_links().list_pages_of_link(link, &ids, NOW).await);
        found.sort_unstable();
        found
    };
    let below = ShareLink { include_children: true, ..link.clone() };
    assert_eq!(of_link(&*store, &link).await, [ids[0]]);
    assert_eq!(of_link(&*store, &below).await, ids[..3], "not what lies behind a cut");
    assert_eq!(of_link(&*store, &make::share_link(2, &pages[3])).await, [ids[3], ids[4]]);
    let trash = Trash { by: None, at: NOW, root: ids[3], purge_at: NOW.plus(days(30)) };
    write!(store, unit => unit.pages().trash(&pages[3], &trash).await);
    assert_eq!(of_link(&*store, &make::share_link(2, &pages[3])).await, [], "nothing in the trash");
    let found = read!(store, view => view.share_links().list_public_access(workspace.id, &ids, NOW).await);
    assert_eq!(found, [], "what is in the trash is shown to nobody");
    assert_eq!(read!(store, view => view.share_links().list_public_access(workspace.id, &[], NOW).await), []);
}

/// Page 1 with a link, 2 to 4 below it, each in the previous one. Page 3 has grants, one of which excludes an address
/// until it expires.
pub(crate) async fn a_link_ends_at_a_page_that_excludes_somebody(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let mut pages = chain(&*store, &workspace, 4).await;
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let link = make::share_link(1, &pages[0]);
    put(&*store, &link).await;
    write!(store, unit => unit.pages().move_access(&pages[2], Node::Page(ids[2])).await);
    pages[2].access = Node::Page(ids[2]);
    let viewing = make::access_grant(1, &pages[2], Grantee::User(user.id), Level::View);
    write!(store, unit => unit.grants().put(&viewing).await);
    let shown = async |now| {
        let mut of_link = read!(store, view => view.share_links().list_pages_of_link(&link, &ids, now).await);
        of_link.sort_unstable();
        let mut public = read!(store, view => view.share_links().list_public_access(workspace.id, &ids, now).await);
        public.sort_unstable_by_key(|(id, _)| *id);
        assert_eq!(public.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), of_link);
        let inherited = PageFilter { public: Some((PublicAccess::Inherited, now)), ..PageFilter::default() };
        let sort = PageSort { by: octavo_core_model::page::PageOrder::Created, descending: false };
        let listed = read!(store, view => view.pages().list(workspace.id, &inherited, sort, None, 100).await);
        assert_eq!(listed.into_iter().map(|page| page.id).collect::<Vec<_>>(), of_link[1..]);
        of_link
    };
    assert_eq!(shown(NOW).await, ids, "other grants do not matter");
    let (later, address) = (NOW.plus(days(1)), Grantee::Email(make::email("guest@example.com")));
    let excluding = Grant { expires_at: Some(later), ..make::access_grant(2, &pages[2], address, Level::None) };
    write!(store, unit => unit.grants().put(&excluding).await);
    assert_eq!(shown(NOW).await, ids[..2], "neither the page nor what is below it");
    assert_eq!(shown(later).await, ids, "until the entry runs out");
    let own = make::share_link(2, &pages[2]);
    put(&*store, &own).await;
    let mut found = read!(store, view => view.share_links().list_pages_of_link(&own, &ids, NOW).await);
    found.sort_unstable();
    assert_eq!(found, ids[2..], "a link made on such a page shows it");
    let on_top = make::access_grant(3, &pages[0], Grantee::User(user.id), Level::None);
    write!(store, unit => unit.grants().put(&on_top).await);
    let found = read!(store, view => view.share_links().list_pages_of_link(&link, &ids[..2], NOW).await);
    assert_eq!(found.len(), 2);
}

fn of(found: &[(PageId, PublicAccess)], access: PublicAccess) -> Vec<PageId> {
    found.iter().filter(|(_, by)| *by == access).map(|(id, _)| *id).collect()
}

pub(crate) async fn links_go_with_their_page_and_their_workspace(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let links: Vec<_> = (1..).zip(&pages).map(|(number, page)| make::share_link(number, page)).collect();
    for link in &links {
        put(&*store, link).await;
    }
    write!(store, unit => unit.pages().remove(workspace.id, pages[1].id).await);
    let left =
        read!(store, view => view.share_links().list(workspace.id, ShareLinkFilter::default(), NOW, None, 9).await);
    assert_eq!(left, [links[0].clone()]);
    let leads =
        async |token: &LinkToken| read!(store, view => view.share_links().find_workspace(&token.hash).await).is_some();
    assert_eq!(
        (leads(&links[0].token).await, leads(&links[1].token).await, leads(&links[2].token).await),
        (true, false, false)
    );
    let mut deleting = workspace.clone();
    deleting.schedule_removal(NOW);
    write!(store, unit => unit.workspaces().save(&deleting).await);
    let opened = read!(store, view => view.share_links().find_opened(workspace.id, &links[0].token.hash).await);
    assert_eq!(opened, None, "a workspace on its way out shows nothing");
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    assert!(!leads(&links[0].token).await);
}
