//! What a role, or a key in place of one, may do to a workspace and its members.
//!
//! A key with the scope `ADMIN` may do whatever an admin may, unless a person is required ([`require_person`]). Apps
//! may not: no scope allows what owners and admins do.

use crate::{Authority, Denied};
use octavo_core_model::{KeyScope, Role, id::UserId};

/// Requires an owner, an admin or a key with the scope `ADMIN`.
pub fn require_admin(authority: &Authority) -> Result<(), Denied> {
    match authority {
        Authority::Outsider => Err(Denied::NotAMember),
        Authority::App { .. } => Err(Denied::ClosedToApps),
        Authority::Key(KeyScope::Admin) => Ok(()),
        Authority::Key(_) => Err(Denied::NeedsKeyScope(KeyScope::Admin)),
        Authority::Member(member) if member.administers() => Ok(()),
        Authority::Member(_) => Err(Denied::NeedsRole(Role::Admin)),
    }
}

/// Requires a member in person with at least this role; refuses keys and apps.
pub fn require_person(authority: &Authority, role: Role) -> Result<(), Denied> {
    match authority {
        Authority::Outsider => Err(Denied::NotAMember),
        Authority::App { .. } => Err(Denied::ClosedToApps),
        Authority::Key(_) => Err(Denied::ClosedToKeys),
        Authority::Member(member) if member.role() >= role => Ok(()),
        Authority::Member(_) => Err(Denied::NeedsRole(role)),
    }
}

/// Whether the caller may add or invite a user with this role. Only owners make owners.
pub fn may_grant_role(authority: &Authority, role: Role) -> Result<(), Denied> {
    require_admin(authority)?;
    require_owner_if(role == Role::Owner, authority)
}

/// Whether the caller may change a member's role. Only owners can give or take the role of an owner.
pub fn may_change_role(authority: &Authority, from: Role, to: Role) -> Result<(), Denied> {
    require_admin(authority)?;
    require_owner_if(from == Role::Owner || to == Role::Owner, authority)
}

/// Whether the caller may remove a member. All members may leave; only owners remove other owners.
pub fn may_remove_member(authority: &Authority, user: UserId, role: Role) -> Result<(), Denied> {
    if is_in_person(authority, user) {
        return Ok(());
    }
    may_change_role(authority, role, Role::Guest)
}

/// Whether the caller is this user in person, without an app.
pub(crate) fn is_in_person(authority: &Authority, user: UserId) -> bool {
    matches!(authority, Authority::Member(member) if member.user() == user)
}

fn require_owner_if(asked: bool, authority: &Authority) -> Result<(), Denied> {
    let is_owner = matches!(authority, Authority::Member(member) if member.role() == Role::Owner);
    if asked && !is_owner { Err(Denied::NeedsRole(Role::Owner)) } else { Ok(()) }
}
