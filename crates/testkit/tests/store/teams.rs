//! Teams, their members, and who may see them.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{
    Role, TeamRole,
    account::User,
    id::UserId,
    position::Position,
    team::{Team, TeamVisibility},
    workspace::Workspace,
};
use octavo_ports::store::Store;
use octavo_testkit::{Database, make};
use std::sync::Arc;

fn team(number: u64, workspace: &Workspace) -> Team {
    make::team(number, workspace)
}

async fn member(store: &dyn Store, number: u64, workspace: &Workspace) -> User {
    let user = person(store, number).await;
    join(store, number, workspace, &user, Role::Member).await;
    user
}

async fn put(store: &dyn Store, number: u64, team: &Team, user: UserId, role: TeamRole) -> bool {
    let membership = make::team_membership(number, team, user, role);
    write!(store, unit => unit.teams().insert_membership(&membership).await)
}

pub(crate) async fn a_team_reads_back_and_changes(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let mut team = team(1, &workspace);
    assert!(write!(store, unit => unit.teams().insert(&team).await));
    assert_eq!(read!(store, view => view.teams().find(workspace.id, team.id).await), Some(team.clone()));
    assert_eq!(read!(store, view => view.teams().find(elsewhere.id, team.id).await), None);
    team.is_private = true;
    team.slug = make::slug("other");
    team.description = None;
    write!(store, unit => unit.teams().save(&team).await);
    assert_eq!(read!(store, view => view.teams().find(workspace.id, team.id).await), Some(team.clone()));
    write!(store, unit => unit.teams().remove(elsewhere.id, team.id).await);
    assert!(read!(store, view => view.teams().find(workspace.id, team.id).await).is_some());
    write!(store, unit => unit.teams().remove(workspace.id, team.id).await);
    assert_eq!(read!(store, view => view.teams().find(workspace.id, team.id).await), None);
}

pub(crate) async fn one_of_twenty_gets_the_slug_of_a_team(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tries = (1..=20).map(|number| {
        let (store, workspace) = (Arc::clone(&store), workspace.clone());
        tokio::spawn(async move {
            let team = Team { slug: make::slug("wanted"), ..team(number, &workspace) };
            write!(store, unit => unit.teams().insert(&team).await)
        })
    });
    let mut winners = 0;
    for tried in tries.collect::<Vec<_>>() {
        winners += u32::from(tried.await.unwrap());
    }
    assert_eq!(winners, 1);
    let (taken, free) = (make::slug("wanted"), make::slug("free"));
    let found = write!(store, unit => unit.teams().taken_slugs(workspace.id, &[free, taken.clone()]).await);
    assert_eq!(found, std::slice::from_ref(&taken));
    let (_, elsewhere) = owner(&*store, 2).await;
    assert_eq!(write!(store, unit => unit.teams().taken_slugs(elsewhere.id, &[taken]).await), []);
}

pub(crate) async fn teams_are_listed_in_order_to_those_who_may_see_them(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (ada, bob) = (member(&*store, 2, &workspace).await, member(&*store, 3, &workspace).await);
    for (number, position, is_private) in [(1, "a1", false), (2, "A0", true), (3, "a1", true), (4, "a0", false)] {
        let position = Position::parse(position).unwrap();
        let team = Team { position, is_private, ..team(number, &workspace) };
        assert!(write!(store, unit => unit.teams().insert(&team).await));
    }
    let two = team(2, &workspace);
    assert!(put(&*store, 1, &two, ada.id, TeamRole::Admin).await);
    assert!(put(&*store, 2, &team(4, &workspace), ada.id, TeamRole::Member).await);
    let id = |number| team(number, &workspace).id;
    for (visibility, expected) in [
        (TeamVisibility::Everything, vec![id(2), id(4), id(1), id(3)]),
        (TeamVisibility::PublicAndTeamsOf(ada.id), vec![id(2), id(4), id(1)]),
        (TeamVisibility::PublicAndTeamsOf(bob.id), vec![id(4), id(1)]),
        (TeamVisibility::TeamsOf(ada.id), vec![id(2), id(4)]),
        (TeamVisibility::TeamsOf(bob.id), vec![]),
        (TeamVisibility::Nothing, vec![]),
    ] {
        let mut walked = Vec::new();
        let mut after = None;
        loop {
            let page = read!(store, view => view.teams().list(workspace.id, visibility, after.as_ref(), 1).await);
            let Some(team) = page.into_iter().next() else { break };
            after = Some(team.place());
            walked.push(team.id);
        }
        assert_eq!(walked, expected, "{visibility:?}");
    }
    let found = read!(store, view => view.teams().list_of(workspace.id, &[ada.id, bob.id]).await);
    let found: Vec<_> = found.into_iter().map(|(user, team)| (user, team.id, team.is_private, team.role)).collect();
    assert_eq!(found, [(ada.id, id(2), true, TeamRole::Admin), (ada.id, id(4), false, TeamRole::Member)]);
    let last = write!(store, unit => unit.teams().find_last_position(workspace.id).await);
    assert_eq!(last, Some(Position::parse("a1").unwrap()));
}

pub(crate) async fn members_of_a_team_come_newest_first(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (first, second) = (team(1, &workspace), team(2, &workspace));
    for team in [&first, &second] {
        assert!(write!(store, unit => unit.teams().insert(team).await));
    }
    let mut expected = Vec::new();
    for number in 2..=4 {
        let user = member(&*store, number, &workspace).await;
        assert!(put(&*store, number, &first, user.id, TeamRole::Member).await);
        expected.insert(0, make::team_membership(number, &first, user.id, TeamRole::Member));
    }
    assert!(!put(&*store, 9, &first, make::user_id(2), TeamRole::Admin).await, "nobody is in a team twice");
    assert!(put(&*store, 10, &second, make::user_id(2), TeamRole::Admin).await);
    let list = async |before, limit| read!(store, view => view.teams().list_memberships(workspace.id, first.id, before, limit).await);
    assert_eq!(list(None, 9).await, expected);
    assert_eq!(list(Some(expected[0].id), 1).await, expected[1..2]);
    let mut counts = read!(store, view => view.teams().count_members(workspace.id, &[first.id, second.id]).await);
    counts.sort_unstable();
    assert_eq!(counts, [(first.id, 3), (second.id, 1)]);
    let mut roles = read!(store, view => view.teams().list_roles(workspace.id, make::user_id(2)).await);
    roles.sort_unstable();
    assert_eq!(roles, [(first.id, TeamRole::Member), (second.id, TeamRole::Admin)]);
    let raised = make::team_membership(4, &first, make::user_id(4), TeamRole::Admin);
    write!(store, unit => unit.teams().save_role(&raised).await);
    let found = read!(store, view => view.teams().find_membership(workspace.id, first.id, make::user_id(4)).await);
    assert_eq!(found, Some(raised));
    write!(store, unit => unit.teams().remove_membership(workspace.id, first.id, make::user_id(4)).await);
    assert_eq!(list(None, 9).await, expected[1..]);
}

pub(crate) async fn places_in_teams_end_with_team_and_membership(database: &Database) {
    let store = database.store().await;
    let (owner, workspace) = owner(&*store, 1).await;
    let team = team(1, &workspace);
    assert!(write!(store, unit => unit.teams().insert(&team).await));
    let (left, erased, removed) = (
        member(&*store, 2, &workspace).await,
        member(&*store, 3, &workspace).await,
        member(&*store, 4, &workspace).await,
    );
    for (number, user) in [(1, &owner), (2, &left), (3, &erased), (4, &removed)] {
        assert!(put(&*store, number, &team, user.id, TeamRole::Member).await);
    }
    let count = async || database.number("SELECT count(*) FROM team_memberships").await;
    write!(store, unit => unit.members().remove(workspace.id, left.id).await);
    assert_eq!(count().await, 3);
    write!(store, unit => unit.accounts().erase(&erased).await);
    assert_eq!(count().await, 2);
    write!(store, unit => unit.accounts().remove(&removed).await);
    assert_eq!(count().await, 1);
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    assert_eq!(count().await + database.number("SELECT count(*) FROM teams").await, 0);
}
