//! The list of sessions, and revoking them.

use crate::world::{Calling, World, denied};
use octavo_app::{
    Call, Reply,
    chores::{self, Used},
    sessions,
};
use octavo_core_model::{Fault, fault::Denial, id::SessionId, session::SessionStatus, time::days};
use std::time::Duration;

#[tokio::test]
async fn a_session_is_revoked_once() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    for _ in 0..2 {
        world.revoke(&first, second.session).await.unwrap();
    }
    assert_eq!(world.audited(ada.id, "session.revoked").await, 1);
    assert_eq!(world.refresh(&second).await.err(), Some(denied(Denial::SessionRevoked)));
    world.revoke(&first, first.session).await.expect("the current one too");
    assert_eq!(world.refresh(&first).await.err(), Some(denied(Denial::SessionRevoked)));
}

#[tokio::test]
async fn sessions_of_others_and_unknown_ones_look_alike() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (_, other) = world.newcomer().await;
    let unknown = SessionId::new(1, [9; 10]);
    for id in [other.session, unknown] {
        assert_eq!(world.revoke(&device, id).await.err(), Some(Fault::NotFound));
    }
    world.refresh(&other).await.unwrap();
}

#[tokio::test]
async fn an_expired_session_stays_expired() {
    let mut world = World::new().await;
    let (ada, old) = world.newcomer().await;
    world.pass(days(30));
    let device = world.signed_in(&ada).await;
    world.revoke(&device, old.session).await.unwrap();
    assert_eq!(world.revoke_others(&device).await, Ok(0));
    let expired = world.sessions(&device, SessionStatus::Expired).await;
    assert_eq!(expired.iter().map(|session| session.id).collect::<Vec<_>>(), [old.session]);
    assert_eq!(world.audited(ada.id, "session.revoked").await, 0);
}

#[tokio::test]
async fn all_others_are_revoked_at_once() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let (second, third) = (world.signed_in(&ada).await, world.signed_in(&ada).await);
    let (_, stranger) = world.newcomer().await;
    assert_eq!(world.revoke_others(&first).await, Ok(2));
    for gone in [second, third] {
        assert_eq!(world.refresh(&gone).await.err(), Some(denied(Denial::SessionRevoked)));
    }
    world.refresh(&first).await.unwrap();
    world.refresh(&stranger).await.unwrap();
    assert_eq!(world.audited(ada.id, "session.revoked").await, 2);
}

#[tokio::test]
async fn each_status_has_its_list() {
    let mut world = World::new().await;
    let (ada, expired) = world.newcomer().await;
    world.pass(days(30));
    let (revoked, live) = (world.signed_in(&ada).await, world.signed_in(&ada).await);
    world.revoke(&live, revoked.session).await.unwrap();
    for (status, expected) in
        [(SessionStatus::Active, &live), (SessionStatus::Revoked, &revoked), (SessionStatus::Expired, &expired)]
    {
        let listed: Vec<_> = world.sessions(&live, status).await.iter().map(|session| session.id).collect();
        assert_eq!(listed, [expected.session], "{status}");
    }
}

#[tokio::test]
async fn a_deletion_tried_again_is_answered_alike_when_nothing_is_left() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    let delete = async |call: Call, id| {
        world.engine.write(call, move |unit| Box::pin(sessions::revoke(unit, Ok(id))), |()| Reply::nothing()).await
    };
    let call = || world.by(&first).keyed("k", "delete second");
    assert!(!delete(call(), second.session).await.unwrap().replayed);
    world.database.execute(&format!("DELETE FROM sessions WHERE id = '{}'", second.session)).await;
    assert!(delete(call(), second.session).await.unwrap().replayed);
    let gone = Err(Fault::NotFound.into());
    assert_eq!(delete(world.by(&first), second.session).await, gone, "without the key there is nothing");
    assert_eq!(delete(world.by(&first).keyed("k", "delete third"), second.session).await, gone, "nor for another call");
}

#[tokio::test]
async fn calls_move_the_last_activity_of_live_sessions_once_a_minute() {
    let mut world = World::new().await;
    let (ada, live) = world.newcomer().await;
    let ended = world.signed_in(&ada).await;
    world.revoke(&live, ended.session).await.unwrap();
    let start = world.now;
    for (wait, expected) in [(60, 0), (1, 61), (60, 61), (1, 122)] {
        world.pass(Duration::from_secs(wait));
        let touched = vec![(ada.id, live.session), (ada.id, ended.session)];
        let used = Used { sessions: touched, ..Used::default() };
        chores::touch(&world.engine, world.now, used).await.unwrap();
        let session = &world.sessions(&live, SessionStatus::Active).await[0];
        assert_eq!(session.last_active_at, start.plus(Duration::from_secs(expected)));
        assert_eq!(session.expires_at, start.plus(days(30)), "only a refresh makes it live longer");
    }
    assert_eq!(world.sessions(&live, SessionStatus::Revoked).await[0].last_active_at, start);
}
