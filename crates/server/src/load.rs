//! Calls that are refused because of load.
//!
//! They are no faults of the service, so their lines in the log are like those of other calls. They are counted, and the
//! log warns once that calls are refused and says once that this is over.

use octavo_core_model::Outage;
use std::time::{Duration, Instant};

/// How long no call must have been refused before an overload counts as over.
const SETTLING: Duration = Duration::from_mins(1);

/// What was used up when a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadLimit {
    /// The places for calls, or the memory for request bodies.
    Server,
    /// The places for passwords in the compute pool.
    Hashing,
    /// The places for documents in the compute pool.
    Compute,
    /// The memory for page content.
    ContentMemory,
    /// The memory for what queries compute.
    TableMemory,
    /// The readers, writers and connections of the database.
    Database,
}

impl LoadLimit {
    pub(crate) const ALL: [Self; 6] =
        [Self::Server, Self::Hashing, Self::Compute, Self::ContentMemory, Self::TableMemory, Self::Database];

    /// The name in the log and in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Hashing => "hashing",
            Self::Compute => "compute",
            Self::ContentMemory => "content_memory",
            Self::TableMemory => "table_memory",
            Self::Database => "database",
        }
    }
}

/// Whether calls are being refused, for each limit.
#[derive(Debug)]
pub(crate) struct Overloads {
    started: Instant,
    /// In the order of [`LoadLimit::ALL`].
    by_limit: [Outage; LoadLimit::ALL.len()],
}

impl Default for Overloads {
    fn default() -> Self {
        Self { started: Instant::now(), by_limit: LoadLimit::ALL.map(|_| Outage::settling_for(SETTLING)) }
    }
}

impl Overloads {
    /// Notes that a call has ended, and what was used up if it was refused because of that.
    pub(crate) fn call_ended(&self, used_up: Option<LoadLimit>) {
        self.call_ended_at(self.started.elapsed(), used_up);
    }

    fn call_ended_at(&self, now: Duration, used_up: Option<LoadLimit>) {
        for (limit, overload) in LoadLimit::ALL.into_iter().zip(&self.by_limit) {
            if used_up == Some(limit) {
                if overload.failed(now) {
                    tracing::warn!(limit = limit.name(), "calls are refused because of load");
                }
            } else if overload.succeeded(now).is_some() {
                tracing::info!(limit = limit.name(), "no call was refused because of load for a minute");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_testkit::LogRecorder;

    #[test]
    fn an_overload_is_logged_once_when_it_begins_and_once_when_it_is_over() {
        let (overloads, recorder) = (Overloads::default(), LogRecorder::start());
        let calls_end = |second: u64, used_up: Option<LoadLimit>| {
            overloads.call_ended_at(Duration::from_secs(second), used_up);
            overloads.call_ended_at(Duration::from_secs(second), None);
            let lines = recorder.take();
            lines.iter().map(|line| format!("{} {}", line.level, line.fields["limit"])).collect::<Vec<_>>()
        };
        assert_eq!(calls_end(0, Some(LoadLimit::ContentMemory)), ["WARN content_memory"]);
        for second in 1..600 {
            assert!(calls_end(second, Some(LoadLimit::ContentMemory)).is_empty(), "{second}");
        }
        assert_eq!(calls_end(600, Some(LoadLimit::Database)), ["WARN database"]);
        assert!(calls_end(658, None).is_empty());
        assert_eq!(calls_end(659, None), ["INFO content_memory"]);
        assert_eq!(calls_end(660, None), ["INFO database"]);
        assert_eq!(calls_end(661, Some(LoadLimit::ContentMemory)), ["WARN content_memory"]);
    }
}
