//! Copying pages behind a share link, from any workspace.

use super::{
    Copied, Head, enter_target,
    gather::{Parts, gather},
    write,
};
use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    pages::place::{Anchor, Place, find_destination, position},
    relations::Reader,
    scope::Unit,
};
use octavo_core_model::{
    id::WorkspaceId,
    page::{Page, ParentRef},
    share_link::ShareLink,
};
use octavo_permissions::Authority;

/// Admits the caller to the target workspace and locks it.
pub(crate) async fn enter_target_or_refuse(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    workspace: Option<WorkspaceId>,
) -> AppResult<(WorkspaceCaller, Authority)> {
    match enter_target(unit, caller, workspace).await? {
        Some(there) => Ok(there),
        None => Err(unit.absent().await.naming("workspaceId")),
    }
}

/// Copies a page behind a link, and the descendants that the link shows. Without a parent the copy becomes a root
/// page.
pub(crate) async fn copy_shared(
    unit: &mut Unit,
    (caller, authority): &(WorkspaceCaller, Authority),
    link: &ShareLink,
    page: Page,
    parent: Draft<Option<ParentRef>>,
) -> AppResult<Copied> {
    let place = parent.map(|parent| Place { parent: Some(parent), ..Place::default() });
    let destination = find_destination(unit, caller.workspace, authority, place, None).await?;
    unit.claim().await?;
    let destination = destination?;
    let title = page.title.of_copy();
    let parts = Parts { children: link.include_children, databases: true, records: true };
    let reader = Reader::Link(link);
    let gathered = gather(unit, reader, link.workspace, page, parts).await?;
    destination.admit(gathered.levels)?;
    let position = position(unit, authority, &destination, &Anchor::Last, None).await?;
    write(unit, caller, &destination, reader, link.workspace, gathered, Head { title, position }).await
}
