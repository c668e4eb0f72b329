//! Changing a password while signed in.

use crate::world::{Calling, Device, NEW_PASSWORD, PASSWORD, Person, World, conflict, denied, email, invalid, unknown};
use octavo_app::{
    Interrupt, Reply,
    passwords::{self, PasswordChange},
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Conflict, Denial, Issue, Unknown},
    mail::Topic,
    text::NewPassword,
};
use octavo_ports::store::Record;
use octavo_testkit::make;
use std::time::Duration;

#[tokio::test]
async fn a_change_ends_the_other_sessions_and_the_old_password() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    world.ask_for_reset(&ada.email).await;
    let reset = world.token_to(&ada.email, "pwrt_").await.unwrap();
    assert_eq!(world.change_password(world.by(&first), Some(PASSWORD), true).await, Ok(1));
    assert_eq!(world.refresh(&second).await.err(), Some(Fault::RefreshReused));
    world.refresh(&first).await.expect("the calling session goes on");
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)));
    world.try_login(&Person { password: NEW_PASSWORD.to_owned(), ..ada.clone() }).await.unwrap();
    let answer = world.reset_with(world.nobody(), reset, PASSWORD).await;
    assert_eq!(answer, Err(conflict(Conflict::TokenRevoked)), "links on their way die");
    assert_eq!(world.audited(ada.id, "user.password_changed").await, 1);
    assert!(matches!(world.mail_to(&ada.email).await.last(), Some(Topic::PasswordChanged)));
}

#[tokio::test]
async fn other_sessions_stay_when_asked_to() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    assert_eq!(world.change_password(world.by(&first), Some(PASSWORD), false).await, Ok(0));
    world.refresh(&second).await.unwrap();
}

#[tokio::test]
async fn without_the_current_password_nothing_changes() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    for (current, fault) in [
        (Some("Wrong-Horse-7"), unknown(Unknown::InvalidCredentials)),
        (None, invalid("currentPassword", Issue::Required)),
    ] {
        assert_eq!(world.change_password(world.by(&device), current, true).await, Err(fault));
    }
    world.refresh(&other).await.unwrap();
    world.try_login(&ada).await.unwrap();
    assert_eq!(world.audited(ada.id, "user.password_changed").await, 0);
}

#[tokio::test]
async fn a_password_changed_meanwhile_stands() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (engine, stored) = (world.engine.clone(), make::password("0$salt$other"));
    let id = ada.id;
    world.hasher.interrupt(async move {
        let mut unit = engine.store.writer().await.unwrap();
        unit.accounts().save_password(id, Some(&stored)).await.unwrap();
        unit.commit(Record::default()).await.unwrap();
    });
    let answer = world.change_password(world.by(&device), Some(PASSWORD), true).await;
    assert_eq!(answer, Err(unknown(Unknown::InvalidCredentials)));
    let stands = world.engine.store.reader().await.unwrap().accounts().find_password(ada.id).await.unwrap();
    assert_eq!(stands, Some(make::password("0$salt$other")));
}

#[tokio::test]
async fn ended_sessions_void_their_changes_of_address() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let thief = world.signed_in(&ada).await;
    world.ask_to_move(&thief, &email("thief@example.com")).await.unwrap();
    let token = world.token_to(&email("thief@example.com"), "ect_").await.unwrap();
    world.change_password(world.by(&device), Some(PASSWORD), true).await.unwrap();
    assert_eq!(world.confirm_move(token).await.err(), Some(conflict(Conflict::TokenRevoked)));
}

#[tokio::test]
async fn a_change_of_address_survives_in_the_session_that_changes_the_password_only() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (own, thiefs) = (email("new@example.com"), email("thief@example.com"));
    let (thief, third) = (world.signed_in(&ada).await, world.signed_in(&ada).await);
    world.ask_to_move(&device, &own).await.unwrap();
    let own = world.token_to(&own, "ect_").await.unwrap();
    world.ask_to_move(&thief, &thiefs).await.unwrap();
    let thiefs = world.token_to(&thiefs, "ect_").await.unwrap();
    world.logout(&thief, None).await.unwrap();
    assert_eq!(world.change_password(world.by(&device), Some(PASSWORD), true).await, Ok(1), "the third session");
    assert_eq!(world.refresh(&third).await.err(), Some(Fault::RefreshReused));
    assert_eq!(world.confirm_move(thiefs).await.err(), Some(conflict(Conflict::TokenRevoked)));
    world.confirm_move(own).await.unwrap();
}

#[tokio::test]
async fn a_thief_who_has_signed_out_cannot_move_the_account_after_a_password_change() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let thief = world.signed_in(&ada).await;
    world.ask_to_move(&thief, &email("thief@example.com")).await.unwrap();
    let token = world.token_to(&email("thief@example.com"), "ect_").await.unwrap();
    world.logout(&thief, None).await.unwrap();
    assert_eq!(world.change_password(world.by(&device), Some(PASSWORD), true).await, Ok(0));
    assert_eq!(world.confirm_move(token).await.err(), Some(conflict(Conflict::TokenRevoked)));
}

#[tokio::test]
async fn a_change_of_address_of_the_only_session_survives() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    world.ask_to_move(&device, &email("new@example.com")).await.unwrap();
    let token = world.token_to(&email("new@example.com"), "ect_").await.unwrap();
    world.change_password(world.by(&device), Some(PASSWORD), true).await.unwrap();
    world.confirm_move(token).await.unwrap();
}

/// An account without a password, and a session of it.
async fn without_password(world: &mut World) -> (Person, Device) {
    let (ada, device) = world.newcomer().await;
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.accounts().save_password(ada.id, None).await.unwrap();
    unit.commit(Record::default()).await.unwrap();
    (ada, device)
}

#[tokio::test]
async fn an_account_without_a_password_needs_a_fresh_proof_to_get_one() {
    let mut world = World::new().await;
    let (ada, device) = without_password(&mut world).await;
    world.pass(Duration::from_mins(15) + Duration::from_millis(1));
    let stale = world.change_password(world.by(&device), None, true).await;
    assert_eq!(stale, Err(denied(Denial::ReauthRequired { by_password: false })));
    world.now = device.claims.authenticated_at.plus(Duration::from_mins(15));
    world.change_password(world.by(&device), None, true).await.unwrap();
    world.try_login(&Person { password: NEW_PASSWORD.to_owned(), ..ada }).await.unwrap();
}

#[tokio::test]
async fn an_ended_session_gives_no_password_to_an_account_without_one() {
    let mut world = World::new().await;
    let (_, device) = without_password(&mut world).await;
    world.logout(&device, None).await.unwrap();
    let answer = world.change_password(world.by(&device), None, true).await;
    assert_eq!(answer, Err(denied(Denial::SessionRevoked)));
    let (_, device) = without_password(&mut world).await;
    let (engine, call, session) = (world.engine.clone(), world.by(&device), device.session);
    world.hasher.interrupt(async move {
        let run = octavo_app::sessions::revoke;
        engine.write(call, move |unit| Box::pin(run(unit, Ok(session))), |()| Reply::nothing()).await.unwrap();
    });
    let answer = world.change_password(world.by(&device), None, true).await;
    assert_eq!(answer, Err(denied(Denial::SessionRevoked)), "ended while the new password was hashed");
}

#[tokio::test]
async fn a_change_tried_again_is_answered_alike_though_the_password_is_another_by_then() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let attempt = async |body: &str| {
        let new = NewPassword::parse(NEW_PASSWORD).unwrap();
        let current = Some(Secret::new(PASSWORD.to_owned()));
        let change = PasswordChange { current, new, revoke_other_sessions: true };
        let call = world.by(&device).keyed("k", body);
        passwords::change(&world.engine, call, Ok(change), |ended| Reply::json(200, &ended)).await
    };
    let first = attempt("body").await.unwrap();
    let jobs = world.hasher.jobs_done();
    let Err(Interrupt::Replay(again)) = attempt("body").await else { panic!("a replay") };
    assert_eq!((again.body, again.replayed), (first.body, true));
    assert_eq!(attempt("other").await, Err(Fault::KeyReused.into()));
    assert_eq!(world.hasher.jobs_done(), jobs, "neither hashes anything");
    assert_eq!(world.audited(ada.id, "user.password_changed").await, 1);
}
