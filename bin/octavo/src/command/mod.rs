//! The command line: which command, with what, and which settings as flags.

mod arguments;
mod help;
mod table;
#[cfg(test)]
mod tests;

pub use arguments::{Parsed, UsageFault, parse};
pub use table::{CommandRow, OptionRow, rows};

use octavo_core_model::{
    id::{UserId, WorkspaceId},
    text::{Email, Name},
    workspace::OwnLimits,
};

/// What the operator wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Serve until a signal comes.
    Serve {
        /// Bring the schema up to date first; otherwise an old one is a failure.
        migrate: bool,
    },
    Migrate(Migrate),
    CheckConfig {
        /// Also try what the settings name.
        online: bool,
    },
    /// Print the published description.
    OpenApi,
    User(UserCommand),
    Workspace(WorkspaceCommand),
    /// Remove what is past its time.
    Purge {
        /// Count, and remove nothing.
        dry_run: bool,
    },
    /// Replace a generated key, or re-encrypt to the first one listed.
    RotateKeys(RotatedKey),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migrate {
    Apply,
    /// Say whether migrations are pending, and touch nothing.
    Status,
    /// Declare the tables to Citus.
    Distribute {
        /// Print the statements, and run none.
        dry_run: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserCommand {
    Create { email: Email, name: Name, password: PasswordFrom },
    List,
    ResetPassword { user: NamedUser, delivery: Delivery },
    Suspend(NamedUser),
    Reinstate(NamedUser),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkspaceCommand {
    List,
    SetLimits {
        id: WorkspaceId,
        limits: OwnLimits,
    },
    Delete {
        id: WorkspaceId,
        /// Do not ask first.
        yes: bool,
    },
}

/// Where the password of a new user comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordFrom {
    /// Generated, and printed once.
    Generator,
    Stdin,
}

/// How a link reaches its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    Print,
    Mail,
}

/// A user as an operator names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedUser {
    Email(Email),
    Id(UserId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotatedKey {
    Jwt,
    Secret,
}
