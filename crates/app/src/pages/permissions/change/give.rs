//! Granting somebody something who asked for it or was offered it. Who may grant was asked before.

use super::{Keeper, live, rewritten, settle};
use crate::{
    access::Entry,
    engine::AppResult,
    pages::sight::{self, Seen},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level, Role, Timestamp,
    grant::Grantee,
    id::{PageId, UserId},
    workspace::Workspace,
};
use octavo_permissions::{Authority, Member};

/// Grants a level on a page to a member who is below it; says which level they have now and whether it was raised. The workspace is locked.
pub(crate) async fn raise(
    unit: &mut Unit,
    entry: Entry,
    workspace: Workspace,
    page: PageId,
    (user, role): (UserId, Role),
    offered: Level,
) -> AppResult<(Level, bool)> {
    let page = unit.tx.lock_page(workspace.id, page).await?.ok_or(Fault::NotFound)?;
    let teams = unit.tx.list_team_roles(workspace.id, user).await?;
    let authority = Authority::Member(Member::new(user, role, teams));
    let way = sight::way(unit, workspace.id, &authority, page.id).await?.ok_or(Fault::NotFound)?;
    let now = way.level();
    if now >= offered {
        return Ok((now, false));
    }
    give(unit, entry, workspace, &authority, Seen { page, way }, user, offered).await?;
    Ok((offered, true))
}

/// Grants a member a level on a page, in the place of what they were granted on it before.
async fn give(
    unit: &mut Unit,
    entry: Entry,
    workspace: Workspace,
    authority: &Authority,
    seen: Seen<'_>,
    user: UserId,
    level: Level,
) -> AppResult<()> {
    let always = Timestamp::from_millis(i64::MIN);
    let grants = unit.tx.list_access_grants(workspace.id, &[seen.page.id], always).await?;
    let mut keeper = Keeper { entry, workspace, seen, grants };
    let grant = rewritten(unit, &keeper, Grantee::User(user), level, None);
    let mut grants = live(&keeper.grants, unit.call.now);
    grants.retain(|other| other.grantee != grant.grantee);
    grants.push(grant);
    let inherit = keeper.seen.page.inherit;
    settle(unit, authority, &mut keeper, inherit, grants, true).await
}
