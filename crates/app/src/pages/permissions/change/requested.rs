//! Grants as requested, and the principals they resolve to.

use super::{GrantManager, present, rewritten};
use crate::{
    access,
    invitations::{self, NewInvitation},
    open_invitations,
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{
    Level, Role, Timestamp,
    account::User,
    fault::{Hint, Issue, PrincipalField, Unprocessable, Violation},
    grant::{Grant, Grantee},
    id::{TeamId, UserId, WorkspaceId},
    team::TeamVisibility,
    text::Email,
};
use octavo_permissions::members::require_admin;
use std::collections::BTreeMap;

/// How long an invitation lasts that was caused by a grant to an address.
const INVITED_FOR_DAYS: u32 = 7;

/// The grantee of a new grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GranteeRef {
    User(UserId),
    Team(TeamId),
    /// The workspace of the page; its id may be left out.
    Workspace(Option<WorkspaceId>),
    Email(Email),
}

/// A grant as requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGrant {
    pub grantee: GranteeRef,
    pub level: Level,
    pub expires_at: Option<Timestamp>,
}

/// Refuses a grant that has already expired; `path` locates it in the request.
pub(super) fn refuse_past(grant: &NewGrant, path: &str, now: Timestamp) -> Result<(), Violation> {
    match grant.expires_at {
        Some(end) if end <= now => {
            let flaw = Violation::new(format!("{path}expiresAt"), Issue::TooSmall).with(end.to_string().into());
            Err(flaw.hinting(Hint::in_future()))
        }
        _ => Ok(()),
    }
}

/// Refuses two grants to the same principal, as far as the request itself reveals that.
pub(super) fn refuse_doubles(requested: &[NewGrant], workspace: WorkspaceId) -> Result<(), Violation> {
    let named = |grant: &NewGrant| match &grant.grantee {
        GranteeRef::Workspace(None) => GranteeRef::Workspace(Some(workspace)),
        named => named.clone(),
    };
    let mut before = Vec::with_capacity(requested.len());
    for (number, grant) in requested.iter().enumerate() {
        let grantee = named(grant);
        if before.contains(&grantee) {
            return Err(Violation::new(format!("grants.{number}"), Issue::Duplicate));
        }
        before.push(grantee);
    }
    Ok(())
}

/// Turns requested grants into grants. Addresses without a membership are invited. `field` is where the body names the
/// principal of the grant with this number.
pub(super) async fn resolve(
    unit: &mut Unit,
    manager: &mut GrantManager<'_>,
    requested: Vec<NewGrant>,
    field: impl Fn(usize) -> PrincipalField,
) -> AppResult<Vec<Grant>> {
    let workspace = manager.workspace.id;
    let named = requested.iter().filter_map(|grant| match &grant.grantee {
        GranteeRef::User(user) => Some(*user),
        GranteeRef::Team(_) | GranteeRef::Workspace(_) | GranteeRef::Email(_) => None,
    });
    let named: Vec<_> = named.collect();
    let names_teams = requested.iter().any(|grant| matches!(grant.grantee, GranteeRef::Team(_)));
    let members = if named.is_empty() { Vec::new() } else { unit.tx.members().list_ids(workspace).await? };
    let teams = if names_teams {
        unit.tx.teams().list(workspace, TeamVisibility::Everything, None, u32::MAX).await?
    } else {
        Vec::new()
    };
    let mut grants: BTreeMap<Grantee, Grant> = BTreeMap::new();
    for (number, NewGrant { grantee, level, expires_at }) in requested.into_iter().enumerate() {
        let grantee = match grantee {
            GranteeRef::User(user)
                if members.contains(&user) || is_written_back(manager, &Grantee::User(user), level) =>
            {
                Grantee::User(user)
            }
            GranteeRef::Team(team) if teams.iter().any(|known| known.id == team) => Grantee::Team(team),
            GranteeRef::Workspace(named) if named.is_none_or(|named| named == workspace) => {
                Grantee::Workspace(workspace)
            }
            GranteeRef::Email(email) => by_address(unit, manager, &named, email, level).await?,
            GranteeRef::User(_) | GranteeRef::Team(_) | GranteeRef::Workspace(_) => {
                return Err(Unprocessable::UnknownPrincipal(field(number)).into());
            }
        };
        let grant = rewritten(unit, manager, grantee.clone(), level, expires_at);
        // An address and the member with this address are the same principal.
        if grants.insert(grantee, grant).is_some() {
            return Err(Violation::new(format!("grants.{number}"), Issue::Duplicate).into());
        }
    }
    Ok(grants.into_values().collect())
}

/// Whether this is an exclusion that the page already has. It may name somebody who has left.
fn is_written_back(manager: &GrantManager<'_>, grantee: &Grantee, level: Level) -> bool {
    let is_same = |grant: &Grant| grant.grantee == *grantee && grant.level == Level::None;
    level == Level::None && manager.grants.iter().any(is_same)
}

/// The member with this address, or a former member with this address whom the page excludes already. Otherwise the
/// address itself, which callers that run the workspace may invite. `named` are the users that the same list names by
/// their ids.
async fn by_address(
    unit: &mut Unit,
    manager: &mut GrantManager<'_>,
    named: &[UserId],
    email: Email,
    level: Level,
) -> AppResult<Grantee> {
    let workspace = manager.workspace.id;
    let owner = unit.tx.accounts().find_by_email(&email).await?;
    if let Some(user) = &owner
        && unit.tx.members().find_role(user.id, workspace).await?.is_some()
    {
        // If somebody joined with an excluded address that they had not verified, both are excluded.
        let address = Grantee::Email(email);
        let both_are_excluded = named.contains(&user.id) && is_written_back(manager, &address, level);
        return Ok(if both_are_excluded { address } else { Grantee::User(user.id) });
    }
    let is_known = manager.grants.iter().any(|grant| grant.grantee.email() == Some(&email));
    // An exclusion outlives the invitation of its address, and writing it back must not renew the invitation.
    if is_known && level == Level::None {
        return Ok(Grantee::Email(email));
    }
    if !is_known {
        // Only those who run the workspace may learn from this which former member has the address.
        require_admin(&manager.caller.authority())?;
        if let Some(user) = owner.filter(User::is_verified)
            && is_written_back(manager, &Grantee::User(user.id), level)
        {
            return Ok(Grantee::User(user.id));
        }
    }
    let may_invite = require_admin(&manager.caller.authority());
    let open = open_invitations::of_address(unit, workspace, &email).await?;
    // An invitation that does not count is replaced if the caller may invite. If not, it stays, so that a caller who
    // saves the list of grants as it was is not refused.
    if open.valid.is_empty() && (open.void.is_empty() || may_invite.is_ok()) {
        may_invite?;
        access::require_live_session(unit).await?;
        let invitation = NewInvitation { email: email.clone(), role: Role::Guest, expires_in_days: INVITED_FOR_DAYS };
        invitations::invite(unit, &manager.caller, &manager.workspace, invitation, open).await?;
        // The address may have lost its present grant with an earlier invitation.
        manager.grants = present(unit, &manager.seen.page).await?;
    }
    Ok(Grantee::Email(email))
}
