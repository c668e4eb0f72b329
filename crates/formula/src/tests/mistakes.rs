//! Messages for people who wrote a formula.

use crate::{MAX_BYTES, Position, parse};

/// Checks where a mistake is, in characters from the beginning, and what is said about it.
#[track_caller]
fn is_wrong(formula: &str, offset: usize, message: &str) {
    let fault = parse(formula).unwrap_err();
    assert_eq!((fault.position.offset, fault.mistake.to_string().as_str()), (offset, message), "{formula}");
}

#[test]
fn something_is_missing() {
    is_wrong("", 0, "the formula is empty");
    is_wrong(" \n ", 3, "the formula is empty");
    let value = "expected a value: a number, a text in quotes, a property or a function";
    is_wrong("1 +", 3, &format!("{value}, found the end of the formula"));
    is_wrong("1 + * 2", 4, &format!("{value}, found `*`"));
    is_wrong("sum(1,)", 6, &format!("{value}, found `)`"));
    is_wrong("()", 1, &format!("{value}, found `)`"));
    is_wrong("and true", 0, &format!("{value}, found `and`"));
    is_wrong("true ? 1", 8, "expected an operator or the `:` of `a ? b : c`, found the end of the formula");
    is_wrong("(1 + 2", 6, "the `(` at character 1 is not closed: expected `)`, found the end of the formula");
    is_wrong("\nsum(1", 6, "the `(` at line 2, column 4 is not closed: expected `)`, found the end of the formula");
}

#[test]
fn something_is_too_much() {
    is_wrong("1 2", 2, "expected an operator or the end of the formula, found `2`");
    is_wrong("1 + 2)", 5, "this `)` closes nothing");
    is_wrong("sum(1 2)", 6, "expected an operator, `,` or `)`, found `2`");
    is_wrong("(1, 2)", 2, "expected an operator, `)`, found `,`");
    let long = "1".repeat(8 * MAX_BYTES + 1);
    is_wrong(&long, 0, &format!("the formula is longer than {} bytes", 8 * MAX_BYTES));
}

#[test]
fn signs_of_other_languages_come_with_what_is_written_here() {
    is_wrong("1 = 1", 2, "`=` means nothing here; equality is written `==`");
    is_wrong("1 <> 1", 2, "`<` means nothing here; inequality is written `!=`");
    is_wrong("true && true", 5, "`&` means nothing here; write `and`; texts are joined by concat(a, b)");
    is_wrong("!true", 0, "`!` means nothing here; write `not`");
    is_wrong("length(\u{201c}a\u{201d})", 7, "`\u{201c}` means nothing here; texts stand in straight quotes, \" or '");
    is_wrong("sum(1; 2)", 5, "`;` means nothing here; arguments are separated by `,`");
    is_wrong("ä == #", 5, "`#` means nothing in a formula");
}

#[test]
fn texts_and_numbers_that_do_not_end() {
    is_wrong("concat('a\", \"b\")", 7, "the text that begins here has no closing '");
    is_wrong("\"a\\\"", 0, "the text that begins here has no closing \"");
    is_wrong("1 + 2a", 4, "`2a` is not a number that formulas can work with");
    is_wrong("1.2.3", 0, "`1.2.3` is not a number that formulas can work with");
    is_wrong("1.", 0, "`1.` is not a number that formulas can work with");
    is_wrong("1e", 0, "`1e` is not a number that formulas can work with");
    let long = format!("`{}...` is not a number that formulas can work with", "9".repeat(40));
    is_wrong(&"9".repeat(400), 0, &long);
}

#[test]
fn functions_that_do_not_exist_or_are_called_wrongly() {
    is_wrong("1 + dateadd(1)", 4, "there is no function `dateadd`; did you mean `dateAdd`?");
    is_wrong("frobnicate()", 0, "there is no function `frobnicate`");
    is_wrong("abs()", 0, "`abs(number)` takes 1 argument and got 0");
    is_wrong("round(1, 2, 3)", 0, "`round(number, digits?)` takes 1 or 2 arguments and got 3");
    is_wrong("max()", 0, "`max(number, ...)` takes 1 or more arguments and got 0");
    is_wrong("if(true, 1)", 0, "`if(condition, then, otherwise)` takes 3 arguments and got 2");
    is_wrong("now(1)", 0, "`now()` takes 0 arguments and got 1");
    is_wrong("1 + now", 4, "`now` means nothing; functions are called with brackets: now(...)");
    is_wrong("prop(Price)", 5, "expected the name of a property: prop(\"Name\"), found `Price`");
    is_wrong("prop", 4, "expected the name of a property: prop(\"Name\"), found the end of the formula");
}

#[test]
fn positions_count_characters() {
    let fault = parse("\"ä\u{1f600}\" ==\n  #").unwrap_err();
    assert_eq!(fault.position, Position { offset: 10, line: 2, column: 3 });
    assert_eq!(fault.to_string(), "`#` means nothing in a formula (at line 2, column 3)");
}
