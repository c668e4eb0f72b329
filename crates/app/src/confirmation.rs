//! The text that a caller types to confirm a deletion.

use octavo_core_model::fault::{Hint, Issue, Violation};
use std::fmt::Display;

const FIELD: &str = "X-Confirm";

/// Requires a confirmation that names the thing to be deleted.
pub(crate) fn require(confirmation: Option<String>, id: impl Display) -> Result<(), Violation> {
    let right = format!("DELETE {id}");
    let flaw = match confirmation {
        Some(text) if text == right => return Ok(()),
        Some(text) => Violation::new(FIELD, Issue::InvalidValue).with(text.into()),
        None => Violation::new(FIELD, Issue::Required),
    };
    Err(flaw.hinting(Hint::one_of([right])))
}
