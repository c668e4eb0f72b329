//! Chooses the hits of a page among all candidates.

use octavo_ports::search::{Hit, Hits, MAX_DOUBTFUL, MAX_TOTAL, Mark, Order};
use octavo_search::Class;
use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

/// A hit that is ordered by its place among the results.
struct Ranked {
    hit: Hit,
    order: Order,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.hit.mark.compare(&other.hit.mark, self.order)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

/// The first hits of those that were offered.
struct First {
    hits: BinaryHeap<Ranked>,
    most: usize,
}

impl First {
    const fn new(most: usize) -> Self {
        Self { hits: BinaryHeap::new(), most }
    }

    /// Whether a hit would be among the first ones, as far as its score and its time say.
    fn would_take(&self, mark: &Mark, order: Order) -> bool {
        if self.hits.len() < self.most {
            return true;
        }
        self.hits.peek().is_some_and(|last| mark.compare(&last.hit.mark, order) != Ordering::Greater)
    }

    /// Returns whether there was no room for a hit.
    fn offer(&mut self, hit: Hit, order: Order) -> bool {
        self.hits.push(Ranked { hit, order });
        self.hits.len() > self.most && self.hits.pop().is_some()
    }

    fn into_sorted(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|ranked| ranked.hit).collect()
    }
}

/// Collects hits of all segments.
pub(crate) struct Collector<'a> {
    order: Order,
    after: Option<&'a Mark>,
    first: First,
    doubtful: First,
    /// Doubtful hits of earlier pages, which only count.
    doubtful_before: First,
    doubtful_cut: bool,
    total: usize,
    has_more: bool,
}

impl<'a> Collector<'a> {
    pub(crate) const fn new(order: Order, after: Option<&'a Mark>, limit: usize) -> Self {
        Self {
            order,
            after,
            first: First::new(limit),
            doubtful: First::new(MAX_DOUBTFUL),
            doubtful_before: First::new(MAX_DOUBTFUL),
            doubtful_cut: false,
            total: 0,
            has_more: false,
        }
    }

    /// Whether it may matter that there is a hit with this class and score, whatever else is known of it. Most candidates
    /// of a frequent word are left out here.
    pub(crate) fn may_need(&self, class: Class, score: u32) -> bool {
        if self.order != Order::Relevance || self.total < MAX_TOTAL || !self.has_more {
            return true;
        }
        let last = self.first.hits.peek().map(|last| &last.hit.mark);
        last.is_none_or(|last| (class, Reverse(score)) <= (last.class, Reverse(last.score)))
    }

    /// Whether it matters that there is a hit with this mark, of which the key need not be known yet.
    pub(crate) fn needs(&self, mark: &Mark) -> bool {
        self.total < MAX_TOTAL || !self.has_more || self.first.would_take(mark, self.order)
    }

    pub(crate) fn take_certain(&mut self, hit: Hit) {
        self.total = (self.total + 1).min(MAX_TOTAL);
        if self.is_behind(&hit.mark) {
            self.has_more |= self.first.offer(hit, self.order);
        }
    }

    pub(crate) fn take_doubtful(&mut self, hit: Hit) {
        let of_page = if self.is_behind(&hit.mark) { &mut self.doubtful } else { &mut self.doubtful_before };
        self.doubtful_cut |= of_page.offer(hit, self.order);
    }

    fn is_behind(&self, mark: &Mark) -> bool {
        self.after.is_none_or(|after| mark.compare(after, self.order) == Ordering::Greater)
    }

    pub(crate) fn finish(self) -> Hits {
        let mut doubtful = self.doubtful.into_sorted();
        doubtful.extend(self.doubtful_before.into_sorted());
        let doubtful_cut = self.doubtful_cut || doubtful.len() > MAX_DOUBTFUL;
        doubtful.truncate(MAX_DOUBTFUL);
        let (total, has_more) = (self.total, self.has_more);
        Hits { hits: self.first.into_sorted(), doubtful, doubtful_cut, total, has_more }
    }
}
