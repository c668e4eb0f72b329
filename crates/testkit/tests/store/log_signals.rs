//! Signals between nodes through the database. PostgreSQL only: a SQLite file has one node.

use crate::support::{owner, read};
use octavo_ports::{
    events::LogPart,
    log_signals::{LogSignal, LogSignals, NodeTag, SignalsDown},
    store::Record,
};
use octavo_storage::PostgresLogSignals;
use octavo_testkit::{Database, make, wait};
use std::sync::Arc;
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
};

/// A listening node: its signals, what it receives, and the end of its task.
struct Node {
    signals: Arc<PostgresLogSignals>,
    heard: UnboundedReceiver<LogSignal>,
    listening: JoinHandle<SignalsDown>,
}

impl Node {
    async fn listen(database: &Database, number: u8) -> Self {
        let signals = Arc::new(PostgresLogSignals::new(database.url(), NodeTag::new([number; 8])).unwrap());
        Self::listen_with(signals).await
    }

    async fn listen_with(signals: Arc<PostgresLogSignals>) -> Self {
        let (forward, mut heard) = unbounded_channel();
        let listener = Arc::clone(&signals);
        let listening = tokio::spawn(async move {
            let forward = move |signal| forward.send(signal).unwrap();
            listener.listen(&forward).await
        });
        assert_eq!(heard.recv().await, Some(LogSignal::Missed), "what was reported while nobody listened");
        Self { signals, heard, listening }
    }
}

pub(crate) async fn a_node_hears_what_another_numbered(database: &Database) {
    if !database.is_postgres() {
        return;
    }
    let (here, there) = (database.store().await, database.store().await);
    let ((_, first), (_, second)) = (owner(&*here, 1).await, owner(&*here, 2).await);
    let (mut one, mut other) = (Node::listen(database, 1).await, Node::listen(database, 2).await);
    let events = vec![make::event(1, first.id)];
    here.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
    let grown: Vec<_> = here.number_events().await.unwrap().workspaces.into_iter().collect();
    assert_eq!(grown, [first.id]);
    one.signals.send(&grown).await.unwrap();
    assert_eq!(other.heard.recv().await, Some(LogSignal::Grown(first.id)));
    let found = read!(there, view => view.events().list(first.id, &LogPart::Whole, 0, 9).await);
    assert_eq!(found.len(), 1, "it can be read when the signal comes");
    other.signals.send(&[second.id, first.id]).await.unwrap();
    let heard = [one.heard.recv().await, one.heard.recv().await];
    assert_eq!(heard, [second.id, first.id].map(|id| Some(LogSignal::Grown(id))), "and nothing of its own");
    assert!(other.heard.is_empty());
}

pub(crate) async fn a_lost_connection_is_taken_up_again(database: &Database) {
    if !database.is_postgres() {
        return;
    }
    let workspace = make::workspace_id(1);
    let (one, other) = (Node::listen(database, 1).await, Node::listen(database, 2).await);
    let connections = "FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN octavo_log'";
    assert_eq!(database.number(&format!("SELECT count(*) {connections}")).await, 2);
    database.rows(&format!("SELECT pg_terminate_backend(pid)::TEXT {connections}")).await;
    for node in [one, other] {
        assert_eq!(node.listening.await.unwrap(), SignalsDown);
        assert_eq!(node.signals.send(&[workspace]).await, Err(SignalsDown));
    }
    let (one, mut other) = (Node::listen(database, 1).await, Node::listen(database, 2).await);
    wait::until("signals are sent again", async || one.signals.send(&[workspace]).await.is_ok()).await;
    assert_eq!(other.heard.recv().await, Some(LogSignal::Grown(workspace)));
}
