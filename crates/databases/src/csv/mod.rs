//! CSV files: text cells in, text cells out. What the cells mean to properties is decided elsewhere.
//!
//! A file is read in passes, each of which gets it in pieces of any size and keeps no more than one row:
//! 1. [`Detector`] detects encoding and delimiter.
//! 2. [`Reader`] reads the rows. The first one names the [`Columns`]; [`Guess`] looks at the others, if the kinds of
//!    the columns are not known.
//! 3. A second [`Reader`] reads them again to import them. It can stop after any row, and another one can go on at
//!    its [`Place`].
//!
//! ```
//! use octavo_databases::csv::{ColumnKind, Columns, Detector, Guess, Next, Reader};
//!
//! let file = b"Name;Amount\r\nAda;36\r\n\"Grace;45\r\nAlan;41\r\n";
//! let mut detector = Detector::new();
//! detector.push(file);
//! let detected = detector.finish(None);
//!
//! let mut reader = Reader::new(detected.dialect, detected.header);
//! reader.push(file);
//! reader.finish();
//! let Next::Row(header) = reader.next_row() else { panic!("there is no header") };
//! let columns = Columns::below(&header);
//! let mut guess = Guess::new(columns.columns.len());
//! let mut rejected = Vec::new();
//! loop {
//!     match reader.next_row() {
//!         Next::Row(row) => match row.below(columns.headers) {
//!             Ok(row) => guess.add(&row),
//!             Err(row) => rejected.push(row),
//!         },
//!         Next::Rejected(row) => rejected.push(row),
//!         Next::Piece => unreachable!("the file is complete"),
//!         Next::End => break,
//!     }
//! }
//! assert_eq!(guess.finish(), [ColumnKind::Title, ColumnKind::Number]);
//! assert_eq!((rejected[0].place.row, rejected[0].issue.name()), (3, "unclosed_quote"));
//! ```

mod columns;
mod date;
mod dialect;
mod encoding;
mod guard;
mod guess;
mod limits;
mod number;
mod place;
mod reader;
mod row;
mod scan;
#[cfg(test)]
mod tests;
mod warning;
mod writer;

use octavo_core_model::text::{Email, WebAddress};

pub use columns::{Column, Columns};
pub use date::{DateCell, Moment, date};
pub use dialect::{Delimiter, Detected, Detector, Dialect, NoDelimiter};
pub use encoding::Encoding;
pub use guess::{ColumnKind, Guess};
pub use limits::{MAX_CELL_CHARACTERS, MAX_COLUMNS, MAX_GUESSED_OPTIONS, MAX_ROW_BYTES, SAMPLE_BYTES};
pub use number::number;
pub use place::Place;
pub use reader::{Next, Reader};
pub use row::{RejectedRow, Row, RowIssue};
pub use warning::{HeaderFlaw, Warning};
pub use writer::{Form, Writer};

/// Reads a truth value: `true` or `false`, `yes` or `no`, `checked` or `unchecked`, in any case. `1` and `0` are
/// numbers, and single letters may be anything.
pub fn checkbox(text: &str) -> Option<bool> {
    let text = text.trim();
    let is_among = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_among(["true", "yes", "checked"]) {
        Some(true)
    } else {
        is_among(["false", "no", "unchecked"]).then_some(false)
    }
}

/// Whether the text is an email address; white space around it is ignored.
pub fn is_email(text: &str) -> bool {
    Email::parse(text.trim()).is_ok()
}

/// Whether the text is an http or https address; white space around it is ignored.
pub fn is_url(text: &str) -> bool {
    WebAddress::parse(text.trim()).is_ok()
}

/// The text without differences of case. Upper case first makes letters equal that have one upper case and several
/// lower ones, such as the Greek sigma.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Whether a name cannot contain the character: it is a control character, or changes the direction of others.
fn is_overriding(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
