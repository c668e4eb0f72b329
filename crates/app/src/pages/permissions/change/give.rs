//! Granting somebody something without a request of who may grant it: the page was offered to them before.

use super::{Keeper, live, rewritten, settle};
use crate::{access::Entry, engine::AppResult, pages::sight::Seen, scope::Unit};
use octavo_core_model::{Level, Timestamp, grant::Grantee, id::UserId, workspace::Workspace};
use octavo_permissions::Authority;

/// Grants a member a level on a page, in the place of what they were granted on it before. The workspace is locked.
pub(crate) async fn give(
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
