//! The audit trail.

use crate::support::read;
use octavo_core_model::{
    event::{Actor, Chain, EventType, Outcome},
    token::hex,
};
use octavo_ports::store::Record;
use octavo_testkit::{Database, make};
use serde_json::json;

pub(crate) async fn entries_read_back_newest_first(database: &Database) {
    let store = database.store().await;
    let chain = Chain::User(make::user_id(1));
    let mut odd = make::audit_entry(2, chain);
    odd.action = EventType::UserLoginFailed;
    odd.actor = Actor::Anonymous;
    odd.outcome = Outcome::Failure;
    odd.reason = Some("invalid_credentials");
    odd.request = None;
    // Numbers keep their form: the digest is over the text.
    odd.personal.changes =
        vec![json!({ "field": "a", "from": 1e16, "to": [1.0, -0.0, 12_345_678_901_234_567_u64, 1e300] })];
    odd.personal.ip = None;
    let entries = [make::audit_entry(1, chain), odd.clone(), make::audit_entry(3, chain)];
    let unit = store.writer().await.unwrap();
    unit.commit(Record { audits: entries.to_vec(), ..Record::default() }).await.unwrap();

    let listed = read!(store, view => view.list_audit_entries(chain, None, 2).await);
    assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [make::audit_id(3), make::audit_id(2)]);
    let rest = read!(store, view => view.list_audit_entries(chain, Some(listed[1].id), 2).await);
    assert_eq!(rest.iter().map(|entry| entry.id).collect::<Vec<_>>(), [make::audit_id(1)]);

    let (read_back, usual) = (&listed[1], &listed[0]);
    assert_eq!(read_back.action, "user.login_failed");
    assert_eq!(read_back.actor, json!({ "type": "ANONYMOUS", "id": null }));
    assert_eq!(usual.actor, json!({ "type": "USER", "id": make::user_id(1).to_string() }));
    assert_eq!(read_back.target, json!({ "type": "user", "id": make::user_id(1).to_string() }));
    assert_eq!((read_back.outcome.as_str(), read_back.reason.as_deref()), ("FAILURE", Some("invalid_credentials")));
    assert_eq!((read_back.chain.clone(), read_back.at), (chain.to_string(), odd.at));
    assert_eq!(read_back.request_id, None);
    assert!(usual.request_id.as_deref().unwrap().starts_with("req_"));
    assert_eq!(read_back.salt, Some(hex(&odd.salt)));
    assert_eq!(read_back.personal, Some(odd.personal.to_json()));
    assert_eq!(read_back.personal.as_ref().unwrap().to_string(), odd.personal.to_json().to_string());
    assert_eq!(read_back.personal_digest, odd.personal.digest(&odd.salt));
}

pub(crate) async fn chains_keep_apart(database: &Database) {
    let store = database.store().await;
    let chains = [Chain::User(make::user_id(1)), Chain::Workspace(make::workspace_id(1)), Chain::Deployment];
    let audits = (1..).zip(chains).map(|(number, chain)| make::audit_entry(number, chain)).collect();
    store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
    for (number, chain) in (1..).zip(chains) {
        let listed = read!(store, view => view.list_audit_entries(chain, None, 9).await);
        assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [make::audit_id(number)]);
    }
}
