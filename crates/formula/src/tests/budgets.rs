//! What formulas may spend.

use super::NOW;
use crate::{Costs, DEFAULT_BUDGET, Input, MAX_TEXT, OwnedValue, RowError, Run, Value, compile, parse};

/// What a formula costs in a row in which `prop("a")` has a value.
fn cost(formula: &str, value: Value<'_>) -> u32 {
    let program = compile(&parse(formula).unwrap());
    let inputs = [Input::Same(value)];
    program.evaluate(&Run::new(&inputs, 1, NOW), &mut || false).unwrap().costs.get(0)
}

fn within(formula: &str, value: Value<'_>, budget: u32) -> OwnedValue {
    compile(&parse(formula).unwrap()).evaluate_row(&[value], NOW, budget)
}

const SPENT: OwnedValue = OwnedValue::Error(RowError::FormulaBudget);

#[test]
fn every_node_that_is_evaluated_is_one_operation() {
    let one = Value::Number(1.0);
    for (formula, expected) in [
        ("prop(\"a\")", 1),
        ("prop(\"a\") + 1", 3),
        ("-(prop(\"a\"))", 2),
        ("max(prop(\"a\"), 2, 3 * 4)", 6),
        // The same with constants, which are computed beforehand.
        ("1 + 2 * 3", 5),
        ("prop(\"a\") + (1 + 2)", 5),
        // Branches count for the rows that need them.
        ("if(prop(\"a\") > 0, 1, 2 + 3 + 4)", 5),
        ("if(prop(\"a\") < 0, 1, 2 + 3 + 4)", 9),
        ("prop(\"a\") > 0 or prop(\"a\") > 1", 4),
        ("prop(\"a\") > 0 and prop(\"a\") > 1", 7),
        ("true ? 1 : 2", 3),
    ] {
        assert_eq!(cost(formula, one), expected, "{formula}");
        assert_eq!(within(formula, one, expected - 1), SPENT, "{formula}");
        assert_ne!(within(formula, one, expected), SPENT, "{formula}");
    }
}

#[test]
fn functions_of_texts_also_count_the_bytes_that_they_read_and_write() {
    let text = "\u{e4}".repeat(320);
    for (formula, expected) in [
        ("length(prop(\"a\"))", 2 + 10),
        ("upper(prop(\"a\"))", 2 + 20),
        ("contains(prop(\"a\"), \"b\")", 3 + 10),
        ("empty(prop(\"a\"))", 2),
        ("prop(\"a\") == \"b\"", 3),
        ("concat(\"a\", \"b\")", 3),
        ("concat(prop(\"a\"), prop(\"a\"))", 3 + 40),
    ] {
        assert_eq!(cost(formula, Value::Text(&text)), expected, "{formula}");
        assert_eq!(within(formula, Value::Text(&text), expected - 1), SPENT, "{formula}");
    }
}

#[test]
fn no_text_becomes_longer_than_its_limit() {
    let text = "a".repeat(1000);
    let concat = |count: usize| format!("concat({})", vec!["prop(\"a\")"; count].join(", "));
    let kept = MAX_TEXT / 1000;
    assert_ne!(within(&concat(kept), Value::Text(&text), DEFAULT_BUDGET), SPENT);
    assert_eq!(within(&concat(kept + 1), Value::Text(&text), DEFAULT_BUDGET), SPENT);
    // Not even in between, and whatever the result is.
    assert_eq!(within(&format!("length({})", concat(kept + 1)), Value::Text(&text), DEFAULT_BUDGET), SPENT);
    // A million characters: no result, but nothing that could not be read.
    let million = "a".repeat(1_000_000);
    assert_eq!(within("prop(\"a\")", Value::Text(&million), DEFAULT_BUDGET), SPENT);
    assert_eq!(within("length(prop(\"a\"))", Value::Text(&million), DEFAULT_BUDGET), OwnedValue::Number(1e6));
    let bomb = "replace(replace(replace(prop(\"a\"), \"a\", prop(\"a\")), \"a\", prop(\"a\")), \"a\", prop(\"a\"))";
    assert_eq!(within(bomb, Value::Text(&text), DEFAULT_BUDGET), SPENT);
}

#[test]
fn a_row_that_spends_its_budget_does_not_affect_others() {
    let long = "a".repeat(MAX_TEXT);
    let texts: Vec<_> = (0..100).map(|row| Some(if row % 2 == 0 { "a" } else { long.as_str() })).collect();
    let calls: Vec<_> = (0..60).map(|_| "length(upper(prop(\"a\")))").collect();
    let program = compile(&parse(&calls.join(" + ")).unwrap());
    let inputs = [Input::Texts(&texts)];
    let computed = program.evaluate(&Run::new(&inputs, texts.len(), NOW), &mut || false).unwrap();
    for row in 0..100 {
        let expected = if row % 2 == 0 { Value::Number(60.0) } else { Value::Error(RowError::FormulaBudget) };
        assert_eq!(computed.values.get(row), expected);
    }
    assert!(computed.costs.get(1) < DEFAULT_BUDGET + 5000, "the rest is not evaluated");
}

#[test]
fn a_formula_counts_with_those_that_it_uses() {
    let program = compile(&parse("prop(\"a\") + 1").unwrap());
    let (first, second) = (Costs::Same(50), Costs::Each(vec![0, 47, 48]));
    let inputs = [Input::Same(Value::Number(1.0))];
    let used = [&first, &second];
    let run = Run { used: &used, budget: 100, ..Run::new(&inputs, 3, NOW) };
    let computed = program.evaluate(&run, &mut || false).unwrap();
    let spent = Value::Error(RowError::FormulaBudget);
    assert_eq!(computed.values.values().collect::<Vec<_>>(), [Value::Number(2.0), Value::Number(2.0), spent]);
    // Its own costs are its own: who uses it counts the others once.
    assert_eq!(computed.costs, Costs::Same(3));
}

#[test]
fn long_constants_are_not_computed_without_limit() {
    let call = format!("replace(\"{}\", \"a\", \"{}\")", "a".repeat(200), "b".repeat(200));
    let calls: Vec<_> = (0..20).map(|_| format!("length({call})")).collect();
    let formula = calls.join(" + ");
    assert_eq!(within(&formula, Value::Null, DEFAULT_BUDGET), OwnedValue::Number(20.0 * 40_000.0));
    let program = compile(&parse(&format!("concat({call}, prop(\"a\"))")).unwrap());
    assert_eq!(program.evaluate_row(&[Value::Null], NOW, DEFAULT_BUDGET), OwnedValue::Text("b".repeat(40_000).into()));
    assert!(format!("{program:?}").len() < 10_000, "the text is not part of the program");
}
