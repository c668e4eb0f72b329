//! A path with names in place of its parameters.

use std::sync::Arc;

/// The whole path of a route, with its parameters in braces.
#[derive(Clone, Debug)]
pub struct PathTemplate(Arc<str>);

impl PathTemplate {
    pub fn new(template: &str) -> Self {
        Self(template.into())
    }

    /// The text of the parameter with this number in a path.
    pub fn parameter<'a>(&self, path: &'a str, number: usize) -> Option<&'a str> {
        let segments = self.0.split('/').zip(path.split('/'));
        segments.filter(|(template, _)| template.starts_with('{')).nth(number).map(|(_, text)| text)
    }

    /// Whether the path contains the workspace of the call.
    pub fn names_workspace(&self) -> bool {
        self.0.contains("{workspaceId}")
    }
}
