//! What is wrong with the text of a formula, in words for the person who wrote it.

use crate::{functions::Function, position::Position};
use std::{borrow::Cow, fmt};

/// A formula that cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where the mistake is. At the end of the text if something is missing there.
    pub position: Position,
    /// What it is.
    pub mistake: Mistake,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// There is nothing but white space.
    Nothing,
    /// The text has more bytes than this.
    TooLong(usize),
    /// More brackets, calls, signs or choices than this lie in one another.
    TooDeep(usize),
    /// A character that no formula has outside of quotes.
    Character {
        /// The character.
        found: char,
        /// What was probably meant.
        hint: Option<&'static str>,
    },
    /// A text whose closing quote is missing.
    OpenText(char),
    /// What begins like a number and is none, or is too large.
    Number(String),
    /// Something else was expected.
    Expected {
        /// What would have been right.
        expected: Cow<'static, str>,
        /// What stands there; `None` at the end of the formula.
        found: Option<String>,
    },
    /// A bracket that is not closed, or closed without being open.
    Bracket {
        /// Where the open one is; `None` if there is none.
        opened: Option<Position>,
        /// What stands where `)` was expected; `None` at the end of the formula.
        found: Option<String>,
    },
    /// A call of a function that does not exist.
    UnknownFunction {
        /// Its name.
        name: String,
        /// A function with a similar name.
        similar: Option<&'static str>,
    },
    /// A call with too many or too few arguments.
    Arguments {
        /// How the function is called.
        signature: String,
        /// How many arguments it takes, in words.
        takes: String,
        /// How many it got.
        given: usize,
    },
    /// A word that is neither a constant nor the id of a property.
    UnknownWord {
        /// The word.
        word: String,
        /// What was probably meant.
        hint: Option<String>,
    },
    /// A property that does not exist.
    UnknownProperty(String),
}

impl Mistake {
    pub(super) fn arguments(function: &Function, given: usize) -> Self {
        let (least, most) = function.arity();
        let takes = match most {
            None => format!("{least} or more"),
            Some(most) if most == least => least.to_string(),
            Some(most) => format!("{least} or {most}"),
        };
        Self::Arguments { signature: function.signature(), takes, given }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("the formula is empty"),
            Self::TooLong(most) => write!(f, "the formula is longer than {most} bytes"),
            Self::TooDeep(most) => write!(f, "more than {most} brackets, calls or signs lie in one another"),
            Self::Character { found, hint: Some(hint) } => write!(f, "`{found}` means nothing here; {hint}"),
            Self::Character { found, hint: None } => write!(f, "`{found}` means nothing in a formula"),
            Self::OpenText(quote) => write!(f, "the text that begins here has no closing {quote}"),
            Self::Number(text) => write!(f, "`{text}` is not a number that formulas can work with"),
            Self::Expected { expected, found } => write!(f, "expected {expected}, found {}", Found(found)),
            Self::Bracket { opened: None, .. } => f.write_str("this `)` closes nothing"),
            Self::Bracket { opened: Some(at), found } => {
                write!(f, "the `(` at {at} is not closed: expected `)`, found {}", Found(found))
            }
            Self::UnknownFunction { name, similar: Some(similar) } => {
                write!(f, "there is no function `{name}`; did you mean `{similar}`?")
            }
            Self::UnknownFunction { name, similar: None } => write!(f, "there is no function `{name}`"),
            Self::Arguments { signature, takes, given } => {
                let noun = if takes == "1" { "argument" } else { "arguments" };
                write!(f, "`{signature}` takes {takes} {noun} and got {given}")
            }
            Self::UnknownWord { word, hint: Some(hint) } => write!(f, "`{word}` means nothing; {hint}"),
            Self::UnknownWord { word, hint: None } => {
                write!(f, "`{word}` means nothing; properties are written prop(\"{word}\"), texts in quotes")
            }
            Self::UnknownProperty(name) => write!(f, "there is no property \"{name}\""),
        }
    }
}

/// What stands in a place.
struct Found<'a>(&'a Option<String>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(found) => write!(f, "`{found}`"),
            None => f.write_str("the end of the formula"),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at {})", self.mistake, self.position)
    }
}

impl std::error::Error for SyntaxError {}
