//! Deciding access requests.

use super::{AccessRequestDetails, report};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft, LOST},
    page_access::{lineage::need, lock_node, require_writable},
    pages::permissions::{TemporaryLevel, raise},
    scope::Unit,
};
use octavo_core_model::{
    Level,
    access_request::{AccessRequest, AskedLevel},
    fault::{PrincipalField, Unprocessable},
    id::AccessRequestId,
    page::Page,
    workspace::Workspace,
};

/// A caller with full access to the page of a request, while workspace and page are locked.
struct Decider {
    caller: WorkspaceCaller,
    workspace: Workspace,
    page: Page,
    request: AccessRequest,
}

/// Grants the requested level or another one. A requester who has a lasting level as high by now keeps it.
pub async fn approve(
    unit: &mut Unit,
    id: Draft<AccessRequestId>,
    level: Draft<Option<AskedLevel>>,
) -> AppResult<AccessRequestDetails> {
    let Decider { caller, workspace, page, mut request } = admit_decider(unit, &id).await?;
    let level = level?.unwrap_or(request.level);
    require_writable(&page)?;
    request.approve(level, caller.author(), unit.call.now)?;
    let role = unit.tx.members().find_role(request.user, workspace.id).await?;
    let role = role.ok_or(Unprocessable::UnknownPrincipal(PrincipalField::Absent))?;
    let asker = (request.user, role);
    // The decision comes first in the log: whoever follows it knows then why access changes.
    report::approved(unit, &page, &request);
    raise(unit, caller, workspace, page.id, asker, level.level(), TemporaryLevel::Replaced).await?;
    unit.tx.access_requests().save(&request).await?;
    with_requester(unit, request, &page).await
}

/// Denies a request. The user may ask again.
pub async fn deny(unit: &mut Unit, id: Draft<AccessRequestId>) -> AppResult<AccessRequestDetails> {
    let Decider { caller, workspace: _, page, mut request } = admit_decider(unit, &id).await?;
    require_writable(&page)?;
    request.deny(caller.author(), unit.call.now)?;
    unit.tx.access_requests().save(&request).await?;
    report::denied(unit, &page, &request);
    with_requester(unit, request, &page).await
}

/// Admits a caller that may decide the request, unless an earlier answer to this call is replayed.
async fn admit_decider(unit: &mut Unit, id: &Draft<AccessRequestId>) -> AppResult<Decider> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let request = match id {
        Ok(id) => unit.tx.access_requests().find(workspace.id, *id).await?,
        Err(_) => None,
    };
    let Some(request) = request else { return Err(unit.absent().await) };
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(seen) = lock_node(unit, workspace.id, &authority, request.page).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.lineage.level(), Level::FullAccess)?;
    unit.claim().await?;
    let page = seen.page;
    Ok(Decider { caller, workspace, page, request })
}

async fn with_requester(unit: &mut Unit, request: AccessRequest, page: &Page) -> AppResult<AccessRequestDetails> {
    let person = unit.tx.members().list_people(&[request.user]).await?.pop().ok_or(LOST)?;
    Ok(AccessRequestDetails { request, resource: page.resource(), person })
}
