//! Replies kept for idempotency keys.

use crate::support::write;
use octavo_core_model::{Timestamp, time::days};
use octavo_ports::{
    replies::{Claim, KeptReply},
    store::Record,
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

fn reply(number: u8, expires_at: Timestamp) -> KeptReply {
    KeptReply { fingerprint: [number; 32], sealed: vec![0, number, 255], expires_at }
}

pub(crate) async fn a_kept_reply_reads_back_until_it_expires(database: &Database) {
    let store = database.store().await;
    let (key, kept) = (make::reply_key("usr_1", 1), reply(1, NOW.plus(days(1))));
    assert_eq!(write!(store, unit => unit.replies().claim(&key, NOW).await), Claim::Free);
    write!(store, unit => unit.replies().keep(&key, &kept).await);
    assert_eq!(write!(store, unit => unit.replies().claim(&key, NOW).await), Claim::Kept(kept.clone()));
    assert_eq!(write!(store, unit => unit.replies().claim(&key, kept.expires_at).await), Claim::Kept(kept.clone()));
    let later = Timestamp::from_millis(kept.expires_at.millis() + 1);
    assert_eq!(write!(store, unit => unit.replies().claim(&key, later).await), Claim::Free);
}

pub(crate) async fn a_new_reply_replaces_an_expired_one(database: &Database) {
    let store = database.store().await;
    let key = make::reply_key("usr_1", 1);
    write!(store, unit => unit.replies().keep(&key, &reply(1, NOW)).await);
    let later = NOW.plus(days(1));
    assert_eq!(write!(store, unit => unit.replies().claim(&key, later).await), Claim::Free);
    let renewed = reply(2, later.plus(days(1)));
    write!(store, unit => unit.replies().keep(&key, &renewed).await);
    assert_eq!(write!(store, unit => unit.replies().claim(&key, later).await), Claim::Kept(renewed));
}

pub(crate) async fn a_key_belongs_to_its_principal(database: &Database) {
    let store = database.store().await;
    write!(store, unit => unit.replies().keep(&make::reply_key("usr_1", 1), &reply(1, NOW)).await);
    assert_eq!(write!(store, unit => unit.replies().claim(&make::reply_key("usr_2", 1), NOW).await), Claim::Free);
    assert_eq!(write!(store, unit => unit.replies().claim(&make::reply_key("usr_1", 2), NOW).await), Claim::Free);
}

/// Each unit claims the key, and continues only if it is free. Concurrent units learn that it is busy, or find the
/// reply.
pub(crate) async fn of_units_with_one_key_one_runs(database: &Database) {
    let store = database.store().await;
    let units = (1..=20).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let key = make::reply_key("usr_1", 1);
            let mut unit = store.writer().await.unwrap();
            let claim = unit.replies().claim(&key, NOW).await.unwrap();
            if claim == Claim::Free {
                unit.accounts().insert(&make::user(number), None).await.unwrap();
                unit.replies().keep(&key, &reply(u8::try_from(number).unwrap(), NOW)).await.unwrap();
                unit.commit(Record::default()).await.unwrap();
                return true;
            }
            unit.abandon().await.unwrap();
            false
        })
    });
    let mut ran = 0;
    for unit in units.collect::<Vec<_>>() {
        ran += u32::from(unit.await.unwrap());
    }
    assert_eq!(ran, 1);
    assert_eq!(database.number("SELECT count(*) FROM users").await, 1);
}

pub(crate) async fn forgotten_replies_are_gone(database: &Database) {
    let store = database.store().await;
    let keys = [make::reply_key("usr_1", 1), make::reply_key("usr_1", 2), make::reply_key("usr_2", 1)];
    for key in &keys {
        write!(store, unit => unit.replies().keep(key, &reply(1, NOW)).await);
    }
    write!(store, unit => unit.replies().forget("usr_1").await);
    for (key, expected) in keys.iter().zip([Claim::Free, Claim::Free, Claim::Kept(reply(1, NOW))]) {
        assert_eq!(write!(store, unit => unit.replies().claim(key, NOW).await), expected);
    }
}
