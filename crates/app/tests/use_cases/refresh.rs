//! Refresh tokens: rotation, reuse, retries.

use crate::world::{Device, PASSWORD, Person, World, denied, unknown};
use octavo_app::operator::{self, Handle};
use octavo_core_model::{
    Fault, Role, Secret,
    fault::{Denial, Unknown},
    session::SessionStatus,
    time::days,
};
use octavo_testkit::make;
use std::time::Duration;

const INVALID: Fault = Fault::Unauthenticated(Unknown::RefreshInvalid);

#[tokio::test]
async fn a_rotated_refresh_token_ends_the_chain() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let sibling = world.signed_in(&ada).await;
    let second = world.refresh(&first).await.unwrap();
    assert_eq!(second.session, first.session);
    assert_eq!(world.refresh(&first).await.err(), Some(Fault::RefreshReused));
    assert_eq!(world.refresh(&second).await.err(), Some(Fault::RefreshReused), "the newest token is dead too");
    world.refresh(&sibling).await.expect("another session goes on");
    let reuses =
        world.audit(ada.id).await.into_iter().filter(|(_, reason)| reason.as_deref() == Some("reuse_detected"));
    assert_eq!(reuses.count(), 2);
}

#[tokio::test]
async fn an_unknown_or_malformed_refresh_token_is_no_credential() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let mut other = device.refresh.clone();
    other.replace_range(10..14, if &other[10..14] == "AAAA" { "BBBB" } else { "AAAA" });
    for text in ["", "rft_", "evt_x", other.as_str()] {
        let token = Secret::new(text.to_owned());
        let answer = world
            .write(world.nobody(), move |unit| Box::pin(octavo_app::sessions::refresh::refresh(unit, Ok(token))))
            .await;
        assert_eq!(answer.err(), Some(INVALID), "{text}");
    }
}

#[tokio::test]
async fn a_refresh_token_lives_30_days_and_each_rotation_starts_them_anew() {
    let mut world = World::new().await;
    let (_, first) = world.newcomer().await;
    world.pass_almost(days(30));
    let second = world.refresh(&first).await.unwrap();
    world.pass(days(29));
    let third = world.refresh(&second).await.unwrap();
    world.pass(days(30));
    assert_eq!(world.refresh(&third).await.err(), Some(INVALID));
    assert_eq!(world.refresh(&first).await.err(), Some(INVALID), "expiry is reported before reuse");
}

#[tokio::test]
async fn no_session_outlives_its_absolute_end() {
    let mut world = World::ruled(|rules| rules.session_life = days(40)).await;
    let (_, first) = world.newcomer().await;
    world.pass(days(25));
    let second = world.refresh(&first).await.unwrap();
    world.pass_almost(days(15));
    let third = world.refresh(&second).await.unwrap();
    world.pass(Duration::from_millis(1));
    assert_eq!(world.refresh(&third).await.err(), Some(INVALID));
}

/// Ends the second of two sessions in one of the possible ways, and returns the answer that its refresh token then
/// gets.
async fn answer_after(end: impl AsyncFnOnce(&mut World, &Person, &Device, &Device)) -> Option<Fault> {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let second = world.signed_in(&ada).await;
    end(&mut world, &ada, &first, &second).await;
    world.refresh(&second).await.err()
}

#[tokio::test]
async fn tokens_revoked_as_tokens_are_reuse() {
    let reused = Some(Fault::RefreshReused);
    let answer = answer_after(async |world, _, _, second| world.logout(second, None).await.unwrap()).await;
    assert_eq!(answer, reused, "logout");
    let answer =
        answer_after(async |world, _, first, second| world.logout(first, Some(second.session)).await.unwrap()).await;
    assert_eq!(answer, reused, "logout of another session");
    let answer = answer_after(async |world, ada, _, _| drop(world.reset(ada).await)).await;
    assert_eq!(answer, reused, "password reset");
    let answer = answer_after(async |world, _, first, _| {
        assert_eq!(world.change_password(world.by(first), Some(PASSWORD), true).await, Ok(1));
    })
    .await;
    assert_eq!(answer, reused, "password change");
}

#[tokio::test]
async fn a_revoked_session_is_403() {
    let revoked = Some(denied(Denial::SessionRevoked));
    let answer = answer_after(async |world, _, first, second| world.revoke(first, second.session).await.unwrap()).await;
    assert_eq!(answer, revoked, "its own revocation");
    let answer = answer_after(async |world, _, first, _| assert_eq!(world.revoke_others(first).await, Ok(1))).await;
    assert_eq!(answer, revoked, "revocation of all others");
    let answer = answer_after(async |world, ada, first, _| {
        world.relocate(first, &ada.email, &make::email("new@example.com")).await;
    })
    .await;
    assert_eq!(answer, revoked, "change of address");
    let answer = answer_after(async |world, ada, _, second| {
        let back = world.relocate(second, &ada.email, &make::email("new@example.com")).await;
        world.revert_move(back).await.unwrap();
    })
    .await;
    assert_eq!(answer, revoked, "the change taken back");
    let answer = answer_after(async |world, ada, _, _| {
        operator::reset_password(&world.engine, world.now, Handle::Id(ada.id), false).await.unwrap();
    })
    .await;
    assert_eq!(answer, revoked, "reset by the operator");
}

#[tokio::test]
async fn an_account_that_may_not_act_says_so_before_its_session_does() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let rotated = world.signed_in(&ada).await;
    world.refresh(&rotated).await.unwrap();
    operator::suspend(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::AccountSuspended)));
    assert_eq!(world.refresh(&rotated).await.err(), Some(Fault::RefreshReused), "but reuse is reported first");
    operator::reinstate(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::SessionRevoked)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_refreshes_with_one_token_one_wins() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let world = std::sync::Arc::new(world);
    let tries = (0..20).map(|_| {
        let (world, device) = (world.clone(), device.clone());
        tokio::spawn(async move { world.refresh(&device).await })
    });
    let mut won = Vec::new();
    for tried in tries.collect::<Vec<_>>() {
        match tried.await.unwrap() {
            Ok(next) => won.push(next),
            Err(fault) => assert_eq!(fault, Fault::RefreshReused),
        }
    }
    assert_eq!(won.len(), 1);
    assert_eq!(world.refresh(&won[0]).await.err(), Some(Fault::RefreshReused), "the losers were reuse");
}

#[tokio::test]
async fn the_same_key_gets_the_same_pair_until_the_successor_is_used() {
    let mut world = World::new().await;
    let (_, first) = world.newcomer().await;
    let (pair, replayed) = world.refresh_keyed(&first, "k").await.unwrap();
    assert!(!replayed);
    world.pass(Duration::from_hours(23));
    assert_eq!(world.refresh_keyed(&first, "k").await, Ok((pair.clone(), true)));
    let second = Device { refresh: pair, ..first.clone() };
    let third = world.refresh(&second).await.expect("a retry does no harm");
    assert_eq!(world.refresh_keyed(&first, "k").await, Err(Fault::RefreshReused));
    assert_eq!(world.refresh(&third).await.err(), Some(Fault::RefreshReused), "the chain is dead");
}

#[tokio::test]
async fn a_retry_under_another_key_or_a_day_later_is_reuse() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    world.refresh_keyed(&first, "k").await.unwrap();
    assert_eq!(world.refresh_keyed(&first, "other").await, Err(Fault::RefreshReused));
    let first = world.signed_in(&ada).await;
    world.refresh_keyed(&first, "k").await.unwrap();
    world.pass(days(1) + Duration::from_millis(1));
    assert_eq!(world.refresh_keyed(&first, "k").await, Err(Fault::RefreshReused));
}

#[tokio::test]
async fn a_session_that_was_ended_replays_nothing() {
    let mut world = World::new().await;
    let (ada, first) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    world.refresh_keyed(&first, "k").await.unwrap();
    world.revoke(&other, first.session).await.unwrap();
    assert_eq!(world.refresh_keyed(&first, "k").await, Err(Fault::RefreshReused));
}

#[tokio::test]
async fn twenty_retries_at_once_get_one_pair() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let tries = (0..20).map(|_| world.refresh_keyed(&device, "k"));
    let answers = futures_util::future::join_all(tries).await;
    let pairs: std::collections::BTreeSet<_> =
        answers.iter().map(|answer| answer.as_ref().unwrap().0.clone()).collect();
    assert_eq!(pairs.len(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.as_ref().unwrap().1).count(), 19);
}

#[tokio::test]
async fn a_refresh_keeps_the_proof() {
    let mut world = World::new().await;
    let (_, first) = world.newcomer().await;
    world.pass(Duration::from_mins(20));
    let second = world.refresh(&first).await.unwrap();
    assert_eq!(second.claims.authenticated_at, first.claims.authenticated_at);
    assert_eq!(second.claims.issued_at, world.now);
    assert_ne!(second.claims.id, first.claims.id);
}

#[tokio::test]
async fn a_session_keeps_its_workspace_and_counts_as_personal_while_its_user_is_out() {
    let mut world = World::new().await;
    let (ada, mut device) = world.newcomer().await;
    let bob = world.person().await;
    let execute = |sql: String| {
        let database = &world.database;
        async move { database.execute(&sql).await }
    };
    execute(format!("UPDATE sessions SET workspace_id = '{}' WHERE user_id = '{}'", bob.workspace, ada.id)).await;
    let join = format!(
        "INSERT INTO user_workspaces (user_id, workspace_id, name, is_personal, role, joined_at) \
         VALUES ('{}', '{}', 'Bob', 0, 'MEMBER', 9)",
        ada.id, bob.workspace
    );
    let leave =
        format!("DELETE FROM user_workspaces WHERE user_id = '{}' AND workspace_id = '{}'", ada.id, bob.workspace);
    for (step, workspace, role) in [
        (None, ada.workspace, Role::Owner),
        (Some(&join), bob.workspace, Role::Member),
        (Some(&leave), ada.workspace, Role::Owner),
        (Some(&join), bob.workspace, Role::Member),
    ] {
        if let Some(sql) = step {
            execute(sql.clone()).await;
        }
        device = world.refresh(&device).await.unwrap();
        assert_eq!((device.claims.workspace, device.claims.role), (workspace, role), "{step:?}");
    }
}

#[tokio::test]
async fn refreshing_moves_the_last_activity_once_a_minute() {
    let mut world = World::new().await;
    let (_, mut device) = world.newcomer().await;
    let start = world.now;
    for (wait, expected) in [(59, Duration::ZERO), (2, Duration::from_secs(61)), (30, Duration::from_secs(61))] {
        world.pass(Duration::from_secs(wait));
        device = world.refresh(&device).await.unwrap();
        let session = &world.sessions(&device, SessionStatus::Active).await[0];
        assert_eq!(session.last_active_at, start.plus(expected));
        assert_eq!(session.expires_at, world.now.plus(days(30)));
    }
}

#[tokio::test]
async fn a_purged_account_leaves_its_tokens_worthless() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    world.delete(&device).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::AccountDeleting)));
    world.pass(days(30));
    octavo_app::accounts::deletion::purge_due(&world.engine, world.now).await.unwrap();
    assert_eq!(world.refresh(&device).await.err(), Some(INVALID));
    assert_eq!(world.look(&device).await.err(), Some(unknown(Unknown::TokenMalformed)));
}
