//! Why a test needs a deployment of its own.

/// A test that starts a deployment of its own costs a process, a database and its migration. Most tests do without: they
/// use the server of their run, where accounts and workspaces keep them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It runs with other settings than the shared server.
    Settings,
    /// It stops, kills or restarts the server, or cuts its database off.
    Lifecycle,
    /// It reads what the server writes to its streams.
    Output,
    /// It looks at or changes what the deployment has only once: its files, its keys, its slugs, the list of its accounts.
    Deployment,
    /// It measures time, or loads the server so much that other tests would notice.
    Load,
    /// Programs of others speak to the server, and nothing keeps those apart.
    Programs,
    /// It is the server that tests share.
    Shared,
}
