//! Slugs: using the wanted one, or finding a free one near it.

use crate::{
    outcome::{AppResult, LOST},
    scope::Unit,
};
use octavo_core_model::{Fault, fault::Conflict, id::WorkspaceId, text::Slug, workspace::Workspace};

/// How many numbers one statement checks.
const PROBES: u64 = 16;
/// How often another caller may get the slug between our look-up and our insertion.
const TRIES: u32 = 8;

/// The set in which a slug must be unique.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Namespace {
    Workspaces,
    Teams(WorkspaceId),
}

impl Namespace {
    async fn taken(self, unit: &mut Unit, slugs: &[Slug]) -> AppResult<Vec<Slug>> {
        Ok(match self {
            Self::Workspaces => unit.tx.workspaces().taken_slugs(slugs).await?,
            Self::Teams(workspace) => unit.tx.teams().taken_slugs(workspace, slugs).await?,
        })
    }
}

/// Inserts a workspace under its slug, or under the slug with the lowest free number appended.
pub(crate) async fn insert_near_slug(unit: &mut Unit, workspace: &mut Workspace) -> AppResult<()> {
    let wanted = workspace.slug.clone();
    if !wanted.is_reserved() && unit.tx.workspaces().insert(workspace).await? {
        return Ok(());
    }
    // Without this lock, twenty callers that want the same name would all try the same number, and all but one would
    // fail each time.
    unit.tx.workspaces().lock_slug(&wanted).await?;
    for _ in 0..TRIES {
        workspace.slug = wanted.numbered(lowest_free(unit, Namespace::Workspaces, &wanted).await?);
        if unit.tx.workspaces().insert(workspace).await? {
            return Ok(());
        }
    }
    Err(LOST)
}

/// Inserts a workspace under exactly its slug.
pub(super) async fn insert_under_slug(unit: &mut Unit, workspace: &Workspace) -> AppResult<()> {
    if workspace.slug.is_reserved() {
        return Err(Fault::Conflict(Conflict::Reserved("slug")).into());
    }
    if unit.tx.workspaces().insert(workspace).await? {
        Ok(())
    } else {
        Err(Fault::Conflict(Conflict::Taken("slug")).into())
    }
}

/// Finds the lowest free number. Numbers are given out in order, so the free ones start somewhere: double the steps
/// past the taken numbers, then narrow the range down. Trying one number at a time would cost the ten-thousandth user
/// of a name ten thousand look-ups.
pub(crate) async fn lowest_free(unit: &mut Unit, namespace: Namespace, wanted: &Slug) -> AppResult<u64> {
    let (mut taken, mut free) = (1, u64::MAX);
    let mut probes = between(taken, free);
    while !probes.is_empty() {
        let slugs: Vec<_> = probes.iter().map(|number| wanted.numbered(*number)).collect();
        let found = namespace.taken(unit, &slugs).await?;
        for (number, slug) in probes.iter().zip(&slugs) {
            if found.contains(slug) {
                taken = *number;
            } else {
                free = *number;
                break;
            }
        }
        probes = between(taken, free);
    }
    Ok(free)
}

/// Numbers spread evenly between the two; at growing distances while no free one is known.
fn between(taken: u64, free: u64) -> Vec<u64> {
    if free == u64::MAX {
        return (1..=PROBES).map(|step| taken.saturating_mul(1 << step)).collect();
    }
    let stride = (free - taken).div_ceil(PROBES + 1).max(1);
    (1..=PROBES).map(|step| taken + step * stride).take_while(|number| *number < free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the same search on a simple model: every number up to `border` is taken.
    fn search(border: u64) -> (u64, u32) {
        let (mut taken, mut free, mut rounds) = (1, u64::MAX, 0);
        let mut probes = between(taken, free);
        while !probes.is_empty() {
            rounds += 1;
            for number in &probes {
                if *number <= border {
                    taken = *number;
                } else {
                    free = *number;
                    break;
                }
            }
            probes = between(taken, free);
        }
        (free, rounds)
    }

    #[test]
    fn the_lowest_free_number_is_found_in_few_rounds() {
        for border in [1, 2, 3, 4, 17, 100, 9_999, 65_536, 1_000_000, 5_000_000] {
            let (found, rounds) = search(border);
            assert_eq!(found, border + 1);
            assert!(rounds <= 8, "{rounds} rounds for {border}");
        }
    }
}
