//! Granting a level that a user asked for or was offered. The caller of these functions has checked the right to
//! grant.

use super::{GrantManager, live, present, rewritten, write_grants};
use crate::{
    access::WorkspaceCaller,
    outcome::AppResult,
    page_access::lineage::{self, Visible},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level, Role, Timestamp,
    grant::Grantee,
    id::{PageId, UserId, WorkspaceId},
    page::Node,
    workspace::Workspace,
};
use octavo_permissions::{Authority, Member};

/// What happens to a temporary higher level, a present or a future one, when its holder is granted a lower one. A page
/// has one entry per principal, and an entry by name decides alone, so nobody can have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemporaryLevel {
    /// It stays: somebody who joins by their own decision must not lose access by it. They can join again later.
    Kept,
    /// It is replaced: somebody else decided which level they should have.
    Replaced,
}

/// Grants a level on a page to a member who does not have it permanently. Returns the resulting level and whether
/// something was granted. The caller has locked the workspace.
pub(crate) async fn raise(
    unit: &mut Unit,
    caller: WorkspaceCaller,
    workspace: Workspace,
    page: PageId,
    (user, role): (UserId, Role),
    offered: Level,
    temporary: TemporaryLevel,
) -> AppResult<(Level, bool)> {
    let page = unit.tx.pages().lock(workspace.id, page).await?.ok_or(Fault::NotFound)?;
    let teams = unit.tx.teams().list_roles(workspace.id, user).await?;
    let authority = Authority::Member(Member::new(user, role, teams));
    let lineage = lineage::lineage(unit, workspace.id, &authority, page.id).await?.ok_or(Fault::NotFound)?;
    let now = lineage.level();
    let has_it_for_good = lineage.lasting_end(&authority).level().reaches(offered);
    let would_lower = now > offered && temporary == TemporaryLevel::Kept;
    if now >= offered && (has_it_for_good || would_lower) {
        return Ok((now, false));
    }
    let until = end_of_narrowing(unit, workspace.id, &authority, &lineage, offered, temporary).await?;
    give(unit, caller, workspace, &authority, Visible { page, lineage }, user, (offered, until)).await?;
    Ok((offered, true))
}

/// When a new grant by name must end so that it does not keep the member below the level that they have for good. If
/// expiring entries keep the member below the offered level now, that is when the remaining ones give more; otherwise
/// `None`.
async fn end_of_narrowing(
    unit: &mut Unit,
    workspace: WorkspaceId,
    authority: &Authority,
    lineage: &lineage::ResolvedLineage<'_>,
    offered: Level,
    temporary: TemporaryLevel,
) -> AppResult<Option<Timestamp>> {
    if !lineage.lasting_end(authority).level().exceeds(offered) {
        return Ok(None);
    }
    let own: Vec<_> =
        lineage.steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
    let Some(grantees) = lineage::member_grantees(authority) else { return Ok(None) };
    let entries = unit.tx.grants().list_levels_for(workspace, Some(&own), &grantees, unit.call.now).await?;
    let mut ends: Vec<_> = entries.iter().filter_map(|entry| entry.expires_at).collect();
    ends.sort_unstable();
    let exceeded = ends.into_iter().map(|end| {
        let left = entries.iter().filter(|entry| entry.expires_at.is_none_or(|own| own > end)).cloned().collect();
        (end, lineage.lasting_with(authority, left).exceeds(offered))
    });
    Ok(end_of_grant(&exceeded.collect::<Vec<_>>(), temporary))
}

/// When a grant must end. `exceeded` lists the ends of other entries in order, and whether those that remain after each
/// of them give more than the grant.
///
/// Those that remain may give more for a while and then less again, if an entry that raises the member ends before one
/// that excludes them.
fn end_of_grant(exceeded: &[(Timestamp, bool)], temporary: TemporaryLevel) -> Option<Timestamp> {
    let end = match temporary {
        TemporaryLevel::Kept => exceeded.iter().find(|(_, is_exceeded)| *is_exceeded),
        TemporaryLevel::Replaced => exceeded.iter().rev().take_while(|(_, is_exceeded)| *is_exceeded).last(),
    };
    end.map(|(end, _)| *end)
}

/// Grants a level on a page to a member, replacing an earlier grant to them on it.
async fn give(
    unit: &mut Unit,
    caller: WorkspaceCaller,
    workspace: Workspace,
    authority: &Authority,
    seen: Visible<'_>,
    user: UserId,
    (level, until): (Level, Option<Timestamp>),
) -> AppResult<()> {
    let grants = present(unit, &seen.page).await?;
    let mut manager = GrantManager { caller, workspace, seen, grants };
    let grant = rewritten(unit, &manager, Grantee::User(user), level, until);
    let mut grants = live(&manager.grants, unit.call.now);
    grants.retain(|other| other.grantee != grant.grantee);
    grants.push(grant);
    let inherit = manager.seen.page.inherit;
    write_grants(unit, authority, &mut manager, inherit, grants, true).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_ends_when_other_entries_give_more_for_a_while_or_for_good() {
        for (exceeded, kept, replaced) in [
            (&[false; 0][..], None, None),
            (&[false][..], None, None),
            (&[true][..], Some(0), Some(0)),
            (&[false, true][..], Some(1), Some(1)),
            (&[true, true][..], Some(0), Some(0)),
            (&[true, false, true][..], Some(0), Some(2)),
            (&[false, true, false, true, true][..], Some(1), Some(3)),
        ] {
            let at = Timestamp::from_millis;
            let ends: Vec<_> = (0..).map(at).zip(exceeded.iter().copied()).collect();
            assert_eq!(end_of_grant(&ends, TemporaryLevel::Kept), kept.map(at), "{exceeded:?}");
            assert_eq!(end_of_grant(&ends, TemporaryLevel::Replaced), replaced.map(at), "{exceeded:?}");
        }
    }
}
