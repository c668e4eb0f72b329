//! Settings that are one word of a few.

/// How many servers share the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    Single,
    Several,
}

impl Nodes {
    pub(super) const WORDS: &'static [(&'static str, Self)] = &[("single", Self::Single), ("several", Self::Several)];
}

/// Who may make an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    Open,
    Invite,
    Closed,
}

impl Signup {
    pub(super) const WORDS: &'static [(&'static str, Self)] =
        &[("open", Self::Open), ("invite", Self::Invite), ("closed", Self::Closed)];
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    Text,
    Json,
}

impl LogFormat {
    pub(super) const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("text", Self::Text), ("json", Self::Json)];
}
