//! Idempotency keys, and what refusals leave behind.

use crate::world::{Calling, Device, PASSWORD, World, conflict, denied, unknown};
use octavo_app::{
    AppResult, Call, Interrupt, Reply, Unit,
    accounts::{profile, register::Registered},
    engine::Fut,
    operator::{self, Handle},
    sessions, workspaces,
};
use octavo_core_model::{
    Fault, Role, StoreError,
    account::ProfileChange,
    fault::{Conflict, Denial, Issue, Unknown, Violation},
    text::{Name, Theme},
    time::days,
    workspace::WorkspaceChange,
};
use octavo_ports::replies::{Claim, ReplyKey};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// Renames the account without checking any rights.
async fn rename(unit: &mut Unit, device: &Device) -> AppResult<()> {
    let mut user = unit.tx.accounts().lock(device.claims.user).await?.unwrap();
    user.name = Name::parse("Renamed").unwrap();
    Ok(unit.tx.accounts().save(&user).await?)
}

async fn is_renamed(world: &World, device: &Device) -> bool {
    world.user(device.claims.user).await.unwrap().name.as_str() == "Renamed"
}

#[tokio::test]
async fn a_writing_use_case_that_forgets_to_claim_is_an_internal_error() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    for call in [world.by(&device), world.by(&device).keyed("k", "body")] {
        let forgetful = device.clone();
        let answer = world.write(call, move |unit| Box::pin(async move { rename(unit, &forgetful).await })).await;
        assert!(matches!(answer, Err(Fault::Internal(_))), "{answer:?}");
        assert!(!is_renamed(&world, &device).await, "and nothing of it is kept");
    }
}

#[tokio::test]
async fn a_registration_is_not_replayed_to_a_suspended_account() {
    let world = World::new().await;
    let register = async || {
        let form = World::registration("ada@example.com", "Ada");
        world.register(world.nobody().keyed_by("email:ada@example.com", "k", "body"), form).await
    };
    let Registered::Account { signed_in, .. } = register().await.unwrap() else { panic!("nothing is concealed") };
    operator::suspend(&world.engine, world.now, Handle::Id(signed_in.user.id)).await.unwrap();
    assert_eq!(register().await.err(), Some(denied(Denial::AccountSuspended)));
}

#[tokio::test]
async fn a_refusal_keeps_only_what_it_requests() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let refused = device.clone();
    let answer = world
        .write::<()>(world.by(&device), move |unit| {
            Box::pin(async move {
                rename(unit, &refused).await?;
                Err(Fault::NotFound.into())
            })
        })
        .await;
    assert_eq!(answer, Err(Fault::NotFound));
    assert!(!is_renamed(&world, &device).await);
    assert_eq!(world.login(world.nobody(), &ada.email, "Wrong-Horse-7").await.err(), Some(unknown(Unknown::Login)));
    assert_eq!(world.audited(ada.id, "user.login_failed").await, 1, "a failed sign-in asks to be written down");
}

fn fail(unit: &mut Unit, device: Device) -> Fut<'_, ()> {
    Box::pin(async move {
        rename(unit, &device).await?;
        panic!("on purpose")
    })
}

#[tokio::test]
async fn a_panic_keeps_nothing() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (engine, call, clumsy) = (world.engine.clone(), world.by(&device), device.clone());
    let task =
        tokio::spawn(async move { engine.write(call, move |unit| fail(unit, clumsy), |()| Reply::nothing()).await });
    assert!(task.await.unwrap_err().is_panic());
    assert!(!is_renamed(&world, &device).await);
    world.look(&device).await.expect("and the writer works on");
    world.refresh(&device).await.unwrap();
}

fn dark_theme() -> ProfileChange {
    ProfileChange { theme: Some(Theme::parse("dark").unwrap()), ..ProfileChange::default() }
}

async fn change_theme(world: &World, call: Call) -> AppResult<Reply> {
    let shape = |user: octavo_core_model::account::User| Reply::json(200, &user.theme);
    world.engine.write(call, |unit| Box::pin(profile::update(unit, Ok(dark_theme()))), shape).await
}

#[tokio::test]
async fn the_same_call_is_answered_alike_for_24_hours() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let call = |world: &World| world.by(&device).keyed("k", "body");
    let first = change_theme(&world, call(&world)).await.unwrap();
    assert!(!first.replayed);
    world.pass(days(1));
    let again = change_theme(&world, call(&world)).await.unwrap();
    assert_eq!((again.status, again.body, again.replayed), (first.status, first.body, true));
    let events = "SELECT count(*) FROM events WHERE type = 'user.profile_updated'";
    assert_eq!(world.database.number(events).await, 1);
    world.pass(Duration::from_millis(1));
    assert!(!change_theme(&world, call(&world)).await.unwrap().replayed, "a day later the key is free");
}

#[tokio::test]
async fn a_large_answer_is_kept_compressed() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let answer = async || {
        let shape = |_| Reply::json(200, &"a cell of a table, ".repeat(50_000));
        let call = world.by(&device).keyed("k", "body");
        world.engine.write(call, |unit| Box::pin(profile::update(unit, Ok(dark_theme()))), shape).await.unwrap()
    };
    let first = answer().await;
    assert!(first.body.len() > 900_000);
    assert!(world.database.number("SELECT length(sealed) FROM idempotent_replies").await < 20_000);
    let again = answer().await;
    assert!(again.replayed && again.body == first.body);
}

#[tokio::test]
async fn a_key_belongs_to_one_principal_and_one_call() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (_, other) = world.newcomer().await;
    change_theme(&world, world.by(&device).keyed("k", "body")).await.unwrap();
    let mine = change_theme(&world, world.by(&other).keyed("k", "body")).await.unwrap();
    assert!(!mine.replayed, "the same key of somebody else is unrelated");
    let reused = change_theme(&world, world.by(&device).keyed("k", "another body")).await;
    assert_eq!(reused, Err(Fault::KeyReused.into()));
}

#[tokio::test]
async fn a_duplicate_of_a_running_call_is_refused() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let mut call = world.by(&device).keyed("k", "body");
    call.key.as_mut().unwrap().as_mut().unwrap().busy = true;
    assert_eq!(change_theme(&world, call).await, Err(conflict(Conflict::InProgress).into()));
}

/// SQLite runs one unit at a time, so no unit finds a key in the hands of another one.
#[tokio::test]
async fn a_duplicate_of_a_call_that_another_node_runs_is_refused() {
    let Some(mut world) = World::on_postgres().await else { return };
    let (_, device) = world.newcomer().await;
    let call = || world.by(&device).keyed("k", "body");
    let key = ReplyKey { principal: device.claims.user.to_string(), key_hash: *blake3::hash(b"k").as_bytes() };
    let mut running = world.engine.store.writer().await.unwrap();
    assert_eq!(running.replies().claim(&key, world.now).await, Ok(Claim::Free));
    assert_eq!(change_theme(&world, call()).await, Err(conflict(Conflict::InProgress).into()));
    running.abandon().await.unwrap();
    assert!(!change_theme(&world, call()).await.unwrap().replayed, "the other call came to nothing");
}

#[tokio::test]
async fn a_unit_that_collides_runs_again_and_one_on_a_busy_store_does_not() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    for (error, expected) in [(StoreError::Collision, 3), (StoreError::Busy, 1)] {
        let runs = AtomicUsize::new(0);
        let answer = world
            .engine
            .write_repeatably(
                world.by(&device),
                |_| {
                    runs.fetch_add(1, Ordering::Relaxed);
                    Box::pin(async move { Err::<(), Interrupt>(error.into()) })
                },
                |()| Reply::nothing(),
            )
            .await;
        assert_eq!(answer, Err(error.into()));
        assert_eq!(runs.into_inner(), expected, "{error:?}");
    }
}

#[tokio::test]
async fn a_refused_call_frees_its_key() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let call = || world.by(&device).keyed("k", "body");
    let flaw = Fault::from(Violation::new("name", Issue::TooLong));
    let refusal = flaw.clone();
    let answer = world.write(call(), move |unit| Box::pin(profile::update(unit, Err(refusal)))).await;
    assert_eq!(answer.err(), Some(flaw));
    assert!(!change_theme(&world, call()).await.unwrap().replayed, "the corrected call runs");
}

#[tokio::test]
async fn a_caller_that_lost_the_right_gets_no_replay() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let call = || world.by(&device).keyed("k", "body");
    change_theme(&world, call()).await.unwrap();
    operator::suspend(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert_eq!(change_theme(&world, call()).await, Err(denied(Denial::AccountSuspended).into()));
}

#[tokio::test]
async fn a_former_member_gets_no_replay() {
    let mut world = World::new().await;
    let ((ada, host), (bob, mut device)) = (world.newcomer().await, world.newcomer().await);
    let acme = world.creates_workspace(&ada).await;
    world.adds(world.by(&host).at(acme), bob.id, Role::Admin).await.unwrap();
    device.claims.workspace = acme;
    let rename = async |world: &World| {
        let change = WorkspaceChange { name: Some(Name::parse("Renamed").unwrap()), ..WorkspaceChange::default() };
        let shape = |shown: workspaces::WorkspaceDetails| Reply::json(200, &shown.workspace.id);
        let call = world.by(&device).keyed("k", "body");
        world.engine.write(call, |unit| Box::pin(workspaces::update(unit, Ok(change))), shape).await
    };
    assert!(!rename(&world).await.unwrap().replayed);
    assert!(rename(&world).await.unwrap().replayed);
    world.removes(world.by(&host).at(acme), bob.id).await.unwrap();
    assert_eq!(rename(&world).await, Err(Fault::KeyReused.into()), "it would be a call into another workspace");
}

#[tokio::test]
async fn a_sign_in_is_replayed_only_with_the_current_password() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let attempt = async |password: &str| {
        use octavo_app::sessions::login::{self, Login};
        let form = Login { email: ada.email.clone(), password: octavo_core_model::Secret::new(password.to_owned()) };
        let shape = |signed_in: sessions::SignedIn| Reply::json(200, &signed_in.refresh_token.reveal());
        login::login(&world.engine, world.nobody().keyed("k", "body"), Ok(form), shape).await
    };
    let first = attempt(PASSWORD).await.unwrap();
    let again = attempt(PASSWORD).await.unwrap();
    assert_eq!((again.body, again.replayed), (first.body, true));
    assert_eq!(attempt("Wrong-Horse-7").await, Err(unknown(Unknown::Login).into()), "the key alone opens nothing");
    assert_eq!(world.audited(ada.id, "user.login").await, 1);
    world.reset(&ada).await;
    assert_eq!(attempt(PASSWORD).await, Err(unknown(Unknown::Login).into()));
}

#[tokio::test]
async fn kept_replies_are_sealed() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let (next, _) = world.refresh_keyed(&device, "secret-key-of-the-client").await.unwrap();
    let rows = world.database.rows("SELECT principal, hex(key_hash), hex(sealed) FROM idempotent_replies").await;
    assert_eq!(rows.len(), 1);
    let hex = |text: &str| text.bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02X}"));
    for secret in [next.as_str(), "secret-key-of-the-client", device.refresh.as_str()] {
        assert!(rows[0].iter().all(|value| !value.contains(secret) && !value.contains(&hex(secret))));
    }
    let again = world.refresh_keyed(&device, "secret-key-of-the-client").await;
    assert_eq!(again, Ok((next, true)));
    assert!(matches!(change_theme(&world, world.by(&device)).await, Ok::<_, Interrupt>(reply) if !reply.replayed));
}
