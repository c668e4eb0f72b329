//! Joining through a share link.

use super::{
    Key,
    open::{Opened, open},
    report,
};
use crate::{
    access::{self, CallerKind, WorkspaceCaller},
    members::{self, Joining},
    open_invitations::release_grants,
    outcome::{AppResult, Interrupt},
    pages::permissions::{TemporaryLevel, raise},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level, Role,
    account::User,
    fault::{Denial, Unprocessable},
    grant::Grantee,
    id::WorkspaceId,
    page::{Page, ResourceId},
    share_link::{ShareLevel, ShareLink},
    workspace::{Limits, Workspace},
};

/// The result of joining.
#[derive(Clone, Debug)]
pub struct Joined {
    pub link: ShareLink,
    pub workspace: WorkspaceId,
    pub resource: ResourceId,
    /// Their level on the page.
    pub level: Level,
}

/// Makes the signed-in user a guest of the workspace, unless they are a member, and gives them the level of the link,
/// unless theirs is higher.
pub async fn join(unit: &mut Unit, key: Key, limits: Limits) -> AppResult<Joined> {
    let user = access::user(unit).await?;
    unit.act_as(&user);
    let (workspace, Opened { link, page }) = match lock(unit, &key).await {
        Err(Interrupt::Fault(Fault::NotFound)) => return Err(unit.absent().await),
        found => found?,
    };
    refuse_excluded(unit, &page, &user).await?;
    unit.claim().await?;
    if link.level == ShareLevel::View {
        return Err(Unprocessable::ViewOnlyLink.into());
    }
    let user = access::admit(unit.tx.accounts().lock(user.id).await?)?;
    let before = unit.tx.members().find(workspace.id, user.id).await?;
    let role = match &before {
        Some(membership) => membership.role,
        None => join_as_guest(unit, &workspace, &user, limits).await?,
    };
    let (id, had) = (workspace.id, before.is_some());
    let caller = WorkspaceCaller { workspace: id, kind: CallerKind::Member { user: user.clone(), role } };
    let (joiner, offered) = ((user.id, role), link.level.level());
    let (level, raised) = raise(unit, caller, workspace, page.id, joiner, offered, TemporaryLevel::Kept).await?;
    if raised || !had {
        report::joined(unit, &page, &link, user.id, level);
    }
    Ok(Joined { workspace: id, resource: page.resource(), level, link })
}

/// Opens the link under the lock of its workspace.
async fn lock(unit: &mut Unit, key: &Key) -> AppResult<(Workspace, Opened)> {
    let hash = key.token.as_ref().map_err(|_| Fault::NotFound)?.hash();
    let workspace = unit.tx.share_links().find_workspace(&hash).await?.ok_or(Fault::NotFound)?;
    let workspace = unit.tx.workspaces().lock(workspace).await?.ok_or(Fault::NotFound)?;
    Ok((workspace, open(unit, key).await?))
}

/// Refuses users whom a grant of the level `NONE` on the page names, even if only by their address: a link does not
/// restore access that was taken away.
async fn refuse_excluded(unit: &mut Unit, page: &Page, user: &User) -> AppResult<()> {
    let now = unit.call.now;
    let names = |grantee: &Grantee| *grantee == Grantee::User(user.id) || grantee.email() == Some(&user.email);
    let grants = unit.tx.grants().list(page.workspace, &[page.id], now).await?;
    if grants.iter().any(|grant| grant.level == Level::None && names(&grant.grantee)) {
        return Err(Fault::Forbidden(Denial::Excluded).into());
    }
    Ok(())
}

async fn join_as_guest(unit: &mut Unit, workspace: &Workspace, user: &User, limits: Limits) -> AppResult<Role> {
    release_grants(unit, workspace.id, &user.email).await?;
    // Nobody invited this user by name, so they get grants to their address only if it is verified.
    let joining = Joining { role: Role::Guest, invited_by: None };
    Ok(members::join(unit, workspace, user, joining, limits).await?.role)
}
