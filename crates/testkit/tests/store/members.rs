//! Who belongs to which workspace, and under which name.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{
    Role, Timestamp,
    member::{Person, Place},
    workspace::{OwnWorkspace, Workspace},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

pub(crate) async fn own_workspaces_come_in_the_order_of_joining(database: &Database) {
    let store = database.store().await;
    let (bob, _) = owner(&*store, 2).await;
    let ada = person(&*store, 1).await;
    let joined = [(11, Role::Owner, 2, true), (12, Role::Guest, 0, false), (13, Role::Admin, 1, false)];
    for (number, role, after, is_personal) in joined {
        let workspace = Workspace { is_personal, ..make::workspace(number, &bob) };
        let mut membership = make::membership(number, &workspace, &ada, role);
        membership.joined_at = Timestamp::from_millis(NOW.millis() + after);
        assert!(write!(store, unit => unit.insert_workspace(&workspace).await));
        write!(store, unit => unit.insert_membership(&membership, &workspace, &Person::from(&ada)).await);
    }
    let entry = |number, role, is_personal| OwnWorkspace {
        id: make::workspace_id(number),
        name: make::name(&format!("Workspace {number}")),
        is_personal,
        role,
    };
    let expected = [entry(12, Role::Guest, false), entry(13, Role::Admin, false), entry(11, Role::Owner, true)];
    assert_eq!(read!(store, view => view.list_own_workspaces(ada.id).await), expected);
    let together = read!(store, view => view.find_user_with_workspaces(ada.id).await);
    assert_eq!(together, Some((ada.clone(), expected.to_vec())));
    assert_eq!(read!(store, view => view.find_role(ada.id, make::workspace_id(13)).await), Some(Role::Admin));
    assert_eq!(read!(store, view => view.find_role(bob.id, make::workspace_id(13)).await), None);
    let nobody = make::user_id(9);
    assert_eq!(read!(store, view => view.list_own_workspaces(nobody).await), []);
    assert_eq!(read!(store, view => view.find_user_with_workspaces(nobody).await), None);
    let carl = person(&*store, 3).await;
    assert_eq!(read!(store, view => view.find_user_with_workspaces(carl.id).await), Some((carl, Vec::new())));
}

pub(crate) async fn a_display_name_is_taken_whatever_its_case(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let bob = person(&*store, 3).await;
    let taken = make::membership(3, &workspace, &bob, Role::Member);
    let emilie = Person { display_name: make::name("\u{c9}milie"), ..Person::from(&bob) };
    write!(store, unit => unit.insert_membership(&taken, &workspace, &emilie).await);
    let ask = async |workspaces: &[_], name: &str, but| {
        let name = make::name(name);
        write!(store, unit => unit.is_display_name_taken(workspaces, &name, but).await)
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
    write!(store, unit => unit.save_person(&[workspace.id], &countess).await);
    let ask =
        async |workspace, name: &_| write!(store, unit => unit.is_display_name_taken(&[workspace], name, bob.id).await);
    assert!(ask(workspace.id, &make::name("the countess")).await);
    assert!(!ask(workspace.id, &ada.display_name).await, "the old name is free");
    let bobs =
        write!(store, unit => unit.is_display_name_taken(&[workspace.id, other.id], &bob.display_name, ada.id).await);
    assert!(bobs, "others keep their names");
}

pub(crate) async fn workspaces_without_company_are_lone(database: &Database) {
    let store = database.store().await;
    let (ada, lone) = owner(&*store, 1).await;
    let (bob, shared) = owner(&*store, 2).await;
    join(&*store, 3, &shared, &ada, Role::Guest).await;
    assert_eq!(write!(store, unit => unit.list_lone_workspaces(ada.id).await), [lone.id]);
    assert_eq!(write!(store, unit => unit.list_lone_workspaces(bob.id).await), []);
    assert_eq!(write!(store, unit => unit.list_lone_workspaces(make::user_id(9)).await), []);
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
        assert!(write!(store, unit => unit.insert_workspace(&workspace).await));
        join(&*store, number, &workspace, &ada, Role::Owner).await;
        join(&*store, number + 10, &workspace, &bob, others_role).await;
        if others_role != Role::Owner && !is_personal {
            expected.push(workspace.id);
        }
    }
    assert_eq!(write!(store, unit => unit.list_sole_ownerships(ada.id).await), expected);
    assert!(!expected.contains(&alone.id), "a workspace without members needs no owner after its owner");
}

pub(crate) async fn a_user_is_found_with_their_place_in_a_workspace(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    join(&*store, 3, &workspace, &bob, Role::Guest).await;
    let found = read!(store, view => view.find_user_in(bob.id, workspace.id).await);
    let place = Place { role: Role::Guest, is_personal: false, is_deleting: false };
    assert_eq!(found, Some((bob.clone(), Some(place))));
    let elsewhere = read!(store, view => view.find_user_in(bob.id, make::workspace_id(9)).await);
    assert_eq!(elsewhere, Some((bob.clone(), None)));
    assert_eq!(read!(store, view => view.find_user_in(make::user_id(9), workspace.id).await), None);
    let mut deleted = workspace.clone();
    deleted.schedule_removal(NOW);
    write!(store, unit => unit.save_workspace(&deleted).await);
    let found = read!(store, view => view.find_user_in(ada.id, workspace.id).await);
    assert_eq!(found.and_then(|(_, place)| place).map(|place| place.is_deleting), Some(true));
    assert_eq!(read!(store, view => view.list_own_workspaces(ada.id).await), []);
    let (_, own) = read!(store, view => view.find_user_with_workspaces(ada.id).await).unwrap();
    assert_eq!(own, [], "what is deleted is gone from every list");
}

pub(crate) async fn the_shortest_timeout_above_guest_counts(database: &Database) {
    let store = database.store().await;
    let (ada, _) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    let asked = async || read!(store, view => view.shortest_session_timeout(bob.id).await);
    assert_eq!(asked().await, None);
    for (number, role, is_personal, days) in [
        (11, Role::Owner, true, 5),
        (12, Role::Guest, false, 3),
        (13, Role::Member, false, 20),
        (14, Role::Admin, false, 10),
    ] {
        let mut workspace = Workspace { is_personal, ..make::workspace(number, &ada) };
        workspace.settings.session_timeout_days = Some(days);
        assert!(write!(store, unit => unit.insert_workspace(&workspace).await));
        join(&*store, number, &workspace, &bob, role).await;
        let expected = match number {
            11 | 12 => 5,
            13 => 20,
            _ => 10,
        };
        assert_eq!(asked().await, Some(expected), "{role}");
    }
}
