//! The queue and the sweep.

use crate::world::World;
use octavo_app::{
    chores,
    queue::{self, ChoreOutcome},
};
use octavo_core_model::{Fault, chore::Queue, fault::Unknown, mail::Topic, time::days};
use octavo_ports::mailer::MailFailure;
use octavo_sealing::Keyring;
use std::time::Duration;

async fn queued(world: &World) -> i64 {
    world.database.number("SELECT count(*) FROM chores").await
}

#[tokio::test]
async fn a_failed_letter_is_retried_with_growing_delays() {
    let mut world = World::new().await;
    let ada = world.person().await;
    for wait in [5, 30, 120] {
        world.mailbox.fail_next(MailFailure::Later("greylisted".to_owned()));
        assert_eq!(world.run_chores().await, [ChoreOutcome::Later("greylisted".to_owned())]);
        world.pass_almost(Duration::from_secs(wait));
        assert_eq!(world.run_chores().await, [], "not before {wait} seconds");
        world.pass(Duration::from_millis(1));
    }
    assert!(matches!(world.mail_to(&ada.email).await.as_slice(), [Topic::VerifyEmail { .. }]));
    assert_eq!(queued(&world).await, 0);
}

#[tokio::test]
async fn a_letter_is_given_up_after_two_days_or_a_permanent_failure() {
    let mut world = World::new().await;
    world.person().await;
    let mut attempts = 0;
    loop {
        world.mailbox.fail_next(MailFailure::Later("down".to_owned()));
        attempts += 1;
        match world.run_chores().await.as_slice() {
            [ChoreOutcome::Later(_)] => world.pass(days(1)),
            [ChoreOutcome::GivenUp(_)] => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(attempts, 9);
    world.person().await;
    world.mailbox.fail_next(MailFailure::Never("no such mailbox".to_owned()));
    assert_eq!(world.run_chores().await, [ChoreOutcome::GivenUp("no such mailbox".to_owned())]);
    assert_eq!(queued(&world).await, 0);
}

#[tokio::test]
async fn a_chore_whose_worker_died_is_run_again_when_its_lease_ends() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let mut unit = world.engine.store.writer().await.unwrap();
    let lease = world.now.plus(octavo_core_model::chore::LEASE);
    assert_eq!(unit.chores().lease(Queue::Mail, world.now, lease, 8).await.unwrap().len(), 1);
    unit.commit(octavo_ports::store::Record::default()).await.unwrap();
    assert_eq!(world.run_chores().await, []);
    assert!(!queue::is_due(&world.engine, Queue::Mail, world.now).await.unwrap());
    world.now = lease;
    assert!(queue::is_due(&world.engine, Queue::Mail, world.now).await.unwrap());
    assert_eq!(world.mail_to(&ada.email).await.len(), 1);
}

#[tokio::test]
async fn a_chore_under_another_secret_waits_for_it() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.engine.replace_keyring(Keyring::new(&[[8; 32]]).unwrap());
    assert!(matches!(world.run_chores().await.as_slice(), [ChoreOutcome::Later(_)]));
    world.engine.replace_keyring(Keyring::new(&[[7; 32]]).unwrap());
    world.pass(Duration::from_secs(5));
    assert_eq!(world.mail_to(&ada.email).await.len(), 1);
}

#[tokio::test]
async fn after_a_rotation_everything_opens_with_the_new_secret_alone() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let first = world.refresh_keyed(&device, "k").await.unwrap();
    world.engine.replace_keyring(Keyring::new(&[[8; 32], [7; 32]]).unwrap());
    assert_eq!(octavo_app::reseal::reseal(&world.engine, world.now).await, Ok(2));
    assert_eq!(octavo_app::reseal::reseal(&world.engine, world.now).await, Ok(0));
    world.engine.replace_keyring(Keyring::new(&[[8; 32]]).unwrap());
    assert_eq!(world.refresh_keyed(&device, "k").await, Ok((first.0, true)));
    assert_eq!(world.mail_to(&ada.email).await.len(), 1);
}

#[tokio::test]
async fn chores_are_sealed() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let rows = world.database.rows("SELECT hex(payload) FROM chores").await;
    let hex = ada.email.as_str().bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02X}"));
    assert!(!rows[0][0].contains(&hex));
}

#[tokio::test]
async fn the_sweep_takes_what_nobody_can_ask_for_any_more() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.refresh_keyed(&device, "k").await.unwrap();
    world.run_chores().await;
    let counts = async |world: &World| {
        let mut counts = Vec::new();
        for table in ["sessions", "refresh_tokens", "one_time_tokens", "idempotent_replies", "origins", "events"] {
            counts.push(world.database.number(&format!("SELECT count(*) FROM {table}")).await);
        }
        counts
    };
    assert_eq!(counts(&world).await, [1, 2, 1, 1, 1, 2]);
    for (day, expected) in [
        (1, [1, 2, 1, 1, 1, 2]),
        (2, [1, 2, 1, 0, 1, 2]),
        (31, [1, 2, 1, 0, 1, 2]),
        (32, [1, 2, 0, 0, 1, 2]),
        (61, [0, 0, 0, 0, 1, 2]),
        (91, [0, 0, 0, 0, 0, 0]),
    ] {
        world.now = device.claims.issued_at.plus(days(day));
        chores::sweep(&world.engine, world.now).await.unwrap();
        assert_eq!(counts(&world).await, expected, "day {day}");
    }
    assert_eq!(world.refresh(&device).await.err(), Some(Fault::Unauthenticated(Unknown::RefreshInvalid)));
    world.try_login(&ada).await.expect("the account stays");
}
