//! Counters in memory.

use super::{at, charge, conformance, reference};
use crate::MemoryCounters;
use octavo_ports::counters::LimitDecision;
use proptest::prelude::*;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_conforms() {
    conformance::conform(Arc::new(MemoryCounters::default())).await;
}

proptest! {
    #[test]
    fn memory_agrees_with_the_reference(calls in reference::calls()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(reference::compare(&MemoryCounters::default(), &calls));
    }
}

#[test]
fn logs_of_strangers_do_not_pile_up() {
    let counters = MemoryCounters::default();
    let mut most = 0;
    for call in 0..100_000 {
        // Each subject occurs once, so each log is useless two seconds, that is 200 calls, later.
        let decision = counters.charge_now(&[charge("stranger", &call.to_string(), 5)], at(call * 10));
        assert!(matches!(decision, LimitDecision::Admitted(_)));
        most = most.max(counters.log_count());
    }
    assert!(most <= 450, "{most} logs for 200 live ones");
}

#[test]
fn old_logs_go_while_known_callers_call() {
    let counters = MemoryCounters::default();
    for stranger in 0..10_000 {
        counters.charge_now(&[charge("burst", &stranger.to_string(), 5)], at(0));
    }
    assert_eq!(counters.log_count(), 10_000);
    for call in 0..10_001 {
        counters.charge_now(&[charge("known", "ada", 5)], at(3000 + call));
    }
    assert_eq!(counters.log_count(), 1);
}
