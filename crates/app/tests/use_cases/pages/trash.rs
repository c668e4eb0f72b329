//! Pages in the trash, and how they leave it.

use super::payloads_of;
use crate::world::{Calling, World, denied};
use octavo_app::{
    chores,
    pages::{
        Place,
        permissions::{GranteeRef, NewGrant, PermissionChange},
        trash,
    },
    queue::ChoreOutcome,
    workspaces::settings,
};
use octavo_core_model::{
    Fault, KeyScope, Level, event::Chain, fault::Denial, id::PageId, settings::SettingsChange, time::days,
};
use serde_json::{Value, json};

#[tokio::test]
async fn trashed_pages_are_purged_when_due() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let parent = world.page_in(world.by(&owner.1).naming(id), None, "Parent").await;
    let child = world.page_in(world.by(&owner.1).naming(id), Some(parent), "Child").await;
    let thrown = world.throws_away(world.by(&owner.1).naming(id), parent).await.unwrap();
    assert_eq!((thrown.count, thrown.purge_at), (2, world.now.plus(days(30))));
    world.pass(days(29));
    assert_eq!(world.purged_pages().await, 0);
    world.pass(days(1));
    let due = chores::purge(&world.engine, &world.blobs, world.now, true).await.unwrap();
    assert_eq!((due.pages, world.purged_pages().await, world.purged_pages().await), (1, 1, 0));
    let mut view = world.engine.store.reader().await.unwrap();
    for page in [parent, child] {
        assert_eq!(view.pages().find(id, page).await.unwrap(), None);
    }
    let (kind, actor, _) = world.events(id).await.pop().unwrap();
    assert_eq!((kind.as_str(), actor.as_str()), ("page.deleted", "SYSTEM"));
    let entry = world.audit_records(Chain::Workspace(id)).await.pop().unwrap();
    assert_eq!((entry.action.as_str(), entry.reason.as_deref()), ("page.deleted", Some("retention")));
}

#[tokio::test]
async fn a_changed_retention_counts_for_what_is_in_the_trash_already() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    world.throws_away(call(), page).await.unwrap();
    let change = SettingsChange { trash_retention_days: Some(Some(2)), ..SettingsChange::default() };
    let at = world.by(&owner.1).at(id);
    world.write(at, move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
    let again = world.throws_away(call(), page).await.unwrap();
    assert_eq!(again.purge_at, world.now.plus(days(2)));
    world.pass(days(2));
    assert_eq!(world.purged_pages().await, 1);
}

#[tokio::test]
async fn a_large_trash_is_emptied_part_by_part() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let mut pages = Vec::new();
    for number in 0..250 {
        let page = world.page_in(world.by(&owner.1).naming(id), None, &number.to_string()).await;
        world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
        pages.push(page);
    }
    let left = async |world: &World| {
        let mut view = world.engine.store.reader().await.unwrap();
        view.pages().list_by_id(id, &pages).await.unwrap().len()
    };
    let confirmation = id.to_string();
    let call = world.by(&owner.1).naming(id);
    let count = world.write(call, move |unit| Box::pin(trash::empty(unit, Ok(Some(confirmation))))).await;
    assert_eq!((count, left(&world).await), (Ok(250), 150));
    // Pages that are moved to the trash meanwhile are not affected.
    world.pass(days(1));
    let later = world.page_in(world.by(&owner.1).naming(id), None, "Later").await;
    world.throws_away(world.by(&owner.1).naming(id), later).await.unwrap();
    assert!(world.run_chores().await.iter().all(|outcome| *outcome == ChoreOutcome::Done));
    assert_eq!(left(&world).await, 0);
    let opened = world.sees(world.by(&owner.1).naming(id), later).await;
    assert_eq!(opened, Ok(Level::FullAccess));
    let removals = world.events(id).await.into_iter().filter(|(kind, ..)| kind == "page.deleted");
    assert!(removals.map(|(_, actor, _)| actor).all(|actor| actor == "USER"));
}

#[tokio::test]
async fn reading_a_trashed_page_requires_edit() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    let page = world.page_in(world.by(&owner.1).naming(id), None, "Page").await;
    let by_member = || world.by(&member.1).naming(id);
    for (level, expected) in [
        (Level::None, Err(Fault::NotFound)),
        (Level::View, Err(denied(Denial::RequiresLevel(Level::Edit)))),
        (Level::Comment, Err(denied(Denial::RequiresLevel(Level::Edit)))),
        (Level::Edit, Ok(Level::Edit)),
    ] {
        let to_member = NewGrant { grantee: GranteeRef::User(member.0.id), level, expires_at: None };
        let grants = Some(vec![to_member]);
        let change = PermissionChange { grants, ..PermissionChange::default() };
        world.allows(world.by(&owner.1).naming(id), page, change).await;
        world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
        assert_eq!(world.sees(by_member(), page).await, expected, "{level}");
        let restored = world
            .write(by_member(), move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))));
        assert_eq!(restored.await.map(|restored| restored.shown.level), expected, "{level}");
        let by_owner = world.by(&owner.1).naming(id);
        world
            .write(by_owner, move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))))
            .await
            .unwrap();
    }
    let key = world.key(id, KeyScope::Read, &owner.0);
    world.throws_away(world.by(&owner.1).naming(id), page).await.unwrap();
    let needs_write = denied(Denial::KeyScope(KeyScope::Write));
    assert_eq!(world.sees(key, page).await, Err(needs_write));
}

#[tokio::test]
async fn events_of_the_trash_name_every_page_that_their_readers_may_see_and_no_other() {
    let mut world = World::new().await;
    let (id, owner, _) = world.team_of_two().await;
    let call = || world.by(&owner.1).naming(id);
    let page = world.page_in(call(), None, "Page").await;
    let (open, hidden) =
        (world.page_in(call(), Some(page), "Open").await, world.page_in(call(), Some(page), "Hidden").await);
    let below = world.page_in(call(), Some(hidden), "Below").await;
    let change = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
    world.allows(call(), hidden, change).await;
    let thrown = world.throws_away(call(), page).await.unwrap();
    world
        .write(call(), move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(Place::default()), Ok(None))))
        .await
        .unwrap();
    assert_eq!(thrown.count, 4);
    for kind in ["page.trashed", "page.restored"] {
        let events = payloads_of(&world, kind).await;
        let named = |event: &Value| {
            let mut named: Vec<PageId> = serde_json::from_value(event["pageIds"].clone()).unwrap();
            named.sort_unstable();
            named
        };
        assert_eq!(events.len(), 2, "{kind}");
        assert_eq!((&events[0]["pageId"], named(&events[0])), (&json!(page), vec![page, open]), "{kind}");
        assert!(!events[0].to_string().contains(&below.to_string()));
        assert_eq!((&events[1]["pageId"], named(&events[1])), (&json!(hidden), vec![hidden, below]), "{kind}");
    }
    let (trashed, restored) = (payloads_of(&world, "page.trashed").await, payloads_of(&world, "page.restored").await);
    assert_eq!((&trashed[0]["trashedCount"], &trashed[1]["trashedCount"]), (&json!(2), &json!(2)));
    assert_eq!((&restored[1]["relocated"], &restored[1]["parentId"]), (&json!(false), &json!(page)));
    let (first, second) = (trashed[1]["version"].as_i64().unwrap(), restored[1]["version"].as_i64().unwrap());
    assert_eq!(second, first + 1, "the version of that page after the change");
}
