//! The refusals of the compute pool.

/// Why the compute pool did not do some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputeFault {
    /// The queue is full.
    Busy,
    /// Too much page content is in memory.
    MemoryFull,
    /// Running queries hold too much memory.
    TablesFull,
    /// It was not done in time.
    Timeout,
    /// It panicked.
    Failed,
}
