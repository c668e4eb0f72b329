//! What is computed over all records, or over those of a group.

use super::{Input, Sum, identity::Identity, input::Amount};
use crate::{
    column::Point,
    context::{Context, Zone},
    field::Field,
    number::{count, ordered, ordered_millis, wide},
};
use octavo_databases::{
    Schema,
    query::{Aggregate, AggregateFunction},
    value::Moment,
};

/// What is to be computed.
pub(crate) struct Measure<'a> {
    pub(crate) function: AggregateFunction,
    /// `None` for the records themselves.
    pub(crate) field: Option<Field<'a>>,
}

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

impl<'a> Measure<'a> {
    /// The measure for an aggregate. A property that no longer exists counts as one without values.
    pub(crate) fn new(aggregate: Aggregate, schema: &'a Schema, context: &Context<'a>) -> Option<Self> {
        let field = match aggregate.property() {
            None => None,
            Some(property) => Some(Field::new(schema.property(property)?, context)),
        };
        Some(Self { function: aggregate.function(), field })
    }

    pub(crate) const fn start(&self) -> Total {
        match self.function {
            AggregateFunction::Count => Total::Count(0),
            AggregateFunction::Sum => Total::Sum(None),
            AggregateFunction::Average => Total::Average(None, 0),
            AggregateFunction::Min => Total::Extreme { is_largest: false, found: None },
            AggregateFunction::Max => Total::Extreme { is_largest: true, found: None },
            AggregateFunction::Unique => Total::Unique { found: Vec::new(), sorted: 0 },
        }
    }
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
