//! Signals between nodes through Redis.

use super::redis_server::{self, Gate, Gateway, fresh_prefix};
use crate::RedisLogSignals;
use octavo_core_model::id::WorkspaceId;
use octavo_ports::log_signals::{LogSignal, LogSignals, NodeTag, SignalsDown};
use std::{net::TcpListener, sync::Arc};
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
};

fn workspace(number: u8) -> WorkspaceId {
    WorkspaceId::new(1, [number; 10])
}

fn signals(url: &str, prefix: &str, number: u8) -> Arc<RedisLogSignals> {
    Arc::new(RedisLogSignals::new(url, prefix, NodeTag::new([number; 8]), Arc::default()).unwrap())
}

/// Listens until the connection is lost.
async fn listen(signals: &Arc<RedisLogSignals>) -> (UnboundedReceiver<LogSignal>, JoinHandle<SignalsDown>) {
    let (forward, mut heard) = unbounded_channel();
    let listener = Arc::clone(signals);
    let listening = tokio::spawn(async move {
        let forward = move |signal| forward.send(signal).unwrap();
        listener.listen(&forward).await
    });
    assert_eq!(heard.recv().await, Some(LogSignal::Missed), "what was reported while nobody listened");
    (heard, listening)
}

#[tokio::test]
async fn a_node_hears_others_and_not_itself() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    let (one, other, stranger) =
        (signals(&url, &prefix, 1), signals(&url, &prefix, 2), signals(&url, &fresh_prefix(), 3));
    let ((mut here, _), (mut there, _), (elsewhere, _)) =
        (listen(&one).await, listen(&other).await, listen(&stranger).await);
    one.send(&[workspace(1), workspace(2)]).await.unwrap();
    for number in [1, 2] {
        assert_eq!(there.recv().await, Some(LogSignal::Grown(workspace(number))));
    }
    other.send(&[workspace(3)]).await.unwrap();
    assert_eq!(here.recv().await, Some(LogSignal::Grown(workspace(3))), "and nothing of its own");
    assert!(there.is_empty() && elsewhere.is_empty());
}

#[tokio::test]
async fn a_lost_connection_is_taken_up_again() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    let gateway = Gateway::to(redis_server::host_and_port(&url), Gate::Open).await;
    let (one, other) = (signals(&url, &prefix, 1), signals(&gateway.url(), &prefix, 2));
    let (_, listening) = listen(&other).await;
    gateway.set(Gate::Shut);
    assert_eq!(listening.await.unwrap(), SignalsDown);
    assert_eq!(other.send(&[workspace(2)]).await, Err(SignalsDown));
    gateway.set(Gate::Open);
    let (mut heard, _) = listen(&other).await;
    one.send(&[workspace(1)]).await.unwrap();
    assert_eq!(heard.recv().await, Some(LogSignal::Grown(workspace(1))));
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up_on() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let signals = signals(&format!("redis://{}", silent.local_addr().unwrap()), &fresh_prefix(), 1);
    assert_eq!(signals.listen(&|signal| panic!("{signal:?}")).await, SignalsDown);
    assert_eq!(signals.send(&[workspace(1)]).await, Err(SignalsDown));
}
