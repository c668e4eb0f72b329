//! The documentation is true.

use super::gives;
use crate::{OPERATORS, describe, functions};

#[test]
fn every_example_of_an_operator_gives_what_it_says() {
    for operator in OPERATORS {
        assert!(!operator.examples.is_empty(), "{}", operator.written);
        operator.examples.iter().for_each(|(formula, expected)| gives(formula, expected));
    }
}

#[test]
fn every_example_of_a_function_calls_it_and_gives_what_it_says() {
    for function in functions() {
        assert!(!function.examples.is_empty(), "{}", function.name);
        for (formula, expected) in function.examples {
            assert!(formula.contains(&format!("{}(", function.name)), "{formula}");
            gives(formula, expected);
        }
    }
}

#[test]
fn all_functions_of_the_language_are_there() {
    let names: Vec<_> = functions().map(|function| function.name).collect();
    let expected = "if empty coalesce abs round floor ceil sqrt min max sum concat length lower upper trim contains \
                    replace substring format toNumber now today dateAdd dateSubtract dateBetween formatDate year month day";
    assert_eq!(names.join(" "), expected);
}

#[test]
fn the_page_has_every_operator_and_function() {
    let page = describe();
    for function in functions() {
        assert!(page.contains(&format!("| `{}` |", function.signature())), "{}", function.name);
    }
    assert!(page.contains("| `round(number, digits?)` | number | "));
    assert!(page.contains("| `coalesce(value, ...)` | that of an argument | "));
    assert!(page.contains("| `dateAdd(date, amount, unit)` | date | "));
    // No row has more or fewer cells than its heading.
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    for line in page.lines().filter(|line| line.starts_with('|')) {
        assert!(matches!(cells(line), 4 | 5), "{line}");
    }
}

#[test]
fn the_page_about_formulas_lists_all_operators_and_functions() {
    let page = include_str!("../../../../docs/formulas.md");
    assert!(page.contains(describe().trim_end()), "put the result of `describe()` into docs/formulas.md");
}
