//! Who may see a form, and who may answer it.

use octavo_core_model::form::FormStatus;

/// The state of the database of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseState {
    /// Records can be added.
    InUse,
    /// It is archived: no records can be added.
    Archived,
    /// It is in the trash, or its workspace is being deleted.
    Gone,
}

/// What the public may do with a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicAccess {
    /// Nothing: it is as if there were no form.
    Hidden,
    /// See it, and that it is closed.
    Closed,
    /// See it and answer.
    Open,
}

impl PublicAccess {
    /// What the public may do with a form of this status.
    pub const fn of(status: FormStatus, database: DatabaseState) -> Self {
        match (status, database) {
            (FormStatus::Draft, _) | (_, DatabaseState::Gone) => Self::Hidden,
            (FormStatus::Closed, _) | (_, DatabaseState::Archived) => Self::Closed,
            (FormStatus::Published, DatabaseState::InUse) => Self::Open,
        }
    }
}
