//! Workspace roles.

use crate::name::named;

named! {
    /// A role in a workspace, lowest first.
    Role {
        Guest = "GUEST",
        Member = "MEMBER",
        Admin = "ADMIN",
        Owner = "OWNER",
    }
}

named! {
    /// A role in a team, lowest first.
    TeamRole {
        Member = "MEMBER",
        Admin = "ADMIN",
    }
}
