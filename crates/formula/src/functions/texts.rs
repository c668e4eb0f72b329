//! Functions of texts.

use super::{Action, Cost, Function, MAX_TEXT, Nulls, Output, Parameter, Scope, arguments, one, optional, several};
use crate::{
    types::Types,
    value::{RowError, Value, parse_number, write_number},
};
use std::fmt::Write;

const TEXT: &[Parameter] = &[one("text", Types::TEXT)];

type Run = fn(&[Value<'_>], &mut Scope<'_>) -> Result<Output, RowError>;

/// A function that reads or writes texts.
const fn textual(
    name: &'static str,
    parameters: &'static [Parameter],
    result: Types,
    description: &'static str,
    examples: &'static [(&'static str, &'static str)],
    run: Run,
) -> Function {
    let (result, action) = (Some(result), Action::General(run));
    Function { name, parameters, result, description, examples, nulls: Nulls::Spread, cost: Cost::Texts, action }
}

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        nulls: Nulls::Given,
        ..textual(
            "concat",
            &[several("value", Types::ANY)],
            Types::TEXT,
            "The texts in a row. What is no text is written as by `format`, and what has no value is left out.",
            &[("concat(\"a\", \"-\", \"b\")", "\"a-b\""), ("concat(\"No. \", 7)", "\"No. 7\"")],
            concat,
        )
    },
    textual(
        "length",
        TEXT,
        Types::NUMBER,
        "The number of characters (Unicode code points).",
        &[("length(\"häuser\")", "6"), ("length(\"\")", "0")],
        |given, _| Ok(count(arguments::text(given, 0)?.chars().count())),
    ),
    textual("lower", TEXT, Types::TEXT, "The text in lower case.", &[("lower(\"ÄB\")", "\"äb\"")], |given, scope| {
        let text = arguments::text(given, 0)?;
        // Of one letter, a capital sigma at the end of a word depends on its neighbours.
        scope.text.push_str(&text.to_lowercase());
        Ok(Output::Text)
    }),
    textual(
        "upper",
        TEXT,
        Types::TEXT,
        "The text in capitals.",
        &[("upper(\"straße\")", "\"STRASSE\"")],
        |given, scope| {
            scope.text.push_str(&arguments::text(given, 0)?.to_uppercase());
            Ok(Output::Text)
        },
    ),
    textual(
        "trim",
        TEXT,
        Types::TEXT,
        "The text without white space around it.",
        &[("trim(\"  a b \")", "\"a b\"")],
        |given, scope| {
            scope.text.push_str(arguments::text(given, 0)?.trim());
            Ok(Output::Text)
        },
    ),
    textual(
        "contains",
        &[one("text", Types::TEXT), one("part", Types::TEXT)],
        Types::BOOLEAN,
        "Whether the part occurs in the text. Upper and lower case differ.",
        &[("contains(\"workspace\", \"space\")", "true"), ("contains(\"a\", \"A\")", "false")],
        |given, _| {
            let (text, part) = (arguments::text(given, 0)?, arguments::text(given, 1)?);
            Ok(Output::Value(Value::Boolean(text.contains(part))))
        },
    ),
    textual(
        "replace",
        &[one("text", Types::TEXT), one("part", Types::TEXT), one("by", Types::TEXT)],
        Types::TEXT,
        "The text with every occurrence of the part replaced. An empty part occurs nowhere.",
        &[("replace(\"a.b.c\", \".\", \"-\")", "\"a-b-c\"")],
        replace,
    ),
    textual(
        "substring",
        &[one("text", Types::TEXT), one("start", Types::NUMBER), optional("end", Types::NUMBER)],
        Types::TEXT,
        "The characters from `start` up to, but without, `end`; to the end of the text if `end` is left out. The first \
         character is 0. What lies outside of the text is left out.",
        &[
            ("substring(\"formula\", 0, 4)", "\"form\""),
            ("substring(\"formula\", 4)", "\"ula\""),
            ("substring(\"formula\", 5, 99)", "\"la\""),
            ("substring(\"formula\", 0.5, 2)", "invalid_argument"),
        ],
        substring,
    ),
    textual(
        "format",
        &[one("value", Types::ANY)],
        Types::TEXT,
        "The value as a text.",
        &[("format(1.50)", "\"1.5\""), ("format(true)", "\"true\""), ("format(today())", "\"2024-05-15\"")],
        |given, scope| {
            given.iter().try_for_each(|value| write(*value, scope.text))?;
            Ok(Output::Text)
        },
    ),
    textual(
        "toNumber",
        &[one("value", Types(Types::NUMBER.0 | Types::TEXT.0 | Types::BOOLEAN.0))],
        Types::NUMBER,
        "The number that a text is. True is 1 and false 0.",
        &[("toNumber(\" 12.5 \")", "12.5"), ("toNumber(true)", "1"), ("toNumber(\"12 EUR\")", "invalid_argument")],
        |given, _| {
            let number = match given.first() {
                Some(Value::Number(number)) => Some(*number),
                Some(Value::Text(text)) => parse_number(text),
                Some(Value::Boolean(boolean)) => Some(f64::from(u8::from(*boolean))),
                _ => None,
            };
            number.map(|number| Output::Value(Value::Number(number))).ok_or(RowError::InvalidArgument)
        },
    ),
];

fn concat(given: &[Value<'_>], scope: &mut Scope<'_>) -> Result<Output, RowError> {
    for value in given {
        if scope.text.len() > MAX_TEXT {
            break;
        }
        write(*value, scope.text)?;
    }
    Ok(Output::Text)
}

fn replace(given: &[Value<'_>], scope: &mut Scope<'_>) -> Result<Output, RowError> {
    let (text, part, by) = (arguments::text(given, 0)?, arguments::text(given, 1)?, arguments::text(given, 2)?);
    let mut written = 0;
    for (at, _) in text.match_indices(part).filter(|_| !part.is_empty()) {
        if scope.text.len() > MAX_TEXT {
            break;
        }
        scope.text.push_str(&text[written..at]);
        scope.text.push_str(by);
        written = at + part.len();
    }
    scope.text.push_str(&text[written..]);
    Ok(Output::Text)
}

fn substring(given: &[Value<'_>], scope: &mut Scope<'_>) -> Result<Output, RowError> {
    let text = arguments::text(given, 0)?;
    let start = usize::try_from(arguments::whole(given, 1)?.max(0)).unwrap_or(usize::MAX);
    let end = if given.len() > 2 { arguments::whole(given, 2)?.max(0) } else { i64::MAX };
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    let byte = |text: &str, place: usize| text.char_indices().nth(place).map_or(text.len(), |(at, _)| at);
    let rest = &text[byte(text, start)..];
    scope.text.push_str(&rest[..byte(rest, end.saturating_sub(start))]);
    Ok(Output::Text)
}

/// Writes a value as `format` does.
fn write(value: Value<'_>, out: &mut String) -> Result<(), RowError> {
    let written = match value {
        Value::Null => Ok(()),
        Value::Text(text) => out.write_str(text),
        Value::Number(number) => write_number(number, out),
        other => write!(out, "{other}"),
    };
    written.map_err(|_| RowError::InvalidArgument)
}

fn count(number: usize) -> Output {
    Output::Value(Value::Number(u32::try_from(number).map_or(f64::INFINITY, f64::from)))
}
