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
