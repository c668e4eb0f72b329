//! The operators between two values: how they are written, how tightly they bind, what they give.

use crate::value::{RowError, Value};
use std::cmp::Ordering;

/// An operator between two values that are both evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `^`
    Power,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// What the operators of one kind take and give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatorKind {
    /// Two numbers give a number.
    Arithmetic,
    /// Two values of one type give a boolean.
    Comparison,
}

impl Operator {
    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "^",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    pub(crate) const fn kind(self) -> OperatorKind {
        match self {
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder | Self::Power => {
                OperatorKind::Arithmetic
            }
            _ => OperatorKind::Comparison,
        }
    }

    /// What an operator of arithmetic gives, if that is finite.
    pub(crate) fn compute(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Remainder => left % right,
            _ => left.powf(right),
        }
    }

    /// Why these operands give no finite number.
    pub(crate) fn reason(self, left: f64, right: f64) -> RowError {
        let divides_by_zero = match self {
            Self::Divide | Self::Remainder => right == 0.0,
            Self::Power => left == 0.0 && right < 0.0,
            _ => false,
        };
        if divides_by_zero { RowError::DivisionByZero } else { RowError::InvalidArgument }
    }

    /// Whether a comparison holds for operands in this order.
    pub(crate) const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            _ => order.is_ge(),
        }
    }

    /// The operator applied to two values, of which neither is null or an error.
    pub(crate) fn apply(self, left: Value<'_>, right: Value<'_>) -> Result<Value<'static>, RowError> {
        match self.kind() {
            OperatorKind::Arithmetic => {
                let (Value::Number(left), Value::Number(right)) = (left, right) else {
                    return Err(RowError::InvalidArgument);
                };
                let number = self.compute(left, right);
                if number.is_finite() { Ok(Value::Number(number)) } else { Err(self.reason(left, right)) }
            }
            OperatorKind::Comparison => Ok(Value::Boolean(self.holds(order(left, right)?))),
        }
    }
}

/// The order of two values of one type. Texts are compared by their code points, dates by calendar day if one of
/// them is a day.
fn order(left: Value<'_>, right: Value<'_>) -> Result<Ordering, RowError> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(&right).ok_or(RowError::InvalidArgument),
        (Value::Text(left), Value::Text(right)) => Ok(left.cmp(right)),
        (Value::Boolean(left), Value::Boolean(right)) => Ok(left.cmp(&right)),
        (Value::Date(left), Value::Date(right)) => Ok(left.compare(right)),
        _ => Err(RowError::InvalidArgument),
    }
}

/// One line of the documentation of operators.
#[derive(Clone, Copy, Debug)]
pub struct OperatorNote {
    /// How it is written.
    pub written: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Expressions with their results.
    pub examples: &'static [(&'static str, &'static str)],
}

/// All operators, those that bind tightest first.
#[rustfmt::skip]
pub const OPERATORS: &[OperatorNote] = &[
    OperatorNote {
        written: "a ^ b",
        description: "The power; from right to left, and before a minus sign in front of it.",
        examples: &[("2 ^ 3 ^ 2", "512"), ("-2 ^ 2", "-4"), ("2 ^ -1", "0.5"), ("0 ^ -1", "division_by_zero")],
    },
    OperatorNote { written: "-a", description: "The negative number.", examples: &[("-(2 + 3)", "-5")] },
    OperatorNote {
        written: "a * b, a / b, a % b",
        description: "The product, the quotient, and the remainder, which has the sign of `a`.",
        examples: &[("3 * 4", "12"), ("7 / 2", "3.5"), ("-7 % 3", "-1"), ("1 / 0", "division_by_zero")],
    },
    OperatorNote {
        written: "a + b, a - b",
        description: "The sum and the difference of numbers. Texts are joined by `concat`, dates moved by `dateAdd`.",
        examples: &[("1 + 2 * 3", "7"), ("\"a\" + \"b\"", "invalid_argument")],
    },
    OperatorNote {
        written: "a < b, a <= b, a > b, a >= b",
        description: "The order of two numbers, texts, dates or booleans. Texts are ordered by their code points; of two dates, one of which has no time, the days in UTC count; false is before true.",
        examples: &[("2 < 10", "true"), ("\"Z\" < \"a\"", "true"), ("1 < \"2\"", "invalid_argument")],
    },
    OperatorNote {
        written: "a == b, a != b",
        description: "Whether two values of one type are equal. Upper and lower case differ.",
        examples: &[("\"a\" == \"a\"", "true"), ("\"a\" != \"A\"", "true"), ("1 == \"1\"", "invalid_argument")],
    },
    OperatorNote { written: "not a", description: "True if `a` is false.", examples: &[("not 1 > 2", "true")] },
    OperatorNote {
        written: "a and b",
        description: "Whether both are true. `b` is not evaluated if `a` is false or empty.",
        examples: &[("1 < 2 and 2 < 3", "true"), ("false and 1 / 0 > 1", "false")],
    },
    OperatorNote {
        written: "a or b",
        description: "Whether at least one is true. `b` is not evaluated if `a` is true or empty.",
        examples: &[("1 > 2 or 2 > 1", "true"), ("true or 1 / 0 > 1", "true")],
    },
    OperatorNote {
        written: "a ? b : c",
        description: "`b` if `a` is true and `c` if it is false; the other one is not evaluated. The same as `if(a, b, c)`.",
        examples: &[("2 > 1 ? \"more\" : \"less\"", "\"more\""), ("true ? 1 : 1 / 0", "1")],
    },
];
