//! Measures contenders alternately, so that a temporarily slow machine affects both.

use crate::sample::{Round, Series, median};
use anyhow::Result;

/// A measured contender and its reference.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) measured: Series,
    pub(crate) reference: Series,
}

/// The ratio of neighbouring rounds; the span shows how reliable the machine is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Comparison {
    /// The ratio of the latencies within which this share of the operations stayed.
    pub(crate) fn latency_ratio(&self, share: f64) -> Ratio {
        let of = |round: &Round| Series(vec![round.clone()]).percentile(share).as_secs_f64();
        let pairs = self.measured.0.iter().zip(&self.reference.0);
        let ratios = pairs.map(|(measured, reference)| of(measured) / of(reference)).collect::<Vec<_>>();
        Ratio::over(&ratios)
    }

    /// Runs rounds of both alternately. The first pair is a warm-up and does not count.
    pub(crate) fn run(
        rounds: usize,
        mut measured: impl FnMut() -> Result<Round>,
        mut reference: impl FnMut() -> Result<Round>,
    ) -> Result<Self> {
        measured()?;
        reference()?;
        let mut comparison = Self::default();
        for _ in 0..rounds {
            comparison.measured.0.push(measured()?);
            comparison.reference.0.push(reference()?);
        }
        Ok(comparison)
    }

    pub(crate) fn ratio(&self) -> Ratio {
        let pairs = self.measured.0.iter().zip(&self.reference.0);
        let ratios = pairs.map(|(measured, reference)| measured.per_second() / reference.per_second());
        Ratio::over(&ratios.collect::<Vec<_>>())
    }
}

impl Ratio {
    fn over(ratios: &[f64]) -> Self {
        Self {
            median: median(ratios.iter().copied()),
            low: ratios.iter().copied().fold(f64::INFINITY, f64::min),
            high: ratios.iter().copied().fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use std::cell::RefCell;
    use std::time::Duration;

    fn round(operations: usize) -> Round {
        Round { elapsed: Duration::from_secs(1), latencies: vec![Duration::from_millis(1); operations] }
    }

    #[test]
    fn contenders_take_turns_and_the_first_turn_does_not_count() {
        let turns = RefCell::new(String::new());
        let turn = |name, operations| {
            turns.borrow_mut().push(name);
            Ok(round(operations))
        };
        let comparison = Comparison::run(2, || turn('a', 10), || turn('b', 20)).unwrap();
        assert_eq!(*turns.borrow(), "ababab");
        assert_eq!((comparison.measured.0.len(), comparison.reference.0.len()), (2, 2));
    }

    #[test]
    fn a_ratio_compares_neighbouring_rounds() {
        // The machine becomes half as fast after the first pair. Both contenders become slower, but their ratio does
        // not change.
        let comparison = Comparison {
            measured: Series(vec![round(100), round(50), round(60)]),
            reference: Series(vec![round(200), round(100), round(100)]),
        };
        let ratio = comparison.ratio();
        assert!((ratio.median - 0.5).abs() < 1e-9 && (ratio.low - 0.5).abs() < 1e-9 && (ratio.high - 0.6).abs() < 1e-9);
    }

    #[test]
    fn a_round_that_fails_ends_the_run() {
        assert!(Comparison::run(1, || Ok(round(1)), || anyhow::bail!("refused")).is_err());
    }
}
