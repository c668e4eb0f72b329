//! The order of points.

use super::{InputGroup, Partial};
use crate::settings::ChartSort;
use std::cmp::Ordering;

/// Sorts groups that are in the order of their keys, those without a value last. Groups with equal values stay in the order
/// of their keys; those without a result are the last.
pub(super) fn sort<P: Partial>(groups: &mut [InputGroup<P>], sort: ChartSort) {
    let values = |group: &InputGroup<P>| group.total.partial.value();
    match sort {
        ChartSort::KeyAscending => {}
        ChartSort::KeyDescending => {
            let with_value = groups.iter().position(|group| group.key.value.is_empty()).unwrap_or(groups.len());
            groups[..with_value].reverse();
        }
        ChartSort::ValueAscending => groups.sort_by(|a, b| compare(values(a), values(b), f64::total_cmp)),
        ChartSort::ValueDescending => groups.sort_by(|a, b| compare(values(a), values(b), |a, b| b.total_cmp(a))),
    }
}

fn compare(a: Option<f64>, b: Option<f64>, by: impl Fn(&f64, &f64) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => by(&a, &b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
