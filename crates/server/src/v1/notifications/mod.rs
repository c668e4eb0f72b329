//! What users are told, and what they get by mail.

mod choices;
pub mod collection;
pub mod preferences;
