//! Keys that the deployment signs with.

use crate::support::read;
use octavo_ports::{
    signing_keys::{KeyPurpose, SigningKey},
    store::Record,
};
use octavo_testkit::{Database, make::NOW};
use serde_json::json;
use std::sync::Arc;

/// Servers that start at the same time may each find no key and create one.
pub(crate) async fn of_twenty_keys_for_one_purpose_one_stays(database: &Database) {
    let store = database.store().await;
    let tries = (0..20_u8).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let public = json!({ "kid": number.to_string() });
            let key = SigningKey { purpose: KeyPurpose::Audit, public, sealed: vec![number], created_at: NOW };
            let mut unit = store.writer().await.unwrap();
            let is_kept = unit.signing_keys().insert(&key).await.unwrap();
            let found = unit.signing_keys().find(KeyPurpose::Audit).await.unwrap();
            unit.commit(Record::default()).await.unwrap();
            (is_kept, found.expect("a key").sealed)
        })
    });
    let mut outcomes = Vec::new();
    for one in tries.collect::<Vec<_>>() {
        outcomes.push(one.await.unwrap());
    }
    assert_eq!(outcomes.iter().filter(|(is_kept, _)| *is_kept).count(), 1);
    let kept = read!(store, view => view.signing_keys().find(KeyPurpose::Audit).await).unwrap();
    assert!(outcomes.iter().all(|(_, seen)| *seen == kept.sealed), "all use the one that stays");
}
