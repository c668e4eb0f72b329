//! A short run of the fuzz target for JSON, with random texts.

use super::json;
use crate::fuzzing::run;
use proptest::{collection::vec, prelude::*, sample::select};

#[path = "../../fuzz/bodies/json.rs"]
mod bodies;

#[rustfmt::skip]
const VALUES: &[&str] = &[
    "null", "true", "0", "-0", "-0.0", "1.5e3", "1E-400", "18446744073709551616", "-9223372036854775809", "0.1", "\"\"", "\"a\"", "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"", "\"\\n\\/\"", "\"\u{1f600}\"", "[]", "{}", " [ ] ",
];

/// What looks like a value and is refused.
const BROKEN: &[&str] = &["", "01", "1e999", "NaN", "\"\\u0000\"", "\"\\ud83d\"", "\"\u{1}\"", "[", "}"];

const KEYS: &[&str] = &["\"\"", "\"a\"", "\"b\"", "\"c\"", "\"\\u0061\""];

const SPACE: &[&str] = &["", "", "", "", " ", "\n", ",", "\u{feff}"];

/// Nested lists and objects, of which many break a rule.
fn text() -> impl Strategy<Value = String> {
    let value = prop_oneof![15 => select(VALUES), 1 => select(BROKEN)].prop_map(str::to_owned);
    let nested = value.prop_recursive(6, 40, 5, |inner| {
        let list = vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(",")));
        let field = (select(KEYS), inner).prop_map(|(key, value)| format!("{key}:{value}"));
        let object = vec(field, 0..4).prop_map(|fields| format!("{{{}}}", fields.join(",")));
        prop_oneof![list, object]
    });
    (select(SPACE), nested, select(SPACE)).prop_map(|(before, value, behind)| format!("{before}{value}{behind}"))
}

#[test]
fn json_that_passes_can_be_read_in_one_way_only() {
    run(&text(), 1_000, |text| bodies::json(text.as_bytes()));
}
