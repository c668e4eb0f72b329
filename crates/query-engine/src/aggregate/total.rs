//! What is computed over all records, or over those of a group.

use super::{
    identity::Identity,
    input::{Amount, Input},
    sum::Sum,
};
use crate::{
    column::Point,
    context::Zone,
    number::{count, ordered, ordered_millis, wide},
};
use octavo_databases::{query::AggregateFunction, value::Moment};

/// The value of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AggregateValue {
    /// There is none: no values, or a sum that is larger than any number.
    Null,
    /// A number.
    Number(f64),
    /// A date.
    Date(Moment),
}

/// A total that is not complete yet.
#[derive(Clone, Debug)]
pub(crate) enum Total {
    Count(u64),
    Sum(Option<Sum>),
    Average(Option<Sum>, u64),
    Extreme {
        is_largest: bool,
        found: Option<((u8, u64, bool), Amount)>,
    },
    /// Different values, the first ones in order and each once.
    Unique {
        found: Vec<Identity>,
        sorted: usize,
    },
}

impl Total {
    /// The total of no values.
    pub(crate) const fn start(function: AggregateFunction) -> Self {
        match function {
            AggregateFunction::Count => Self::Count(0),
            AggregateFunction::Sum => Self::Sum(None),
            AggregateFunction::Average => Self::Average(None, 0),
            AggregateFunction::Min => Self::Extreme { is_largest: false, found: None },
            AggregateFunction::Max => Self::Extreme { is_largest: true, found: None },
            AggregateFunction::Unique => Self::Unique { found: Vec::new(), sorted: 0 },
        }
    }

    /// Adds the value of a row.
    #[inline]
    pub(crate) fn add(&mut self, input: &Input<'_>, row: usize, zone: &Zone) {
        match self {
            Self::Count(count) => {
                *count += u64::from(match input {
                    Input::Records => true,
                    Input::Filled(filled) => filled.get(row),
                    _ => false,
                });
            }
            Self::Sum(sum) => {
                if let Some(Amount::Number(number)) = input.amount(row) {
                    sum.get_or_insert_default().add(number);
                }
            }
            Self::Average(sum, count) => {
                if let Some(Amount::Number(number)) = input.amount(row) {
                    sum.get_or_insert_default().add(number);
                    *count += 1;
                }
            }
            Self::Extreme { is_largest, found } => {
                if let Some(amount) = input.amount(row) {
                    let place = place_of(amount, zone);
                    let is_better = |known: &((u8, u64, bool), Amount)| {
                        if *is_largest { place > known.0 } else { place < known.0 }
                    };
                    if found.as_ref().is_none_or(is_better) {
                        *found = Some((place, amount));
                    }
                }
            }
            Self::Unique { found, sorted } => {
                if let Input::Identities(identities) = input
                    && let Some(identity) = identities.get(row)
                {
                    found.push(identity);
                    if found.len() >= 2 * (*sorted).max(512) {
                        found.sort_unstable();
                        found.dedup();
                        *sorted = found.len();
                    }
                }
            }
        }
    }

    /// Adds the values of rows.
    pub(crate) fn add_all(&mut self, input: &Input<'_>, rows: &[u32], zone: &Zone) {
        match (self, input) {
            (Self::Count(count), Input::Records) => *count += rows.len() as u64,
            // The most common total has a loop of its own, without a decision for each row.
            (Self::Sum(sum), Input::Number(numbers)) => {
                for number in rows.iter().filter_map(|row| numbers.get(wide(*row))) {
                    sum.get_or_insert_default().add(number);
                }
            }
            (total, input) => {
                for row in rows {
                    total.add(input, wide(*row), zone);
                }
            }
        }
    }

    /// Adds the values of another total of the same function.
    pub(crate) fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Count(count), Self::Count(more)) => *count += more,
            (Self::Sum(sum), Self::Sum(Some(more))) => sum.get_or_insert_default().merge(more),
            (Self::Average(sum, count), Self::Average(Some(more), values)) => {
                sum.get_or_insert_default().merge(more);
                *count += values;
            }
            (Self::Extreme { is_largest, found }, Self::Extreme { found: Some(more), .. }) => {
                let is_better = |known: &((u8, u64, bool), Amount)| {
                    if *is_largest { more.0 > known.0 } else { more.0 < known.0 }
                };
                if found.as_ref().is_none_or(is_better) {
                    *found = Some(*more);
                }
            }
            (Self::Unique { found, sorted }, Self::Unique { found: more, .. }) => {
                found.extend(more);
                found.sort_unstable();
                found.dedup();
                *sorted = found.len();
            }
            // Nothing to add; totals of different functions are never merged.
            _ => {}
        }
    }

    /// How many bytes of memory it takes besides itself.
    pub(crate) const fn memory(&self) -> usize {
        if let Self::Unique { found, .. } = self { found.capacity() * size_of::<Identity>() } else { 0 }
    }

    pub(crate) fn finish(self) -> AggregateValue {
        match self {
            Self::Count(found) => AggregateValue::Number(count(found)),
            Self::Sum(sum) => number(sum.unwrap_or_default().get()),
            Self::Average(sum, values) => number(sum.and_then(|sum| sum.get()).map(|sum| sum / count(values))),
            Self::Extreme { found: None, .. } => AggregateValue::Null,
            Self::Extreme { found: Some((_, Amount::Number(number))), .. } => AggregateValue::Number(number),
            Self::Extreme { found: Some((_, Amount::Date(point))), .. } => AggregateValue::Date(point.moment()),
            Self::Unique { mut found, .. } => {
                found.sort_unstable();
                found.dedup();
                AggregateValue::Number(count(found.len() as u64))
            }
        }
    }
}

fn number(number: Option<f64>) -> AggregateValue {
    number.map_or(AggregateValue::Null, AggregateValue::Number)
}

/// Numbers are before dates, and a day is before the time at which it begins.
fn place_of(amount: Amount, zone: &Zone) -> (u8, u64, bool) {
    match amount {
        Amount::Number(number) => (0, ordered(number), false),
        Amount::Date(point @ Point { is_day, .. }) => (1, ordered_millis(zone.instant(point)), !is_day),
    }
}
