//! What can keep a step from being made.

use crate::outcome::Interrupt;
use octavo_ports::search::IndexFailure;

/// Why a step could not be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    Interrupt(Interrupt),
    Index(IndexFailure),
}

impl From<Interrupt> for Obstacle {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupt(interrupt)
    }
}

impl From<IndexFailure> for Obstacle {
    fn from(failure: IndexFailure) -> Self {
        Self::Index(failure)
    }
}
