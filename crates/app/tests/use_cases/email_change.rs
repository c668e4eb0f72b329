//! Moving an account to another address, and back.

use crate::world::{Calling, Device, NEW_PASSWORD, PASSWORD, Person, World, conflict, denied, email, unknown};
use octavo_app::{
    accounts::register::Registered,
    api_keys::{self, NewApiKey},
    invitations::{self, NewInvitation},
    operator::{self, Handle},
};
use octavo_core_model::{
    Fault, KeyScope, Role, Secret,
    account::AccountStatus,
    event::Chain,
    fault::{Conflict, Denial, Unknown},
    id::{UserId, WorkspaceId},
    mail::Topic,
    text::{Email, Name},
    time::days,
};
use serde_json::json;
use std::time::Duration;

fn new() -> Email {
    email("new@example.com")
}

fn at(person: &Person, address: &Email) -> Person {
    Person { email: address.clone(), ..person.clone() }
}

#[tokio::test]
async fn a_confirmed_change_moves_the_account_and_proves_the_new_mailbox() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    world.ask_to_move(&device, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email, "not before it is confirmed");
    let moved = world.confirm_move(token.clone()).await.unwrap();
    assert_eq!((&moved.email, moved.email_verified_at), (&new(), Some(world.now)));
    assert_eq!(world.confirm_move(token).await.err(), Some(conflict(Conflict::TokenUsed)));
    assert_eq!(world.refresh(&other).await.err(), Some(denied(Denial::SessionRevoked)));
    world.refresh(&device).await.expect("the session that asked goes on");
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)));
    world.try_login(&at(&ada, &new())).await.unwrap();
    let records = world.audit_records(Chain::User(ada.id)).await;
    let changed = records.iter().find(|record| record.action == "user.email_changed").unwrap();
    let personal = changed.personal.as_ref().unwrap();
    assert_eq!(personal["changes"], json!([{ "field": "email", "from": ada.email, "to": new() }]));
    assert_eq!(changed.actor, json!({ "type": "USER", "id": ada.id }));
}

#[tokio::test]
async fn a_taken_address_gets_a_notice_and_no_token() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let bob = world.person().await;
    world.ask_to_move(&device, &bob.email).await.unwrap();
    assert_eq!(world.token_to(&bob.email, "ect_").await, None);
    assert!(matches!(world.mail_to(&bob.email).await.last(), Some(Topic::EmailChangeRefused)));
}

#[tokio::test]
async fn an_address_taken_meanwhile_is_a_conflict_that_spends_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_to_move(&device, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    let (bob, rival) = world.newcomer().await;
    world.relocate(&rival, &bob.email, &new()).await;
    assert_eq!(world.confirm_move(token.clone()).await.err(), Some(conflict(Conflict::Taken("email"))));
    world.relocate(&rival, &new(), &email("away@example.com")).await;
    assert_eq!(world.confirm_move(token).await.unwrap().id, ada.id);
}

#[tokio::test]
async fn a_change_works_for_a_day() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    world.ask_to_move(&device, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    world.pass(days(1));
    assert_eq!(world.confirm_move(token).await.err(), Some(Fault::TokenExpired));
}

#[tokio::test]
async fn changing_to_the_same_address_sends_nothing() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_to_move(&device, &ada.email).await.unwrap();
    assert_eq!(world.token_to(&ada.email, "ect_").await, None);
}

#[tokio::test]
async fn a_change_asked_for_by_a_revoked_session_is_void() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let thief = world.signed_in(&ada).await;
    world.ask_to_move(&thief, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    world.revoke(&device, thief.session).await.unwrap();
    assert_eq!(world.confirm_move(token).await.err(), Some(conflict(Conflict::TokenRevoked)));
}

/// The answer to confirming a change that a thief requested before signing out, after the owner did something.
async fn confirmed_after(action: impl AsyncFnOnce(&World, &Device, &Device)) -> Option<Fault> {
    let mut world = World::new().await;
    let (ada, owner) = world.newcomer().await;
    let thief = world.signed_in(&ada).await;
    world.ask_to_move(&thief, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    action(&world, &owner, &thief).await;
    world.confirm_move(token).await.err()
}

#[tokio::test]
async fn a_change_does_not_survive_its_session_because_that_signed_out_in_time() {
    let revoked = Some(conflict(Conflict::TokenRevoked));
    let answer = confirmed_after(async |world, owner, thief| {
        world.logout(thief, None).await.unwrap();
        world.revoke(owner, thief.session).await.unwrap();
    })
    .await;
    assert_eq!(answer, revoked, "the session was revoked");
    let answer = confirmed_after(async |world, owner, thief| {
        world.logout(thief, None).await.unwrap();
        assert_eq!(world.revoke_others(owner).await, Ok(0));
    })
    .await;
    assert_eq!(answer, revoked, "all other sessions were revoked");
    let answer = confirmed_after(async |world, owner, thief| {
        world.logout(owner, Some(thief.session)).await.unwrap();
    })
    .await;
    assert_eq!(answer, revoked, "the owner signed that session out");
    let answer = confirmed_after(async |world, _, thief| {
        world.refresh(thief).await.unwrap();
        assert_eq!(world.refresh(thief).await.err(), Some(Fault::RefreshReused));
    })
    .await;
    assert_eq!(answer, revoked, "its refresh token was stolen");
}

#[tokio::test]
async fn revoking_the_other_sessions_keeps_a_change_of_ones_own() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_to_move(&device, &new()).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.unwrap();
    let other = world.signed_in(&ada).await;
    assert_eq!(world.revoke_others(&device).await, Ok(1));
    world.revoke(&device, other.session).await.unwrap();
    world.confirm_move(token).await.unwrap();
}

#[tokio::test]
async fn signing_out_keeps_a_change() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    world.ask_to_move(&device, &new()).await.unwrap();
    world.logout(&device, None).await.unwrap();
    let token = world.token_to(&new(), "ect_").await.expect("the mail still goes out");
    world.confirm_move(token).await.unwrap();
}

#[tokio::test]
async fn the_old_mailbox_can_take_a_change_back_for_7_days() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let back = world.relocate(&device, &ada.email, &new()).await;
    world.pass_almost(days(7));
    let thief = world.signed_in(&at(&ada, &new())).await;
    world.revert_move(back.clone()).await.unwrap();
    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email);
    for session in [&device, &thief] {
        assert_eq!(world.refresh(session).await.err(), Some(denied(Denial::SessionRevoked)));
    }
    for address in [&ada.email, &new()] {
        let login = world.try_login(&at(&ada, address)).await;
        assert_eq!(login.err(), Some(unknown(Unknown::Login)), "the password is gone");
    }
    assert_eq!(world.audited(ada.id, "user.email_reverted").await, 1);
    let ada = world.reset(&ada).await;
    world.try_login(&ada).await.unwrap();
    assert_eq!(world.revert_move(back).await.err(), Some(conflict(Conflict::TokenUsed)));

    let (bob, device) = world.newcomer().await;
    let back = world.relocate(&device, &bob.email, &email("elsewhere@example.com")).await;
    world.pass(days(7));
    assert_eq!(world.revert_move(back).await.err(), Some(Fault::TokenExpired));
}

#[tokio::test]
async fn after_a_revert_the_access_token_of_the_thief_changes_nothing() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let back = world.relocate(&thief, &ada.email, &new()).await;
    world.revert_move(back).await.unwrap();
    let ended = Some(denied(Denial::SessionRevoked));
    let password = world.change_password(world.by(&thief), None, true).await;
    assert_eq!(password.err(), ended, "the account has no password to ask for");
    assert_eq!(world.ask_to_move(&thief, &new()).await.err(), ended);
    assert_eq!(world.delete(&thief).await.err(), ended);
    assert_eq!(world.reauthenticate(&thief, PASSWORD).await.err(), ended);
}

/// A thief moves an account and does something with it; then the owner takes it back.
async fn taken_back_after(action: impl AsyncFnOnce(&mut World, &Person, &Device)) {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let back = world.relocate(&thief, &ada.email, &new()).await;
    world.pass(Duration::from_secs(1));
    action(&mut world, &at(&ada, &new()), &thief).await;
    world.revert_move(back).await.unwrap();
    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email);
}

#[tokio::test]
async fn no_change_of_an_account_voids_the_revert_token() {
    taken_back_after(async |world, moved, _| drop(world.reset(moved).await)).await;
    taken_back_after(async |world, _, thief| {
        world.change_password(world.by(thief), Some(PASSWORD), true).await.unwrap();
    })
    .await;
    taken_back_after(async |world, moved, thief| {
        drop(world.relocate(thief, &moved.email, &email("3@example.com")).await);
    })
    .await;
    taken_back_after(async |world, moved, _| {
        let handle = || Handle::Email(moved.email.clone());
        operator::reset_password(&world.engine, world.now, handle(), false).await.unwrap();
        operator::suspend(&world.engine, world.now, handle()).await.unwrap();
        operator::reinstate(&world.engine, world.now, handle()).await.unwrap();
    })
    .await;
    taken_back_after(async |world, _, thief| assert!(world.delete(thief).await.is_ok())).await;
}

#[tokio::test]
async fn a_later_change_leaves_earlier_revert_tokens_valid() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let (second, third) = (email("2@example.com"), email("3@example.com"));
    let owners = world.relocate(&thief, &ada.email, &second).await;
    world.pass(Duration::from_secs(1));
    let thiefs = world.relocate(&thief, &second, &third).await;
    world.pass(Duration::from_secs(1));
    world.revert_move(thiefs).await.expect("the second mailbox may take back the second change");
    world.revert_move(owners).await.expect("and the first one the first");
    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email);
}

#[tokio::test]
async fn reverting_a_change_reverts_later_ones() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let (second, third) = (email("2@example.com"), email("3@example.com"));
    let owners = world.relocate(&thief, &ada.email, &second).await;
    world.pass(Duration::from_secs(1));
    let thiefs = world.relocate(&thief, &second, &third).await;
    world.revert_move(owners).await.unwrap();
    assert_eq!(world.revert_move(thiefs).await.err(), Some(conflict(Conflict::TokenRevoked)));
    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email);
}

#[tokio::test]
async fn a_stolen_account_that_waits_for_its_purge_is_restored_by_the_old_mailbox() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let back = world.relocate(&thief, &ada.email, &new()).await;
    let purge_at = world.delete(&thief).await.unwrap();
    let thiefs: Secret<String> = world.token_to(&new(), "urt_").await.unwrap();
    world.revert_move(back).await.unwrap();
    assert_eq!(world.user(ada.id).await.unwrap().status, AccountStatus::Deleting { purge_at }, "it waits on");
    assert_eq!(world.restore(thiefs).await.err(), Some(conflict(Conflict::TokenRevoked)));
    let owners = world.token_to(&ada.email, "urt_").await.expect("the way back went to the owner");
    world.restore(owners).await.unwrap();
    let ada = world.reset(&ada).await;
    assert_eq!(ada.password, NEW_PASSWORD);
    world.try_login(&ada).await.unwrap();
}

#[tokio::test]
async fn a_suspended_account_is_not_taken_back_and_the_token_waits() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let back = world.relocate(&device, &ada.email, &new()).await;
    operator::suspend(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    assert_eq!(world.revert_move(back.clone()).await.err(), Some(denied(Denial::AccountSuspended)));
    operator::reinstate(&world.engine, world.now, Handle::Id(ada.id)).await.unwrap();
    world.revert_move(back).await.unwrap();
}

#[tokio::test]
async fn a_change_voids_tokens_mailed_to_the_old_address() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let verification = world.token_to(&ada.email, "evt_").await.unwrap();
    world.ask_for_reset(&ada.email).await;
    let reset = world.token_to(&ada.email, "pwrt_").await.unwrap();
    world.ask_to_move(&device, &email("third@example.com")).await.unwrap();
    let change = world.token_to(&email("third@example.com"), "ect_").await.unwrap();
    world.relocate(&device, &ada.email, &new()).await;
    let revoked = Some(conflict(Conflict::TokenRevoked));
    assert_eq!(world.verify(verification.clone()).await.err(), revoked);
    assert_eq!(world.reject(verification).await.err(), revoked, "least of all may it remove the account");
    assert_eq!(world.reset_with(world.nobody(), reset, NEW_PASSWORD).await.err(), revoked);
    assert_eq!(world.confirm_move(change).await.err(), revoked);
}

/// Registers an address that another account has left.
async fn registered_again(world: &World, address: &Email) -> Device {
    let form = World::registration(address.as_str(), "Next holder");
    let Ok(Registered::Account { signed_in, .. }) = world.register(world.nobody(), form).await else {
        panic!("the address is free")
    };
    Device::from(&*signed_in)
}

#[tokio::test]
async fn whoever_registered_the_old_address_without_verifying_it_gives_it_back() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let back = world.relocate(&thief, &ada.email, &new()).await;
    registered_again(&world, &ada.email).await;
    let verification = world.token_to(&ada.email, "evt_").await.unwrap();

    world.revert_move(back).await.unwrap();

    assert_eq!(world.user(ada.id).await.unwrap().email, ada.email);
    assert_eq!(world.verify(verification).await.err(), Some(conflict(Conflict::TokenRevoked)));
    assert_eq!(world.try_login(&ada).await.err(), Some(unknown(Unknown::Login)), "the password of the squatter");
    let ada = world.reset(&ada).await;
    assert_eq!(world.signed_in(&ada).await.claims.user, ada.id);
}

#[tokio::test]
async fn an_account_that_gave_its_address_back_lives_on_and_can_get_another() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let back = world.relocate(&thief, &ada.email, &new()).await;
    let displaced = registered_again(&world, &ada.email).await;
    let id = displaced.claims.user;
    world.revert_move(back).await.unwrap();

    let user = world.user(id).await.unwrap();
    assert!(user.email.is_placeholder() && !user.is_verified(), "{}", user.email);
    assert_eq!(user.status, AccountStatus::Active);
    let displaced = world.refresh(&displaced).await.unwrap();
    world.ask_for_verification(&displaced, &user.email).await.unwrap();
    assert_eq!(world.mail_to(&user.email).await.len(), 0, "no mail leads there");
    let records = world.audit_records(Chain::User(id)).await;
    let changed = records.iter().find(|record| record.action == "user.email_changed").unwrap();
    assert_eq!(changed.reason.as_deref(), Some("mailbox_reclaimed"));
    assert!(!changed.actor.to_string().contains(&ada.id.to_string()), "not who reclaimed it");
    let personal = changed.personal.as_ref().unwrap();
    assert_eq!(personal["changes"], json!([{ "field": "email", "from": ada.email, "to": user.email }]));

    let another = email("another@example.com");
    world.ask_to_move(&displaced, &another).await.unwrap();
    let token = world.token_to(&another, "ect_").await.unwrap();
    assert_eq!(world.confirm_move(token).await.unwrap().id, id);
}

#[tokio::test]
async fn an_old_address_that_another_account_has_verified_stays_there() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let back = world.relocate(&device, &ada.email, &new()).await;
    let holder = registered_again(&world, &ada.email).await;
    let verification = world.token_to(&ada.email, "evt_").await.unwrap();
    world.verify(verification).await.unwrap();
    assert_eq!(world.revert_move(back.clone()).await.err(), Some(conflict(Conflict::Taken("email"))));
    assert_eq!(world.user(ada.id).await.unwrap().email, new(), "nothing has changed");
    world.relocate(&holder, &ada.email, &email("away@example.com")).await;
    world.revert_move(back).await.expect("the token was not used up");
}

async fn creates_key(world: &World, device: &Device, workspace: WorkspaceId, name: &str) {
    let name = Name::parse(name).unwrap();
    let wanted = NewApiKey {
        name,
        scopes: [KeyScope::Admin].into(),
        rate_limit: None,
        expires_at: None,
        allowed_networks: Vec::new(),
    };
    let call = world.by(device).at(workspace);
    world.write(call, move |unit| Box::pin(api_keys::create(unit, Ok(wanted)))).await.unwrap();
}

async fn live_keys(world: &World, workspace: WorkspaceId) -> i64 {
    let sql = format!("SELECT count(*) FROM api_keys WHERE workspace_id = '{workspace}' AND revoked_at IS NULL");
    world.database.number(&sql).await
}

#[tokio::test]
async fn a_revert_closes_the_ways_in_that_the_thief_may_have_kept() {
    let mut world = World::new().await;
    let (ada, thief) = world.newcomer().await;
    let (friend, helper) = (world.person().await, world.person().await);
    let (home, team) = (ada.workspace, world.creates_workspace(&ada).await);
    world.adds(world.by(&thief).at(home), friend.id, Role::Admin).await.unwrap();
    creates_key(&world, &thief, home, "Before").await;
    creates_key(&world, &thief, team, "Before").await;
    world.pass(Duration::from_secs(1));
    let back = world.relocate(&thief, &ada.email, &new()).await;
    creates_key(&world, &thief, home, "After").await;
    creates_key(&world, &thief, team, "After").await;
    world.adds(world.by(&thief).at(home), helper.id, Role::Admin).await.unwrap();
    let invited = NewInvitation { email: email("third@example.com"), role: Role::Admin, expires_in_days: 7 };
    let call = world.by(&thief).at(home);
    world.write(call, move |unit| Box::pin(invitations::create(unit, Ok(invited)))).await.unwrap();

    world.revert_move(back).await.unwrap();

    assert_eq!(live_keys(&world, home).await, 0);
    assert_eq!(live_keys(&world, team).await, 1, "others may depend on the older one");
    let is_member = async |world: &World, user: UserId| {
        let sql = format!("SELECT count(*) FROM memberships WHERE workspace_id = '{home}' AND user_id = '{user}'");
        world.database.number(&sql).await == 1
    };
    assert!(is_member(&world, ada.id).await && is_member(&world, friend.id).await);
    assert!(!is_member(&world, helper.id).await);
    let invited = format!("SELECT count(*) FROM invitations WHERE workspace_id = '{home}' AND state = 'REVOKED'");
    assert_eq!(world.database.number(&invited).await, 1);
}
