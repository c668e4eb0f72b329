//! Comparison of numbers.

use crate::{bits::Bits, column::Numbers};
use octavo_databases::{query::comparison::NumberOperator, value::Number};

/// A condition on numbers.
pub(crate) struct NumberTest {
    operator: NumberOperator,
    wanted: f64,
}

impl NumberTest {
    pub(crate) const fn new(operator: NumberOperator, wanted: Number) -> Self {
        Self { operator, wanted: wanted.get() }
    }

    /// Whether numbers are compared for being the same.
    pub(crate) const fn is_equality(&self) -> bool {
        use NumberOperator as Op;
        matches!(self.operator, Op::Is | Op::Equals | Op::IsNot | Op::NotEquals)
    }

    /// Whether the operator denies something.
    pub(crate) const fn is_negated(&self) -> bool {
        matches!(self.operator, NumberOperator::IsNot | NumberOperator::NotEquals)
    }

    /// Whether a number meets the condition; `None` if there is no value.
    pub(crate) fn meets(&self, number: Option<f64>) -> bool {
        number.map_or(self.is_negated(), |number| compare(self.operator)(&number, &self.wanted))
    }

    pub(crate) fn rows(&self, numbers: &Numbers) -> Bits {
        let is_met = compare(self.operator);
        let mut found = Bits::collect(numbers.values.len(), |row| is_met(&numbers.values[row], &self.wanted));
        found.keep(&numbers.filled);
        if self.is_negated() {
            found.add(&numbers.filled.clone().inverted());
        }
        found
    }
}

/// The meaning of each operator.
fn compare(operator: NumberOperator) -> fn(&f64, &f64) -> bool {
    match operator {
        NumberOperator::Is | NumberOperator::Equals => f64::eq,
        NumberOperator::IsNot | NumberOperator::NotEquals => f64::ne,
        NumberOperator::GreaterThan => f64::gt,
        NumberOperator::LessThan => f64::lt,
        NumberOperator::GreaterOrEqual => f64::ge,
        NumberOperator::LessOrEqual => f64::le,
    }
}
