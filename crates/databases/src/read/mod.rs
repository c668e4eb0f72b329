//! Reading of JSON that callers sent, with all flaws and what would have been right.

mod fields;
mod flaw;
mod scalar;

pub use fields::{Fields, Origin, Sent};
pub use flaw::Flaw;
pub use scalar::{boolean, id, id_pattern, line, one_of, text, whole};
