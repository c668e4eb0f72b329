//! The language as a page for people who write formulas.

use crate::{
    functions::{Function, functions},
    operators::OPERATORS,
};
use std::fmt::Write;

/// The operators and functions in Markdown: two tables, with a heading each.
pub fn describe() -> String {
    let mut page = String::from("## Operators\n\n| operator | meaning | examples |\n|---|---|---|\n");
    for operator in OPERATORS {
        row(&mut page, operator.written, operator.description, operator.examples);
    }
    page.push_str("\n## Functions\n\n| function | result | meaning | examples |\n|---|---|---|---|\n");
    for function in functions() {
        let description = format!("{} | {}", result(function), escaped(function.description));
        row(&mut page, &function.signature(), &description, function.examples);
    }
    page
}

fn result(function: &Function) -> String {
    function.result.map_or_else(|| "that of an argument".to_owned(), |types| types.to_string())
}

fn row(page: &mut String, written: &str, description: &str, examples: &[(&str, &str)]) {
    let example = |(formula, result): &(&str, &str)| format!("`{}` is `{}`", escaped(formula), escaped(result));
    let examples: Vec<_> = examples.iter().map(example).collect();
    // Writing to a text cannot fail.
    let _ = writeln!(page, "| `{}` | {description} | {} |", escaped(written), examples.join("<br>"));
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
