//! Accounts: registering, profile, address, deletion.

pub mod deletion;
pub mod email_change;
pub mod email_verification;
mod exclusions;
pub mod profile;
pub mod register;
pub mod security_events;

pub(crate) use deletion::close_down;
pub(crate) use register::create_account;
