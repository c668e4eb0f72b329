//! What users are told, and what they get by mail.

mod choices;
pub mod collection;
mod notification;
pub mod preferences;
