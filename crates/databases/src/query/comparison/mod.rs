//! With what the value of a property is compared.

mod kind;
mod operators;
mod read;
pub(crate) mod shape;
mod write;

pub use kind::{Operands, operators_of};
pub use operators::{
    DateOperator, Equality, NumberOperator, RelativeDate, SetOperator, SpanOperator, TextOperator, Unfit,
};
pub(crate) use read::{MAX_DAYS, MAX_LISTED, Misfit};

use crate::{
    options::OptionId,
    value::{Moment, Number},
};
use octavo_core_model::id::{FileId, RecordId, UserId};

/// A list with at least one element, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOrMore<T>(Vec<T>);

impl<T: PartialEq> OneOrMore<T> {
    /// The elements without repetitions; `None` if there are none.
    pub fn new(elements: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut list = Vec::new();
        for element in elements {
            if !list.contains(&element) {
                list.push(element);
            }
        }
        (!list.is_empty()).then_some(Self(list))
    }

    /// The elements.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

/// What a condition says about the value of a property. It fits the type of the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// There is no value.
    IsEmpty,
    /// There is a value.
    IsNotEmpty,
    /// The text of the value. On a computed property, also values of other types can meet it: an engine compares by
    /// the type of what was computed.
    Text(TextOperator, String),
    /// The number.
    Number(NumberOperator, Number),
    /// The one option of the value. Options that do not exist match nothing.
    Option(Equality, OptionId),
    /// The options of the value.
    Options(SetOperator, OneOrMore<OptionId>),
    /// The start and the end of a date: the same, or not.
    Span(SpanOperator, DateSpan),
    /// The start of a date.
    Date(DateOperator, Moment),
    /// The start of a date lies between two dates or on one of them. The first is not after the second.
    Between(Moment, Moment),
    /// The start of a date lies between today and so many days after it.
    WithinNextDays(u32),
    /// The date, compared with the present day.
    Relative(RelativeDate),
    /// Whether a box is ticked.
    Checkbox(Equality, bool),
    /// The users of the value.
    Persons(SetOperator, OneOrMore<UserId>),
    /// Whether the caller is one of the users.
    IsCurrentUser,
    /// The linked records.
    Records(SetOperator, OneOrMore<RecordId>),
    /// The files of the value.
    Files(Equality, OneOrMore<FileId>),
    /// The number of the record in its database.
    UniqueId(Equality, UniqueIdOperand),
}

/// A start and perhaps an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateSpan {
    /// When it begins.
    pub start: Moment,
    /// When it ends; not before the start.
    pub end: Option<Moment>,
}

/// The unique id of a record as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueIdOperand {
    /// What was written.
    pub text: String,
    /// The number of the record; `None` if no record of the database can have this id.
    pub number: Option<u64>,
}

impl Comparison {
    /// The operator.
    pub fn operator(&self) -> crate::types::Operator {
        use crate::types::Operator;
        match self {
            Self::IsEmpty => Operator::IsEmpty,
            Self::IsNotEmpty => Operator::IsNotEmpty,
            Self::Text(operator, _) => (*operator).into(),
            Self::Number(operator, _) => (*operator).into(),
            Self::Options(operator, _) | Self::Persons(operator, _) | Self::Records(operator, _) => (*operator).into(),
            Self::Option(operator, _)
            | Self::Checkbox(operator, _)
            | Self::Files(operator, _)
            | Self::UniqueId(operator, _) => (*operator).into(),
            Self::Span(operator, _) => (*operator).into(),
            Self::Date(operator, _) => (*operator).into(),
            Self::Between(..) => Operator::Between,
            Self::WithinNextDays(_) => Operator::WithinNextDays,
            Self::Relative(operator) => (*operator).into(),
            Self::IsCurrentUser => Operator::IsCurrentUser,
        }
    }

    /// Whether it depends on who asks, or on the day and time zone of the one who asks.
    pub const fn depends_on_caller(&self) -> bool {
        matches!(
            self,
            Self::IsCurrentUser
                | Self::Relative(_)
                | Self::WithinNextDays(_)
                | Self::Span(..)
                | Self::Date(..)
                | Self::Between(..)
        )
    }
}
