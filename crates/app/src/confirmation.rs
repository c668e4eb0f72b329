//! The text that a caller types to confirm a deletion.

use octavo_core_model::fault::{Issue, Violation};
use std::fmt::Display;

const FIELD: &str = "X-Confirm";

/// Requires a confirmation that names the thing to be deleted.
pub(crate) fn require(confirmation: Option<String>, id: impl Display) -> Result<(), Violation> {
    match confirmation {
        None => Err(Violation::new(FIELD, Issue::Required)),
        Some(text) if text == format!("DELETE {id}") => Ok(()),
        Some(text) => Err(Violation::new(FIELD, Issue::InvalidValue).with(text.into())),
    }
}
