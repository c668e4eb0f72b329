//! Counters in Redis.

use super::{
    at, charge, conformance,
    redis_server::{self, Gate, Gateway, fresh_prefix},
    reference, state,
};
use crate::{InvalidRedisUrl, RedisCounters};
use octavo_ports::counters::{Counters, CountersDown, LimitDecision};
use proptest::test_runner::{Config, TestRunner};
use std::{net::TcpListener, sync::Arc, time::Duration};
use tokio::time::Instant;

fn counters(url: &str) -> RedisCounters {
    RedisCounters::new(url, &fresh_prefix()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn redis_conforms() {
    let Some(url) = redis_server::url() else { return };
    conformance::conform(Arc::new(counters(&url))).await;
}

#[test]
fn redis_agrees_with_the_reference() {
    let Some(url) = redis_server::url() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(32) })
        .run(&reference::calls(), |calls| {
            runtime.block_on(reference::compare(&counters(&url), &calls));
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn nodes_share_their_logs() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    let [one, two] = [(); 2].map(|()| RedisCounters::new(&url, &prefix).unwrap());
    let log = [charge("shared", "ada", 2)];
    assert_eq!(one.charge(&log, at(0)).await, Ok(LimitDecision::Admitted(vec![state(1, 1000)])));
    assert_eq!(two.charge(&log, at(1)).await, Ok(LimitDecision::Admitted(vec![state(0, 1000)])));
    assert_eq!(one.charge(&log, at(2)).await, Ok(LimitDecision::Refused(vec![state(0, 1000)])));
    assert_eq!(counters(&url).peek(&log, at(2)).await, Ok(vec![state(2, 2)]), "another prefix is another world");
}

#[tokio::test]
async fn a_log_leaves_redis_by_itself() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    RedisCounters::new(&url, &prefix).unwrap().charge(&[charge("gone", "ada", 2)], at(0)).await.unwrap();
    let client = ::redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let key = format!("{prefix}gone:ada");
    let left: i64 = ::redis::cmd("PTTL").arg(key).query_async(&mut connection).await.unwrap();
    assert!((1_000..=61_000).contains(&left), "{left}");
}

#[tokio::test]
async fn nobody_at_the_port_means_down() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let counters = counters(&format!("redis://127.0.0.1:{port}"));
    assert_eq!(counters.charge(&[charge("down", "ada", 2)], at(0)).await, Err(CountersDown));
    assert_eq!(counters.peek(&[charge("down", "ada", 2)], at(0)).await, Err(CountersDown));
    assert!(!counters.ping().await);
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up_on() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let counters = counters(&format!("redis://{}", silent.local_addr().unwrap()));
    let start = Instant::now();
    assert_eq!(counters.charge(&[charge("silent", "ada", 2)], at(0)).await, Err(CountersDown));
    assert!(start.elapsed() <= Duration::from_millis(260), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_connection_without_answers_is_replaced() {
    let Some(url) = redis_server::url() else { return };
    let gateway = Gateway::to(redis_server::host_and_port(&url), Gate::Open).await;
    let counters = gateway.counters(&fresh_prefix());
    let log = [charge("frozen", "ada", 2)];
    assert!(counters.charge(&log, at(0)).await.is_ok());
    gateway.set(Gate::Frozen);
    assert_eq!(counters.charge(&log, at(0)).await, Err(CountersDown));
    gateway.set(Gate::Open);
    // The old connection stays silent, so this answer comes over a new one.
    assert_eq!(counters.charge(&log, at(0)).await, Ok(LimitDecision::Admitted(vec![state(0, 1000)])));
}

#[test]
fn only_addresses_of_redis_are_taken() {
    assert!(RedisCounters::new("redis://:p%40ss@127.0.0.1:6379/3", "x:").is_ok());
    assert!(RedisCounters::new("rediss://cache.example.com", "x:").is_ok());
    for wrong in ["", "127.0.0.1:6379", "http://127.0.0.1", "redis:", "redis://host:port"] {
        assert_eq!(RedisCounters::new(wrong, "x:").unwrap_err(), InvalidRedisUrl, "{wrong}");
    }
}

#[test]
fn printing_counters_shows_no_password() {
    assert!(!format!("{:?}", counters("redis://:hunter2@127.0.0.1:6379")).contains("hunter2"));
}
