//! Resetting a password by mail.

use crate::world::{
    Calling, Device, NEW_PASSWORD, PASSWORD, Person, World, conflict, denied, email, fault_of, invalid, unknown,
};
use octavo_app::{
    Reply,
    api_keys::{self, Issued, NewApiKey},
    mailed,
    operator::{self, Handle},
    passwords::{self, Reset},
};
use octavo_core_model::{
    Fault, KeyScope, Role, Secret, Token, TokenKind,
    event::Chain,
    fault::{Conflict, Denial, Issue, Unknown},
    mail::Topic,
    text::{Name, NewPassword},
    time::days,
};
use std::time::Duration;

#[tokio::test]
async fn a_reset_ends_every_session_and_the_old_password() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    let renewed = world.reset(&ada).await;
    for device in [&first, &second] {
        assert_eq!(world.refresh(device).await.err(), Some(Fault::RefreshReused));
    }
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)));
    world.try_login(&renewed).await.unwrap();
    assert_eq!(world.audited(ada.id, "user.password_reset").await, 1);
    assert!(matches!(world.mail_to(&ada.email).await.last(), Some(Topic::PasswordChanged)));
}

#[tokio::test]
async fn a_key_made_before_the_first_proof_is_dead() {
    let mut world = World::new().await;
    let (ada, stranger) = world.newcomer().await;
    let (eve, by_eve) = world.newcomer().await;
    let home = ada.workspace;
    let wanted = || NewApiKey {
        name: Name::parse("Kept").unwrap(),
        scopes: [KeyScope::Admin].into(),
        rate_limit: None,
        expires_at: None,
        allowed_networks: Vec::new(),
    };
    let make = async |world: &World, device: &Device| -> Issued {
        let wanted = wanted();
        world.write(world.by(device), move |unit| Box::pin(api_keys::create(unit, Ok(wanted)))).await.unwrap()
    };
    make(&world, &stranger).await;
    world.adds(world.by(&stranger).at(home), eve.id, Role::Owner).await.unwrap();
    let live = format!("SELECT count(*) FROM api_keys WHERE workspace_id = '{home}' AND revoked_at IS NULL");
    let members = format!("SELECT count(*) FROM memberships WHERE workspace_id = '{home}'");
    assert_eq!((world.database.number(&live).await, world.database.number(&members).await), (1, 2));
    let ada = world.reset(&ada).await;
    assert_eq!((world.database.number(&live).await, world.database.number(&members).await), (0, 1));
    assert!(world.audit_records(Chain::Workspace(home)).await.iter().any(|record| record.action == "api_key.revoked"));
    world.look(&by_eve).await.expect("her own account is not touched");
    // What the verified owner creates afterwards survives a reset.
    let device = world.signed_in(&ada).await;
    make(&world, &device).await;
    world.adds(world.by(&device).at(home), eve.id, Role::Guest).await.unwrap();
    world.reset(&ada).await;
    assert_eq!((world.database.number(&live).await, world.database.number(&members).await), (1, 2));
}

#[tokio::test]
async fn a_reset_token_works_once_within_a_day_and_using_one_kills_the_others() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        world.ask_for_reset(&ada.email).await;
        tokens.push(world.token_to(&ada.email, "pwrt_").await.unwrap());
        world.pass(Duration::from_hours(8));
    }
    let [late, used, other] = <[Secret<String>; 3]>::try_from(tokens).unwrap();
    let reset = async |world: &World, token: &Secret<String>| {
        world.reset_with(world.nobody(), token.clone(), NEW_PASSWORD).await
    };
    assert_eq!(reset(&world, &late).await, Err(Fault::TokenExpired));
    reset(&world, &used).await.unwrap();
    assert_eq!(reset(&world, &used).await, Err(conflict(Conflict::TokenUsed)));
    assert_eq!(reset(&world, &other).await, Err(conflict(Conflict::TokenRevoked)));
    world.pass(days(29));
    assert_eq!(reset(&world, &used).await, Err(conflict(Conflict::TokenUsed)), "still reported as used, not expired");
}

#[tokio::test]
async fn checking_a_token_uses_nothing_up_and_refuses_what_a_reset_refuses() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.ask_for_reset(&ada.email).await;
    let token = world.token_to(&ada.email, "pwrt_").await.unwrap();
    let check = async |world: &World, token: &Secret<String>| {
        let token = token.clone();
        let check = world.read(world.nobody(), move |view| {
            Box::pin(async move { mailed::check_token(view, TokenKind::PasswordReset, &token).await })
        });
        check.await
    };
    for _ in 0..2 {
        assert_eq!(check(&world, &token).await, Ok(()));
    }
    world.reset_with(world.nobody(), token.clone(), NEW_PASSWORD).await.unwrap();
    assert_eq!(check(&world, &token).await, Err(conflict(Conflict::TokenUsed)));
    let unissued = Secret::new(Token::new(TokenKind::PasswordReset, [7; 32]).reveal().to_owned());
    assert_eq!(check(&world, &unissued).await, Err(invalid("token", Issue::InvalidValue)));
    world.ask_for_reset(&ada.email).await;
    let late = world.token_to(&ada.email, "pwrt_").await.unwrap();
    world.pass(days(1));
    assert_eq!(check(&world, &late).await, Err(Fault::TokenExpired));
}

#[tokio::test]
async fn malformed_and_unknown_tokens_are_refused_alike_and_hash_nothing() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let verification = world.token_to(&ada.email, "evt_").await.unwrap();
    let jobs = world.hasher.jobs_done();
    let unissued = Token::new(TokenKind::PasswordReset, [7; 32]).reveal().to_owned();
    for text in ["", "pwrt_x", verification.expose(), &unissued] {
        let answer = world.reset_with(world.nobody(), Secret::new(text.to_owned()), NEW_PASSWORD).await;
        assert_eq!(answer, Err(invalid("token", Issue::InvalidValue)), "{text}");
    }
    assert_eq!(world.hasher.jobs_done(), jobs);
}

#[tokio::test]
async fn a_reset_request_queues_one_chore_for_any_address() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let (suspended, _) = world.newcomer().await;
    operator::suspend(&world.engine, world.now, Handle::Id(suspended.id)).await.unwrap();
    let (deleted, device) = world.newcomer().await;
    world.delete(&device).await.unwrap();
    world.run_chores().await;
    for (address, mails) in [(&ada.email, 1), (&suspended.email, 0), (&deleted.email, 0), (&email("no@example.com"), 0)]
    {
        world.ask_for_reset(address).await;
        assert_eq!(world.database.number("SELECT count(*) FROM chores").await, 1, "{address}");
        let letters = world.mail_to(address).await;
        assert_eq!(
            letters.iter().filter(|topic| matches!(topic, Topic::ResetPassword { .. })).count(),
            mails,
            "{address}"
        );
    }
}

#[tokio::test]
async fn a_reset_of_an_unproven_account_removes_earlier_access() {
    let mut world = World::new().await;
    // A stranger registers somebody else's address and prepares ways to keep the account.
    let (victim, first) = world.newcomer().await;
    let second = world.signed_in(&victim).await;
    world.refresh_keyed(&first, "k").await.unwrap();
    let mailed = email("stranger@example.com");
    world.ask_to_move(&first, &mailed).await.unwrap();
    let mailed = world.token_to(&mailed, "ect_").await.unwrap();
    let verification = world.token_to(&victim.email, "evt_").await.unwrap();
    world.ask_for_reset(&victim.email).await;
    let reset = world.token_to(&victim.email, "pwrt_").await.unwrap();
    let queued = email("elsewhere@example.com");
    world.ask_to_move(&second, &queued).await.unwrap();

    world.reset_with(world.nobody(), reset, NEW_PASSWORD).await.unwrap();

    assert!(world.user(victim.id).await.unwrap().is_verified(), "the mailbox is proven");
    assert_eq!(world.audited(victim.id, "user.email_verified").await, 1);
    assert_eq!(world.refresh_keyed(&first, "k").await, Err(Fault::RefreshReused));
    assert_eq!(world.refresh(&second).await.err(), Some(Fault::RefreshReused));
    assert_eq!(world.confirm_move(mailed).await.err(), Some(conflict(Conflict::TokenRevoked)));
    assert_eq!(world.token_to(&queued, "ect_").await, None, "what was queued is not sent any more");
    assert_eq!(world.verify(verification).await.err(), Some(conflict(Conflict::TokenRevoked)));
    let ended = Some(denied(Denial::SessionRevoked));
    assert_eq!(
        world.ask_to_move(&first, &queued).await.err(),
        ended,
        "an access token that lives on takes nothing over"
    );
    assert_eq!(world.delete(&second).await.err(), ended);
    assert_eq!(world.reauthenticate(&second, NEW_PASSWORD).await.err(), ended);
    assert_eq!(world.try_login(&victim).await.err(), Some(unknown(Unknown::Login)));
    world.try_login(&Person { password: NEW_PASSWORD.to_owned(), ..victim }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_resets_with_one_token_one_counts() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.ask_for_reset(&ada.email).await;
    let token = world.token_to(&ada.email, "pwrt_").await.unwrap();
    let world = std::sync::Arc::new(world);
    let tries = (0..20).map(|_| {
        let (world, token) = (world.clone(), token.clone());
        tokio::spawn(async move { world.reset_with(world.nobody(), token, NEW_PASSWORD).await })
    });
    let mut done = 0;
    for tried in tries.collect::<Vec<_>>() {
        match tried.await.unwrap() {
            Ok(()) => done += 1,
            Err(fault) => assert_eq!(fault, conflict(Conflict::TokenUsed)),
        }
    }
    assert_eq!((done, world.audited(ada.id, "user.password_reset").await), (1, 1));
}

#[tokio::test]
async fn a_reset_tried_again_is_answered_alike_and_hashes_nothing() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.ask_for_reset(&ada.email).await;
    let token = world.token_to(&ada.email, "pwrt_").await.unwrap();
    let attempt = async || {
        let call = world.nobody().keyed_by("token:t", "k", "body");
        let form = Reset { token: token.clone(), password: NewPassword::parse(NEW_PASSWORD).unwrap() };
        passwords::reset(&world.engine, call, Ok(form), |()| Reply::json(200, &"done")).await
    };
    let first = attempt().await.unwrap();
    let jobs = world.hasher.jobs_done();
    let Err(octavo_app::Interrupt::Replay(again)) = attempt().await else { panic!("a replay") };
    assert_eq!((again.body, again.replayed), (first.body, true));
    assert_eq!(world.hasher.jobs_done(), jobs);
}

#[tokio::test]
async fn a_weak_password_is_refused_before_the_token_is_checked_and_spends_nothing() {
    let mut world = World::new().await;
    let ada = world.person().await;
    world.ask_for_reset(&ada.email).await;
    let token = world.token_to(&ada.email, "pwrt_").await.unwrap();
    let weak = invalid("password", Issue::TooShort);
    let answer = passwords::reset(&world.engine, world.nobody(), Err(weak.clone()), |()| Reply::nothing()).await;
    assert_eq!(fault_of(answer).err(), Some(weak));
    world.reset_with(world.nobody(), token, NEW_PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_link_to_an_address_the_account_has_left_is_dead() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_for_reset(&ada.email).await;
    let mailed = world.token_to(&ada.email, "pwrt_").await.unwrap();
    world.ask_to_move(&device, &email("new@example.com")).await.unwrap();
    let change = world.token_to(&email("new@example.com"), "ect_").await.unwrap();
    world.ask_for_reset(&ada.email).await;
    world.confirm_move(change).await.unwrap();
    let answer = world.reset_with(world.nobody(), mailed.clone(), NEW_PASSWORD).await;
    assert_eq!(answer, Err(conflict(Conflict::TokenRevoked)));
    assert_eq!(world.token_to(&ada.email, "pwrt_").await, Some(mailed), "what was queued sends nothing there");
    assert_eq!(PASSWORD, ada.password);
}
