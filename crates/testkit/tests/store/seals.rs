//! Sealing the audit trail.

use crate::support::{owner, read, write};
use octavo_core_model::{
    audit::{AuditRecord, Broken, ChainLink},
    event::{Actor, Chain},
};
use octavo_ports::store::{Record, Store};
use octavo_testkit::{Database, make};
use std::{sync::Arc, thread, time::Duration};
use tokio::runtime::Runtime;

const ADA: u64 = 1;

fn workspace_chain() -> Chain {
    Chain::Workspace(make::workspace_id(1))
}

async fn record(store: &dyn Store, chain: Chain, numbers: impl IntoIterator<Item = u64>) {
    let audits = numbers.into_iter().map(|number| make::audit_entry(number, chain)).collect();
    store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
}

async fn sealed(store: &dyn Store, chain: Chain) -> Vec<AuditRecord> {
    read!(store, view => view.audits().list_sealed_entries(chain, 1, 10_000).await)
}

/// Verifies a chain and compares the result with its stored head.
async fn check(store: &dyn Store, chain: Chain) -> Result<usize, Broken> {
    let entries = sealed(store, chain).await;
    let head = read!(store, view => view.audits().find_head(chain).await).unwrap();
    let end = ChainLink::origin().follow(&entries)?;
    assert_eq!(end, head.last);
    Ok(entries.len())
}

pub(crate) async fn sealed_entries_hang_together(database: &Database) {
    let store = database.store().await;
    let other = Chain::User(make::user_id(ADA));
    assert_eq!(read!(store, view => view.audits().find_head(workspace_chain()).await), None);
    record(&*store, workspace_chain(), [3, 1]).await;
    record(&*store, other, [7]).await;
    assert_eq!(store.seal_audits().await, Ok(3));
    record(&*store, workspace_chain(), [2]).await;
    assert_eq!(store.seal_audits().await, Ok(1));
    assert_eq!(store.seal_audits().await, Ok(0));
    let ids: Vec<_> = sealed(&*store, workspace_chain()).await.iter().map(|entry| entry.id).collect();
    // Sealed entries keep their place; entries that are sealed together are ordered by time and id.
    assert_eq!(ids, [1, 3, 2].map(make::audit_id));
    assert_eq!((check(&*store, workspace_chain()).await, check(&*store, other).await), (Ok(3), Ok(1)));
    let from_the_second = read!(store, view => view.audits().list_sealed_entries(workspace_chain(), 2, 1).await);
    assert_eq!(from_the_second[0].seal.as_ref().map(|seal| seal.seq), Some(2));
}

/// More than one batch, over more chains than one round seals.
pub(crate) async fn what_was_written_before_is_sealed_too(database: &Database) {
    let store = database.store().await;
    for start in [0, 900, 1800] {
        record(&*store, workspace_chain(), start..start + 900).await;
    }
    for number in 0..250 {
        record(&*store, Chain::User(make::user_id(number)), [10_000 + number]).await;
    }
    assert_eq!(store.seal_audits().await, Ok(2950));
    assert_eq!(check(&*store, workspace_chain()).await, Ok(2700));
    assert_eq!(database.number("SELECT count(*) FROM audit_entries WHERE hash IS NULL").await, 0);
    assert_eq!(database.number("SELECT count(*) FROM audit_heads").await, 251);
}

/// Each sealer has a runtime of its own, as each node has: SQLite blocks the thread of a writer that waits for the lock
/// of the file, and the task that would release the lock might be next on the same thread.
pub(crate) async fn three_sealers_share_the_work(database: &Database) {
    const EACH: u64 = 40;
    let store = database.store().await;
    let writers = (0..8u64).map(|writer| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for number in 0..EACH {
                let chain = if number % 4 == 0 { Chain::Deployment } else { workspace_chain() };
                record(&*store, chain, [writer * EACH + number]).await;
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let seal_often = || {
        let runtime = Runtime::new().unwrap();
        runtime.block_on(async {
            let node = database.store().await;
            let mut sealed = 0;
            for _ in 0..100 {
                sealed += node.seal_audits().await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            sealed
        })
    };
    let mut sealed: usize = thread::scope(|scope| {
        let sealers = [(); 3].map(|()| scope.spawn(seal_often));
        sealers.map(|sealer| sealer.join().unwrap()).into_iter().sum()
    });
    for writer in writers {
        writer.await.unwrap();
    }
    sealed += store.seal_audits().await.unwrap();
    assert_eq!(sealed, 320);
    assert_eq!((check(&*store, workspace_chain()).await, check(&*store, Chain::Deployment).await), (Ok(240), Ok(80)));
}

pub(crate) async fn an_erased_person_leaves_every_hash_valid(database: &Database) {
    let store = database.store().await;
    let (ada, _) = owner(&*store, ADA).await;
    let others = make::user_id(2);
    let mut audits: Vec<_> = (1..=4).map(|number| make::audit_entry(number, workspace_chain())).collect();
    // An entry by her, one about her, one that is neither, and one in her own trail.
    audits[0].actor = Actor::User(ada.id);
    audits[1].actor = Actor::User(others);
    audits[1].about = Some(ada.id);
    audits[2].actor = Actor::User(others);
    audits[3].actor = Actor::System;
    audits[3].chain = Chain::User(ada.id);
    store.writer().await.unwrap().commit(Record { audits, ..Record::default() }).await.unwrap();
    store.seal_audits().await.unwrap();
    write!(store, unit => unit.accounts().erase(&ada).await);
    let left: Vec<_> = sealed(&*store, workspace_chain()).await.iter().map(|entry| entry.personal.is_some()).collect();
    assert_eq!(left, [false, false, true]);
    assert!(sealed(&*store, Chain::User(ada.id)).await[0].personal.is_none());
    assert_eq!((check(&*store, workspace_chain()).await, check(&*store, Chain::User(ada.id)).await), (Ok(3), Ok(1)));
    let found = database.number("SELECT count(*) FROM audit_entries WHERE ip IS NOT NULL OR salt IS NOT NULL").await;
    assert_eq!(found, 1);
}

pub(crate) async fn a_touched_row_is_noticed(database: &Database) {
    let store = database.store().await;
    record(&*store, workspace_chain(), 1..=6).await;
    store.seal_audits().await.unwrap();
    let (chain, id) = (workspace_chain(), make::audit_id(3));
    for (change, back) in [
        ("at = at + 1", "at = at - 1"),
        ("action = 'user.logout'", "action = 'user.login'"),
        ("outcome = 'FAILURE'", "outcome = 'SUCCESS'"),
        ("reason = 'none'", "reason = NULL"),
    ] {
        let row = format!("WHERE chain = '{chain}' AND id = '{id}'");
        database.execute(&format!("UPDATE audit_entries SET {change} {row}")).await;
        assert_eq!(check(&*store, workspace_chain()).await, Err(Broken { at: 3 }), "{change}");
        database.execute(&format!("UPDATE audit_entries SET {back} {row}")).await;
        assert_eq!(check(&*store, workspace_chain()).await, Ok(6), "{back}");
    }
    database.execute(&format!("DELETE FROM audit_entries WHERE chain = '{chain}' AND id = '{id}'")).await;
    assert_eq!(check(&*store, workspace_chain()).await, Err(Broken { at: 3 }));
}

pub(crate) async fn a_removed_chain_is_sealed_no_more(database: &Database) {
    let store = database.store().await;
    let (_, gone) = owner(&*store, 1).await;
    let sealer = tokio::spawn({
        let store = database.store().await;
        async move {
            for _ in 0..50 {
                store.seal_audits().await.unwrap();
                tokio::task::yield_now().await;
            }
        }
    });
    record(&*store, Chain::Workspace(gone.id), 1..=50).await;
    write!(store, unit => unit.workspaces().remove(gone.id).await);
    sealer.await.unwrap();
    store.seal_audits().await.unwrap();
    for table in ["audit_entries", "audit_heads"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}
