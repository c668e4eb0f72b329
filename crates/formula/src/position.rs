//! Places in the text of a formula.

use std::fmt;

/// A place in a text. Everything is counted in characters (Unicode code points).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// How many characters of the text are before it.
    pub offset: usize,
    /// The number of the line; the first is 1.
    pub line: usize,
    /// The number of the character in its line; the first is 1.
    pub column: usize,
}

impl Position {
    /// The position of the character that begins at this byte, or of the end of the text.
    pub(crate) fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let of_line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            offset: before.chars().count(),
            line: before.matches('\n').count() + 1,
            column: of_line.chars().count() + 1,
        }
    }
}

/// `line 2, column 5`, or `character 5` on the first line.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 1 {
            write!(f, "character {}", self.column)
        } else {
            write!(f, "line {}, column {}", self.line, self.column)
        }
    }
}
