//! When to report that a service cannot be reached: once at the beginning and once at the end, however many callers
//! notice it.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Whether a service answers. Times are counted from any fixed moment, and never run backwards.
#[derive(Debug, Default)]
pub struct Outage {
    /// How long nothing must have failed before a success counts as the end.
    settling: Duration,
    /// Whether there is an outage. A success, which is frequent, locks nothing when there is none.
    is_under_way: AtomicBool,
    span: Mutex<Option<Span>>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    began: Duration,
    last_failure: Duration,
}

impl Outage {
    /// For services that are used through several connections. When they go away, some of the connections break a
    /// moment after the others, and what succeeds in between must not look like the end of the outage.
    pub const fn settling_for(settling: Duration) -> Self {
        Self { settling, is_under_way: AtomicBool::new(false), span: Mutex::new(None) }
    }

    /// Notes that the service did not answer. Returns whether this begins an outage and has to be reported.
    pub fn failed(&self, now: Duration) -> bool {
        let mut span = self.span.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_under_way.store(true, Ordering::Relaxed);
        if let Some(span) = &mut *span {
            span.last_failure = now;
            return false;
        }
        *span = Some(Span { began: now, last_failure: now });
        true
    }

    /// Notes that the service answered. If this ends an outage, returns how long it was, which has to be reported.
    pub fn succeeded(&self, now: Duration) -> Option<Duration> {
        if !self.is_under_way.load(Ordering::Relaxed) {
            return None;
        }
        let mut span = self.span.lock().unwrap_or_else(PoisonError::into_inner);
        let Span { began, .. } = (*span).filter(|span| now.saturating_sub(span.last_failure) >= self.settling)?;
        *span = None;
        self.is_under_way.store(false, Ordering::Relaxed);
        Some(now.saturating_sub(began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn an_outage_is_reported_once_when_it_begins_and_once_when_it_ends() {
        let outage = Outage::default();
        assert_eq!(outage.succeeded(at(0)), None, "there was none");
        assert!(outage.failed(at(1000)));
        for again in [1000, 1500, 2000, 60_000] {
            assert!(!outage.failed(at(again)), "{again}");
        }
        assert_eq!(outage.succeeded(at(61_000)), Some(at(60_000)));
        assert_eq!(outage.succeeded(at(61_001)), None);
        assert!(outage.failed(at(62_000)), "the next one");
        assert_eq!(outage.succeeded(at(62_500)), Some(at(500)));
    }

    #[test]
    fn what_succeeds_shortly_after_a_failure_does_not_end_an_outage() {
        let outage = Outage::settling_for(at(1000));
        assert!(outage.failed(at(0)));
        assert_eq!(outage.succeeded(at(999)), None);
        assert!(!outage.failed(at(1500)), "still the same outage");
        assert_eq!(outage.succeeded(at(2000)), None, "the last failure counts, not the first one");
        assert_eq!(outage.succeeded(at(2500)), Some(at(2500)));
    }
}
