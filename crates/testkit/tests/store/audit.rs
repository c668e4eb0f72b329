//! The audit trail.

use crate::support::read;
use octavo_core_model::{
    audit::{ActionPattern, ActorType, AuditPosition, AuditSearch, Order},
    event::{Actor, AuditEntry, Chain, EventType, Outcome, Resource},
    id::AuditId,
    token::hex,
};
use octavo_ports::store::{Record, Store};
use octavo_testkit::{Database, make};
use serde_json::json;
use std::time::Duration;

pub(crate) async fn entries_read_back_newest_first(database: &Database) {
    let store = database.store().await;
    let chain = Chain::User(make::user_id(1));
    let mut odd = make::audit_entry(2, chain);
    odd.action = EventType::UserLoginFailed;
    odd.actor = Actor::Anonymous;
    odd.outcome = Outcome::Failure;
    odd.reason = Some("invalid_credentials");
    odd.request = None;
    // Numbers keep their notation, because the digest is over the text.
    odd.personal.changes =
        vec![json!({ "field": "a", "from": 1e16, "to": [1.0, -0.0, 12_345_678_901_234_567_u64, 1e300] })];
    odd.personal.ip = None;
    let entries = [make::audit_entry(1, chain), odd.clone(), make::audit_entry(3, chain)];
    let unit = store.writer().await.unwrap();
    unit.commit(Record { audits: entries.to_vec(), ..Record::default() }).await.unwrap();

    let listed = read!(store, view => view.audits().list_entries(chain, &AuditSearch::all(2)).await);
    assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [make::audit_id(3), make::audit_id(2)]);
    let behind = AuditSearch { behind: Some(listed[1].position()), ..AuditSearch::all(2) };
    let rest = read!(store, view => view.audits().list_entries(chain, &behind).await);
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
        let listed = read!(store, view => view.audits().list_entries(chain, &AuditSearch::all(9)).await);
        assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [make::audit_id(number)]);
    }
}

async fn ids(store: &dyn Store, chain: Chain, search: AuditSearch) -> Vec<AuditId> {
    let listed = read!(store, view => view.audits().list_entries(chain, &search).await);
    listed.into_iter().map(|entry| entry.id).collect()
}

pub(crate) async fn entries_are_found_by_what_they_say(database: &Database) {
    let store = database.store().await;
    let chain = Chain::Workspace(make::workspace_id(1));
    let entry = |number: u64, change: fn(&mut AuditEntry)| {
        let mut entry = make::audit_entry(number, chain);
        entry.at = entry.at.plus(Duration::from_secs(number));
        change(&mut entry);
        entry
    };
    let audits = vec![
        entry(1, |_| ()),
        entry(2, |entry| entry.action = EventType::UserLoginFailed),
        entry(3, |entry| entry.actor = Actor::User(make::user_id(2))),
        entry(4, |entry| entry.actor = Actor::System),
        entry(5, |entry| entry.target = Resource::Session(make::session_id(5))),
        entry(6, |entry| entry.outcome = Outcome::Failure),
        entry(7, |entry| entry.personal.ip = Some("2001:db8::7".to_owned())),
        entry(8, |entry| entry.action = EventType::SessionRevoked),
    ];
    store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
    let at = |number| Some(make::NOW.plus(Duration::from_secs(number)));
    let exact = |action: &str| Some(ActionPattern::Exact(action.to_owned()));
    let all = || AuditSearch { order: Order::Oldest, ..AuditSearch::all(20) };
    for sealed in [false, true] {
        if sealed {
            assert_eq!(store.seal_audits().await, Ok(8));
        }
        for (search, expected) in [
            (all(), vec![1, 2, 3, 4, 5, 6, 7, 8]),
            (AuditSearch { limit: 3, ..all() }, vec![1, 2, 3]),
            (AuditSearch { order: Order::Newest, limit: 3, ..all() }, vec![8, 7, 6]),
            (AuditSearch { action: exact("user.login_failed"), ..all() }, vec![2]),
            (AuditSearch { action: exact("user."), ..all() }, vec![]),
            (AuditSearch { action: "user.*".parse().ok(), ..all() }, vec![1, 2, 3, 4, 5, 6, 7]),
            (AuditSearch { action: "USER.*".parse().ok(), ..all() }, vec![]),
            (AuditSearch { action: "*".parse().ok(), ..all() }, vec![1, 2, 3, 4, 5, 6, 7, 8]),
            (AuditSearch { actor_type: Some(ActorType::System), ..all() }, vec![4]),
            (AuditSearch { actor_id: Some(make::user_id(2).to_string()), ..all() }, vec![3]),
            (AuditSearch { target_type: Some("session".to_owned()), ..all() }, vec![5]),
            (AuditSearch { target_id: Some(make::session_id(5).to_string()), ..all() }, vec![5]),
            (AuditSearch { outcome: Some(Outcome::Failure), ..all() }, vec![6]),
            (AuditSearch { ip: "2001:db8::7".parse().ok(), ..all() }, vec![7]),
            (AuditSearch { from: at(6), ..all() }, vec![6, 7, 8]),
            (AuditSearch { to: at(3), ..all() }, vec![1, 2]),
            (AuditSearch { from: at(3), to: at(4), actor_type: Some(ActorType::User), ..all() }, vec![3]),
            (AuditSearch { after_seq: Some(6), ..all() }, if sealed { vec![7, 8] } else { vec![] }),
            (
                AuditSearch { after_seq: Some(6), order: Order::Newest, ..all() },
                if sealed { vec![8, 7] } else { vec![] },
            ),
            (AuditSearch { behind: Some(AuditPosition::Unsealed(make::audit_id(6))), ..all() }, vec![7, 8]),
        ] {
            let found = ids(&*store, chain, search.clone()).await;
            assert_eq!(found, expected.into_iter().map(make::audit_id).collect::<Vec<_>>(), "{search:?}");
        }
    }
    let elsewhere = ids(&*store, Chain::Workspace(make::workspace_id(2)), all()).await;
    assert_eq!(elsewhere, []);
}

/// Entries that one page showed unsealed can be sealed when the next page is read.
pub(crate) async fn pages_join_while_the_worker_seals(database: &Database) {
    let store = database.store().await;
    let chain = Chain::User(make::user_id(1));
    let write = async |numbers: std::ops::RangeInclusive<u64>| {
        let audits = numbers.map(|number| make::audit_entry(number, chain)).collect();
        store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
    };
    for order in [Order::Newest, Order::Oldest] {
        let before = u64::try_from(database.number("SELECT count(*) FROM audit_entries").await).unwrap();
        write(before + 1..=before + 3).await;
        store.seal_audits().await.unwrap();
        write(before + 4..=before + 7).await;
        let (mut seen, mut behind) = (Vec::new(), None);
        loop {
            let search = AuditSearch { order, behind, ..AuditSearch::all(2) };
            let page = read!(store, view => view.audits().list_entries(chain, &search).await);
            let Some(last) = page.last() else { break };
            behind = Some(last.position());
            seen.extend(page.iter().map(|entry| entry.id));
            // In the middle of entries that are not sealed yet.
            if last.seal.is_none() {
                store.seal_audits().await.unwrap();
            }
        }
        let mut expected: Vec<_> = (1..=before + 7).map(make::audit_id).collect();
        if order == Order::Newest {
            expected.reverse();
        }
        assert_eq!(seen, expected);
    }
}

/// Entries that are not sealed yet have no number.
pub(crate) async fn a_stretch_of_a_trail_is_found_by_its_numbers(database: &Database) {
    let store = database.store().await;
    let chain = Chain::User(make::user_id(1));
    for numbers in [1..=5, 6..=7] {
        let audits = numbers.clone().map(|number| make::audit_entry(number, chain)).collect();
        store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
        if numbers == (1..=5) {
            store.seal_audits().await.unwrap();
        }
    }
    for (after_seq, up_to_seq, expected) in
        [(Some(1), Some(3), 2..=3), (None, Some(2), 1..=2), (Some(3), Some(99), 4..=5), (Some(4), None, 5..=5)]
    {
        let search = AuditSearch { after_seq, up_to_seq, order: Order::Oldest, ..AuditSearch::all(9) };
        let found = read!(store, view => view.audits().list_entries(chain, &search).await);
        let found: Vec<_> = found.into_iter().filter_map(|entry| entry.seal).map(|seal| seal.seq).collect();
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
