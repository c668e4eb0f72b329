//! Tests of behaviour.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod budgets;
mod columns;
mod documentation;
mod examples;
mod grammar;
mod mistakes;
mod naive;
mod naive_functions;
mod nulls;
mod random;
mod trees;
mod typed;

use crate::{DEFAULT_BUDGET, OwnedValue, Value, compile, parse};

/// Noon UTC on 15 May 2024.
const NOW: i64 = 1_715_774_400_000;

/// What a formula gives for properties with these values.
fn evaluated(formula: &str, properties: &[(&str, Value<'_>)]) -> OwnedValue {
    let expr = parse(formula).unwrap_or_else(|fault| panic!("{formula}: {fault}"));
    let program = compile(&expr);
    let value =
        |input: &String| properties.iter().find(|(name, _)| name == input).map_or(Value::Null, |(_, value)| *value);
    let values: Vec<_> = program.inputs().iter().map(value).collect();
    program.evaluate_row(&values, NOW, DEFAULT_BUDGET)
}

/// The properties that tests of behaviour use; `prop("none")` has no value.
fn sample() -> Vec<(&'static str, Value<'static>)> {
    let day = crate::Date::parse("2024-05-15").unwrap();
    let time = crate::Date::at(NOW - 3_600_000).unwrap();
    let bad = Value::Error(crate::RowError::Cycle);
    let texts = [("text", Value::Text("Ärger")), ("blank", Value::Text("")), ("tags", Value::Text("red, blue"))];
    let others = [("number", Value::Number(7.0)), ("ticked", Value::Boolean(true)), ("bad", bad)];
    let dates = [("day", Value::Date(day)), ("time", Value::Date(time)), ("none", Value::Null)];
    texts.into_iter().chain(others).chain(dates).collect()
}

/// Checks what a formula gives, as it is written in the documentation.
#[track_caller]
fn gives(formula: &str, expected: &str) {
    let value = evaluated(formula, &sample());
    assert_eq!(value.as_value().to_string(), expected, "{formula}");
}
