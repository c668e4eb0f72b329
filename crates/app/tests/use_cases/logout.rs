//! Signing out.

use crate::world::{World, denied};
use octavo_core_model::{Fault, fault::Denial, session::SessionStatus};

#[tokio::test]
async fn logout_ends_the_calling_session_and_no_other() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    world.logout(&second, None).await.unwrap();
    assert_eq!(world.refresh(&second).await.err(), Some(Fault::RefreshReused));
    world.look(&second).await.expect("the access token lives on");
    world.refresh(&first).await.unwrap();
}

#[tokio::test]
async fn logging_out_twice_is_one_logout() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.logout(&device, None).await.unwrap();
    world.logout(&device, Some(device.session)).await.unwrap();
    assert_eq!(world.audited(ada.id, "user.logout").await, 1);
}

#[tokio::test]
async fn a_session_of_somebody_else_is_silently_ignored() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (_, other) = world.newcomer().await;
    world.logout(&device, Some(other.session)).await.unwrap();
    world.refresh(&other).await.unwrap();
    world.refresh(&device).await.expect("nor does the calling one end");
    assert_eq!(world.audited(ada.id, "user.logout").await, 0);
}

#[tokio::test]
async fn logging_out_of_a_revoked_session_revokes_its_tokens_as_tokens() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.revoke(&device, device.session).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::SessionRevoked)));
    world.logout(&device, None).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(Fault::RefreshReused));
    let again = world.signed_in(&ada).await;
    assert_eq!(world.sessions(&again, SessionStatus::Revoked).await.len(), 1);
}
