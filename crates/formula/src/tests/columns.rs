//! Many rows at once, in every form in which columns come.

use super::NOW;
use crate::{
    Column, DEFAULT_BUDGET, Date, Input, Interrupted, OwnedValue, Presence, RowError, Rows, Run, Times, Value, compile,
    parse,
};

const ROWS: usize = 3000;

fn computed(formula: &str, inputs: &[Input<'_>], rows: usize) -> Column {
    let program = compile(&parse(formula).unwrap());
    assert_eq!(program.inputs().len(), inputs.len());
    program.evaluate(&Run::new(inputs, rows, NOW), &mut || false).unwrap().values
}

/// Checks that a formula over `prop("a")` gives in each row what it gives for the value alone.
fn agrees(formula: &str, input: Input<'_>, value_of: impl Fn(usize) -> Value<'static>) {
    let column = computed(formula, &[input], ROWS);
    assert_eq!(column.len(), ROWS);
    let program = compile(&parse(formula).unwrap());
    for row in 0..ROWS {
        let expected = program.evaluate_row(&[value_of(row)], NOW, DEFAULT_BUDGET);
        assert_eq!(OwnedValue::from(column.get(row)), expected, "{formula} in row {row}");
    }
}

/// Whether a row has a value, in tests with gaps.
fn has(row: usize) -> bool {
    !row.is_multiple_of(3)
}

fn number(row: usize) -> f64 {
    f64::from(u32::try_from(row).unwrap()) - 1500.0
}

#[test]
fn numbers_with_gaps() {
    let values: Vec<f64> = (0..ROWS).map(number).collect();
    let flags: Vec<bool> = (0..ROWS).map(has).collect();
    let bits: Vec<u64> =
        flags.chunks(64).map(|flags| flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag))).collect();
    for formula in [
        "prop(\"a\") * 2 + 1",
        "1 / prop(\"a\")",
        "prop(\"a\") > 0",
        "if(prop(\"a\") > 0, prop(\"a\") + 0.5, 0)",
        "if(prop(\"a\") > 0, sqrt(prop(\"a\")), \"none\")",
        "prop(\"a\") > -10 and 100 % prop(\"a\") == 0",
        "sum(prop(\"a\"), max(prop(\"a\"), 7), abs(prop(\"a\")))",
        "coalesce(prop(\"a\"), -1)",
        "-round(prop(\"a\") / 7, 2)",
    ] {
        let with_gaps = |row: usize| if has(row) { Value::Number(number(row)) } else { Value::Null };
        agrees(formula, Input::Numbers { values: &values, present: Presence::All }, |row| Value::Number(number(row)));
        agrees(formula, Input::Numbers { values: &values, present: Presence::Flags(&flags) }, with_gaps);
        agrees(formula, Input::Numbers { values: &values, present: Presence::Bits(&bits) }, with_gaps);
    }
}

#[test]
fn what_lies_in_rows_without_a_value_does_not_matter() {
    let present = Presence::Flags(&[false, true, true, false]);
    let input = Input::Numbers { values: &[f64::NAN, 2.0, f64::INFINITY, 0.0], present };
    let invalid = Value::Error(RowError::InvalidArgument);
    let found = computed("1 / prop(\"a\")", &[input], 4);
    assert_eq!(found.values().collect::<Vec<_>>(), [Value::Null, Value::Number(0.5), invalid, Value::Null]);
    let found = computed("prop(\"a\")", &[input], 4);
    assert_eq!(found.values().collect::<Vec<_>>(), [Value::Null, Value::Number(2.0), invalid, Value::Null]);
}

#[test]
fn texts_in_every_form() {
    const TEXTS: [Option<&str>; 4] = [Some("\u{e4}pple"), None, Some(""), Some("b")];
    let formulas = [
        "upper(prop(\"a\"))",
        "prop(\"a\")",
        "prop(\"a\") < \"b\" ? concat(prop(\"a\"), \"!\") : length(prop(\"a\"))",
        "coalesce(prop(\"a\"), \"-\")",
        "empty(prop(\"a\")) or contains(prop(\"a\"), \"p\")",
    ];
    let value_of = |row: usize| TEXTS[row % 4].map_or(Value::Null, Value::Text);
    let texts: Vec<_> = (0..ROWS).map(|row| TEXTS[row % 4]).collect();
    let joined: String = texts.iter().flatten().copied().collect();
    let ends: Vec<u32> = texts
        .iter()
        .scan(0, |end, text| {
            *end += u32::try_from(text.unwrap_or_default().len()).unwrap();
            Some(*end)
        })
        .collect();
    let flags: Vec<_> = texts.iter().map(Option::is_some).collect();
    let codes: Vec<u32> = (0..ROWS).map(|row| [0, u32::MAX, 1, 2][row % 4]).collect();
    for formula in formulas {
        agrees(formula, Input::Texts(&texts), value_of);
        agrees(formula, Input::Joined { text: &joined, ends: &ends, present: Presence::Flags(&flags) }, value_of);
        agrees(formula, Input::Names { codes: &codes, names: &["\u{e4}pple", "", "b"] }, value_of);
        agrees(
            formula,
            Input::Column(&texts.iter().map(|text| text.map_or(Value::Null, Value::Text)).collect()),
            value_of,
        );
    }
}

#[test]
fn dates_and_booleans() {
    let millis: Vec<i64> =
        (0..ROWS).map(|row| NOW + i64::try_from(row).unwrap() * 10_000_000 - 9_000_000_000).collect();
    let flags: Vec<bool> = (0..ROWS).map(|row| row % 2 == 0).collect();
    let date = |row: usize, has_time: bool| {
        let millis = NOW + i64::try_from(row).unwrap() * 10_000_000 - 9_000_000_000;
        Value::Date(if has_time { Date::at(millis) } else { Date::day_of(millis) }.unwrap())
    };
    for formula in [
        "prop(\"a\") <= now()",
        "prop(\"a\") == today()",
        "dateAdd(prop(\"a\"), 1, \"month\") > prop(\"a\")",
        "formatDate(prop(\"a\"))",
        "if(prop(\"a\") < today(), prop(\"a\"), dateBetween(prop(\"a\"), now(), \"hours\"))",
    ] {
        let present = Presence::All;
        agrees(formula, Input::Dates { millis: &millis, times: Times::All, present }, |row| date(row, true));
        agrees(formula, Input::Dates { millis: &millis, times: Times::None, present }, |row| date(row, false));
        agrees(formula, Input::Dates { millis: &millis, times: Times::Flags(&flags), present }, |row| {
            date(row, row % 2 == 0)
        });
    }
    for formula in
        ["prop(\"a\")", "not prop(\"a\")", "prop(\"a\") == true", "prop(\"a\") and 1 > 0", "prop(\"a\") ? 1 : 2"]
    {
        agrees(formula, Input::Booleans { values: &flags, present: Presence::All }, |row| Value::Boolean(row % 2 == 0));
    }
    let far = Input::Dates { millis: &[i64::MAX], times: Times::All, present: Presence::All };
    assert_eq!(computed("prop(\"a\")", &[far], 1).get(0), Value::Error(RowError::InvalidArgument));
}

struct Squares;

impl Rows for Squares {
    fn value(&self, row: usize) -> Value<'_> {
        Value::Number(number(row) * number(row))
    }
}

#[test]
fn any_other_form_and_the_same_in_all_rows() {
    agrees("sqrt(prop(\"a\"))", Input::Rows(&Squares), |row| Value::Number(number(row) * number(row)));
    agrees("prop(\"a\") + 1", Input::Same(Value::Error(RowError::Cycle)), |_| Value::Error(RowError::Cycle));
    agrees("concat(prop(\"a\"), \"b\")", Input::Same(Value::Null), |_| Value::Null);
}

#[test]
fn results_of_one_type_lie_side_by_side() {
    let values = [1.0, 0.0, 4.0];
    let input = [Input::Numbers { values: &values, present: Presence::All }];
    let column = computed("2 / prop(\"a\")", &input, 3);
    assert_eq!(column.numbers(), Some(&[2.0, 0.0, 0.5][..]));
    assert_eq!(column.states().unwrap()[1], crate::State::Error(RowError::DivisionByZero));
    let column = computed("prop(\"a\") > 0", &input, 3);
    assert_eq!((column.booleans(), column.states()), (Some(&[true, false, true][..]), None));
    let column = computed("if(prop(\"a\") > 0, prop(\"a\"), \"zero\")", &input, 3);
    assert_eq!(column.numbers(), None);
    assert_eq!(column.get(1), Value::Text("zero"));
    assert_eq!(computed("today()", &[], 2).dates().unwrap().len(), 2);
    assert!(computed("prop(\"a\") * 2", &input, 0).is_empty());
}

#[test]
fn missing_rows_and_inputs_are_null() {
    let values = [1.0];
    let input = [Input::Numbers { values: &values, present: Presence::All }];
    assert_eq!(computed("prop(\"a\") + 1", &input, 2).values().collect::<Vec<_>>(), [Value::Number(2.0), Value::Null]);
    let program = compile(&parse("empty(prop(\"a\"))").unwrap());
    let computed = program.evaluate(&Run::new(&[], 1, NOW), &mut || false).unwrap();
    assert_eq!(computed.values.get(0), Value::Boolean(true));
}

#[test]
fn the_caller_can_end_an_evaluation_between_rows_and_within_long_ones() {
    let program = compile(&parse("length(upper(prop(\"a\")))").unwrap());
    let long = "a".repeat(60_000);
    let texts = vec![Some(long.as_str()); 1000];
    let inputs = [Input::Texts(&texts)];
    let run = Run::new(&inputs, texts.len(), NOW);
    let mut questions = 0;
    let computed = program.evaluate(&run, &mut || {
        questions += 1;
        false
    });
    assert_eq!(computed.unwrap().values.get(999), Value::Number(60_000.0));
    assert!(questions > 20, "{questions}");
    let mut left = 10;
    let ended = program.evaluate(&run, &mut || {
        left -= 1;
        left == 0
    });
    assert_eq!((ended.unwrap_err(), left), (Interrupted, 0));
}
