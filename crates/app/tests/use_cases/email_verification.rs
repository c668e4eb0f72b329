//! Verifying an address, and rejecting an account.

use crate::world::{World, conflict, denied, email, invalid, unknown};
use octavo_core_model::{
    Fault, Role,
    fault::{Conflict, Denial, Issue, Unknown},
    mail::Topic,
    time::days,
};

#[tokio::test]
async fn the_mailed_token_proves_the_mailbox_once() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let first = world.token_to(&ada.email, "evt_").await.unwrap();
    world.ask_for_verification(&device, &ada.email).await.unwrap();
    let second = world.token_to(&ada.email, "evt_").await.unwrap();
    let proven = world.verify(first.clone()).await.unwrap();
    assert_eq!(proven.email_verified_at, Some(world.now));
    assert_eq!(world.verify(first).await.err(), Some(conflict(Conflict::TokenUsed)));
    let then = world.now;
    world.pass(days(1) / 2);
    assert_eq!(world.verify(second).await.unwrap().email_verified_at, Some(then), "the first proof keeps its time");
    assert_eq!(world.audited(ada.id, "user.email_verified").await, 1);
    world.refresh(&device).await.expect("who registered stays signed in");
}

#[tokio::test]
async fn a_token_works_for_a_day() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.pass(days(1));
    assert_eq!(world.verify(token.clone()).await.err(), Some(Fault::TokenExpired));
    assert_eq!(world.reject(token).await.err(), Some(Fault::TokenExpired));
}

#[tokio::test]
async fn a_mail_goes_to_the_callers_own_unproven_address_only() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    let verifications = async |world: &World, address| {
        let letters = world.mail_to(address).await;
        letters.iter().filter(|topic| matches!(topic, Topic::VerifyEmail { .. })).count()
    };
    let nobodys = email("nobody@example.com");
    for address in [&bob.email, &nobodys, &ada.email] {
        world.ask_for_verification(&device, address).await.unwrap();
    }
    for (address, expected) in [(&bob.email, 1), (&nobodys, 0), (&ada.email, 2)] {
        assert_eq!(verifications(&world, address).await, expected, "{address}");
    }
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.verify(token).await.unwrap();
    world.ask_for_verification(&device, &ada.email).await.unwrap();
    assert_eq!(verifications(&world, &ada.email).await, 2, "a proven one needs no more");
}

#[tokio::test]
async fn a_disowned_account_goes_with_everything() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.reject(token.clone()).await.unwrap();
    assert_eq!(world.user(ada.id).await, None);
    assert_eq!(world.look(&device).await.err(), Some(unknown(Unknown::TokenMalformed)));
    assert_eq!(world.refresh(&device).await.err(), Some(unknown(Unknown::RefreshInvalid)));
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)));
    assert_eq!(world.reject(token).await.err(), Some(invalid("token", Issue::InvalidValue)));
    for table in ["workspaces", "memberships", "user_workspaces", "events", "sessions", "directory"] {
        assert_eq!(world.database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    let again = World::registration(ada.email.as_str(), "The owner");
    world.register(world.nobody(), again).await.expect("the address is free");
}

#[tokio::test]
async fn a_proven_account_cannot_be_disowned() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let first = world.token_to(&ada.email, "evt_").await.unwrap();
    world.ask_for_verification(&device, &ada.email).await.unwrap();
    let second = world.token_to(&ada.email, "evt_").await.unwrap();
    world.verify(second).await.unwrap();
    assert_eq!(world.reject(first).await.err(), Some(conflict(Conflict::TokenRevoked)));
    world.refresh(&device).await.unwrap();
}

#[tokio::test]
async fn a_rejection_that_locks_is_on_record() {
    let mut world = World::new().await;
    let (ada, _) = world.newcomer().await;
    let bob = world.person().await;
    world.joins(&bob, &ada, Role::Member).await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.reject(token).await.unwrap();
    for action in ["user.registration_rejected", "session.revoked"] {
        assert_eq!(world.audited(ada.id, action).await, 1, "{action}");
    }
}

#[tokio::test]
async fn an_account_others_rely_on_is_locked_instead() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let bob = world.person().await;
    world.joins(&bob, &ada, Role::Member).await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.reject(token).await.unwrap();
    assert!(world.user(ada.id).await.is_some());
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::SessionRevoked)));
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)), "its password is gone");
    let ada = world.reset(&ada).await;
    world.try_login(&ada).await.expect("the owner of the mailbox can take it over");
}
