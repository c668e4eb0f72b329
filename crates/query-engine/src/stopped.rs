//! Why a computation ends without an answer.

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller of the engine wanted it to stop.
    Deadline,
    /// The place belongs to another query.
    OtherQuery,
    /// There are more groups than [`crate::Scan::MAX_GROUPS`] or [`crate::Scan::MAX_CELLS`], or their texts are too long.
    TooManyGroups,
    /// The caller of the engine does not allow one computation so much memory.
    TooLarge,
    /// There is no memory for it now.
    MemoryFull,
}
