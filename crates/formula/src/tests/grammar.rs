//! What is written where.

use super::gives;
use crate::{MAX_BYTES, MAX_DEPTH, Mistake, compile, parse};

#[test]
fn operators_bind_as_people_expect() {
    for (formula, expected) in [
        ("1 + 2 * 3 ^ 2", "19"),
        ("10 - 3 - 2", "5"),
        ("100 / 10 / 2", "5"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -2 ^ 2", "0.0625"),
        ("-2 * -3", "6"),
        ("- - 2", "2"),
        ("not true == false", "true"),
        ("not true or true", "true"),
        ("true or false and false", "true"),
        ("false ? 1 : true ? 2 : 3", "2"),
        ("true ? false ? 1 : 2 : 3", "2"),
        ("1 < 2 ? 1 + 1 : 0", "2"),
        ("true == not false", "true"),
        ("(1 + 2) * 3", "9"),
        ("7 % 4 * 2", "6"),
        (" \t\n1\r\n+\u{a0}1 ", "2"),
        (".5 + 1.25e1", "13"),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn a_property_is_named_in_quotes_or_by_its_id_alone() {
    let expr = parse("prop( 'Unit price' ) * prop_01J8 + prop(\"a\\\"b\") + prop('Unit price')").unwrap();
    assert_eq!(expr.properties().collect::<Vec<_>>(), ["Unit price", "prop_01J8", "a\"b", "Unit price"]);
    assert_eq!(compile(&expr).inputs(), ["Unit price", "prop_01J8", "a\"b"]);
}

#[test]
fn chains_are_not_nested_and_need_no_stack() {
    gives(&format!("{}1", "1+".repeat(MAX_BYTES / 2 - 1)), &(MAX_BYTES / 2).to_string());
    gives(&format!("{}true", "true and ".repeat(1000)), "true");
    gives(&format!("{}1 > 0", "prop(\"none\") > 1 or ".repeat(400)), "null");
}

#[test]
fn brackets_calls_signs_and_choices_nest_so_deep_and_no_deeper() {
    let nested = |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [("(", ")"), ("abs(", ")"), ("-", ""), ("2^", ""), ("true ? ", " : 1"), ("if(true, ", ", 1)")]
    {
        assert!(parse(&nested(open, close, MAX_DEPTH)).is_ok(), "{open}");
        for depth in [MAX_DEPTH + 1, 200, 1000] {
            let fault = parse(&nested(open, close, depth)).unwrap_err();
            assert_eq!(fault.mistake, Mistake::TooDeep(MAX_DEPTH), "{open}");
        }
    }
    gives(&nested("abs(", ")", MAX_DEPTH), "1");
    gives(&nested("if(true, ", ", 2)", MAX_DEPTH), "1");
}
