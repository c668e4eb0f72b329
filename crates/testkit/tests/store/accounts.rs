//! Accounts.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{
    Role, TokenKind,
    account::{AccountStatus, FORMER_MEMBER},
    audit::AuditSearch,
    event::{Actor, Chain},
    text::{Locale, Theme, TimeZone, WebAddress},
    time::days,
};
use octavo_ports::{origins::Origin, store::Record};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

pub(crate) async fn an_account_reads_back(database: &Database) {
    let store = database.store().await;
    let mut user = make::user(1);
    user.display_name = make::name("Ada \u{1F98A} \u{e9}");
    user.avatar_url = Some(WebAddress::from_stored("https://example.com/a.png".to_owned()));
    user.email_verified_at = Some(NOW);
    user.status = AccountStatus::Deleting { purge_at: NOW.plus(days(30)) };
    user.locale = Locale::from_stored("de-AT".to_owned());
    user.timezone = TimeZone::from_stored("Europe/Vienna".to_owned());
    user.theme = Theme::from_stored("dark".to_owned());
    user.last_login_at = Some(NOW.plus(days(1)));
    let password = make::password("$argon2id$abc");
    assert!(write!(store, unit => unit.accounts().insert(&user, Some(&password)).await));

    assert_eq!(read!(store, view => view.accounts().find(user.id).await), Some(user.clone()));
    assert_eq!(read!(store, view => view.accounts().find_by_email(&user.email).await), Some(user.clone()));
    assert_eq!(read!(store, view => view.accounts().find_password(user.id).await), Some(password));
    assert_eq!(write!(store, unit => unit.accounts().lock(user.id).await), Some(user));
    for status in [AccountStatus::Active, AccountStatus::Suspended, AccountStatus::Deleted] {
        let user = octavo_core_model::account::User { status, avatar_url: None, ..make::user(1) };
        write!(store, unit => unit.accounts().save(&user).await);
        assert_eq!(read!(store, view => view.accounts().find(user.id).await), Some(user));
    }
}

pub(crate) async fn what_is_absent_is_none(database: &Database) {
    let store = database.store().await;
    let (nobody, address) = (make::user_id(9), make::email("nobody@example.com"));
    assert_eq!(read!(store, view => view.accounts().find(nobody).await), None);
    assert_eq!(read!(store, view => view.accounts().find_by_email(&address).await), None);
    assert_eq!(read!(store, view => view.accounts().find_password(nobody).await), None);
    assert_eq!(write!(store, unit => unit.accounts().lock(nobody).await), None);
    person(&*store, 1).await;
    assert_eq!(
        read!(store, view => view.accounts().find_password(make::user_id(1)).await),
        None,
        "an account without a password"
    );
}

pub(crate) async fn saving_an_account_leaves_address_and_password(database: &Database) {
    let store = database.store().await;
    let (mut user, password) = (make::user(1), make::password("$first"));
    write!(store, unit => unit.accounts().insert(&user, Some(&password)).await);
    let address = user.email.clone();
    user.email = make::email("other@example.com");
    user.name = make::name("Renamed");
    write!(store, unit => unit.accounts().save(&user).await);
    let found = read!(store, view => view.accounts().find(user.id).await).unwrap();
    assert_eq!((found.email, found.name), (address, user.name));
    assert_eq!(read!(store, view => view.accounts().find_password(user.id).await), Some(password));

    write!(store, unit => unit.accounts().save_password(user.id, Some(&make::password("$second"))).await);
    assert_eq!(read!(store, view => view.accounts().find_password(user.id).await), Some(make::password("$second")));
    write!(store, unit => unit.accounts().save_password(user.id, None).await);
    assert_eq!(read!(store, view => view.accounts().find_password(user.id).await), None);
}

pub(crate) async fn a_taken_address_is_refused_and_nothing_written(database: &Database) {
    let store = database.store().await;
    person(&*store, 1).await;
    let mut second = make::user(2);
    second.email = make::user(1).email;
    let mut unit = store.writer().await.unwrap();
    assert!(!unit.accounts().insert(&second, None).await.unwrap());
    let other = make::user(3);
    assert!(unit.accounts().insert(&other, None).await.unwrap(), "a refusal is no error: the unit goes on");
    unit.commit(Record::default()).await.unwrap();
    assert_eq!(read!(store, view => view.accounts().find(second.id).await), None);
    assert_eq!(read!(store, view => view.accounts().find(other.id).await), Some(other));
}

pub(crate) async fn one_of_twenty_gets_an_address(database: &Database) {
    let store = database.store().await;
    let tries = (1..=20).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut user = make::user(number);
            user.email = make::email("wanted@example.com");
            write!(store, unit => unit.accounts().insert(&user, None).await)
        })
    });
    let mut winners = 0;
    for tried in tries.collect::<Vec<_>>() {
        winners += u32::from(tried.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(database.number("SELECT count(*) FROM users").await, 1);
}

pub(crate) async fn an_account_moves_to_a_free_address_only(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let free = make::email("free@example.com");
    assert!(!write!(store, unit => unit.accounts().change_email(ada.id, &ada.email, &bob.email).await));
    assert_eq!(read!(store, view => view.accounts().find(ada.id).await), Some(ada.clone()));
    assert!(write!(store, unit => unit.accounts().change_email(ada.id, &ada.email, &free).await));
    assert_eq!(read!(store, view => view.accounts().find_by_email(&free).await).unwrap().id, ada.id);
    assert_eq!(read!(store, view => view.accounts().find_by_email(&ada.email).await), None);
    assert!(
        write!(store, unit => unit.accounts().change_email(bob.id, &bob.email, &ada.email).await),
        "the old address is free"
    );
}

pub(crate) async fn accounts_are_listed_in_the_order_of_their_ids(database: &Database) {
    let store = database.store().await;
    for number in [3, 1, 2] {
        person(&*store, number).await;
    }
    let listed =
        |users: Vec<octavo_core_model::account::User>| users.into_iter().map(|user| user.id).collect::<Vec<_>>();
    let first = listed(read!(store, view => view.accounts().list(None, 2).await));
    assert_eq!(first, [make::user_id(1), make::user_id(2)]);
    assert_eq!(listed(read!(store, view => view.accounts().list(Some(first[1]), 2).await)), [make::user_id(3)]);
}

pub(crate) async fn due_deletions_come_oldest_first(database: &Database) {
    let store = database.store().await;
    for (number, after) in [(1, 3), (2, 1), (3, 2), (4, 9)] {
        let mut user = make::user(number);
        user.status = AccountStatus::Deleting { purge_at: NOW.plus(days(after)) };
        write!(store, unit => unit.accounts().insert(&user, None).await);
    }
    person(&*store, 5).await;
    let due = |limit| async move {
        write!(store, unit => unit.accounts().list_due_deletions(NOW.plus(days(3)), limit).await)
    };
    assert_eq!(due(10).await, [2, 3, 1].map(make::user_id));
}

/// Gives a user everything that an account can have.
async fn create_full_account(
    database: &Database,
) -> (Arc<dyn octavo_ports::store::Store>, octavo_core_model::account::User) {
    let store = database.store().await;
    let (ada, own) = owner(&*store, 1).await;
    let (bob, shared) = owner(&*store, 2).await;
    join(&*store, 3, &shared, &ada, Role::Member).await;
    for (number, user) in [(1, &ada), (2, &bob)] {
        let session = make::session(number, user);
        let refresh = make::refresh_token(number, &session);
        let mailed = make::one_time_token(number + 10, TokenKind::PasswordReset, user);
        let origin = Origin { network: "192.0.2.0/24".to_owned(), program: "Firefox".to_owned() };
        let mut unit = store.writer().await.unwrap();
        unit.accounts().save_password(user.id, Some(&make::password("$x"))).await.unwrap();
        unit.sessions().insert(&session).await.unwrap();
        unit.sessions().insert_refresh_token(&refresh).await.unwrap();
        unit.accounts().insert_token(&mailed).await.unwrap();
        unit.origins().remember(user.id, &origin, NOW).await.unwrap();
        let mut entry = make::audit_entry(number, Chain::User(user.id));
        entry.actor = Actor::User(user.id);
        let audits = vec![entry];
        unit.commit(Record { audits, ..Record::default() }).await.unwrap();
    }
    write!(store, unit => unit.workspaces().remove(own.id).await);
    store.seal_audits().await.unwrap();
    (store, ada)
}

/// The number of rows that contain a text, as `table: count`, for tables with any.
async fn traces(database: &Database, text: &str) -> Vec<String> {
    let tables = [
        ("users", "id"),
        ("sessions", "user_id"),
        ("refresh_tokens", "user_id"),
        ("one_time_tokens", "user_id"),
        ("origins", "user_id"),
        ("user_workspaces", "user_id"),
        ("memberships", "user_id"),
        ("directory", "owner_id"),
        ("audit_entries", "chain"),
        ("audit_heads", "chain"),
    ];
    let mut found = Vec::new();
    for (table, column) in tables {
        let count = database.number(&format!("SELECT count(*) FROM {table} WHERE {column} = '{text}'")).await;
        if count > 0 {
            found.push(format!("{table}: {count}"));
        }
    }
    found
}

pub(crate) async fn a_removed_account_leaves_nothing(database: &Database) {
    let (store, ada) = create_full_account(database).await;
    assert_eq!(traces(database, &ada.id.to_string()).await.len(), 10, "there is something to remove");
    let others = traces(database, &make::user_id(2).to_string()).await;
    write!(store, unit => unit.accounts().remove(&ada).await);
    assert_eq!(traces(database, &ada.id.to_string()).await, Vec::<String>::new());
    assert_eq!(traces(database, &make::user_id(2).to_string()).await, others);
    assert!(write!(store, unit => unit.accounts().insert(&ada, None).await), "the address is free");
}

pub(crate) async fn an_erased_account_leaves_a_former_member(database: &Database) {
    let (store, ada) = create_full_account(database).await;
    let others = traces(database, &make::user_id(2).to_string()).await;
    write!(store, unit => unit.accounts().erase(&ada).await);
    assert_eq!(traces(database, &ada.id.to_string()).await, ["users: 1", "audit_entries: 1", "audit_heads: 1"]);
    assert_eq!(traces(database, &make::user_id(2).to_string()).await, others);
    let left = read!(store, view => view.accounts().find(ada.id).await).unwrap();
    assert_eq!((left.name.as_str(), left.display_name.as_str()), (FORMER_MEMBER, FORMER_MEMBER));
    assert_eq!((left.status, left.avatar_url, left.email.as_str()), (AccountStatus::Deleted, None, ""));
    assert_eq!(read!(store, view => view.accounts().find_password(ada.id).await), None);
    let entries = read!(store, view => view.audits().list_entries(Chain::User(ada.id), &AuditSearch::all(9)).await);
    assert_eq!((entries[0].personal.as_ref(), entries[0].salt.as_ref()), (None, None));
    assert_eq!(entries[0].personal_digest.len(), 64, "the digest stays");
    let mut heir = make::user(7);
    heir.email = ada.email;
    assert!(write!(store, unit => unit.accounts().insert(&heir, None).await), "the address is free");
    let kept =
        read!(store, view => view.audits().list_entries(Chain::User(make::user_id(2)), &AuditSearch::all(9)).await);
    assert!(kept[0].personal.is_some() && kept[0].salt.is_some());
}
