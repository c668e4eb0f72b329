//! Reading of JSON that callers sent, with all flaws and what would have been right.

mod fields;
mod flaw;
mod scalar;

pub(crate) use fields::{Fields, Origin};
pub(crate) use flaw::Flaw;
pub(crate) use scalar::{boolean, id, id_pattern, line, one_of, text, whole};
