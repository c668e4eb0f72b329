//! Tests that every implementation of counters must pass. Each test uses logs of its own.

use super::{at, charge, state};
use octavo_ports::counters::{Counters, LimitDecision, LimitRequest};
use std::sync::Arc;

/// Runs all tests on counters that nobody else uses.
pub(super) async fn conform(counters: Arc<dyn Counters>) {
    let c = &*counters;
    a_log_lets_its_limit_through_in_any_window(c).await;
    refused_calls_do_not_count(c).await;
    a_call_is_charged_to_all_logs_or_to_none(c).await;
    looking_charges_nothing(c).await;
    a_charge_that_is_taken_back_makes_room(c).await;
    logs_are_apart(c).await;
    a_call_is_one_entry_in_a_log(c).await;
    time_never_runs_backwards_in_a_log(c).await;
    a_clock_set_back_starts_a_log_anew(c).await;
    a_lowered_limit_says_when_the_next_place_is_free(c).await;
    a_call_without_logs_is_admitted(c).await;
    of_many_calls_at_once_the_limit_is_admitted(&counters).await;
}

async fn admitted(counters: &dyn Counters, charges: &[LimitRequest], millis: i64) -> bool {
    matches!(counters.charge(charges, at(millis)).await.unwrap(), LimitDecision::Admitted(_))
}

async fn a_log_lets_its_limit_through_in_any_window(c: &dyn Counters) {
    let log = [charge("limit", "ada", 3)];
    for (millis, remaining) in [(0, 2), (400, 1), (900, 0)] {
        let decision = c.charge(&log, at(millis)).await.unwrap();
        assert_eq!(decision, LimitDecision::Admitted(vec![state(remaining, 1000)]));
    }
    let full = |leaves_at| LimitDecision::Refused(vec![state(0, leaves_at)]);
    assert_eq!(c.charge(&log, at(999)).await.unwrap(), full(1000));
    assert_eq!(c.charge(&log, at(1000)).await.unwrap(), LimitDecision::Admitted(vec![state(0, 1400)]));
    assert_eq!(c.charge(&log, at(1399)).await.unwrap(), full(1400));
    assert!(admitted(c, &log, 1400).await);
    assert_eq!(c.charge(&log, at(1400)).await.unwrap(), full(1900));
}

async fn refused_calls_do_not_count(c: &dyn Counters) {
    let log = [charge("refused", "ada", 1)];
    assert!(admitted(c, &log, 0).await);
    for millis in 1..20 {
        assert!(!admitted(c, &log, millis * 50).await);
    }
    assert!(admitted(c, &log, 1000).await, "who waits as told gets through");
}

async fn a_call_is_charged_to_all_logs_or_to_none(c: &dyn Counters) {
    let (wide, narrow) = (charge("wide", "ada", 5), charge("narrow", "ada", 1));
    let both = [wide.clone(), narrow.clone()];
    assert_eq!(c.charge(&both, at(0)).await.unwrap(), LimitDecision::Admitted(vec![state(4, 1000), state(0, 1000)]));
    for _ in 0..3 {
        let refused = LimitDecision::Refused(vec![state(4, 1000), state(0, 1000)]);
        assert_eq!(c.charge(&both, at(10)).await.unwrap(), refused);
    }
    assert_eq!(c.charge(&[wide], at(20)).await.unwrap(), LimitDecision::Admitted(vec![state(3, 1000)]));
}

async fn looking_charges_nothing(c: &dyn Counters) {
    let log = [charge("looked at", "ada", 2)];
    assert_eq!(c.peek(&log, at(0)).await.unwrap(), [state(2, 0)]);
    assert!(admitted(c, &log, 100).await);
    for _ in 0..5 {
        assert_eq!(c.peek(&log, at(200)).await.unwrap(), [state(1, 1100)]);
    }
    assert_eq!(c.peek(&log, at(1100)).await.unwrap(), [state(2, 1100)]);
    assert_eq!(c.peek(&log, at(9000)).await.unwrap(), [state(2, 9000)], "a look into the future forgets nothing");
    assert!(admitted(c, &log, 200).await);
    assert_eq!(c.peek(&log, at(200)).await.unwrap(), [state(0, 1100)]);
}

async fn a_charge_that_is_taken_back_makes_room(c: &dyn Counters) {
    let (log, other) = (charge("refunded", "ada", 2), charge("kept", "ada", 2));
    let both = [log.clone(), other.clone()];
    assert!(admitted(c, &both, 100).await && admitted(c, &both, 300).await);
    let log = [log.clone(), log];
    assert_eq!(c.refund(&log, at(300)).await.unwrap(), [state(1, 1100), state(1, 1100)], "one entry of a call");
    assert_eq!(c.peek(&[other], at(400)).await.unwrap(), [state(0, 1100)], "only what is named");
    assert!(admitted(c, &log, 500).await);
    assert!(!admitted(c, &log, 600).await);
    assert_eq!(c.refund(&log[..1], at(501)).await.unwrap(), [state(0, 1100)], "there is no such charge");
    assert_eq!(c.refund(&log[..1], at(100)).await.unwrap(), [state(1, 1500)]);
    assert_eq!(c.refund(&[charge("refunded", "eve", 2)], at(100)).await.unwrap(), [state(2, 100)]);
    // The log is ahead of this call's clock.
    assert!(admitted(c, &log, 450).await);
    assert_eq!(c.refund(&log[..1], at(450)).await.unwrap(), [state(1, 1500)]);
}

async fn logs_are_apart(c: &dyn Counters) {
    let long = "x".repeat(300);
    let subjects = ["ada", "Ada", "", "a:b", "a b\r\n", "\u{e4}\u{1F600}", "192.0.2.1 ada@example.com", &long];
    for bucket in ["one", "two"] {
        for subject in subjects {
            assert!(admitted(c, &[charge(bucket, subject, 1)], 0).await, "{bucket} {subject}");
        }
    }
    assert!(!admitted(c, &[charge("one", "ada", 1)], 0).await);
}

async fn a_call_is_one_entry_in_a_log(c: &dyn Counters) {
    let twice = [charge("twice", "ada", 2), charge("twice", "ada", 2)];
    let decision = c.charge(&twice, at(0)).await.unwrap();
    assert_eq!(decision, LimitDecision::Admitted(vec![state(1, 1000), state(1, 1000)]));
    assert!(admitted(c, &twice, 0).await);
    assert!(!admitted(c, &twice, 0).await);
}

async fn time_never_runs_backwards_in_a_log(c: &dyn Counters) {
    let log = [charge("backwards", "ada", 2)];
    assert!(admitted(c, &log, 500).await);
    assert!(admitted(c, &log, 400).await);
    assert_eq!(c.charge(&log, at(1450)).await.unwrap(), LimitDecision::Refused(vec![state(0, 1500)]));
    assert!(admitted(c, &log, 1500).await && admitted(c, &log, 1500).await);
    assert!(!admitted(c, &log, 1500).await);
}

async fn a_clock_set_back_starts_a_log_anew(c: &dyn Counters) {
    let log = [charge("set back", "ada", 1)];
    assert!(admitted(c, &log, 3_600_000).await);
    assert!(!admitted(c, &log, 3_599_000).await);
    assert_eq!(c.peek(&log, at(3_598_999)).await.unwrap(), [state(1, 3_598_999)]);
    assert!(admitted(c, &log, 0).await);
    assert!(!admitted(c, &log, 999).await);
    assert!(admitted(c, &log, 1000).await);
}

async fn a_lowered_limit_says_when_the_next_place_is_free(c: &dyn Counters) {
    for millis in [0, 100, 200, 300] {
        assert!(admitted(c, &[charge("lowered", "ada", 4)], millis).await);
    }
    let lowered = [charge("lowered", "ada", 2)];
    assert_eq!(c.charge(&lowered, at(400)).await.unwrap(), LimitDecision::Refused(vec![state(0, 1200)]));
    assert!(!admitted(c, &lowered, 1199).await);
    assert!(admitted(c, &lowered, 1200).await);
}

async fn a_call_without_logs_is_admitted(c: &dyn Counters) {
    assert_eq!(c.charge(&[], at(0)).await.unwrap(), LimitDecision::Admitted(vec![]));
    assert_eq!(c.peek(&[], at(0)).await.unwrap(), []);
}

async fn of_many_calls_at_once_the_limit_is_admitted(counters: &Arc<dyn Counters>) {
    let calls: Vec<_> = (0..60)
        .map(|call| {
            let counters = Arc::clone(counters);
            // The same two logs in both orders, which could cause a deadlock.
            let mut charges = [charge("crowd", "ada", 10), charge("crowd", "eve", 100)];
            charges.rotate_left(call % 2);
            tokio::spawn(async move { counters.charge(&charges, at(0)).await.unwrap() })
        })
        .collect();
    let mut let_through = 0;
    for call in calls {
        let_through += usize::from(matches!(call.await.unwrap(), LimitDecision::Admitted(_)));
    }
    assert_eq!(let_through, 10);
    let eve = counters.peek(&[charge("crowd", "eve", 100)], at(0)).await.unwrap();
    assert_eq!(eve, [state(90, 1000)]);
}
