//! The first proof of an address: the account may have been registered with somebody else's address.

use crate::{api_keys, members, oauth::grants, open_invitations, outcome::AppResult, scope::Unit};
use octavo_core_model::{account::User, id::UserId, workspace::Workspace};

/// Locks the personal workspace of an account whose address may be about to be verified. The account is locked
/// afterwards.
pub(crate) async fn lock_home(unit: &mut Unit, user: UserId) -> AppResult<Option<Workspace>> {
    match unit.tx.accounts().find(user).await? {
        Some(user) if !user.is_verified() => Ok(unit.tx.workspaces().lock(user.personal_workspace).await?),
        _ => Ok(None),
    }
}

/// Closes other ways in that an earlier holder may have kept: apps, and in the personal workspace API keys, other
/// members and open invitations.
pub(crate) async fn close_ways_in(unit: &mut Unit, user: &User, home: Option<&Workspace>) -> AppResult<()> {
    grants::revoke_all(unit, user, grants::FIRST_PROOF).await?;
    let Some(home) = home else { return Ok(()) };
    api_keys::revoke_all(unit, home.id, grants::FIRST_PROOF).await?;
    open_invitations::revoke_all(unit, home.id).await?;
    members::expel_others(unit, home).await
}
