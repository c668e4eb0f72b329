//! What must be named again before it is deleted permanently.

/// The thing whose id confirms a permanent deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// The page that is deleted.
    Page,
    /// The workspace whose trash is emptied.
    Workspace,
    /// The record that is deleted.
    Record,
}
