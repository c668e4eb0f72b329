//! What users follow in a workspace.

use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::{self, area_of, lineage, look_up},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault,
    fault::Denial,
    follow::{Follow, FollowMode, FollowPlace, FollowTarget},
    id::UserId,
    page::ResourceId,
};
use octavo_permissions::Access;

/// Which follows to list.
#[derive(Clone, Copy, Debug)]
pub struct FollowList {
    pub mode: Option<FollowMode>,
    pub before: Option<FollowPlace>,
    pub limit: u32,
}

fn person(caller: &WorkspaceCaller) -> AppResult<UserId> {
    Ok(caller.member().ok_or(Fault::Forbidden(Denial::RequiresUser))?)
}

/// What the caller has decided to follow or to mute, newest first.
pub async fn list(view: &mut View, wanted: Draft<FollowList>) -> AppResult<Vec<Follow>> {
    let caller = access::enter(view, RouteAccess::OWN_PAGES).await?;
    let user = person(&caller)?;
    let FollowList { mode, before, limit } = wanted?;
    Ok(view.tx.follows().list(caller.workspace, user, mode, before, limit).await?)
}

/// Follows or mutes a page, a database or a thread that the caller may view.
///
/// The lock of the workspace keeps it from being deleted meanwhile: the deletion would miss the follow.
pub async fn follow(unit: &mut Unit, target: Draft<FollowTarget>, mode: Draft<FollowMode>) -> AppResult<Follow> {
    let (caller, _) = enter_locked(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let (user, workspace) = (person(&caller)?, caller.workspace);
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Ok(target) = target else { return Err(unit.absent().await) };
    let seen = match target {
        FollowTarget::Node(id) => look_up(unit, workspace, &authority, &Ok::<ResourceId, Fault>(id)).await?,
        FollowTarget::Thread(id) => match unit.tx.comments().find(workspace, id).await? {
            Some(comment) => page_access::look_up_node(unit, workspace, &authority, comment.page).await?,
            None => None,
        },
    };
    let Some(lineage::Visible { page, .. }) = seen else { return Err(unit.absent().await) };
    authority.require_area(area_of(page.kind), Access::Read)?;
    unit.claim().await?;
    let mode = mode?;
    let kept = unit.tx.follows().find(workspace, user, target).await?;
    let created_at = kept.map_or(unit.call.now, |kept| kept.created_at);
    let follow = Follow { workspace, user, target, mode, created_at };
    if kept != Some(follow) {
        unit.tx.follows().put(&follow).await?;
    }
    Ok(follow)
}

/// Returns to what holds by default. No error if the caller has decided nothing.
pub async fn unfollow(unit: &mut Unit, target: Draft<FollowTarget>) -> AppResult<()> {
    let caller = access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let user = person(&caller)?;
    let Ok(target) = target else { return Err(unit.absent().await) };
    unit.claim().await?;
    Ok(unit.tx.follows().remove(caller.workspace, user, target).await?)
}
