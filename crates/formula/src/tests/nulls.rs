//! Operands without a value.

use super::gives;
use crate::functions::{Nulls, functions};

#[test]
fn an_operator_without_an_operand_gives_null() {
    for operator in ["+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">="] {
        gives(&format!("prop(\"none\") {operator} 1"), "null");
        gives(&format!("0 {operator} prop(\"none\")"), "null");
    }
    for formula in [
        "-prop(\"none\")",
        "not prop(\"none\")",
        "prop(\"none\") == prop(\"none\")",
        "if(prop(\"none\"), 1, 2)",
        "prop(\"none\") ? 1 : 2",
        "prop(\"none\") and false",
        "prop(\"none\") or true",
        "true and prop(\"none\")",
        "false or prop(\"none\")",
        "sum(1, prop(\"none\"))",
        "max(prop(\"none\"), 1)",
        "length(prop(\"none\"))",
        "format(prop(\"none\"))",
        "dateAdd(prop(\"none\"), 1, \"days\")",
        "coalesce(prop(\"none\"), prop(\"none\"))",
        "prop(\"none\")",
    ] {
        gives(formula, "null");
    }
}

#[test]
fn errors_come_before_nulls_and_the_left_one_before_the_right_one() {
    gives("prop(\"none\") + prop(\"bad\")", "cycle");
    gives("prop(\"bad\") + prop(\"none\")", "cycle");
    gives("1 / 0 + prop(\"bad\")", "division_by_zero");
    gives("prop(\"bad\") + 1 / 0", "cycle");
    gives("max(prop(\"none\"), prop(\"bad\"), 1 / 0)", "cycle");
    gives("empty(prop(\"bad\"))", "cycle");
    gives("concat(prop(\"none\"), prop(\"bad\"))", "cycle");
}

#[test]
fn some_functions_work_with_nulls() {
    gives("empty(prop(\"none\"))", "true");
    gives("empty(prop(\"blank\"))", "true");
    gives("empty(prop(\"ticked\") == false)", "false");
    gives("coalesce(prop(\"none\"), prop(\"blank\"), 1)", "\"\"");
    gives("concat(\"a\", prop(\"none\"), \"b\")", "\"ab\"");
    gives("concat(prop(\"none\"))", "\"\"");
    let names: Vec<_> =
        functions().filter(|function| function.nulls == Nulls::Given).map(|function| function.name).collect();
    assert_eq!(names, ["if", "empty", "coalesce", "concat"]);
}
