//! Moving a page, with all below it.
//!
//! Moves of one workspace follow each other under its lock, so that no two of them make a circle.

use super::{
    Anchor, Place, Shown,
    change::{lock, require_current, require_unlocked, require_writable},
    emit, parent_of,
    place::{Destination, destination, position},
    shown::{one, outer_of},
    sight::{Seen, enter, entries_on, need, spread, whom},
};
use crate::{
    access::{self, Door},
    engine::{AppResult, Draft},
    scope::Unit,
    workspaces::enter_locked,
};
use octavo_core_model::{
    Fault, Level,
    event::EventType,
    fault::{Denial, Unfit},
    id::PageId,
    page::{Node, Page},
    version::Expected,
};
use octavo_permissions::Authority;
use serde_json::{Value, json};

/// Where a page is to go, and which version of it that rests on.
#[derive(Clone, Debug, Default)]
pub struct Relocation {
    pub place: Place,
    pub expected: Option<Expected>,
}

/// Moves a page within its workspace.
pub async fn relocate(unit: &mut Unit, id: Draft<PageId>, draft: Draft<Relocation>) -> AppResult<Shown> {
    let (entry, workspace) = enter_locked(unit, Door::PAGES_CHANGE).await?;
    let authority = access::authority_in_teams(unit, &entry).await?;
    let Some(mut seen) = lock(unit, workspace.id, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    need(&authority, seen.way.level(), Level::Edit)?;
    let wanted = match draft {
        Ok(wanted) => wanted,
        Err(fault) => {
            unit.claim().await?;
            return Err(fault.into());
        }
    };
    let container = wanted.place.container(workspace.id, Some(&seen.page))?;
    let Some(destination) = destination(unit, workspace.id, &authority, container).await? else {
        // The caller knows what the page stands in, though not more than that.
        let stays = container == seen.page.container;
        return Err(if stays {
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)).into()
        } else {
            unit.absent().await
        });
    };
    if seen.way.level() < Level::FullAccess && is_grave(unit, &authority, &seen, &destination).await? {
        need(&authority, seen.way.level(), Level::FullAccess)?;
    }
    unit.claim().await?;
    require_current(&seen.page, wanted.expected)?;
    require_writable(&seen.page)?;
    require_unlocked(&seen.page)?;
    if destination.above.contains(&seen.page.id) {
        return Err(Unfit::CycleDetected.into());
    }
    let levels = if container == seen.page.container { 1 } else { unit.tx.measure_height(&seen.page).await? };
    destination.admit(levels)?;
    let stays = container == seen.page.container && wanted.place.anchor == Anchor::Last;
    let position = if stays {
        seen.page.position.clone()
    } else {
        position(unit, workspace.id, container, &wanted.place.anchor, Some(seen.page.id)).await?
    };
    if container != seen.page.container || position != seen.page.position {
        let before = seen.page.clone();
        seen.page.position = position;
        carry(unit, &mut seen, &destination).await?;
        seen.page.touch(entry.author(), unit.call.now);
        unit.tx.save_page(&seen.page).await?;
        report(unit, &before, &seen.page);
    }
    settle(&mut seen, &destination);
    one(unit, &entry, &authority, &seen).await
}

fn report(unit: &mut Unit, before: &Page, page: &Page) {
    let place =
        |page: &Page| json!({ "parentId": parent_of(page).1, "teamId": page.team, "position": page.position.as_str() });
    let (was, is) = (place(before), place(page));
    let changed: Vec<_> =
        ["parentId", "teamId", "position"].into_iter().filter(|name| was[*name] != is[*name]).collect();
    let more: Value = json!({ "changedFields": changed, "before": was, "after": is });
    emit(unit, EventType::PageMoved, page, more);
}

/// Whether a move takes full access: it changes the team, leaves what was cut off, or lifts the mover anywhere.
pub(super) async fn is_grave(
    unit: &mut Unit,
    authority: &Authority,
    seen: &Seen<'_>,
    destination: &Destination<'_>,
) -> AppResult<bool> {
    if destination.team != seen.page.team || seen.way.cuts_above().any(|cut| !destination.cuts.contains(&cut)) {
        return Ok(true);
    }
    if destination.access == outer_of(seen) || whom(authority).is_none() {
        return Ok(false);
    }
    let page = &seen.page;
    let (before, mut after) = (seen.way.end.clone(), destination.end.clone());
    if page.has_entries() {
        after = enter(after, page.id, page.inherit, &seen.way.entries);
    }
    if after.level() > before.level() {
        return Ok(true);
    }
    let nodes = unit.tx.list_access_nodes_below(page.workspace, page.id).await?;
    let ids: Vec<_> = nodes.iter().map(|node| node.id).collect();
    let entries = entries_on(unit, page.workspace, authority, &ids).await?;
    let levels = |end| spread(&nodes, &entries, [(page.access, end)].into());
    let (before, after) = (levels(before), levels(after));
    Ok(after.iter().any(|(node, end)| before.get(node).is_some_and(|before| end.level() > before.level())))
}

/// Takes the page's subtree along to another container: its access and its team.
pub(super) async fn carry(unit: &mut Unit, seen: &mut Seen<'_>, destination: &Destination<'_>) -> AppResult<()> {
    let page = &mut seen.page;
    if !page.has_entries() && page.access != destination.access {
        unit.tx.move_access(page, destination.access).await?;
        page.access = destination.access;
    }
    if page.team != destination.team {
        unit.tx.move_team_below(page, destination.team).await?;
        page.team = destination.team;
    }
    page.container = destination.container;
    Ok(())
}

/// Reads the page from where it stands now.
pub(super) fn settle<'a>(seen: &mut Seen<'a>, destination: &Destination<'a>) {
    let (page, way) = (&seen.page, &mut seen.way);
    way.above = destination.end.clone();
    way.end = if page.access == Node::Page(page.id) {
        enter(way.above.clone(), page.id, page.inherit, &way.entries)
    } else {
        way.above.clone()
    };
    way.levels = vec![way.end.level()];
    way.steps.drain(..way.steps.len().saturating_sub(1));
}
