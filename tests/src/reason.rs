//! Why a test needs a deployment of its own.

/// A test with its own deployment costs a process, a database and its migration. Most tests need none: they use the
/// server of their run, where accounts and workspaces isolate them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It needs other settings than the shared server.
    Settings,
    /// It stops, kills or restarts the server, or cuts off its database.
    Lifecycle,
    /// It reads what the server writes to its streams.
    Output,
    /// It uses something that a deployment has only once: its files, its keys, its slugs, the list of its accounts.
    Deployment,
    /// It measures time, or causes so much load that other tests would be affected.
    Load,
    /// Third-party programs call the server, and nothing isolates those.
    Programs,
    /// It is the server that tests share.
    Shared,
}
