//! Copying pages behind a share link, from any workspace.

use super::{Copied, MAX_PAGES, copy, enter_target, write};
use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    page_access::link_reach::shown_by_link,
    pages::place::{Anchor, Place, find_destination, position},
    scope::Unit,
};
use octavo_core_model::{
    fault::Unprocessable,
    id::WorkspaceId,
    page::{Listed, Page, ParentRef},
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
    let (source, title) = (page.id, page.title.of_copy());
    let levels = gather(unit, link, page).await?;
    destination.admit(u32::try_from(levels.len()).unwrap_or(u32::MAX))?;
    let position = position(unit, authority, &destination, &Anchor::Last, None).await?;
    let (copies, ids) = copy(unit, caller, &destination, levels, &title, &position);
    write(unit, caller, &destination, copies, ids, (link.workspace, source)).await
}

/// How many pages of one level are examined, including those that the link does not show.
const MOST_SIFTED: u32 = 10 * MAX_PAGES;

/// The pages behind a link, level by level: one or two statements for each level.
async fn gather(unit: &mut Unit, link: &ShareLink, page: Page) -> AppResult<Vec<Vec<Page>>> {
    let (mut levels, mut count) = (vec![vec![page]], 1);
    if !link.include_children {
        return Ok(levels);
    }
    loop {
        let above: Vec<_> = levels.last().into_iter().flatten().map(|page| page.id).collect();
        // Pages that the link does not reach do not count, but the number of examined pages is limited.
        let below = unit.tx.pages().list_children(link.workspace, &above, Listed::Pages, None, MOST_SIFTED + 1).await?;
        if below.len() > MOST_SIFTED as usize {
            return Err(Unprocessable::TooLarge.into());
        }
        let below = shown_by_link(unit, link.workspace, below).await?;
        if below.is_empty() {
            return Ok(levels);
        }
        count += below.len();
        if count > MAX_PAGES as usize {
            return Err(Unprocessable::TooLarge.into());
        }
        levels.push(below);
    }
}
