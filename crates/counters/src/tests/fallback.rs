//! What happens while Redis is down, and when it comes back.

use super::{
    at, charge, conformance,
    redis_server::{self, Gate, Gateway, fresh_prefix},
    state,
};
use crate::{FallbackCounters, MemoryCounters, RedisCounters};
use octavo_ports::counters::{Counters, LimitDecision, LimitRequest};
use std::{net::TcpListener, sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};

fn fallback(redis: RedisCounters) -> FallbackCounters {
    FallbackCounters::new(redis, MemoryCounters::default(), Arc::default())
}

/// Waits until calls are counted in Redis again. `elsewhere` reads the same logs.
async fn until_shared(counters: &FallbackCounters, elsewhere: &RedisCounters, mark: &str) {
    let mark = [charge("back", mark, 1000)];
    let shared = async {
        while elsewhere.peek(&mark, at(0)).await.unwrap()[0].remaining == 1000 {
            counters.charge(&mark, at(0)).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), shared).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn without_redis_each_process_keeps_the_limits() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nowhere = RedisCounters::new(&format!("redis://127.0.0.1:{port}"), &fresh_prefix()).unwrap();
    conformance::conform(Arc::new(fallback(nowhere))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn with_redis_the_limits_are_kept_there() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    let counters = fallback(RedisCounters::new(&url, &prefix).unwrap());
    assert!(counters.ping().await);
    let log = [charge("shared", "ada", 5)];
    counters.charge(&log, at(0)).await.unwrap();
    let elsewhere = RedisCounters::new(&url, &prefix).unwrap();
    assert_eq!(elsewhere.peek(&log, at(0)).await.unwrap(), [state(4, 1000)]);
    conformance::conform(Arc::new(counters)).await;
}

#[tokio::test(start_paused = true)]
async fn only_the_first_call_waits_for_a_dead_redis() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", silent.local_addr().unwrap());
    let counters = fallback(RedisCounters::new(&url, &fresh_prefix()).unwrap());
    let log = [charge("dead", "ada", 3)];
    let start = Instant::now();
    assert_eq!(counters.charge(&log, at(0)).await, Ok(LimitDecision::Admitted(vec![state(2, 1000)])));
    let first = start.elapsed();
    assert!(first <= Duration::from_millis(260), "{first:?}");
    assert_eq!(counters.peek(&log, at(0)).await, Ok(vec![state(2, 1000)]));
    assert_eq!(counters.charge(&log, at(0)).await, Ok(LimitDecision::Admitted(vec![state(1, 1000)])));
    assert_eq!(counters.charge(&log, at(0)).await, Ok(LimitDecision::Admitted(vec![state(0, 1000)])));
    assert_eq!(counters.charge(&log, at(0)).await, Ok(LimitDecision::Refused(vec![state(0, 1000)])));
    assert_eq!(start.elapsed(), first, "later calls waited for nothing");
}

#[tokio::test]
async fn redis_is_used_again_when_it_is_back() {
    let Some(url) = redis_server::url() else { return };
    let prefix = fresh_prefix();
    let elsewhere = RedisCounters::new(&url, &prefix).unwrap();
    let gateway = Gateway::to(redis_server::host_and_port(&url), Gate::Frozen).await;
    let counters = fallback(gateway.counters(&prefix));
    let log = |subject: &str| -> [LimitRequest; 1] { [charge("away", subject, 3)] };
    for subject in ["before", "after"] {
        assert!(counters.charge(&log(subject), at(0)).await.is_ok());
        assert!(
            !counters.is_shared_place_up().await,
            "that calls are counted in memory does not hide a Redis that is down"
        );
        assert_eq!(elsewhere.peek(&log(subject), at(0)).await.unwrap(), [state(3, 0)], "counted in memory");
        gateway.set(Gate::Open);
        until_shared(&counters, &elsewhere, subject).await;
        assert!(counters.is_shared_place_up().await);
        counters.charge(&log(subject), at(0)).await.unwrap();
        assert_eq!(elsewhere.peek(&log(subject), at(0)).await.unwrap(), [state(2, 1000)], "counted in Redis");
        // Down again, this time in the middle of a connection.
        gateway.set(Gate::Frozen);
    }
}
