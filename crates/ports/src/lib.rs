//! The traits through which Octavo's use cases reach the outside world.

pub mod access_tokens;
pub mod counters;
pub mod mailer;
pub mod passwords;
pub mod random;
