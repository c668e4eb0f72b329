//! The forms of operands.

use super::Operands;
use crate::types::Operator;

/// The form of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// None is needed; one that is sent is ignored.
    None,
    /// `{ text }`
    Text,
    /// `{ value }` with a number.
    Number,
    /// `{ value }` with a boolean.
    Boolean,
    /// `{ optionId }` or `{ optionIds }`
    Options,
    /// `{ value }` with a date, or `{ start, end }`.
    Span,
    /// `{ value }` with a date.
    Date,
    /// `{ start, end }` with dates.
    Range,
    /// `{ days }`
    Days,
    /// `{ userIds }`
    Users,
    /// `{ recordIds }`
    Records,
    /// `{ fileIds }`
    Files,
    /// `{ value }` with the id of a record.
    UniqueId,
    /// `{ value }` with a number, text or boolean.
    Scalar,
}

impl Shape {
    pub(crate) const ALL: [Self; 14] = [
        Self::None,
        Self::Text,
        Self::Number,
        Self::Boolean,
        Self::Options,
        Self::Span,
        Self::Date,
        Self::Range,
        Self::Days,
        Self::Users,
        Self::Records,
        Self::Files,
        Self::UniqueId,
        Self::Scalar,
    ];

    /// The form for an operator and values of this kind; `None` if they do not go together.
    pub(crate) const fn of(operands: Operands, operator: Operator) -> Option<Self> {
        use Operator as Op;
        if !operands.allow(operator) {
            return None;
        }
        Some(match operator {
            Op::IsEmpty
            | Op::IsNotEmpty
            | Op::IsThisWeek
            | Op::IsThisMonth
            | Op::IsPast
            | Op::IsFuture
            | Op::IsCurrentUser => Self::None,
            Op::Contains | Op::DoesNotContain | Op::StartsWith | Op::EndsWith => Self::Text,
            Op::GreaterThan | Op::LessThan | Op::GreaterOrEqual | Op::LessOrEqual => Self::Number,
            Op::Before | Op::After | Op::OnOrBefore | Op::OnOrAfter => Self::Date,
            Op::Between => Self::Range,
            Op::WithinNextDays => Self::Days,
            Op::Is | Op::IsNot | Op::Equals | Op::NotEquals | Op::ContainsAny | Op::ContainsAll => match operands {
                Operands::Text => Self::Text,
                Operands::Number => Self::Number,
                Operands::Options => Self::Options,
                Operands::Date if matches!(operator, Op::Is | Op::IsNot) => Self::Span,
                Operands::Date => Self::Date,
                Operands::Checkbox => Self::Boolean,
                Operands::Persons => Self::Users,
                Operands::Records => Self::Records,
                Operands::Files => Self::Files,
                Operands::UniqueId => Self::UniqueId,
                Operands::Computed => Self::Scalar,
                Operands::Nothing => return None,
            },
        })
    }

    /// The form in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::None => "no value",
            Self::Text => "`{ text }`, or the text alone; up to 100000 characters",
            Self::Number => "`{ value }` with a number, or the number alone",
            Self::Boolean => "`{ value }` with true or false, or the boolean alone",
            Self::Options => {
                "`{ optionId }` or `{ optionIds }` with 1 to 500 ids or names of options, or the id or list alone"
            }
            Self::Span => {
                "`{ start, end }` with dates, of which `end` can be null and is not before `start`, or one date alone; a date is `YYYY-MM-DD` or a time as in RFC 3339"
            }
            Self::Date => "`{ value }` with a date `YYYY-MM-DD` or a time as in RFC 3339, or the date alone",
            Self::Range => {
                "`{ start, end }` with two dates `YYYY-MM-DD` or times as in RFC 3339, of which `end` is not before `start`"
            }
            Self::Days => "`{ days }` with a whole number from 0 to 36500, or the number alone",
            Self::Users => "`{ userIds }` with 1 to 500 ids of users, or the list alone",
            Self::Records => "`{ recordIds }` with 1 to 500 ids of records, or the list alone",
            Self::Files => "`{ fileIds }` with 1 to 500 ids of files, or the list alone",
            Self::UniqueId => "`{ value }` with the unique id of a record or its number, or one of these alone",
            Self::Scalar => "`{ value }` with a number, text or boolean, or one of these alone",
        }
    }
}
