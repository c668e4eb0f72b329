//! What the values of a property can be compared with.

use crate::types::{Aggregate, FilterKind, Operator, PropertyConfig};

/// What the values of a property can be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Texts.
    Text,
    /// Numbers.
    Number,
    /// Options.
    Options,
    /// Dates.
    Date,
    /// True and false.
    Checkbox,
    /// Users.
    Persons,
    /// Records.
    Records,
    /// Files.
    Files,
    /// Unique ids.
    UniqueId,
    /// Numbers, texts, booleans and dates: what is computed is known only for each record.
    Computed,
    /// Nothing.
    Nothing,
}

impl Operands {
    /// The operands that fit a property.
    pub fn of(config: &PropertyConfig) -> Self {
        match (config.kind().facts().filter, config) {
            (FilterKind::Text, _) => Self::Text,
            (FilterKind::Number, _) => Self::Number,
            (FilterKind::Choice | FilterKind::Choices, _) => Self::Options,
            (FilterKind::Date, _) => Self::Date,
            (FilterKind::Checkbox, _) => Self::Checkbox,
            (FilterKind::Person, _) => Self::Persons,
            (FilterKind::Relation, _) => Self::Records,
            (FilterKind::Files, _) => Self::Files,
            (FilterKind::UniqueId, _) => Self::UniqueId,
            (FilterKind::Computed, PropertyConfig::Rollup(rollup)) => match rollup.aggregate {
                Aggregate::Count | Aggregate::Sum | Aggregate::Average | Aggregate::Percent => Self::Number,
                Aggregate::Min | Aggregate::Max | Aggregate::Unique => Self::Computed,
            },
            (FilterKind::Computed, _) => Self::Computed,
            (FilterKind::Nothing, _) => Self::Nothing,
        }
    }

    /// Whether an operator can be used with such values.
    pub const fn allow(self, operator: Operator) -> bool {
        use Operator as Op;
        match operator {
            Op::IsEmpty | Op::IsNotEmpty => true,
            Op::Is | Op::IsNot | Op::Equals | Op::NotEquals => !matches!(self, Self::Nothing),
            Op::Contains | Op::DoesNotContain | Op::StartsWith | Op::EndsWith => {
                matches!(self, Self::Text | Self::Computed)
            }
            Op::GreaterThan | Op::LessThan | Op::GreaterOrEqual | Op::LessOrEqual => {
                matches!(self, Self::Number | Self::Computed)
            }
            Op::ContainsAny | Op::ContainsAll => matches!(self, Self::Options | Self::Persons | Self::Records),
            Op::Before
            | Op::After
            | Op::Between
            | Op::OnOrBefore
            | Op::OnOrAfter
            | Op::IsThisWeek
            | Op::IsThisMonth
            | Op::WithinNextDays
            | Op::IsPast
            | Op::IsFuture => matches!(self, Self::Date | Self::Computed),
            Op::IsCurrentUser => matches!(self, Self::Persons),
        }
    }
}

/// The operators that a filter on such a property can use.
pub fn operators_of(config: &PropertyConfig) -> impl Iterator<Item = Operator> {
    let operands = Operands::of(config);
    Operator::ALL.iter().copied().filter(move |operator| operands.allow(*operator))
}
