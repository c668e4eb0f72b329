//! How tightly operators bind, loosest first.

use crate::operators::Operator;

/// What an operand may contain: operators that bind at least this tightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    Choice,
    Or,
    And,
    Not,
    Equality,
    Order,
    Sum,
    Product,
    Sign,
    Power,
    Operand,
}

impl Precedence {
    pub(super) const fn of(operator: Operator) -> Self {
        match operator {
            Operator::Equal | Operator::NotEqual => Self::Equality,
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => Self::Order,
            Operator::Add | Operator::Subtract => Self::Sum,
            Operator::Multiply | Operator::Divide | Operator::Remainder => Self::Product,
            Operator::Power => Self::Power,
        }
    }

    /// The next tighter one: the right operand of operators that are evaluated from left to right.
    pub(super) const fn tighter(self) -> Self {
        match self {
            Self::Choice => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Equality,
            Self::Equality => Self::Order,
            Self::Order => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Sign,
            Self::Sign => Self::Power,
            Self::Power | Self::Operand => Self::Operand,
        }
    }
}
