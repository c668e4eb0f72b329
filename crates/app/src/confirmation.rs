//! The text that a caller types to confirm a deletion.

use octavo_core_model::fault::{Issue, Violation};
use std::fmt::Display;

const FIELD: &str = "X-Confirm";

/// Requires a confirmation that names the thing to be deleted.
pub(crate) fn require(said: Option<String>, id: impl Display) -> Result<(), Violation> {
    match said {
        None => Err(Violation::new(FIELD, Issue::Required)),
        Some(said) if said == format!("DELETE {id}") => Ok(()),
        Some(said) => Err(Violation::new(FIELD, Issue::InvalidValue).with(said.into())),
    }
}
