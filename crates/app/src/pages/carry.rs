//! What every move of a page needs: the rights, and the change of its subtree.

use super::{
    Anchor,
    lineage::{Visible, content_of, enter, entries_on, member_grantees, need},
    place::Destination,
    shown::outer_of,
};
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Level,
    page::{AccessNode, Node, Step},
    version::Expected,
};
use octavo_permissions::{Authority, MovedNode, move_raises};

/// The position for a page, and the version that the move is based on.
#[derive(Clone, Debug, Default)]
pub struct Relocation {
    pub anchor: Anchor,
    pub expected: Option<Expected>,
}

/// Requires full access for moves that need it.
pub(super) async fn need_for_move(
    unit: &mut Unit,
    authority: &Authority,
    seen: &Visible<'_>,
    destination: &Destination<'_>,
) -> AppResult<()> {
    if seen.lineage.level() < Level::FullAccess && requires_full_access(unit, authority, seen, destination).await? {
        need(authority, seen.lineage.level(), Level::FullAccess)?;
    }
    Ok(())
}

/// Whether a move needs full access: because it changes the team, leaves the subtree of a page that does not inherit,
/// or raises the mover's lasting level anywhere. The lasting level ignores the cap of an app and entries that expire.
async fn requires_full_access(
    unit: &mut Unit,
    authority: &Authority,
    seen: &Visible<'_>,
    destination: &Destination<'_>,
) -> AppResult<bool> {
    if destination.team != seen.page.team || seen.lineage.cuts_above().any(|cut| !destination.is_cut_off_by(cut)) {
        return Ok(true);
    }
    if destination.access == outer_of(seen) || member_grantees(authority).is_none() {
        return Ok(false);
    }
    let page = &seen.page;
    let nodes = unit.tx.pages().list_access_nodes_below(page.workspace, page.id).await?;
    let ids: Vec<_> = nodes.iter().map(|node| node.id).collect();
    let entries = entries_on(unit, page.workspace, authority, &ids).await?;
    let moved = |node: &AccessNode| {
        let content = content_of(node.id, node.inherit, &entries);
        MovedNode { id: Node::Page(node.id), outer: node.outer, content }
    };
    let below: Vec<_> = nodes.iter().map(moved).collect();
    let own = content_of(page.id, page.inherit, &seen.lineage.entries);
    Ok(move_raises(seen.lineage.lasting_above(authority), destination.lasting.clone(), own, &below))
}

/// Gives the subtree of the page the access node and the team of its new container.
pub(super) async fn carry(unit: &mut Unit, seen: &mut Visible<'_>, destination: &Destination<'_>) -> AppResult<()> {
    let page = &mut seen.page;
    if !page.has_entries() && page.access != destination.access {
        unit.tx.pages().move_access(page, destination.access).await?;
        page.access = destination.access;
    }
    if page.team != destination.team {
        unit.tx.pages().move_team_below(page, destination.team).await?;
        page.team = destination.team;
    }
    page.container = destination.container;
    Ok(())
}

/// Sets the node from which the page inherits after the move.
pub(super) fn place_below<'a>(seen: &mut Visible<'a>, destination: &Destination<'a>) {
    let (page, lineage) = (&seen.page, &mut seen.lineage);
    lineage.above = destination.end.clone();
    lineage.end = if page.access == Node::Page(page.id) {
        enter(lineage.above.clone(), page.id, page.inherit, &lineage.entries)
    } else {
        lineage.above.clone()
    };
    let (container, access, in_private_team) = (page.container, page.access, destination.in_private_team);
    let own =
        lineage.steps.pop().map(|step| (Step { container, access, in_private_team, ..step }, lineage.end.level()));
    (lineage.steps, lineage.levels) = destination.above.iter().cloned().chain(own).unzip();
}
