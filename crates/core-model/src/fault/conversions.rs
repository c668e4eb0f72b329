//! Reasons of one kind as faults.

use super::{ComputeFault, Conflict, DataProblem, Fault, StoreError, Unprocessable, Violation};
use crate::{invitation::NotOpen, version::Stale};

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ComputeFault> for Fault {
    fn from(fault: ComputeFault) -> Self {
        Self::Compute(fault)
    }
}

impl From<Stale> for Fault {
    fn from(stale: Stale) -> Self {
        Self::Conflict(Conflict::Stale(stale))
    }
}

impl From<NotOpen> for Fault {
    fn from(reason: NotOpen) -> Self {
        match reason {
            NotOpen::Expired => Self::TokenExpired,
            NotOpen::Answered(state) => Self::Conflict(Conflict::InvitationAnswered(state)),
        }
    }
}

impl From<Unprocessable> for Fault {
    fn from(unfit: Unprocessable) -> Self {
        Self::Unprocessable(unfit)
    }
}

impl From<DataProblem> for Fault {
    fn from(problem: DataProblem) -> Self {
        Self::Data(vec![problem].into())
    }
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        Self::Invalid(vec![violation])
    }
}
