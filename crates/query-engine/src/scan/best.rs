//! The first rows in an order, without sorting all of them.

use super::ranking::{Candidate, Probe, Ranking};

/// The first rows of an order. Up to twice as many are kept as are wanted; then the later half is dropped, which costs
/// less than keeping them in order all the time.
#[derive(Debug)]
pub(super) struct Best {
    wanted: usize,
    kept: Vec<Candidate>,
    /// Whether the candidate at `wanted - 1` is the last one that is wanted so far.
    is_cut: bool,
    limit: u64,
    /// How many bytes the rows take that are kept.
    bytes: usize,
}

impl Best {
    pub(super) const fn new(wanted: usize) -> Self {
        Self { wanted, kept: Vec::new(), is_cut: false, limit: u64::MAX, bytes: 0 }
    }

    /// Rows with a larger prefix are not among the first.
    #[inline]
    pub(super) const fn limit(&self) -> u64 {
        self.limit
    }

    /// Keeps a row if it may be among the first.
    #[inline]
    pub(super) fn offer(&mut self, ranking: &Ranking<'_, '_>, probe: &Probe<'_, '_>, prefix: u64) {
        if self.is_cut {
            let last = &self.kept[self.wanted - 1];
            if !ranking.is_before(probe, prefix, last) {
                return;
            }
        }
        if self.wanted == 0 {
            return;
        }
        let candidate = probe.to_candidate(prefix);
        self.bytes += candidate.memory();
        self.kept.push(candidate);
        if self.kept.len() >= self.wanted.saturating_mul(2).max(64) {
            self.cut(ranking);
        }
    }

    /// How many bytes of memory the rows take.
    pub(super) const fn memory(&self) -> usize {
        self.bytes
    }

    /// The last row of those that are wanted, if there are that many.
    pub(super) fn last(&mut self, ranking: &Ranking<'_, '_>) -> Option<&Candidate> {
        if self.wanted == 0 || self.kept.len() < self.wanted {
            return None;
        }
        if !self.is_cut || self.kept.len() > self.wanted {
            self.cut(ranking);
        }
        self.kept.last()
    }

    fn cut(&mut self, ranking: &Ranking<'_, '_>) {
        if self.wanted == 0 || self.kept.len() < self.wanted {
            return;
        }
        let last = self.wanted - 1;
        self.kept.select_nth_unstable_by(last, |a, b| ranking.compare(a, b));
        self.kept.truncate(self.wanted);
        self.bytes = self.kept.iter().map(Candidate::memory).sum();
        self.is_cut = true;
        self.limit = self.kept[last].prefix;
    }

    /// The first rows in their order.
    pub(super) fn finish(mut self, ranking: &Ranking<'_, '_>) -> Vec<Candidate> {
        self.kept.sort_unstable_by(|a, b| ranking.compare(a, b));
        self.kept.truncate(self.wanted);
        self.kept
    }
}
