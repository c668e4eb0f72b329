//! Access requests of members for pages.

use crate::{
    pages::chain,
    support::{join, owner, person, read, write},
};
use octavo_core_model::{
    Role,
    access_request::{AccessRequest, AskedLevel, Decision, OPEN_FOR, RequestAnswer, RequestStatus},
    id::{AccessRequestId, UserId},
    page::{Node, Page, Trash},
    text::Message,
    time::days,
};
use octavo_ports::{access_requests::AccessRequestFilter, store::Store};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

async fn put(store: &dyn Store, request: &AccessRequest) {
    write!(store, unit => unit.access_requests().insert(request).await);
}

fn answered(request: &AccessRequest, answer: RequestAnswer) -> AccessRequest {
    AccessRequest { decision: Some(Decision { answer, by: make::user_id(1), at: NOW }), ..request.clone() }
}

pub(crate) async fn a_request_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let message = Some(Message::from_stored("Please.\nI need it.".to_owned()));
    let request = AccessRequest { message, ..make::access_request(1, &page, user.id) };
    put(&*store, &request).await;
    let find = async |workspace| read!(store, view => view.access_requests().find(workspace, make::access_request_id(1)).await);
    assert_eq!(find(workspace.id).await, Some(request.clone()));
    assert_eq!(find(elsewhere.id).await, None);
    let restated = AccessRequest { level: AskedLevel::View, message: None, ..request };
    for changed in [restated.clone(), answered(&restated, RequestAnswer::Approved)] {
        write!(store, unit => unit.access_requests().save(&changed).await);
        assert_eq!(find(workspace.id).await, Some(changed));
    }
}

/// Pages 1 to 3, each in the previous one. The second has entries of its own and is the access node of the third.
async fn three_pages(store: &dyn Store) -> (UserId, Vec<Page>) {
    let (user, workspace) = owner(store, 1).await;
    let mut pages = chain(store, &workspace, 3).await;
    let own = Node::Page(pages[1].id);
    write!(store, unit => unit.pages().move_access(&pages[1], own).await);
    for page in &mut pages[1..] {
        page.access = own;
    }
    (user.id, pages)
}

pub(crate) async fn requests_are_listed_by_what_is_asked_for_newest_first(database: &Database) {
    let store = database.store().await;
    let (user, pages) = three_pages(&*store).await;
    let (stranger, elsewhere) = owner(&*store, 2).await;
    let foreign = Page { workspace: elsewhere.id, ..pages[0].clone() };
    let request = |number, page| make::access_request(number, page, user);
    for request in [
        request(1, &pages[0]),
        request(2, &pages[1]),
        answered(&request(3, &pages[1]), RequestAnswer::Approved),
        answered(&request(4, &pages[0]), RequestAnswer::Denied),
        AccessRequest { expires_at: NOW, ..request(5, &pages[2]) },
        request(6, &pages[2]),
        make::access_request(7, &foreign, stranger.id),
    ] {
        put(&*store, &request).await;
    }
    let workspace = pages[0].workspace;
    let listed = async |filter: AccessRequestFilter| {
        let mut walked: Vec<AccessRequestId> = Vec::new();
        loop {
            let before = walked.last().copied();
            let page = read!(store, view => view.access_requests().list(workspace, &filter, NOW, before, 1).await);
            let Some(request) = page.into_iter().next() else { break };
            walked.push(request.id);
        }
        walked
    };
    let (pending, home, own) = (RequestStatus::Pending, Node::Workspace(workspace), Node::Page(pages[1].id));
    let filter = |status, page: Option<usize>, within: Option<&[Node]>| AccessRequestFilter {
        status,
        page: page.map(|page| pages[page].id),
        within: within.map(<[Node]>::to_vec),
    };
    for (filter, expected) in [
        (filter(pending, None, None), vec![6, 2, 1]),
        (filter(RequestStatus::Approved, None, None), vec![3]),
        (filter(RequestStatus::Denied, None, None), vec![4]),
        (filter(RequestStatus::Expired, None, None), vec![5]),
        (filter(pending, Some(1), None), vec![2]),
        (filter(pending, None, Some(&[own])), vec![6, 2]),
        (filter(pending, None, Some(&[home])), vec![1]),
        (filter(pending, None, Some(&[home, own])), vec![6, 2, 1]),
        (filter(pending, Some(0), Some(&[own])), vec![]),
        (filter(pending, None, Some(&[])), vec![]),
    ] {
        let expected: Vec<_> = expected.into_iter().map(make::access_request_id).collect();
        assert_eq!(listed(filter.clone()).await, expected, "{filter:?}");
    }
    let trash = Trash { by: None, at: NOW, root: pages[1].id, purge_at: NOW.plus(days(30)) };
    write!(store, unit => unit.pages().trash(&pages[1], &trash).await);
    assert_eq!(listed(filter(pending, None, None)).await, [make::access_request_id(1)], "of active pages");
}

pub(crate) async fn open_requests_are_found_by_page_and_person(database: &Database) {
    let store = database.store().await;
    let (user, workspace) = owner(&*store, 1).await;
    let other = person(&*store, 2).await;
    join(&*store, 2, &workspace, &other, Role::Guest).await;
    let pages = chain(&*store, &workspace, 2).await;
    let late = NOW.plus(OPEN_FOR);
    let find = async |page: &Page, user, now| write!(store, unit => unit.access_requests().find_open(workspace.id, page.id, user, now).await);
    put(&*store, &answered(&make::access_request(1, &pages[0], user.id), RequestAnswer::Denied)).await;
    assert_eq!(find(&pages[0], user.id, NOW).await, None, "it was answered");
    let open = make::access_request(2, &pages[0], user.id);
    put(&*store, &open).await;
    assert_eq!(find(&pages[0], user.id, NOW).await, Some(open));
    assert_eq!(find(&pages[0], user.id, late).await, None, "it has run out");
    assert_eq!(find(&pages[1], user.id, NOW).await, None);
    assert_eq!(find(&pages[0], other.id, NOW).await, None);
}

pub(crate) async fn requests_are_removed_with_their_page_and_their_requester(database: &Database) {
    let store = database.store().await;
    let (owner, workspace) = owner(&*store, 1).await;
    let pages = chain(&*store, &workspace, 3).await;
    let mut people = Vec::new();
    for number in 2..=4 {
        let user = person(&*store, number).await;
        join(&*store, number, &workspace, &user, Role::Member).await;
        put(&*store, &make::access_request(number, &pages[0], user.id)).await;
        people.push(user);
    }
    for (number, page) in (5..).zip(&pages) {
        put(&*store, &make::access_request(number, page, owner.id)).await;
    }
    let count = async || database.number("SELECT count(*) FROM access_requests").await;
    assert_eq!(count().await, 6);
    write!(store, unit => unit.pages().remove(workspace.id, pages[1].id).await);
    assert_eq!(count().await, 4);
    write!(store, unit => unit.members().remove(workspace.id, people[0].id).await);
    assert_eq!(count().await, 3);
    write!(store, unit => unit.accounts().erase(&people[1]).await);
    assert_eq!(count().await, 2);
    write!(store, unit => unit.accounts().remove(&people[2]).await);
    assert_eq!(count().await, 1);
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    assert_eq!(count().await, 0);
}
