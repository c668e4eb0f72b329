//! The points of a chart, made of the groups of its query.

mod fill;
mod order;
#[cfg(test)]
mod tests;

use crate::{
    key::{Key, KeyValue},
    settings::ChartSettings,
};
use octavo_databases::query::{Bucket, TimeBucket};
use std::collections::BTreeSet;

/// An aggregate over some records, which can be computed over these and others together.
pub trait Partial: Clone {
    /// Adds the records of another one.
    fn merge(&mut self, other: &Self);

    /// The aggregate; `None` if there is nothing to compute it of.
    fn value(&self) -> Option<f64>;
}

/// What the query of a chart has found.
#[derive(Clone, Debug)]
pub struct ChartInput<P> {
    /// The groups by the first axis, in the order of their keys, those without a value last.
    pub groups: Vec<InputGroup<P>>,
    /// The keys of the second axis in their order.
    pub series: Vec<Key>,
    /// Over all records that were found.
    pub total: InputTotal<P>,
    /// The aggregate over no records.
    pub nothing: P,
}

/// A number of records and the aggregate over them.
#[derive(Clone, Debug)]
pub struct InputTotal<P> {
    /// How many records there are.
    pub count: u64,
    /// The aggregate over them.
    pub partial: P,
}

/// The records with one key on the first axis.
#[derive(Clone, Debug)]
pub struct InputGroup<P> {
    /// The key.
    pub key: Key,
    /// All of its records.
    pub total: InputTotal<P>,
    /// The same by the second axis, in the order of its keys.
    pub series: Vec<InputSeries<P>>,
}

/// The records with one key on each axis.
#[derive(Clone, Debug)]
pub struct InputSeries<P> {
    /// The place of the key among those of the second axis.
    pub series: usize,
    /// Its records.
    pub total: InputTotal<P>,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartData {
    /// The points, in the order in which they are shown. Those with the same key on the first axis are neighbours.
    pub points: Vec<Point>,
    /// The series in their order; none if the chart has no second axis.
    pub series: Vec<Key>,
    /// All records that count, each once.
    pub total: Total,
    /// What is not among the points because there would be too many.
    pub other: Option<Other>,
}

/// A point of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What its records have in common on the first axis.
    pub key: Key,
    /// The place of its series.
    pub series: Option<usize>,
    /// What was computed; `None` if there is nothing to compute it of.
    pub value: Option<f64>,
    /// How many records it has.
    pub count: u64,
}

/// A value over a number of records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    /// What was computed; `None` if there is nothing to compute it of.
    pub value: Option<f64>,
    /// How many records there are.
    pub count: u64,
}

/// Points that were merged into one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// What they are together.
    pub total: Total,
    /// How many there are.
    pub points: u64,
}

impl ChartData {
    /// How many series a chart shows. Those with the most records are kept; points of others count among the rest.
    pub const MOST_SERIES: usize = 50;
}

/// The points of a chart.
pub fn chart_data<P: Partial>(settings: &ChartSettings, mut input: ChartInput<P>) -> ChartData {
    if !settings.include_empty {
        leave_out_empty(&mut input);
    }
    let mut rest = Rest::new(input.nothing.clone());
    let has_series = settings.figure.series().is_some();
    let series = if has_series { keep_largest(&mut input, &mut rest) } else { Vec::new() };
    let span = settings.figure.x().and_then(|axis| axis.bucket).and_then(|bucket| match bucket {
        Bucket::Time(bucket) => Some(bucket),
        Bucket::Number(_) => None,
    });
    if let Some(span) = span {
        rest.points += fill::fill(&mut input, span, settings.sort, settings.max_points.get(), series.len());
    }
    order::sort(&mut input.groups, settings.sort);
    let most = settings.max_points.get().min(input.groups.len());
    for group in input.groups.split_off(most) {
        if has_series {
            let is_filled = is_filled(&group, span);
            rest.add_series(&group, if is_filled { series.len() } else { group.series.len() });
        } else {
            rest.add(&group.total);
        }
    }
    let mut points = if has_series { of_series(&input, series.len(), span) } else { of_groups(&input) };
    if settings.cumulative {
        accumulate(&mut points, series.len().max(1), &input.nothing);
    }
    ChartData {
        points: points.into_iter().map(Made::finish).collect(),
        series,
        total: finish(&input.total),
        other: rest.finish(),
    }
}

fn finish<P: Partial>(total: &InputTotal<P>) -> Total {
    Total { value: total.partial.value(), count: total.count }
}

fn leave_out_empty<P>(input: &mut ChartInput<P>) {
    input.groups.retain(|group| !group.key.value.is_empty());
    let empty = input.series.iter().position(|key| key.value.is_empty());
    for group in &mut input.groups {
        group.series.retain(|cell| Some(cell.series) != empty);
    }
    // Those without a value are the last, so no place changes.
    if empty.is_some() {
        input.series.pop();
    }
}

/// Keeps the series with the most records, renumbers them, and returns their keys.
fn keep_largest<P: Partial>(input: &mut ChartInput<P>, rest: &mut Rest<P>) -> Vec<Key> {
    let mut counts = vec![0_u64; input.series.len()];
    for cell in input.groups.iter().flat_map(|group| &group.series) {
        counts[cell.series] += cell.total.count;
    }
    let mut places: Vec<usize> = (0..counts.len()).filter(|place| counts[*place] > 0).collect();
    places.sort_by_key(|place| std::cmp::Reverse(counts[*place]));
    let kept: BTreeSet<usize> = places.into_iter().take(ChartData::MOST_SERIES).collect();
    let new_place = |place: &usize| kept.iter().position(|kept| kept == place);
    for group in &mut input.groups {
        for mut cell in std::mem::take(&mut group.series) {
            match new_place(&cell.series) {
                Some(place) => {
                    cell.series = place;
                    group.series.push(cell);
                }
                None => rest.add(&cell.total),
            }
        }
    }
    // What is left out of all series is in no point either.
    input.groups.retain(|group| !group.series.is_empty());
    kept.into_iter().filter_map(|place| input.series.get(place).cloned()).collect()
}

/// Points that are merged into one.
struct Rest<P> {
    total: InputTotal<P>,
    points: u64,
}

impl<P: Partial> Rest<P> {
    const fn new(nothing: P) -> Self {
        Self { total: InputTotal { count: 0, partial: nothing }, points: 0 }
    }

    fn add(&mut self, total: &InputTotal<P>) {
        self.total.count += total.count;
        self.total.partial.merge(&total.partial);
        self.points += 1;
    }

    /// Adds the points of a group, of which there are so many.
    fn add_series(&mut self, group: &InputGroup<P>, points: usize) {
        group.series.iter().for_each(|cell| self.add(&cell.total));
        self.points += points.saturating_sub(group.series.len()) as u64;
    }

    fn finish(self) -> Option<Other> {
        (self.points > 0).then(|| Other { total: finish(&self.total), points: self.points })
    }
}

/// A point whose value is not read yet.
struct Made<P> {
    key: Key,
    series: Option<usize>,
    total: InputTotal<P>,
}

impl<P: Partial> Made<P> {
    fn finish(self) -> Point {
        let Total { value, count } = finish(&self.total);
        Point { key: self.key, series: self.series, value, count }
    }
}

fn of_groups<P: Partial>(input: &ChartInput<P>) -> Vec<Made<P>> {
    let made = |group: &InputGroup<P>| Made { key: group.key.clone(), series: None, total: group.total.clone() };
    input.groups.iter().map(made).collect()
}

/// Whether every series has a point in a group: on an axis of time.
const fn is_filled<P>(group: &InputGroup<P>, span: Option<TimeBucket>) -> bool {
    span.is_some() && matches!(group.key.value, KeyValue::Day(_))
}

/// One point for each series that has records. On an axis of time every series has a point in each span.
fn of_series<P: Partial>(input: &ChartInput<P>, count: usize, span: Option<TimeBucket>) -> Vec<Made<P>> {
    let mut points = Vec::new();
    for group in &input.groups {
        let is_filled = is_filled(group, span);
        for series in 0..count {
            let found = group.series.iter().find(|cell| cell.series == series).map(|cell| cell.total.clone());
            let nothing = || is_filled.then(|| InputTotal { count: 0, partial: input.nothing.clone() });
            if let Some(total) = found.or_else(nothing) {
                points.push(Made { key: group.key.clone(), series: Some(series), total });
            }
        }
    }
    points
}

/// Adds to each point those of its series before it. What a point counts stays its own.
fn accumulate<P: Partial>(points: &mut [Made<P>], series: usize, nothing: &P) {
    let mut sums = vec![nothing.clone(); series];
    for point in points {
        let sum = &mut sums[point.series.unwrap_or(0)];
        sum.merge(&point.total.partial);
        point.total.partial.clone_from(sum);
    }
}
