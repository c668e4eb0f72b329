//! The setting that selects the form of log lines.

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, otherwise JSON.
    Auto,
    Text,
    Json,
}

impl LogFormat {
    pub(crate) const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("text", Self::Text), ("json", Self::Json)];
}
