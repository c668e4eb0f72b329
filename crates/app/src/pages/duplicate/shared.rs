//! Copying pages that a share link shows, from whichever workspace.

use super::{Copied, MAX_PAGES, copy, enter_elsewhere, write};
use crate::{
    access::{self, Entry},
    engine::{AppResult, Draft},
    pages::place::{Anchor, Place, destination, position},
    scope::Unit,
};
use octavo_core_model::{
    fault::Unfit,
    id::WorkspaceId,
    page::{Page, ParentRef},
    share_link::ShareLink,
};
use octavo_permissions::Authority;

/// Lets the caller into the workspace that copies are to go to, and locks it.
pub(crate) async fn landing(
    unit: &mut Unit,
    entry: Entry,
    workspace: Option<WorkspaceId>,
) -> AppResult<(Entry, Authority)> {
    let elsewhere = workspace.filter(|id| *id != entry.workspace);
    let locked = unit.tx.lock_workspace(elsewhere.unwrap_or(entry.workspace)).await?;
    match elsewhere {
        Some(workspace) if locked.is_some() => enter_elsewhere(unit, &entry, workspace).await,
        Some(_) => Err(unit.absent().await),
        None => {
            let authority = access::authority_in_teams(unit, &entry).await?;
            Ok((entry, authority))
        }
    }
}

/// Copies a page that a link shows, and what the link shows below it. Without a parent the copy stands at the root.
pub(crate) async fn paste(
    unit: &mut Unit,
    (entry, authority): &(Entry, Authority),
    link: &ShareLink,
    page: Page,
    parent: Draft<Option<ParentRef>>,
) -> AppResult<Copied> {
    let parent = match parent {
        Ok(parent) => parent,
        Err(fault) => {
            unit.claim().await?;
            return Err(fault.into());
        }
    };
    let place = Place { parent: Some(parent), ..Place::default() };
    let container = place.container(entry.workspace, None)?;
    let Some(destination) = destination(unit, entry.workspace, authority, container).await? else {
        return Err(unit.absent().await);
    };
    unit.claim().await?;
    let (source, title) = (page.id, page.title.of_copy());
    let levels = gather(unit, link, page).await?;
    destination.admit(u32::try_from(levels.len()).unwrap_or(u32::MAX))?;
    let position = position(unit, entry.workspace, container, &Anchor::Last, None).await?;
    let (copies, ids) = copy(unit, entry, &destination, levels, &title, &position);
    write(unit, entry, &destination, copies, ids, (link.workspace, source)).await
}

/// The pages that a link shows, level by level: one statement for each level.
async fn gather(unit: &mut Unit, link: &ShareLink, page: Page) -> AppResult<Vec<Vec<Page>>> {
    let (mut levels, mut count) = (vec![vec![page]], 1);
    if !link.include_children {
        return Ok(levels);
    }
    loop {
        let above: Vec<_> = levels.last().into_iter().flatten().map(|page| page.id).collect();
        let mut below = unit.tx.list_children(link.workspace, &above, None).await?;
        below.retain(|page| page.inherit);
        if below.is_empty() {
            return Ok(levels);
        }
        count += below.len();
        if count > MAX_PAGES {
            return Err(Unfit::TooLarge.into());
        }
        levels.push(below);
    }
}
