//! Functions of numbers.

use super::{Action, Cost, Function, Nulls, Output, arguments, one, optional, several};
use crate::{
    types::Types,
    value::{Value, rounded},
};

const NUMBER: &[super::Parameter] = &[one("number", Types::NUMBER)];
const NUMBERS: &[super::Parameter] = &[several("number", Types::NUMBER)];

/// A function from numbers to a number.
const fn numeric(
    name: &'static str,
    parameters: &'static [super::Parameter],
    description: &'static str,
    examples: &'static [(&'static str, &'static str)],
    action: Action,
) -> Function {
    let result = Some(Types::NUMBER);
    Function { name, parameters, result, description, examples, nulls: Nulls::Spread, cost: Cost::Flat, action }
}

pub(super) const FUNCTIONS: &[Function] = &[
    numeric("abs", NUMBER, "The number without its sign.", &[("abs(-3.5)", "3.5")], Action::Number(f64::abs)),
    numeric(
        "round",
        &[one("number", Types::NUMBER), optional("digits", Types::NUMBER)],
        "The number with so many digits after the point, none if `digits` is left out. Halves are rounded away from \
         zero. If `digits` is negative, tens, hundreds and so on are rounded.",
        &[
            ("round(2.5)", "3"),
            ("round(-2.5)", "-3"),
            ("round(1.005, 2)", "1.01"),
            ("round(1234, -2)", "1200"),
            ("round(1, 0.5)", "invalid_argument"),
        ],
        Action::General(|given, _| {
            let digits = if given.len() > 1 { arguments::whole(given, 1)? } else { 0 };
            Ok(Output::Value(Value::Number(rounded(arguments::number(given, 0)?, digits))))
        }),
    ),
    numeric(
        "floor",
        NUMBER,
        "The greatest whole number that is not greater.",
        &[("floor(2.7)", "2"), ("floor(-2.2)", "-3")],
        Action::Number(f64::floor),
    ),
    numeric(
        "ceil",
        NUMBER,
        "The least whole number that is not less.",
        &[("ceil(2.2)", "3"), ("ceil(-2.7)", "-2")],
        Action::Number(f64::ceil),
    ),
    numeric(
        "sqrt",
        NUMBER,
        "The square root; there is none of a negative number.",
        &[("sqrt(9)", "3"), ("sqrt(-1)", "invalid_argument")],
        Action::Number(f64::sqrt),
    ),
    numeric("min", NUMBERS, "The least of the numbers.", &[("min(3, 1, 2)", "1")], Action::Fold(f64::min)),
    numeric("max", NUMBERS, "The greatest of the numbers.", &[("max(3, 1, 2)", "3")], Action::Fold(f64::max)),
    numeric(
        "sum",
        NUMBERS,
        "The sum of the numbers.",
        &[("sum(1, 2, 3.5)", "6.5"), ("sum(1, \"2\")", "invalid_argument")],
        Action::Fold(|sum, number| sum + number),
    ),
];
