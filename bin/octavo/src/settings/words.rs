//! Settings with a fixed set of values.

use octavo_app::Signup;

/// How many servers share the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    Single,
    Several,
}

impl Nodes {
    pub(super) const WORDS: &'static [(&'static str, Self)] = &[("single", Self::Single), ("several", Self::Several)];
}

pub(super) const SIGNUP_WORDS: &[(&str, Signup)] =
    &[("open", Signup::Open), ("invite", Signup::Invite), ("closed", Signup::Closed)];
