//! Copying the pages behind a share link.

use super::{Key, open::open};
use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft, Interrupt},
    pages::{self, Copied},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    fault::Denial,
    id::WorkspaceId,
    page::{PageKind, ParentRef},
    share_link::ShareLink,
};

/// Where to put a copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copy {
    /// One of the caller's workspaces; by default the call's workspace.
    pub workspace: Option<WorkspaceId>,
    /// The parent page; by default the root.
    pub parent: Option<ParentRef>,
}

/// Copies the page of a link, and the descendants that the link shows, to a place where the caller may put pages.
pub async fn duplicate(unit: &mut Unit, key: Key, draft: Draft<Copy>) -> AppResult<(ShareLink, Copied)> {
    let caller = access::enter(unit, RouteAccess::MEMBERS_IN_PERSON).await?;
    let opened = match open(unit, &key).await {
        Err(Interrupt::Fault(Fault::NotFound)) => return Err(unit.absent().await),
        found => found?,
    };
    if opened.page.kind == PageKind::Database {
        return Err(unit.absent().await);
    }
    if !opened.link.allow_duplicate {
        return Err(Fault::Forbidden(Denial::DuplicateNotAllowed).into());
    }
    let workspace = draft.as_ref().ok().and_then(|wanted| wanted.workspace);
    let there = pages::enter_target_or_refuse(unit, &caller, workspace).await?;
    let parent = draft.map(|wanted| wanted.parent);
    let copied = pages::copy_shared(unit, &there, &opened.link, opened.page, parent).await?;
    Ok((opened.link, copied))
}
