//! Operations of the operator on accounts.

use crate::world::{PASSWORD, World, conflict, denied, email, unknown};
use octavo_app::{
    Call, Interrupt,
    operator::{self, Handle},
};
use octavo_core_model::{
    Fault, Secret,
    account::AccountStatus,
    fault::{Conflict, Denial, Unknown},
    id::UserId,
    mail::Topic,
    text::{Name, NewPassword},
};

async fn create(world: &World, address: &str) -> Result<octavo_core_model::account::User, Interrupt> {
    let (name, password) = (Name::parse("Ada").unwrap(), NewPassword::parse(PASSWORD).unwrap());
    operator::create_user(&world.engine, world.now, email(address), name, password).await
}

#[tokio::test]
async fn a_created_account_is_proven_and_made_by_the_system() {
    let world = World::new().await;
    let user = create(&world, "ada@example.com").await.unwrap();
    assert!(world.user(user.id).await.unwrap().is_verified());
    let by_system = |kind: &str| (kind.to_owned(), "SYSTEM".to_owned(), String::new());
    assert_eq!(
        world.events(user.personal_workspace).await,
        [by_system("user.registered"), by_system("workspace.created")]
    );
    world.login(world.nobody(), &user.email, PASSWORD).await.unwrap();
    let again = create(&world, "ADA@example.com").await;
    assert_eq!(again.err(), Some(conflict(Conflict::Taken("email")).into()));
}

#[tokio::test]
async fn a_reset_ends_sessions_and_what_they_asked_for_and_gives_a_link() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    world.ask_to_move(&device, &email("thief@example.com")).await.unwrap();
    let moving = world.token_to(&email("thief@example.com"), "ect_").await.unwrap();
    let token = operator::reset_password(&world.engine, world.now, Handle::Id(ada.id), false).await.unwrap();
    assert_eq!(world.token_to(&ada.email, "pwrt_").await, None, "it was not to be sent");
    assert_eq!(world.refresh(&device).await.err(), Some(denied(Denial::SessionRevoked)));
    assert_eq!(world.confirm_move(moving).await.err(), Some(conflict(Conflict::TokenRevoked)));
    let records = world.audit_records(octavo_core_model::event::Chain::User(ada.id)).await;
    let revoked = records.iter().find(|record| record.action == "session.revoked").unwrap();
    assert_eq!(revoked.actor["type"], "SYSTEM");
    world.reset_with(world.nobody(), Secret::new(token), crate::world::NEW_PASSWORD).await.unwrap();

    let sent =
        operator::reset_password(&world.engine, world.now, Handle::Email(ada.email.clone()), true).await.unwrap();
    assert_eq!(world.token_to(&ada.email, "pwrt_").await, Some(Secret::new(sent)));
}

#[tokio::test]
async fn a_suspended_account_is_refused_at_once_until_it_is_reinstated() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let handle = || Handle::Email(ada.email.clone());
    assert_eq!(operator::reinstate(&world.engine, world.now, handle()).await, Ok(false));
    assert_eq!(operator::suspend(&world.engine, world.now, handle()).await, Ok(true));
    assert_eq!(operator::suspend(&world.engine, world.now, handle()).await, Ok(false));
    assert_eq!(world.look(&device).await.err(), Some(denied(Denial::AccountSuspended)));
    let reset = operator::reset_password(&world.engine, world.now, handle(), false).await;
    assert_eq!(reset.err(), Some(denied(Denial::AccountSuspended).into()));
    assert_eq!(operator::reinstate(&world.engine, world.now, handle()).await, Ok(true));
    world.look(&device).await.unwrap();
    world.try_login(&ada).await.unwrap();
    assert_eq!((world.audited(ada.id, "user.suspended").await, world.audited(ada.id, "user.reinstated").await), (1, 1));
}

#[tokio::test]
async fn an_account_that_is_being_deleted_is_neither_suspended_nor_reinstated() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let purge_at = world.delete(&device).await.unwrap();
    let handle = || Handle::Id(ada.id);
    assert_eq!(operator::suspend(&world.engine, world.now, handle()).await, Ok(false));
    assert_eq!(operator::reinstate(&world.engine, world.now, handle()).await, Ok(false));
    assert_eq!(world.user(ada.id).await.unwrap().status, AccountStatus::Deleting { purge_at });
}

#[tokio::test]
async fn an_unknown_account_is_not_found() {
    let world = World::new().await;
    for handle in [Handle::Id(UserId::new(1, [9; 10])), Handle::Email(email("nobody@example.com"))] {
        let missing = Some(Interrupt::Fault(Fault::NotFound));
        assert_eq!(operator::suspend(&world.engine, world.now, handle.clone()).await.err(), missing);
        assert_eq!(operator::reset_password(&world.engine, world.now, handle, true).await.err(), missing);
    }
    assert_eq!(
        world.login(world.nobody(), &email("nobody@example.com"), PASSWORD).await.err(),
        Some(unknown(Unknown::Login))
    );
}

#[tokio::test]
async fn accounts_are_listed_page_by_page() {
    let mut world = World::new().await;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push(world.person().await.id);
    }
    people.sort_unstable();
    let page = async |after| {
        let call = Call::system(world.now);
        let users = world.read(call, move |view| Box::pin(operator::list_users(view, after, 2))).await.unwrap();
        users.iter().map(|user| user.id).collect::<Vec<_>>()
    };
    assert_eq!(page(None).await, people[..2]);
    assert_eq!(page(Some(people[1])).await, people[2..]);
    assert!(
        world
            .mail_to(&email("person1@example.com"))
            .await
            .iter()
            .all(|topic| matches!(topic, Topic::VerifyEmail { .. }))
    );
}
