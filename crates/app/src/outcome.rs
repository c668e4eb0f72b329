//! How use cases end: a result, a fault, or an earlier answer.

use crate::reply::Reply;
use octavo_core_model::{
    Fault, StoreError,
    fault::{ComputeFault, Conflict, Unprocessable, Violation},
    version::Stale,
};
use octavo_ports::{counters::CountersDown, passwords::HasherBusy};

pub type AppResult<T> = Result<T, Interrupt>;

/// A part of a request, parsed at the edge. If it is flawed, the fault is reported only after the caller's rights are
/// checked.
pub type Draft<T> = Result<T, Fault>;

/// Why a use case ended early.
#[derive(Clone, Debug, PartialEq)]
pub enum Interrupt {
    Fault(Fault),
    /// An earlier call with the same idempotency key got this answer.
    Replay(Reply),
}

impl Interrupt {
    /// The same, where the body named the missing thing in this field.
    pub(crate) fn naming(self, field: &'static str) -> Self {
        match self {
            Self::Fault(Fault::NotFound) => Self::Fault(Fault::UnknownId(field)),
            other => other,
        }
    }
}

impl From<Fault> for Interrupt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<StoreError> for Interrupt {
    fn from(error: StoreError) -> Self {
        Self::Fault(error.into())
    }
}

impl From<Violation> for Interrupt {
    fn from(violation: Violation) -> Self {
        Self::Fault(violation.into())
    }
}

impl From<Stale> for Interrupt {
    fn from(stale: Stale) -> Self {
        Self::Fault(stale.into())
    }
}

impl From<Unprocessable> for Interrupt {
    fn from(unfit: Unprocessable) -> Self {
        Self::Fault(unfit.into())
    }
}

impl From<Conflict> for Interrupt {
    fn from(conflict: Conflict) -> Self {
        Self::Fault(Fault::Conflict(conflict))
    }
}

impl From<HasherBusy> for Interrupt {
    fn from(HasherBusy: HasherBusy) -> Self {
        Self::Fault(Fault::HasherBusy)
    }
}

impl From<ComputeFault> for Interrupt {
    fn from(fault: ComputeFault) -> Self {
        Self::Fault(fault.into())
    }
}

impl From<CountersDown> for Interrupt {
    fn from(CountersDown: CountersDown) -> Self {
        LOST
    }
}

/// The store lost a unit for a reason that the caller cannot fix.
pub(crate) const LOST: Interrupt = Interrupt::Fault(Fault::Store(StoreError::Unavailable));
