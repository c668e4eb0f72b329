//! Regular expressions that texts have to match.
//!
//! A form is open to everybody, and its patterns are written by somebody else than those who are asked. So a search takes a
//! number of steps that is known beforehand, whatever the pattern and the text are; and patterns that would use them up are
//! refused when they are saved.

mod nesting;
mod probe;
mod search;
#[cfg(test)]
mod tests;

use octavo_core_model::text::TextFlaw;
use regex_automata::nfa::thompson::{BuildError, Compiler, NFA, WhichCaptures};
use regex_syntax::{ParserBuilder, hir::Hir};
use std::fmt;

/// A regular expression as its author wrote it. It is Unicode, and matches anywhere in a text unless it is anchored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// It is no pattern, or uses something that cannot be searched in linear time.
    Syntax {
        /// What is wrong.
        message: String,
        /// How many characters of the pattern are right.
        offset: usize,
    },
    /// A repetition without an end is repeated without an end, and nothing separates one round from the next.
    NestedRepetition,
    /// It is too large once it is compiled.
    TooLarge,
    /// Some texts take too many steps.
    TooSlow,
}

impl Pattern {
    /// How many characters it has at most.
    pub const MAX: usize = 200;
    /// How many bytes it has at most once it is compiled.
    const MAX_COMPILED: usize = 1 << 20;
    /// How deep groups may be nested.
    const MAX_NESTING: u32 = 50;

    /// Reads a pattern. Whether it can be used is checked by [`Self::check`], which takes longer.
    pub fn read(text: &str) -> Result<Self, TextFlaw> {
        if text.is_empty() {
            return Err(TextFlaw::Empty);
        }
        if text.chars().nth(Self::MAX).is_some() { Err(TextFlaw::TooLong) } else { Ok(Self(text.to_owned())) }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks whether the pattern can be used: its syntax, its repetitions and its size, and how long it takes for texts of
    /// 10,000 characters that are made to slow it down.
    pub fn check(&self) -> Result<(), PatternFault> {
        let parsed = self.parse()?;
        if nesting::is_nested(&parsed) {
            return Err(PatternFault::NestedRepetition);
        }
        let matcher = Matcher::new(&parsed)?;
        let is_fast = |text: String| matcher.is_match(&text).is_ok();
        if probe::texts(&parsed).all(is_fast) { Ok(()) } else { Err(PatternFault::TooSlow) }
    }

    /// The pattern in the form in which it is searched for.
    pub fn compile(&self) -> Result<Matcher, PatternFault> {
        Matcher::new(&self.parse()?)
    }

    fn parse(&self) -> Result<Hir, PatternFault> {
        let mut parser = ParserBuilder::new().nest_limit(Self::MAX_NESTING).build();
        parser.parse(&self.0).map_err(|error| self.syntax(&error))
    }

    fn syntax(&self, error: &regex_syntax::Error) -> PatternFault {
        let (message, at) = match error {
            regex_syntax::Error::Parse(error) => (error.kind().to_string(), error.span().start.offset),
            regex_syntax::Error::Translate(error) => (error.kind().to_string(), error.span().start.offset),
            _ => ("this is no regular expression".to_owned(), 0),
        };
        PatternFault::Syntax { message, offset: self.0.get(..at).unwrap_or_default().chars().count() }
    }
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Matcher(NFA);

/// A search would take more steps than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSlow;

impl Matcher {
    fn new(parsed: &Hir) -> Result<Self, PatternFault> {
        let config =
            NFA::config().nfa_size_limit(Some(Pattern::MAX_COMPILED)).which_captures(WhichCaptures::None).utf8(true);
        let built = Compiler::new().configure(config).build_from_hir(parsed);
        // The parser refused everything else that the compiler does not know.
        built.map(Self).map_err(|_: BuildError| PatternFault::TooLarge)
    }

    /// Whether the pattern matches a part of the text.
    pub fn is_match(&self, text: &str) -> Result<bool, TooSlow> {
        search::search(&self.0, text, search::budget(text)).ok_or(TooSlow)
    }
}

impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message, offset } => write!(f, "{message} (after {offset} characters)"),
            Self::NestedRepetition => f.write_str(
                "a repetition within a repetition, such as `(a+)+`, needs something between the rounds, such as `(a+,)+`",
            ),
            Self::TooLarge => f.write_str("the pattern is too large; shorten its counted repetitions"),
            Self::TooSlow => {
                f.write_str("the pattern takes too long for some texts; anchor it with `^`, or shorten its repetitions")
            }
        }
    }
}
