//! Signing in.

use crate::world::{Calling, NEW_PASSWORD, PASSWORD, Person, World, denied, email, unknown};
use octavo_app::{
    chores::{self, Used},
    operator::{self, Handle},
};
use octavo_core_model::{
    Fault,
    event::Chain,
    fault::{Denial, Unknown},
    mail::Topic,
    session::SessionStatus,
    time::days,
};
use octavo_ports::compute::WorkOwner;
use octavo_testkit::make;
use std::{sync::atomic::Ordering, time::Duration};

const REFUSED: Fault = Fault::Unauthenticated(Unknown::Login);

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_are_refused_alike_and_cost_alike() {
    let mut world = World::new().await;
    let ada = world.person().await;
    for (address, chain) in [(ada.email.clone(), Chain::User(ada.id)), (email("nobody@example.com"), Chain::Deployment)]
    {
        let (jobs, entries) = (world.hasher.jobs_done(), world.audit_records(chain).await.len());
        assert_eq!(world.login(world.nobody(), &address, "Wrong-Horse-7").await.err(), Some(REFUSED));
        assert_eq!(world.hasher.jobs_done() - jobs, 1, "one hash for {address}");
        let written = world.audit_records(chain).await;
        assert_eq!(written.len() - entries, 1, "one entry for {address}");
        let entry = written.last().unwrap();
        assert_eq!((entry.action.as_str(), entry.outcome.as_str()), ("user.login_failed", "FAILURE"));
        assert_eq!(entry.actor, serde_json::json!({ "type": "ANONYMOUS", "id": null }));
    }
}

#[tokio::test]
async fn a_password_is_compared_as_sent() {
    let mut world = World::new().await;
    let ada = world.person().await;
    for wrong in [PASSWORD.to_lowercase(), format!(" {PASSWORD}"), format!("{PASSWORD} "), String::new()] {
        assert_eq!(world.login(world.nobody(), &ada.email, &wrong).await.err(), Some(REFUSED), "{wrong:?}");
    }
    world.try_login(&ada).await.unwrap();
}

#[tokio::test]
async fn the_status_of_an_account_is_shown_only_to_the_right_password() {
    let mut world = World::new().await;
    let (suspended, _) = world.newcomer().await;
    operator::suspend(&world.engine, world.now, Handle::Email(suspended.email.clone())).await.unwrap();
    let (deleted, device) = world.newcomer().await;
    world.delete(&device).await.unwrap();
    for (person, denial) in [(suspended, Denial::AccountSuspended), (deleted, Denial::AccountDeleting)] {
        let wrong = Person { password: "Wrong-Horse-7".to_owned(), ..person.clone() };
        assert_eq!(world.try_login(&wrong).await.err(), Some(REFUSED));
        assert_eq!(world.try_login(&person).await.err(), Some(denied(denial)));
        let failures = world.audit(person.id).await.into_iter().filter(|(action, _)| action == "user.login_failed");
        let reasons: Vec<_> = failures.filter_map(|(_, reason)| reason).collect();
        assert_eq!(reasons.len(), 2);
        assert!(reasons.contains(&"account_not_active".to_owned()), "{reasons:?}");
    }
}

#[tokio::test]
async fn a_password_changed_while_it_is_compared_signs_nobody_in() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let (engine, id, stored) = (world.engine.clone(), ada.id, make::password("0$salt$other"));
    world.hasher.interrupt(async move {
        let mut unit = engine.store.writer().await.unwrap();
        unit.accounts().save_password(id, Some(&stored)).await.unwrap();
        unit.commit(octavo_ports::store::Record::default()).await.unwrap();
    });
    assert_eq!(world.login(world.nobody(), &ada.email, PASSWORD).await.err(), Some(REFUSED));
}

#[tokio::test]
async fn an_address_left_while_the_password_is_compared_signs_nobody_in() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_to_move(&device, &email("new@example.com")).await.unwrap();
    let token = world.token_to(&email("new@example.com"), "ect_").await.unwrap();
    let (engine, call) = (world.engine.clone(), world.nobody());
    world.hasher.interrupt(async move {
        let run = octavo_app::accounts::email_change::confirm;
        engine.write(call, move |unit| Box::pin(run(unit, Ok(token))), |_| octavo_app::Reply::nothing()).await.unwrap();
    });
    assert_eq!(world.try_login(&ada).await.err(), Some(REFUSED));
    let moved = Person { email: email("new@example.com"), ..ada };
    world.try_login(&moved).await.unwrap();
}

#[tokio::test]
async fn a_hash_of_other_parameters_is_renewed_at_the_next_sign_in() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let stored = async || world.engine.store.reader().await.unwrap().accounts().find_password(ada.id).await.unwrap();
    let before = stored().await;
    world.try_login(&ada).await.unwrap();
    assert_eq!(stored().await, before, "the same parameters keep the hash");
    world.hasher.cost.store(9, Ordering::Relaxed);
    assert!(world.login(world.nobody(), &ada.email, "Wrong-Horse-7").await.is_err());
    assert_eq!(stored().await, before, "a wrong password renews nothing");
    world.try_login(&ada).await.unwrap();
    let renewed = stored().await;
    assert_ne!(renewed, before);
    world.try_login(&ada).await.unwrap();
    assert_eq!(stored().await, renewed);
}

#[tokio::test]
async fn a_busy_hasher_refuses_and_changes_nothing() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let before = world.audit(ada.id).await;
    world.hasher.busy.store(true, Ordering::Relaxed);
    assert_eq!(world.try_login(&ada).await.err(), Some(Fault::HasherBusy));
    assert_eq!(world.audit(ada.id).await, before);
}

#[tokio::test]
async fn a_right_password_signs_in_even_if_the_hasher_is_too_busy_to_renew_its_hash() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.hasher.cost.store(9, Ordering::Relaxed);
    let hasher = world.hasher.clone();
    world.hasher.interrupt(async move { hasher.busy.store(true, Ordering::Relaxed) });
    world.try_login(&ada).await.unwrap();
    world.hasher.busy.store(false, Ordering::Relaxed);
    let jobs = world.hasher.jobs_done();
    world.try_login(&ada).await.unwrap();
    assert_eq!(world.hasher.jobs_done(), jobs + 2, "the next sign-in renews it");
}

#[tokio::test]
async fn passwords_are_hashed_on_behalf_of_the_network_or_the_person_that_calls() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.hasher.take_owners();
    for address in ["203.0.113.1", "203.0.113.2"] {
        let owner = WorkOwner::network_of(address.parse().unwrap());
        world.login(world.nobody().from(address), &ada.email, PASSWORD).await.unwrap();
        world.login(world.nobody().from(address), &email("nobody@example.com"), PASSWORD).await.unwrap_err();
        assert_eq!(world.hasher.take_owners(), [owner; 2]);
    }
    world.change_password(world.by(&device), Some(PASSWORD), false).await.unwrap();
    assert_eq!(world.hasher.take_owners(), [WorkOwner::User(ada.id); 2]);
}

#[tokio::test]
async fn a_sign_in_from_elsewhere_is_announced_once() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let announced = async |world: &World| {
        let letters = world.mail_to(&ada.email).await;
        (
            letters.iter().filter(|topic| matches!(topic, Topic::NewDevice { .. })).count(),
            world.audited(ada.id, "user.new_device").await,
        )
    };
    let login = async |world: &World, address: &str, program: &str| {
        let call = world.nobody().from(address).with_program(program);
        world.login(call, &ada.email, PASSWORD).await.unwrap();
    };
    login(&world, "192.0.2.77", "Firefox/121.0").await;
    assert_eq!(announced(&world).await, (0, 0), "registering made network and program known");
    login(&world, "192.0.2.77", "curl/8.1").await;
    assert_eq!(announced(&world).await, (1, 1), "another program");
    login(&world, "192.0.3.1", "curl/8.1").await;
    assert_eq!(announced(&world).await, (2, 2), "another network");
    login(&world, "192.0.3.200", "curl/8.2").await;
    assert_eq!(announced(&world).await, (2, 2), "both known by now");
    world.pass(days(90));
    login(&world, "192.0.3.1", "curl/8.1").await;
    assert_eq!(announced(&world).await, (2, 2), "seen 90 days ago");
    world.pass(days(90) + Duration::from_millis(1));
    login(&world, "192.0.3.1", "curl/8.1").await;
    assert_eq!(announced(&world).await, (3, 3), "not seen for 90 days");
}

#[tokio::test]
async fn login_101_ends_the_session_active_longest_ago() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    world.pass(Duration::from_mins(2));
    let second = world.signed_in(&ada).await;
    for _ in 2..100 {
        world.pass(Duration::from_millis(1));
        world.signed_in(&ada).await;
    }
    world.pass(Duration::from_mins(2));
    let first = world.refresh(&first).await.unwrap();
    assert_eq!(world.sessions(&first, SessionStatus::Active).await.len(), 100, "a hundred may live");
    let newest = world.signed_in(&ada).await;
    let live = world.sessions(&newest, SessionStatus::Active).await;
    assert_eq!(live.len(), 100);
    assert!(live.iter().any(|session| session.id == first.session), "the oldest was active lately");
    assert!(live.iter().all(|session| session.id != second.session));
    assert_eq!(world.refresh(&second).await.err(), Some(denied(Denial::SessionRevoked)));
    world.refresh(&first).await.unwrap();
}

#[tokio::test]
async fn the_session_that_makes_room_is_on_record() {
    let mut world = World::new().await;
    let ada = world.person().await;
    for _ in 1..100 {
        world.signed_in(&ada).await;
    }
    assert_eq!(world.audited(ada.id, "session.revoked").await, 0);
    world.signed_in(&ada).await;
    assert_eq!(world.audited(ada.id, "session.revoked").await, 1);
}

#[tokio::test]
async fn the_session_that_goes_is_never_the_new_one() {
    let mut world = World::new().await;
    let ada = world.person().await;
    for _ in 1..100 {
        world.signed_in(&ada).await;
    }
    let device = world.signed_in(&ada).await;
    let ahead = world.sessions(&device, SessionStatus::Active).await;
    let sessions = ahead.iter().map(|session| (ada.id, session.id)).collect();
    let used = Used { sessions, ..Used::default() };
    chores::touch(&world.engine, world.now.plus(Duration::from_hours(1)), used).await.unwrap();
    let device = world.signed_in(&ada).await;
    let live = world.sessions(&device, SessionStatus::Active).await;
    assert_eq!(live.len(), 100);
    assert!(live.iter().any(|session| session.id == device.session), "though the others' node has a clock ahead");
}

#[tokio::test]
async fn a_session_says_where_it_came_from() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let call = world.nobody().from("2001:db8::7").with_program(&"\u{e9}".repeat(300));
    let session = world.login(call, &ada.email, PASSWORD).await.unwrap().session;
    assert_eq!(session.address, "2001:db8::7");
    assert_eq!(session.user_agent, "\u{e9}".repeat(256));
}

#[tokio::test]
async fn the_last_sign_in_is_remembered() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let last_login = async |world: &World| world.user(ada.id).await.unwrap().last_login_at;
    let registered = world.now;
    assert_eq!(last_login(&world).await, Some(registered), "registering signs in");
    world.pass(days(1));
    assert!(world.login(world.nobody(), &ada.email, NEW_PASSWORD).await.is_err());
    assert_eq!(last_login(&world).await, Some(registered));
    world.try_login(&ada).await.unwrap();
    assert_eq!(last_login(&world).await, Some(world.now));
}

#[tokio::test]
async fn an_access_token_counts_as_long_as_its_account_may_act() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.revoke(&device, device.session).await.unwrap();
    world.look(&device).await.expect("until it expires, also after its session was revoked");
    operator::suspend(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert_eq!(world.look(&device).await.err(), Some(denied(Denial::AccountSuspended)));
    let nobody = world.nobody();
    let answer = world.read(nobody, |view| Box::pin(octavo_app::access::user(view))).await;
    assert_eq!(answer.err(), Some(unknown(Unknown::TokenMissing)));
}
