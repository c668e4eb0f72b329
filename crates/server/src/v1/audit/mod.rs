//! `/workspaces/{workspaceId}/audit`: what happened in a workspace, and the proof that it is all there.

pub(crate) mod entry;
pub(crate) mod exports;
pub(crate) mod list;
pub(crate) mod proof;
pub(crate) mod words;
