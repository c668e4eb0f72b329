//! The caller's own profile.

use crate::world::{Calling, Device, World, conflict, denied, invalid};
use octavo_app::{
    Call,
    accounts::profile::{self, Bearer, Identity},
};
use octavo_core_model::{
    Fault, Role,
    account::{ProfileChange, User},
    fault::{Conflict, Denial, Issue},
    id::WorkspaceId,
    text::{Name, Theme},
    time::days,
};

async fn update(world: &World, call: Call, change: ProfileChange) -> Result<User, Fault> {
    world.write(call, move |unit| Box::pin(profile::update(unit, Ok(change)))).await
}

fn displayed(name: &str) -> ProfileChange {
    ProfileChange { display_name: Some(Name::parse(name).unwrap()), ..ProfileChange::default() }
}

async fn identify(world: &World, call: Call) -> Result<Box<Bearer>, Fault> {
    match world.read(call, |view| Box::pin(profile::identify(view))).await? {
        Identity::Person(bearer) => Ok(bearer),
        Identity::Key(_) | Identity::App(_) => panic!("a person is no key and no app"),
    }
}

#[tokio::test]
async fn a_change_is_one_event_that_names_what_became_different() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let theme = Some(Theme::parse("dark").unwrap());
    let change = ProfileChange { theme, name: Some(Name::parse("Person 1").unwrap()), ..ProfileChange::default() };
    for _ in 0..2 {
        assert_eq!(update(&world, world.by(&device), change.clone()).await.unwrap().theme.as_str(), "dark");
    }
    let sql = "SELECT details FROM events WHERE type = 'user.profile_updated'";
    let rows = world.database.rows(sql).await;
    let details: Vec<serde_json::Value> = rows.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect();
    let expected = serde_json::json!({ "changedFields": ["theme"], "before": { "theme": "system" }, "after": { "theme": "dark" } });
    assert_eq!(details, [expected]);
    assert_eq!(world.user(ada.id).await.unwrap().theme.as_str(), "dark");
}

#[tokio::test]
async fn a_display_name_is_unique_in_every_workspace_whatever_its_case() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    let (_, strangers) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Guest).await;
    update(&world, world.by(&bobs), displayed("The Builder")).await.unwrap();
    let taken = Some(conflict(Conflict::Taken("displayName")));
    assert_eq!(update(&world, world.by(&device), displayed("THE builder")).await.err(), taken);
    assert_eq!(world.user(ada.id).await.unwrap().display_name.as_str(), "Person 1");
    update(&world, world.by(&strangers), displayed("the builder")).await.expect("they share no workspace");
    update(&world, world.by(&bobs), displayed("The BUILDER")).await.expect("his own name is no obstacle");
    update(&world, world.by(&bobs), displayed("Robert")).await.unwrap();
    update(&world, world.by(&device), displayed("The Builder")).await.expect("a name that was given up is free");
}

#[tokio::test]
async fn a_name_taken_by_default_never_conflicts() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    world.joins(&bob, &ada, Role::Member).await;
    world.database.execute("UPDATE users SET display_name = 'Twin'; UPDATE memberships SET display_name = 'Twin', folded_name = 'twin'").await;
    update(&world, world.by(&device), displayed("Twin")).await.expect("it stays as it is");
    let both = ProfileChange { name: Some(Name::parse("New Name").unwrap()), ..displayed("Twin") };
    update(&world, world.by(&device), both).await.unwrap();
}

#[tokio::test]
async fn the_body_is_looked_at_last() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let foreign = WorkspaceId::new(1, [9; 10]);
    let flaw = || Err(invalid("name", Issue::TooLong));
    let ask = async |call: Call| world.write(call, move |unit| Box::pin(profile::update(unit, flaw()))).await.err();
    assert_eq!(ask(world.by(&device)).await, Some(invalid("name", Issue::TooLong)));
    assert_eq!(ask(world.by(&device).naming(foreign)).await, Some(denied(Denial::WorkspaceMismatch)));
    let keyed = |body| world.by(&device).keyed("k", body);
    update(&world, keyed("first"), ProfileChange::default()).await.unwrap();
    assert_eq!(ask(keyed("second")).await, Some(Fault::KeyReused));
}

#[tokio::test]
async fn a_workspace_named_by_the_call_has_to_be_the_callers() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    let mismatch = Some(denied(Denial::WorkspaceMismatch));
    for foreign in [ada.workspace, WorkspaceId::new(1, [9; 10])] {
        assert_eq!(identify(&world, world.by(&bobs).naming(foreign)).await.err(), mismatch, "known or not");
    }
    world.joins(&bob, &ada, Role::Guest).await;
    let there = identify(&world, world.by(&bobs).naming(ada.workspace)).await.unwrap();
    assert_eq!((there.workspace, there.role), (ada.workspace, Some(Role::Guest)));
    let here = identify(&world, world.by(&bobs)).await.unwrap();
    assert_eq!((here.workspace, here.role), (bob.workspace, Some(Role::Owner)));
    assert_eq!(identify(&world, world.by(&device).naming(bob.workspace)).await.err(), mismatch);
}

#[tokio::test]
async fn a_token_for_a_workspace_its_user_has_left_counts_as_personal() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let mut claims = device.claims.clone();
    claims.workspace = WorkspaceId::new(1, [9; 10]);
    let identity = identify(&world, world.by(&Device { claims, ..device.clone() })).await.unwrap();
    assert_eq!((identity.workspace, identity.role), (ada.workspace, Some(Role::Owner)));
    assert_eq!(identity.session.map(|session| session.id), Some(device.session));
    world.pass(days(1));
    assert_eq!(identity.profile.user.id, ada.id);
}
