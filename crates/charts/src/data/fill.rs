//! Spans of the calendar without records, between the first and the last one with some.

use super::{ChartInput, InputGroup, InputTotal, Partial};
use crate::{
    key::{Key, KeyValue},
    settings::ChartSort,
};
use chrono::NaiveDate;
use octavo_databases::{
    query::{Bucket, TimeBucket},
    value::Day,
};

/// Adds the spans without records that can be among the points, and returns how many points the others would be. Dates can
/// be thousands of years apart, so no more spans are made than can be shown: the first ones in the order of the chart.
pub(super) fn fill<P: Partial>(
    input: &mut ChartInput<P>,
    span: TimeBucket,
    sort: ChartSort,
    most: usize,
    series: usize,
) -> u64 {
    let days: Vec<NaiveDate> = input.groups.iter().filter_map(day_of).collect();
    let (Some(first), Some(last)) = (days.first().copied(), days.last().copied()) else { return 0 };
    let all = span.between(first, last).saturating_add(1);
    let missing = u64::from(all).saturating_sub(days.len() as u64);
    let start_of = |place: u32| span.later(first, place).and_then(Day::new);
    let from_the_end = sort == ChartSort::KeyDescending;
    let mut added = Vec::new();
    for place in 0..all {
        if added.len() >= most.min(usize::try_from(missing).unwrap_or(most)) {
            break;
        }
        let place = if from_the_end { all - 1 - place } else { place };
        let start = start_of(place).filter(|start| days.binary_search(&start.date()).is_err());
        added.extend(start.map(|start| empty(start, span, &input.nothing)));
    }
    let left = missing.saturating_sub(added.len() as u64);
    let begin = input.groups.iter().position(|group| day_of(group).is_some()).unwrap_or_default();
    let end = begin + days.len();
    let rest = input.groups.split_off(end);
    input.groups.extend(added);
    input.groups[begin..].sort_by_key(day_of);
    input.groups.extend(rest);
    left * series.max(1) as u64
}

fn day_of<P>(group: &InputGroup<P>) -> Option<NaiveDate> {
    match group.key.value {
        KeyValue::Day(day) => Some(day.date()),
        _ => None,
    }
}

fn empty<P: Partial>(start: Day, span: TimeBucket, nothing: &P) -> InputGroup<P> {
    InputGroup {
        key: Key::new(KeyValue::Day(start), None, Some(Bucket::Time(span))),
        total: InputTotal { count: 0, partial: nothing.clone() },
        series: Vec::new(),
    }
}
