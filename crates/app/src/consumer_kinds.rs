//! The consumers of the event log.

use crate::{consumers::Consumer, notifications::NOTIFICATIONS};

/// Everything that follows the log.
pub static CONSUMERS: &[&dyn Consumer] = &[NOTIFICATIONS];
