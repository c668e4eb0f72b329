//! Workspace roles.

use std::{fmt, str::FromStr};

/// A role in a workspace, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Guest,
    Member,
    Admin,
    Owner,
}

impl Role {
    pub const ALL: &'static [Self] = &[Self::Guest, Self::Member, Self::Admin, Self::Owner];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Guest => "GUEST",
            Self::Member => "MEMBER",
            Self::Admin => "ADMIN",
            Self::Owner => "OWNER",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = crate::name::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        crate::name::find(Self::ALL, text, |role| role.name())
    }
}
