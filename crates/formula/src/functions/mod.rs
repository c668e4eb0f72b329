//! The functions of the language: one table, from which the parser, the checker, the evaluator and the documentation
//! read.

mod arguments;
mod dates;
mod logic;
mod numbers;
mod pattern;
mod texts;

use crate::{
    types::Types,
    value::{RowError, Value},
};

/// A function of the language.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// The type of its result; `None` if it returns one of its arguments.
    pub result: Option<Types>,
    /// What it does.
    pub description: &'static str,
    /// Expressions with their results. Tests run them at noon UTC on 15 May 2024.
    pub examples: &'static [(&'static str, &'static str)],
    pub(crate) nulls: Nulls,
    pub(crate) cost: Cost,
    pub(crate) action: Action,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in the documentation.
    pub name: &'static str,
    /// What it takes.
    pub types: Types,
    /// How many arguments it stands for.
    pub count: Count,
}

/// How many arguments a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One.
    One,
    /// One or none; only the last parameter.
    Optional,
    /// One or more; only the last parameter.
    Several,
}

/// What a null among the arguments does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// The result is null.
    Spread,
    /// The function gets it.
    Given,
}

/// What a call costs besides the operation that each node costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Nothing.
    Flat,
    /// One operation for every 64 bytes of the texts that it reads and writes.
    Texts,
}

/// How a function works.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// By the evaluator, because arguments may stay unevaluated.
    Choice,
    /// On one number. A result that is not finite is `invalid_argument`.
    Number(fn(f64) -> f64),
    /// On one number after the other.
    Fold(fn(f64, f64) -> f64),
    /// On any values, of which none is an error.
    General(fn(&[Value<'_>], &mut Scope<'_>) -> Result<Output, RowError>),
}

/// What functions have besides their arguments.
pub(crate) struct Scope<'a> {
    /// The present time, in milliseconds since the beginning of 1970.
    pub(crate) now: i64,
    /// Where a text that is returned is written.
    pub(crate) text: &'a mut String,
}

/// What a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Output {
    /// A value; no text.
    Value(Value<'static>),
    /// The text that it wrote.
    Text,
    /// The argument with this index.
    Argument(usize),
}

/// The longest text that a function may make, and that a formula may have as its result, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

const TABLES: [&[Function]; 4] = [logic::FUNCTIONS, numbers::FUNCTIONS, texts::FUNCTIONS, dates::FUNCTIONS];

/// All functions, by subject.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    TABLES.into_iter().flatten()
}

/// The function with this name.
pub fn function(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}

impl Function {
    /// The least and the greatest number of arguments; `None` if there is no greatest.
    pub fn arity(&self) -> (usize, Option<usize>) {
        let most = self.parameters.len();
        match self.parameters.last().map(|parameter| parameter.count) {
            Some(Count::Optional) => (most - 1, Some(most)),
            Some(Count::Several) => (most, None),
            Some(Count::One) | None => (most, Some(most)),
        }
    }

    /// The parameter that takes the argument with this index.
    pub fn parameter(&self, argument: usize) -> Option<&Parameter> {
        self.parameters.get(argument).or_else(|| self.parameters.last())
    }

    /// How it is called, for example `round(number, digits?)`.
    pub fn signature(&self) -> String {
        let parameter = |parameter: &Parameter| match parameter.count {
            Count::One => parameter.name.to_owned(),
            Count::Optional => format!("{}?", parameter.name),
            Count::Several => format!("{}, ...", parameter.name),
        };
        let parameters: Vec<_> = self.parameters.iter().map(parameter).collect();
        format!("{}({})", self.name, parameters.join(", "))
    }
}

const fn one(name: &'static str, types: Types) -> Parameter {
    Parameter { name, types, count: Count::One }
}

const fn optional(name: &'static str, types: Types) -> Parameter {
    Parameter { name, types, count: Count::Optional }
}

const fn several(name: &'static str, types: Types) -> Parameter {
    Parameter { name, types, count: Count::Several }
}
