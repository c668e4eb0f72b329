//! Whether what blocks name is there for who writes them.

use super::Writer;
use crate::{access::Entry, engine::AppResult, pages::sight::Sight, scope::Unit};
use octavo_blocks_tree::{
    Reference,
    batch::{Known, Operation, Plan},
};
use octavo_core_model::{
    Fault, Level,
    fault::{BlockFlaw, BlockProblem},
    id::{PageId, TeamId, UserId},
};
use octavo_permissions::{Authority, teams};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses to name what the writer does not see, as if it was not there. Nothing is asked where nothing new is named.
pub(super) async fn require(
    unit: &mut Unit,
    writer: &Writer,
    operations: &[Operation],
    plan: &Plan,
    known: &Known,
) -> AppResult<()> {
    let named: Vec<_> = plan.named.iter().map(|(_, reference)| *reference).collect();
    let sources: Vec<_> =
        plan.sources.iter().filter_map(|(index, id)| Some((*index, known.named.get(id)?.page))).collect();
    let there =
        There::load(unit, &writer.entry, &writer.authority, &named, sources.iter().map(|(_, page)| *page)).await?;
    let missing = |index: usize, field: &'static str| {
        let part = operations.get(index).and_then(Operation::part);
        BlockFlaw::new(index, BlockProblem::Missing(field)).within(part)
    };
    let mut flaws: Vec<_> = plan
        .named
        .iter()
        .filter(|(_, reference)| !there.has(*reference))
        .map(|(index, _)| missing(*index, "content"))
        .collect();
    flaws.extend(
        sources
            .iter()
            .filter(|(_, page)| !there.pages.contains(page))
            .map(|(index, _)| missing(*index, "content.sourceBlockId")),
    );
    flaws.dedup();
    if flaws.is_empty() { Ok(()) } else { Err(Fault::Blocks(flaws.into()).into()) }
}

/// The same for copies of what stands on the page: what they mention was there to be read, what they show is asked for anew.
pub(super) async fn require_sources(
    unit: &mut Unit,
    writer: &Writer,
    operations: &[Operation],
    plan: &Plan,
    known: &Known,
) -> AppResult<()> {
    let shown = Plan { sources: plan.sources.clone(), ..Plan::default() };
    require(unit, writer, operations, &shown, known).await
}

/// What is named and there. There are no databases and files yet, so none of these is.
#[derive(Default)]
pub(super) struct There {
    pages: BTreeSet<PageId>,
    users: BTreeSet<UserId>,
    teams: BTreeSet<TeamId>,
}

impl There {
    pub(super) async fn load(
        unit: &mut Unit,
        entry: &Entry,
        authority: &Authority,
        named: &[Reference],
        more: impl Iterator<Item = PageId>,
    ) -> AppResult<Self> {
        let (workspace, mut there) = (entry.workspace, Self::default());
        let pages = named.iter().filter_map(|reference| match reference {
            Reference::Page(id) => Some(*id),
            _ => None,
        });
        let pages: BTreeSet<_> = pages.chain(more).collect();
        if !pages.is_empty() {
            let sight = Sight::of(unit, workspace, authority).await?;
            let pages: Vec<_> = pages.into_iter().collect();
            let found = unit.tx.list_pages_by_id(workspace, &pages).await?;
            let visible = found.iter().filter(|page| page.trash.is_none() && sight.level(page.access) >= Level::View);
            there.pages = visible.map(|page| page.id).collect();
        }
        if named.iter().any(|reference| matches!(reference, Reference::User(_))) {
            there.users = unit.tx.list_member_ids(workspace).await?.into_iter().collect();
        }
        if named.iter().any(|reference| matches!(reference, Reference::Team(_))) {
            // A team that the writer does not see is not told from none.
            let sight = teams::sight(authority);
            let teams = unit.tx.list_teams(workspace, sight, None, u32::MAX).await?;
            there.teams = teams.into_iter().map(|team| team.id).collect();
        }
        Ok(there)
    }

    pub(super) fn sees(&self, page: PageId) -> bool {
        self.pages.contains(&page)
    }

    /// Each page that is there, as its own copy.
    pub(super) fn pages_as_they_are(&self) -> BTreeMap<PageId, PageId> {
        self.pages.iter().map(|page| (*page, *page)).collect()
    }

    pub(super) fn has(&self, reference: Reference) -> bool {
        match reference {
            Reference::Page(id) => self.pages.contains(&id),
            Reference::User(id) => self.users.contains(&id),
            Reference::Team(id) => self.teams.contains(&id),
            Reference::Database(_)
            | Reference::View(_)
            | Reference::Chart(_)
            | Reference::Form(_)
            | Reference::File(_) => false,
        }
    }
}
