//! Memberships of workspaces.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{
    Role, Timestamp,
    member::{MemberFilter, Person, Place},
    text::SearchText,
    workspace::{OwnWorkspace, Workspace},
};
use octavo_ports::store::Record;
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

pub(crate) async fn own_workspaces_come_in_the_order_of_joining(database: &Database) {
    let store = database.store().await;
    let (bob, _) = owner(&*store, 2).await;
    let ada = person(&*store, 1).await;
    let joined = [(11, Role::Owner, 2, true), (12, Role::Guest, 0, false), (13, Role::Admin, 1, false)];
    for (number, role, after, is_personal) in joined {
        let workspace = Workspace { is_personal, ..make::workspace(number, &bob) };
        let mut membership = make::membership(number, &workspace, &ada, role);
        membership.joined_at = Timestamp::from_millis(NOW.millis() + after);
        assert!(write!(store, unit => unit.workspaces().insert(&workspace).await));
        write!(store, unit => unit.members().insert(&membership, &workspace, &Person::from(&ada)).await);
    }
    let entry = |number, role, is_personal| OwnWorkspace {
        id: make::workspace_id(number),
        name: make::name(&format!("Workspace {number}")),
        is_personal,
        role,
    };
    let expected = [entry(12, Role::Guest, false), entry(13, Role::Admin, false), entry(11, Role::Owner, true)];
    assert_eq!(read!(store, view => view.workspaces().list_own(ada.id).await), expected);
    let together = read!(store, view => view.accounts().find_with_workspaces(ada.id).await);
    assert_eq!(together, Some((ada.clone(), expected.to_vec())));
    assert_eq!(read!(store, view => view.members().find_role(ada.id, make::workspace_id(13)).await), Some(Role::Admin));
    assert_eq!(read!(store, view => view.members().find_role(bob.id, make::workspace_id(13)).await), None);
    let nobody = make::user_id(9);
    assert_eq!(read!(store, view => view.workspaces().list_own(nobody).await), []);
    assert_eq!(read!(store, view => view.accounts().find_with_workspaces(nobody).await), None);
    let carl = person(&*store, 3).await;
    assert_eq!(read!(store, view => view.accounts().find_with_workspaces(carl.id).await), Some((carl, Vec::new())));
}

pub(crate) async fn a_display_name_is_taken_whatever_its_case(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let bob = person(&*store, 3).await;
    let taken = make::membership(3, &workspace, &bob, Role::Member);
    let emilie = Person { display_name: make::name("\u{c9}milie"), ..Person::from(&bob) };
    write!(store, unit => unit.members().insert(&taken, &workspace, &emilie).await);
    let ask = async |workspaces: &[_], name: &str, but| {
        let name = make::name(name);
        write!(store, unit => unit.members().is_display_name_taken(workspaces, &name, but).await)
    };
    assert!(ask(&[elsewhere.id, workspace.id], "\u{e9}MILIE", ada.id).await);
    assert!(!ask(&[elsewhere.id], "\u{e9}milie", ada.id).await, "taken in another workspace only");
    assert!(!ask(&[workspace.id], "\u{e9}milie", bob.id).await, "one's own name is not taken");
    assert!(!ask(&[workspace.id], "emilie", ada.id).await);
    assert!(!ask(&[], "\u{e9}milie", ada.id).await);
}

pub(crate) async fn a_new_display_name_counts_at_once(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, other) = owner(&*store, 2).await;
    join(&*store, 3, &workspace, &bob, Role::Member).await;
    let renamed = make::name("The Countess");
    let countess = Person { display_name: renamed, ..Person::from(&ada) };
    write!(store, unit => unit.members().save_person(&[workspace.id], &countess).await);
    let ask = async |workspace, name: &_| write!(store, unit => unit.members().is_display_name_taken(&[workspace], name, bob.id).await);
    assert!(ask(workspace.id, &make::name("the countess")).await);
    assert!(!ask(workspace.id, &ada.display_name).await, "the old name is free");
    let bobs = write!(store, unit => unit.members().is_display_name_taken(&[workspace.id, other.id], &bob.display_name, ada.id).await);
    assert!(bobs, "others keep their names");
}

pub(crate) async fn workspaces_without_company_are_lone(database: &Database) {
    let store = database.store().await;
    let (ada, lone) = owner(&*store, 1).await;
    let (bob, shared) = owner(&*store, 2).await;
    join(&*store, 3, &shared, &ada, Role::Guest).await;
    assert_eq!(write!(store, unit => unit.workspaces().list_lone(ada.id).await), [lone.id]);
    assert_eq!(write!(store, unit => unit.workspaces().list_lone(bob.id).await), []);
    assert_eq!(write!(store, unit => unit.workspaces().list_lone(make::user_id(9)).await), []);
}

pub(crate) async fn workspaces_without_another_owner_are_named(database: &Database) {
    let store = database.store().await;
    let (ada, alone) = owner(&*store, 1).await;
    let (bob, bobs) = owner(&*store, 2).await;
    join(&*store, 10, &bobs, &ada, Role::Member).await;
    let mut expected = Vec::new();
    for (number, others_role, is_personal) in
        [(3, Role::Admin, false), (4, Role::Owner, false), (5, Role::Member, true), (6, Role::Guest, false)]
    {
        let workspace = Workspace { is_personal, ..make::workspace(number, &ada) };
        assert!(write!(store, unit => unit.workspaces().insert(&workspace).await));
        join(&*store, number, &workspace, &ada, Role::Owner).await;
        join(&*store, number + 10, &workspace, &bob, others_role).await;
        if others_role != Role::Owner && !is_personal {
            expected.push(workspace.id);
        }
    }
    assert_eq!(write!(store, unit => unit.workspaces().list_sole_ownerships(ada.id).await), expected);
    assert!(!expected.contains(&alone.id), "a workspace without members needs no owner after its owner");
}

pub(crate) async fn a_user_is_found_with_their_place_in_a_workspace(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    join(&*store, 3, &workspace, &bob, Role::Guest).await;
    let found = read!(store, view => view.members().find_user_in(bob.id, workspace.id).await);
    let place = Place { role: Role::Guest, is_personal: false, is_deleting: false };
    assert_eq!(found, Some((bob.clone(), Some(place))));
    let elsewhere = read!(store, view => view.members().find_user_in(bob.id, make::workspace_id(9)).await);
    assert_eq!(elsewhere, Some((bob.clone(), None)));
    assert_eq!(read!(store, view => view.members().find_user_in(make::user_id(9), workspace.id).await), None);
    let mut deleted = workspace.clone();
    deleted.schedule_removal(NOW);
    write!(store, unit => unit.workspaces().save(&deleted).await);
    let found = read!(store, view => view.members().find_user_in(ada.id, workspace.id).await);
    assert_eq!(found.and_then(|(_, place)| place).map(|place| place.is_deleting), Some(true));
    assert_eq!(read!(store, view => view.workspaces().list_own(ada.id).await), []);
    let (_, own) = read!(store, view => view.accounts().find_with_workspaces(ada.id).await).unwrap();
    assert_eq!(own, [], "what is deleted is gone from every list");
}

pub(crate) async fn the_shortest_timeout_above_guest_counts(database: &Database) {
    let store = database.store().await;
    let (ada, _) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    let asked = async || read!(store, view => view.members().shortest_session_timeout(bob.id).await);
    assert_eq!(asked().await, None);
    for (number, role, is_personal, days) in [
        (11, Role::Owner, true, 5),
        (12, Role::Guest, false, 3),
        (13, Role::Member, false, 20),
        (14, Role::Admin, false, 10),
    ] {
        let mut workspace = Workspace { is_personal, ..make::workspace(number, &ada) };
        workspace.settings.session_timeout_days = Some(days);
        assert!(write!(store, unit => unit.workspaces().insert(&workspace).await));
        join(&*store, number, &workspace, &bob, role).await;
        let expected = match number {
            11 | 12 => 5,
            13 => 20,
            _ => 10,
        };
        assert_eq!(asked().await, Some(expected), "{role}");
    }
}

pub(crate) async fn memberships_come_newest_first_page_by_page(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    join(&*store, 9, &elsewhere, &ada, Role::Guest).await;
    let mut expected = Vec::new();
    for (number, role) in [(3, Role::Guest), (4, Role::Admin), (5, Role::Guest)] {
        let user = person(&*store, number).await;
        join(&*store, number, &workspace, &user, role).await;
        expected.insert(0, make::membership(number, &workspace, &user, role));
    }
    expected.push(make::membership(1, &workspace, &ada, Role::Owner));
    let all = MemberFilter::default();
    assert_eq!(read!(store, view => view.members().list(workspace.id, &all, None, 9).await), expected);
    let (first, second) = (&expected[..2], &expected[2..]);
    assert_eq!(read!(store, view => view.members().list(workspace.id, &all, None, 2).await), first);
    let behind = Some(first[1].id);
    assert_eq!(read!(store, view => view.members().list(workspace.id, &all, behind, 2).await), second);
    let guests = MemberFilter { role: Some(Role::Guest), search: None };
    let found = read!(store, view => view.members().list(workspace.id, &guests, None, 9).await);
    assert_eq!(found, [expected[0].clone(), expected[2].clone()]);
    assert_eq!(read!(store, view => view.members().count(workspace.id).await), 4);
    let one = read!(store, view => view.members().find(workspace.id, ada.id).await);
    assert_eq!(one.as_ref(), expected.last());
    assert_eq!(read!(store, view => view.members().find(elsewhere.id, make::user_id(3)).await), None);
}

pub(crate) async fn a_search_takes_its_signs_literally(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    for (number, name) in [(2, "100%"), (3, "a_b"), (4, "back\\slash"), (5, "\u{c9}milie")] {
        let user = octavo_core_model::account::User { name: make::name(name), ..person(&*store, number).await };
        join(&*store, number, &workspace, &user, Role::Member).await;
    }
    let ask = async |text: &str| {
        let filter = MemberFilter { role: None, search: Some(SearchText::parse(text).unwrap()) };
        let found = read!(store, view => view.members().list(workspace.id, &filter, None, 9).await);
        found.into_iter().map(|found| found.user).collect::<Vec<_>>()
    };
    let user = make::user_id;
    for (text, expected) in [
        ("%", vec![user(2)]),
        ("_", vec![user(3)]),
        ("\\", vec![user(4)]),
        ("\u{e9}MIL", vec![user(5)]),
        ("PERSON1@EXAMPLE", vec![ada.id]),
        ("person 1", vec![ada.id]),
        ("1p", vec![]),
        ("'; --", vec![]),
    ] {
        assert_eq!(ask(text).await, expected, "{text}");
    }
    assert_eq!(ask("").await.len(), 5);
}

pub(crate) async fn people_are_shown_as_they_are_now(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let renamed = octavo_core_model::account::User { name: make::name("Countess"), ..ada.clone() };
    write!(store, unit => unit.accounts().save(&renamed).await);
    let mut people = read!(store, view => view.members().list_people(&[ada.id, bob.id, make::user_id(9)]).await);
    people.sort_by_key(|person| person.id);
    assert_eq!(people, [Person::from(&renamed), Person::from(&bob)]);
    assert_eq!(read!(store, view => view.members().list_people(&[]).await), []);
}

pub(crate) async fn a_role_is_saved_on_both_sides(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    join(&*store, 2, &workspace, &bob, Role::Guest).await;
    let raised = make::membership(2, &workspace, &bob, Role::Admin);
    write!(store, unit => unit.members().save_role(&raised, NOW).await);
    assert_eq!(read!(store, view => view.members().find_role(bob.id, workspace.id).await), Some(Role::Admin));
    assert_eq!(read!(store, view => view.members().find(workspace.id, bob.id).await), Some(raised));
    assert_eq!(read!(store, view => view.members().find_role(ada.id, workspace.id).await), Some(Role::Owner));
    write!(store, unit => unit.members().remove(workspace.id, bob.id).await);
    assert_eq!(read!(store, view => view.members().find_role(bob.id, workspace.id).await), None);
    assert_eq!(read!(store, view => view.members().find(workspace.id, bob.id).await), None);
    assert_eq!(read!(store, view => view.members().count(workspace.id).await), 1);
}

pub(crate) async fn the_owner_of_longest_standing_follows(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    assert_eq!(write!(store, unit => unit.members().find_longest_owner(workspace.id, ada.id).await), None);
    for (number, after) in [(2, 9), (3, 5), (4, 7)] {
        let user = person(&*store, number).await;
        join(&*store, number, &workspace, &user, Role::Member).await;
        let raised = make::membership(number, &workspace, &user, Role::Owner);
        let later = Timestamp::from_millis(NOW.millis() + after);
        write!(store, unit => unit.members().save_role(&raised, later).await);
    }
    let longest = async |but| write!(store, unit => unit.members().find_longest_owner(workspace.id, but).await);
    assert_eq!(longest(ada.id).await, Some(make::user_id(3)));
    assert_eq!(longest(make::user_id(3)).await, Some(ada.id));
    let mut leaving = read!(store, view => view.accounts().find(make::user_id(3)).await).unwrap();
    leaving.schedule_deletion(NOW);
    write!(store, unit => unit.accounts().save(&leaving).await);
    assert_eq!(longest(ada.id).await, Some(make::user_id(4)), "whose account is deleted does not count");
    write!(store, unit => unit.workspaces().move_ownership(workspace.id, make::user_id(3), NOW).await);
    let found = read!(store, view => view.workspaces().find(workspace.id).await).unwrap();
    assert_eq!((found.owner, found.name), (make::user_id(3), workspace.name));
}

pub(crate) async fn of_two_owners_who_remove_each_other_one_stays(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    join(&*store, 2, &workspace, &bob, Role::Owner).await;
    let tries = [(ada.id, bob.id), (bob.id, ada.id)].map(|(stays, goes)| {
        let (store, workspace) = (Arc::clone(&store), workspace.id);
        tokio::spawn(async move {
            let mut unit = store.writer().await.unwrap();
            unit.workspaces().lock(workspace).await.unwrap();
            let is_last = unit.members().find_longest_owner(workspace, goes).await.unwrap() != Some(stays);
            if !is_last {
                unit.members().remove(workspace, goes).await.unwrap();
            }
            unit.commit(Record::default()).await.unwrap();
            is_last
        })
    });
    let mut refused = 0;
    for tried in tries {
        refused += u32::from(tried.await.unwrap());
    }
    assert_eq!(refused, 1);
    assert_eq!(read!(store, view => view.members().count(workspace.id).await), 1);
}
