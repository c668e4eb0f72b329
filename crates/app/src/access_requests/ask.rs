//! Asking for a level on a page or database.
//!
//! The caller learns nothing about it, not even whether it exists: every call gets the same answer, and only some
//! store a request.

use super::report;
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    outcome::{AppResult, Draft},
    page_access::{NodeId, lineage},
    record_pages::{find_implied, store},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    access_request::{AccessRequest, AskedLevel, OPEN_FOR},
    fault::Denial,
    id::{AccessRequestId, DatabaseId, PageId, UserId, WorkspaceId},
    page::{Page, ResourceId},
    text::Message,
};

/// What a member asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccessRequest {
    pub level: AskedLevel,
    pub message: Option<Message>,
}

/// Stores that a member asks for a level on a page or database, or asks for a different level than before.
///
/// Every call reads and writes the same amount, so that its duration reveals nothing either: a request that would be
/// pointless is inserted and removed again, and if there is no event to write, a substitute is written.
pub async fn ask(unit: &mut Unit, id: Draft<impl NodeId>, draft: Draft<NewAccessRequest>) -> AppResult<()> {
    let (caller, _) = enter_locked(unit, RouteAccess::ASKING).await?;
    let user = caller.member().ok_or(Fault::Forbidden(Denial::RequiresUser))?;
    unit.claim().await?;
    let wish = draft?;
    let resource = id.map_or_else(|_| unit.id(PageId::new).into(), Into::into);
    let page = find_page_if_lacking(unit, &caller, resource, wish.level).await?;
    let id = resource.node();
    let open = unit.tx.access_requests().find_open(caller.workspace, id, user, unit.call.now).await?;
    let void = new(unit, caller.workspace, id, user, wish.clone());
    let Some(page) = page else {
        insert_and_remove(unit, &void).await?;
        return insert_and_remove(unit, &void).await;
    };
    let is_new = open.is_none();
    let request = match open {
        Some(mut open) => {
            open.restate(wish.level, wish.message);
            open
        }
        None => new(unit, caller.workspace, id, user, wish),
    };
    unit.tx.access_requests().remove(caller.workspace, request.id).await?;
    unit.tx.access_requests().insert(&request).await?;
    if is_new {
        report::created(unit, &page, &request);
    } else {
        insert_and_remove(unit, &void).await?;
    }
    Ok(())
}

/// Inserts a request and removes it again. That takes about as long as inserting a request and an event.
async fn insert_and_remove(unit: &mut Unit, request: &AccessRequest) -> AppResult<()> {
    unit.tx.access_requests().insert(request).await?;
    Ok(unit.tx.access_requests().remove(request.workspace, request.id).await?)
}

/// The page, if it exists and the caller lacks this level on it or has it only for a while. The page of a record gets its
/// row with the first request, which takes a little longer; further ones for the same page do not.
async fn find_page_if_lacking(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    resource: ResourceId,
    wanted: AskedLevel,
) -> AppResult<Option<Page>> {
    let (id, workspace) = (resource.node(), caller.workspace);
    let is_wanted = |page: &Page| page.trash.is_none() && resource.is_a(page.kind);
    let found = unit.tx.pages().find(workspace, id).await?;
    let has_row = found.is_some();
    let page = if has_row { found } else { find_implied(unit, workspace, id).await? }.filter(is_wanted);
    // Without a row, the page of a record has the access of its database.
    let database = page.as_ref().and_then(Page::database_of_record).filter(|_| !has_row);
    let node = database.map_or(id, DatabaseId::node);
    let authority = access::authority_in_teams(unit, caller).await?;
    let lineage = lineage::lineage_hiding_existence(unit, workspace, &authority, node).await?;
    let is_lacking = lineage.is_some_and(|lineage| {
        lineage.level() < wanted.level() || !lineage.lasting_end(&authority).level().reaches(wanted.level())
    });
    match page.filter(|_| is_lacking) {
        Some(page) if !has_row => store(unit, workspace, page.id).await,
        page => Ok(page),
    }
}

fn new(unit: &mut Unit, workspace: WorkspaceId, page: PageId, user: UserId, wish: NewAccessRequest) -> AccessRequest {
    let now = unit.call.now;
    AccessRequest {
        id: unit.id(AccessRequestId::new),
        workspace,
        page,
        user,
        level: wish.level,
        message: wish.message,
        decision: None,
        created_at: now,
        expires_at: now.plus(OPEN_FOR),
    }
}
