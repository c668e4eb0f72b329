//! `/workspaces/{workspaceId}/audit`: the audit trail of a workspace, and the proof that it is complete.

pub(crate) mod entry;
pub(crate) mod exports;
pub(crate) mod list;
pub(crate) mod proof;
pub(crate) mod words;
