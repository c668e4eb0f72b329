//! The command line: the command, its arguments, and settings as flags.

mod arguments;
mod command_arguments;
mod completions;
mod help;
mod table;
#[cfg(test)]
mod tests;

pub use arguments::{Parsed, parse};
pub use command_arguments::UsageFault;
pub use table::{CommandRow, OptionRow, rows};

use octavo_core_model::{
    consumer::ConsumerName,
    id::{UserId, WorkspaceId},
    text::{Email, Name},
    workspace::OwnLimits,
};

/// The command of the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Serve until a signal arrives.
    Serve {
        /// Migrate the schema first; otherwise an outdated schema is an error.
        migrate: bool,
    },
    Migrate(Migrate),
    CheckConfig {
        /// Also try the services in the settings.
        online: bool,
    },
    /// Ask the running server whether it can take calls.
    Health,
    /// Print the published description.
    OpenApi,
    User(UserCommand),
    Workspace(WorkspaceCommand),
    /// Remove what has expired.
    Purge {
        /// Count without removing anything.
        dry_run: bool,
    },
    /// Replace a generated key, or encrypt everything again with the first listed one.
    RotateKeys(RotatedKey),
    /// Let a consumer read all event logs again.
    ReplayEvents(ConsumerName),
    Search(SearchCommand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchCommand {
    /// Make the search index of this node anew.
    Rebuild,
    /// Compare it with the store.
    Verify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migrate {
    Apply,
    /// Report whether migrations are pending, without changing anything.
    Status,
    /// Declare the tables to Citus.
    Distribute {
        /// Print the statements without running them.
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
        /// Do not ask for confirmation.
        yes: bool,
    },
}

/// The source of a new user's password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordFrom {
    /// Generated, and printed once.
    Generator,
    Stdin,
}

/// How a link reaches its recipient.
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
