//! A naive implementation of sliding logs, and random calls to compare with.

use super::{START, at};
use octavo_core_model::Timestamp;
use octavo_ports::counters::{Counters, LimitDecision, LimitRequest, LimitState};
use proptest::prelude::*;
use std::{collections::HashMap, time::Duration};

/// Every admitted call; nothing is removed.
#[derive(Default)]
struct Reference {
    accepted: HashMap<(&'static str, String), Vec<i64>>,
}

impl Reference {
    fn log(&self, charge: &LimitRequest) -> &[i64] {
        self.accepted.get(&(charge.bucket, charge.subject.clone())).map_or(&[], Vec::as_slice)
    }

    fn moment(&self, charge: &LimitRequest, now: i64) -> i64 {
        self.log(charge).iter().copied().fold(now, i64::max)
    }

    fn state(&self, charge: &LimitRequest, now: i64) -> LimitState {
        let (window, limit) = (i64::try_from(charge.window.as_millis()).unwrap(), charge.limit as usize);
        let moment = self.moment(charge, now);
        let counted: Vec<i64> = self.log(charge).iter().copied().filter(|time| *time > moment - window).collect();
        LimitState {
            remaining: u32::try_from(limit.saturating_sub(counted.len())).unwrap(),
            oldest_leaves_at: Timestamp::from_millis(counted.first().map_or(now, |oldest| oldest + window)),
        }
    }

    fn states(&self, charges: &[LimitRequest], now: i64) -> Vec<LimitState> {
        charges.iter().map(|charge| self.state(charge, now)).collect()
    }

    fn charge(&mut self, charges: &[LimitRequest], now: i64) -> LimitDecision {
        if charges.iter().any(|charge| self.state(charge, now).remaining == 0) {
            return LimitDecision::Refused(self.states(charges, now));
        }
        for (bucket, subject, moment) in charges
            .iter()
            .map(|charge| (charge.bucket, charge.subject.clone(), self.moment(charge, now)))
            .collect::<std::collections::BTreeSet<_>>()
        {
            self.accepted.entry((bucket, subject)).or_default().push(moment);
        }
        LimitDecision::Admitted(self.states(charges, now))
    }

    /// The guarantee itself: at most `limit` calls in any interval as long as the window.
    fn keeps_limits(&self) -> bool {
        self.accepted.iter().all(|((bucket, _), times)| {
            let (limit, window) = bucket_rule(bucket);
            times.iter().all(|start| {
                let inside = times.iter().filter(|time| (*start..*start + window).contains(*time)).count();
                inside <= limit as usize
            })
        })
    }
}

fn bucket_rule(bucket: &str) -> (u32, i64) {
    match bucket {
        "a" => (1, 7),
        "b" => (2, 20),
        _ => (9, 90),
    }
}

/// A random call: the time since the last one, the delay of its caller's clock, its logs, and whether it only peeks.
#[derive(Clone, Debug)]
pub(super) struct Call {
    passed: i64,
    late: i64,
    charges: Vec<LimitRequest>,
    looks: bool,
}

/// Calls on a few logs, from clocks that differ by less than any window.
pub(super) fn calls() -> impl Strategy<Value = Vec<Call>> {
    let charge = (prop::sample::select(vec!["a", "b", "c"]), prop::sample::select(vec!["ada", "eve"])).prop_map(
        |(bucket, subject)| {
            let (limit, window) = bucket_rule(bucket);
            let window = Duration::from_millis(window.unsigned_abs());
            LimitRequest { bucket, subject: subject.to_owned(), limit, window }
        },
    );
    // Bursts, and pauses after which several entries expire at once.
    let passed = prop_oneof![9 => 0i64..7, 1 => 20i64..120];
    let call = (passed, 0i64..4, prop::collection::vec(charge, 0..4), prop::bool::weighted(0.2))
        .prop_map(|(passed, late, charges, looks)| Call { passed, late, charges, looks });
    prop::collection::vec(call, 0..60)
}

/// Makes the calls on counters that nobody else uses, and compares every answer.
pub(super) async fn compare(counters: &dyn Counters, calls: &[Call]) {
    let mut reference = Reference::default();
    let mut passed = 0;
    for call in calls {
        passed += call.passed;
        let millis = passed - call.late;
        let now = START + millis;
        if call.looks {
            let states = counters.peek(&call.charges, at(millis)).await.unwrap();
            assert_eq!(states, reference.states(&call.charges, now), "{call:?} at {millis}");
        } else {
            let decision = counters.charge(&call.charges, at(millis)).await.unwrap();
            assert_eq!(decision, reference.charge(&call.charges, now), "{call:?} at {millis}");
        }
    }
    assert!(reference.keeps_limits());
}
