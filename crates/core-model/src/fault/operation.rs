//! Why one operation of several failed.

use super::Fault;

/// One of several operations of a call that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedOperation {
    /// Its place in the call.
    pub operation: usize,
    /// Why it failed.
    pub fault: Box<Fault>,
}

impl FailedOperation {
    /// The operation at this place failed like this.
    pub fn new(operation: usize, fault: Fault) -> Self {
        Self { operation, fault: Box::new(fault) }
    }
}
