//! Re-authentication.

use crate::world::{Device, PASSWORD, World, denied, email, unknown};
use octavo_core_model::{
    fault::{Denial, Unknown},
    time::days,
};
use octavo_ports::store::Record;
use octavo_testkit::make;
use std::time::Duration;

#[tokio::test]
async fn a_proof_is_fresh_for_15_minutes_and_again_after_another_one() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let to = email("new@example.com");
    world.pass(Duration::from_mins(15));
    world.ask_to_move(&device, &to).await.unwrap();
    world.pass(Duration::from_millis(1));
    assert_eq!(world.ask_to_move(&device, &to).await.err(), Some(denied(Denial::ReauthRequired { by_password: true })));
    assert_eq!(world.delete(&device).await.err(), Some(denied(Denial::ReauthRequired { by_password: true })));
    let claims = world.reauthenticate(&device, PASSWORD).await.unwrap();
    assert_eq!((claims.session, claims.authenticated_at), (device.session, world.now));
    let fresh = Device { claims, ..device.clone() };
    world.ask_to_move(&fresh, &to).await.unwrap();
    let next = world.refresh(&device).await.expect("the refresh token is the same");
    assert_eq!(next.claims.authenticated_at, world.now, "the session keeps the proof");
}

#[tokio::test]
async fn an_account_without_a_password_is_not_asked_for_one() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.accounts().save_password(ada.id, None).await.unwrap();
    unit.commit(Record::default()).await.unwrap();
    world.pass(Duration::from_mins(16));
    assert_eq!(world.delete(&device).await.err(), Some(denied(Denial::ReauthRequired { by_password: false })));
}

#[tokio::test]
async fn a_wrong_password_proves_nothing() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    world.pass(Duration::from_mins(20));
    let answer = world.reauthenticate(&device, "Wrong-Horse-7").await;
    assert_eq!(answer.err(), Some(unknown(Unknown::InvalidCredentials)));
    let next = world.refresh(&device).await.unwrap();
    assert_eq!(next.claims.authenticated_at, device.claims.authenticated_at);
}

#[tokio::test]
async fn a_session_that_is_over_gets_no_new_token() {
    let mut world = World::ruled(|rules| rules.session_life = days(1)).await;
    let (ada, revoked) = world.newcomer().await;
    let (logged_out, expired) = (world.signed_in(&ada).await, world.signed_in(&ada).await);
    world.revoke(&revoked, revoked.session).await.unwrap();
    world.logout(&logged_out, None).await.unwrap();
    for device in [revoked, logged_out] {
        assert_eq!(world.reauthenticate(&device, PASSWORD).await.err(), Some(denied(Denial::SessionRevoked)));
    }
    world.pass_almost(days(1));
    world.reauthenticate(&expired, PASSWORD).await.unwrap();
    world.pass(Duration::from_millis(1));
    let answer = world.reauthenticate(&expired, PASSWORD).await;
    assert_eq!(answer.err(), Some(unknown(Unknown::TokenExpired)), "or a session would live for ever");
}

#[tokio::test]
async fn a_password_changed_meanwhile_proves_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let engine = world.engine.clone();
    world.hasher.interrupt(async move {
        let mut unit = engine.store.writer().await.unwrap();
        unit.accounts().save_password(ada.id, Some(&make::password("0$salt$other"))).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    });
    let answer = world.reauthenticate(&device, PASSWORD).await;
    assert_eq!(answer.err(), Some(unknown(Unknown::InvalidCredentials)));
}
