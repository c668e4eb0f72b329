//! Deleting an account, restoring it, and what the purge leaves.

use crate::world::{Calling, World, conflict, denied, invalid, unknown};
use octavo_app::accounts::deletion;
use octavo_core_model::{
    Fault, Role,
    account::AccountStatus,
    event::Chain,
    fault::{Conflict, Denial, Hint, Issue, Unknown, Violation},
    mail::Topic,
    time::days,
};
use std::time::Duration;

async fn purge(world: &World) -> u32 {
    deletion::purge_due(&world.engine, world.now).await.unwrap()
}

#[tokio::test]
async fn a_deleted_account_may_do_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    assert_eq!(world.delete(&device).await, Ok(world.now.plus(days(30))));
    let deleting = Some(denied(Denial::AccountDeleting));
    assert_eq!(world.look(&device).await.err(), deleting);
    assert_eq!(world.refresh(&other).await.err(), deleting);
    assert_eq!(world.try_login(&ada).await.err(), deleting);
    assert_eq!(world.delete(&device).await.err(), deleting);
    assert_eq!(world.audited(ada.id, "user.deletion_scheduled").await, 1);
    assert!(matches!(world.mail_to(&ada.email).await.last(), Some(Topic::DeletionScheduled { .. })));
}

#[tokio::test]
async fn of_two_owners_the_second_to_leave_is_refused() {
    let mut world = World::new().await;
    let ((ada, by_ada), (bob, by_bob)) = (world.newcomer().await, world.newcomer().await);
    let shared = world.creates_workspace(&ada).await;
    world.adds(world.by(&by_ada).at(shared), bob.id, Role::Owner).await.unwrap();
    world.delete(&by_ada).await.unwrap();
    assert_eq!(world.delete(&by_bob).await.err(), Some(Fault::SoleOwner(vec![shared])), "she cannot act any more");
    let token = world.token_to(&ada.email, "urt_").await.unwrap();
    world.restore(token).await.unwrap();
    world.delete(&by_bob).await.unwrap();
}

#[tokio::test]
async fn a_purged_primary_owner_has_an_heir() {
    let mut world = World::new().await;
    let ((ada, by_ada), (bob, _)) = (world.newcomer().await, world.newcomer().await);
    let shared = world.creates_workspace(&ada).await;
    world.adds(world.by(&by_ada).at(shared), bob.id, Role::Owner).await.unwrap();
    world.delete(&by_ada).await.unwrap();
    world.pass(days(30));
    assert_eq!(purge(&world).await, 1);
    let workspace = world.engine.store.reader().await.unwrap().workspaces().find(shared).await.unwrap().unwrap();
    assert_eq!(workspace.owner, bob.id);
    for kind in ["workspace.member_removed", "permission.changed"] {
        let sql = format!(
            "SELECT count(*) FROM events WHERE workspace_id = '{shared}' AND type = '{kind}' AND actor_type = 'SYSTEM'"
        );
        assert_eq!(world.database.number(&sql).await, 1, "{kind}");
    }
    let members = format!("SELECT count(*) FROM memberships WHERE workspace_id = '{shared}'");
    assert_eq!(world.database.number(&members).await, 1);
}

#[tokio::test]
async fn a_deletion_needs_a_typed_confirmation() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    let right = format!("DELETE {}", ada.id);
    for wrong in [
        None,
        Some(String::new()),
        Some(right.to_lowercase()),
        Some(format!("{right} ")),
        Some(format!("DELETE {}", bob.id)),
    ] {
        let expected = match wrong.clone() {
            None => Violation::new("X-Confirm", Issue::Required),
            Some(said) => Violation::new("X-Confirm", Issue::InvalidValue).with(said.into()),
        };
        let expected = Fault::from(expected.hinting(Hint::one_of([&right])));
        let answer = world.write(world.by(&device), move |unit| Box::pin(deletion::schedule(unit, wrong))).await;
        assert_eq!(answer.err(), Some(expected));
    }
    world.look(&device).await.unwrap();
}

#[tokio::test]
async fn a_restored_account_has_its_password_and_no_session() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.delete(&device).await.unwrap();
    let token = world.token_to(&ada.email, "urt_").await.unwrap();
    world.pass_almost(days(30));
    world.restore(token.clone()).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::SessionRevoked)));
    world.try_login(&ada).await.unwrap();
    assert_eq!(world.restore(token).await.err(), Some(conflict(Conflict::TokenUsed)));
    assert_eq!(world.audited(ada.id, "user.restored").await, 1);
    world.pass(days(1));
    assert_eq!(purge(&world).await, 0, "nothing is due any more");
}

#[tokio::test]
async fn earlier_mailed_tokens_are_void() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let verification = world.token_to(&ada.email, "evt_").await.unwrap();
    world.delete(&device).await.unwrap();
    let first = world.token_to(&ada.email, "urt_").await.unwrap();
    world.restore(first).await.unwrap();
    assert_eq!(world.verify(verification).await.err(), Some(conflict(Conflict::TokenRevoked)));
}

#[tokio::test]
async fn a_restore_fails_after_30_days() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.delete(&device).await.unwrap();
    let token = world.token_to(&ada.email, "urt_").await.unwrap();
    world.pass_almost(days(30));
    assert_eq!(purge(&world).await, 0);
    world.pass(Duration::from_millis(1));
    assert_eq!(world.restore(token.clone()).await.err(), Some(Fault::TokenExpired), "also before the purge came by");
    assert_eq!(purge(&world).await, 1);
    assert_eq!(world.restore(token).await.err(), Some(invalid("token", Issue::InvalidValue)));
    assert_eq!(purge(&world).await, 0);
}

#[tokio::test]
async fn a_purge_leaves_a_former_member_and_frees_the_address() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    world.joins(&ada, &bob, Role::Member).await;
    world.delete(&device).await.unwrap();
    world.pass(days(30));
    assert_eq!(purge(&world).await, 1);
    let row = world.user(ada.id).await.unwrap();
    assert_eq!(
        (row.name.as_str(), row.display_name.as_str(), row.email.as_str()),
        ("Former member", "Former member", "")
    );
    assert_eq!((row.status, row.avatar_url), (AccountStatus::Deleted, None));
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)));
    for (table, column, id) in [("workspaces", "id", ada.workspace), ("events", "workspace_id", ada.workspace)] {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} = '{id}'");
        assert_eq!(world.database.number(&sql).await, 0, "{table}: her lone workspace goes too");
    }
    let bobs = format!("SELECT count(*) FROM workspaces WHERE id = '{}'", bob.workspace);
    assert_eq!(world.database.number(&bobs).await, 1, "a shared one stays");
    let records = world.audit_records(Chain::User(ada.id)).await;
    assert_eq!(records.last().unwrap().action, "user.deleted");
    for record in records.iter().filter(|record| record.action != "user.deleted") {
        assert_eq!((&record.personal, &record.salt), (&None, &None), "{}", record.action);
    }
    let trace = format!("{records:?}");
    assert!(!trace.contains(ada.email.as_str()) && !trace.contains("Person 1"), "{trace}");
    let again = World::registration(ada.email.as_str(), "Another Ada");
    world.register(world.nobody(), again).await.expect("the address is free");
}

#[tokio::test]
async fn the_last_owner_of_a_shared_workspace_stays() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    let shared = world.creates_workspace(&ada).await;
    world.delete(&device).await.expect("a workspace of her own alone is no obstacle");
    let token = world.token_to(&ada.email, "urt_").await.unwrap();
    world.restore(token).await.unwrap();
    let device = world.signed_in(&ada).await;
    let bob_in_shared = crate::world::Person { workspace: shared, ..ada.clone() };
    world.joins(&bob, &bob_in_shared, Role::Admin).await;
    assert_eq!(world.delete(&device).await.err(), Some(Fault::SoleOwner(vec![shared])));
    world.look(&device).await.unwrap();
    world.database.execute(&format!("UPDATE memberships SET role = 'OWNER' WHERE user_id = '{}'", bob.id)).await;
    world.delete(&device).await.expect("another owner stays behind");
}
