//! The values of a chunk that go into a total.

use super::{identity::Identities, measure::Measure};
use crate::{
    bits::Bits,
    chunk::Chunk,
    column::{Dates, Numbers, Point},
    computed::{ComputedColumn, Part},
    field::View,
};
use octavo_databases::query::AggregateFunction;

/// The values of a chunk that go into a total.
pub(crate) enum Input<'c> {
    /// Every record counts.
    Records,
    /// These records count.
    Filled(Bits),
    Number(&'c Numbers),
    Date(&'c Dates),
    Time(&'c [i64]),
    Computed(&'c ComputedColumn),
    Identities(Identities<'c>),
    Nothing,
}

/// A value that can be summed or compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    Number(f64),
    Date(Point),
}

impl<'c> Input<'c> {
    pub(crate) fn new(measure: &Measure<'_>, chunk: &'c Chunk) -> Self {
        let Some(field) = &measure.field else { return Self::Records };
        match measure.function {
            AggregateFunction::Count => Self::Filled(field.filled(chunk)),
            AggregateFunction::Unique => Self::Identities(Identities::new(field, chunk)),
            AggregateFunction::Sum | AggregateFunction::Average | AggregateFunction::Min | AggregateFunction::Max => {
                match field.view(chunk) {
                    View::Number(numbers) => Self::Number(numbers),
                    View::Date(dates) => Self::Date(dates),
                    View::Time(times) => Self::Time(times),
                    View::Computed(column) => Self::Computed(column),
                    _ => Self::Nothing,
                }
            }
        }
    }

    /// The number or date of a row.
    #[inline]
    pub(crate) fn amount(&self, row: usize) -> Option<Amount> {
        match self {
            Self::Number(numbers) => numbers.get(row).map(Amount::Number),
            Self::Date(dates) => dates.start(row).map(Amount::Date),
            Self::Time(times) => Some(Amount::Date(Point::instant(times[row]))),
            Self::Computed(column) => match column.part(row) {
                Part::Number(number) => Some(Amount::Number(number)),
                Part::Date(point) => Some(Amount::Date(point)),
                _ => None,
            },
            Self::Records | Self::Filled(_) | Self::Identities(_) | Self::Nothing => None,
        }
    }
}
