//! Counts and durations.

use std::time::Duration;

/// One period of work at full speed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) elapsed: Duration,
    /// The latencies of all operations: they are few enough to store all of them, so percentiles are exact.
    pub(crate) latencies: Vec<Duration>,
}

impl Round {
    /// Joins the results of concurrent clients.
    pub(crate) fn joined(elapsed: Duration, clients: impl IntoIterator<Item = Vec<Duration>>) -> Self {
        Self { elapsed, latencies: clients.into_iter().flatten().collect() }
    }

    #[expect(clippy::cast_precision_loss, reason = "no run gets to 2^52 operations")]
    pub(crate) fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// The rounds of one contender.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series(pub(crate) Vec<Round>);

impl Series {
    pub(crate) fn per_second(&self) -> f64 {
        median(self.0.iter().map(Round::per_second))
    }

    /// The latency within which `share` of all operations stayed.
    pub(crate) fn percentile(&self, share: f64) -> Duration {
        let mut all = self.0.iter().flat_map(|round| round.latencies.iter().copied()).collect::<Vec<_>>();
        percentile(&mut all, share)
    }
}

pub(crate) fn percentile(latencies: &mut [Duration], share: f64) -> Duration {
    latencies.sort_unstable();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a length is an index"
    )]
    let rank = (latencies.len() as f64 * share).ceil() as usize;
    latencies.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures = figures.into_iter().collect::<Vec<_>>();
    figures.sort_by(f64::total_cmp);
    match figures.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => figures[count / 2],
        count => f64::midpoint(figures[count / 2 - 1], figures[count / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(figures: &[u64]) -> Vec<Duration> {
        figures.iter().map(|figure| Duration::from_millis(*figure)).collect()
    }

    #[test]
    fn a_percentile_is_a_latency_that_was_seen() {
        let mut hundred = millis(&(1..=100).rev().collect::<Vec<_>>());
        assert_eq!(percentile(&mut hundred, 0.5), Duration::from_millis(50));
        assert_eq!(percentile(&mut hundred, 0.95), Duration::from_millis(95));
        assert_eq!(percentile(&mut hundred, 1.0), Duration::from_millis(100));
        assert_eq!(percentile(&mut millis(&[7]), 0.5), Duration::from_millis(7));
        assert_eq!(percentile(&mut [], 0.5), Duration::ZERO);
    }

    #[test]
    fn a_median_ignores_the_odd_slow_round() {
        assert!((median([9.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median([4.0, 1.0, 2.0, 100.0]) - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn clients_side_by_side_add_up() {
        let round = Round::joined(Duration::from_secs(2), [millis(&[1, 2, 3]), millis(&[4])]);
        assert!((round.per_second() - 2.0).abs() < f64::EPSILON);
        let series = Series(vec![round.clone(), Round { elapsed: Duration::from_secs(1), ..round }]);
        assert!((series.per_second() - 3.0).abs() < f64::EPSILON);
        assert_eq!(series.percentile(1.0), Duration::from_millis(4));
    }
}
