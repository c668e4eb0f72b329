//! Many failed sign-ins for one address.

use crate::world::{Calling, PASSWORD, Person, World, email};
use octavo_app::{
    Reply,
    sessions::login::{self, Login},
};
use octavo_core_model::{Fault, Secret, fault::Unknown, text::Email, time::days};
use std::{sync::atomic::Ordering, time::Duration};

const LIMIT: u32 = 5;
const REFUSED: Fault = Fault::Unauthenticated(Unknown::Login);

async fn guarded() -> World {
    World::ruled(|rules| rules.login_failures = Some(LIMIT)).await
}

/// A wrong password, each time from another network.
async fn guess(world: &World, address: &Email, number: u32) -> Fault {
    let call = world.nobody().from(&format!("198.51.{number}.1"));
    world.login(call, address, "Wrong-Horse-7").await.unwrap_err()
}

async fn exhaust(world: &World, address: &Email) {
    for number in 0..LIMIT {
        assert_eq!(guess(world, address, number).await, REFUSED, "{number}");
    }
}

fn waits<T>(answer: &Result<T, Fault>) -> Option<u64> {
    match answer {
        Err(Fault::TooManyFailures { retry_after }) => Some(*retry_after),
        _ => None,
    }
}

#[tokio::test]
async fn after_too_many_failures_only_known_networks_are_served() {
    let mut world = guarded().await;
    let ada = world.person().await;
    for address in [ada.email.clone(), email("nobody@example.com")] {
        exhaust(&world, &address).await;
        let refused = guess(&world, &address, 200).await;
        assert_eq!(waits::<()>(&Err(refused)), Some(900), "{address} is known or not");
    }
    let stranger = world.nobody().from("198.51.201.1");
    assert_eq!(waits(&world.login(stranger, &ada.email, PASSWORD).await), Some(900), "the right password too");
    world.try_login(&ada).await.expect("the network she registered from is known");
    let bob = world.person().await;
    let call = world.nobody().from("198.51.202.1");
    world.login(call, &bob.email, PASSWORD).await.expect("nobody else is concerned");
}

#[tokio::test]
async fn a_password_that_a_busy_hasher_does_not_compare_is_no_failure() {
    let mut world = guarded().await;
    let ada = world.person().await;
    world.hasher.busy.store(true, Ordering::Relaxed);
    for number in 0..LIMIT {
        assert_eq!(guess(&world, &ada.email, number).await, Fault::HasherBusy);
    }
    world.hasher.busy.store(false, Ordering::Relaxed);
    exhaust(&world, &ada.email).await;
}

#[tokio::test]
async fn a_caller_that_waits_as_told_is_served() {
    let mut world = guarded().await;
    let ada = world.person().await;
    guess(&world, &ada.email, 1).await;
    world.pass(Duration::from_mins(10));
    for number in 2..=LIMIT {
        guess(&world, &ada.email, number).await;
    }
    let stranger = || world.nobody().from("198.51.201.1");
    let wait = waits(&world.login(stranger(), &ada.email, PASSWORD).await).unwrap();
    assert_eq!(wait, 300, "until the oldest failure leaves the window");
    let now = world.now.plus(Duration::from_secs(wait));
    let call = octavo_app::Call { now, ..stranger() };
    world.login(call, &ada.email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_network_is_known_for_30_days() {
    let mut world = guarded().await;
    let ada = world.person().await;
    world.pass(days(30));
    exhaust(&world, &ada.email).await;
    world.try_login(&ada).await.expect("30 days ago");
    let bob = world.person().await;
    world.pass(days(30) + Duration::from_millis(1));
    exhaust(&world, &bob.email).await;
    assert!(waits(&world.try_login(&bob).await).is_some(), "longer ago than 30 days");
}

#[tokio::test]
async fn failures_from_a_known_network_are_answered_normally() {
    let mut world = guarded().await;
    let ada = world.person().await;
    exhaust(&world, &ada.email).await;
    let wrong = Person { password: "Wrong-Horse-7".to_owned(), ..ada };
    assert_eq!(world.try_login(&wrong).await.err(), Some(REFUSED));
}

#[tokio::test]
async fn a_right_guess_overtaken_by_too_many_failures_is_refused() {
    for (password, what) in [(PASSWORD, "the right one"), ("Wrong-Horse-7", "a wrong one")] {
        let mut world = guarded().await;
        let ada = world.person().await;
        let (engine, calls) = (world.engine.clone(), (0..LIMIT).map(|n| world.nobody().from(&format!("198.51.{n}.1"))));
        let (calls, address) = (calls.collect::<Vec<_>>(), ada.email.clone());
        world.hasher.interrupt(async move {
            for call in calls {
                let form = Login { email: address.clone(), password: Secret::new("Wrong-Horse-7".to_owned()) };
                login::login(&engine, call, Ok(form), |_| Reply::nothing()).await.unwrap_err();
            }
        });
        let stranger = world.nobody().from("198.51.201.1");
        assert_eq!(waits(&world.login(stranger, &ada.email, password).await), Some(900), "{what}");
    }
}

#[tokio::test]
async fn the_operator_can_turn_the_rule_off() {
    let mut world = World::ruled(|rules| rules.login_failures = None).await;
    let ada = world.person().await;
    for number in 0..40 {
        assert_eq!(guess(&world, &ada.email, number).await, REFUSED);
    }
}
