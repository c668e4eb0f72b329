//! Checks that the things that blocks refer to exist for the writer.

use super::Writer;
use crate::{access::WorkspaceCaller, outcome::AppResult, page_access::visibility::Visibility, scope::Unit};
use octavo_blocks_tree::{
    Reference,
    batch::{NewReference, Operation},
};
use octavo_core_model::{
    Level,
    chart::Chart,
    fault::{BlockFlaw, BlockProblem},
    id::{BlockId, ChartId, DatabaseId, PageId, TeamId, UserId, ViewId, WorkspaceId},
    page::{Page, ResourceId},
    record::{Record, RecordPage},
    scope::ScopeArea,
};
use octavo_permissions::{Authority, teams};
use std::collections::BTreeSet;

/// The field that names the source of an instance.
pub(super) const SOURCE: &str = "content.sourceBlockId";

/// Flaws for things that are named and do not exist for the writer. Things they may not see are treated as missing.
/// No statement if nothing new is named.
pub(super) async fn missing(
    unit: &mut Unit,
    writer: &Writer,
    operations: &[&Operation],
    named: &[NewReference],
) -> AppResult<Vec<BlockFlaw>> {
    let references: Vec<_> = named.iter().map(|new| new.reference).collect();
    let there =
        ExistingReferences::load(unit, &writer.caller, &writer.authority, &references, std::iter::empty()).await?;
    let missing = |new: &NewReference| {
        let part = operations.get(new.operation).and_then(|operation| operation.part());
        BlockFlaw::new(new.operation, BlockProblem::Missing(new.field)).within(part)
    };
    let mut flaws: Vec<_> = named.iter().filter(|new| !there.has(new.reference)).map(missing).collect();
    flaws.dedup();
    Ok(flaws)
}

/// Whether all these things exist for the writer. No statement if there are none.
pub(super) async fn all_exist(unit: &mut Unit, writer: &Writer, references: &[Reference]) -> AppResult<bool> {
    let there =
        ExistingReferences::load(unit, &writer.caller, &writer.authority, references, std::iter::empty()).await?;
    Ok(references.iter().all(|reference| there.has(*reference)))
}

/// Which of these blocks are on other pages that the writer may not see; each is given with its page. No statement if
/// all are on this page.
pub(super) async fn hidden(
    unit: &mut Unit,
    writer: &Writer,
    page: PageId,
    blocks: impl Iterator<Item = (BlockId, PageId)>,
) -> AppResult<BTreeSet<BlockId>> {
    let elsewhere: Vec<_> = blocks.filter(|(_, its_page)| *its_page != page).collect();
    let pages = elsewhere.iter().map(|(_, page)| *page);
    let there = ExistingReferences::load(unit, &writer.caller, &writer.authority, &[], pages).await?;
    Ok(elsewhere.into_iter().filter(|(_, page)| !there.sees(*page)).map(|(id, _)| id).collect())
}

/// The named things that exist. There are no forms and files yet, so those are always missing.
#[derive(Default)]
pub(crate) struct ExistingReferences {
    pages: BTreeSet<PageId>,
    databases: BTreeSet<DatabaseId>,
    views: BTreeSet<ViewId>,
    charts: BTreeSet<ChartId>,
    users: BTreeSet<UserId>,
    teams: BTreeSet<TeamId>,
}

impl ExistingReferences {
    pub(crate) async fn load(
        unit: &mut Unit,
        caller: &WorkspaceCaller,
        authority: &Authority,
        named: &[Reference],
        more: impl Iterator<Item = PageId>,
    ) -> AppResult<Self> {
        let (workspace, mut there) = (caller.workspace, Self::default());
        let pages = named.iter().filter_map(|reference| match reference {
            Reference::Page(id) => Some(*id),
            Reference::Database(id) => Some(id.node()),
            _ => None,
        });
        let views: Vec<_> = named.iter().filter_map(|reference| view_of(*reference)).collect();
        let views =
            if views.is_empty() { Vec::new() } else { unit.tx.databases().locate_views(workspace, &views).await? };
        let charts = charts_of(unit, workspace, named).await?;
        let holders = views.iter().map(|(_, database)| database.node());
        let holders = holders.chain(charts.iter().map(|chart| chart.database.node()));
        let pages: BTreeSet<_> = pages.chain(holders).chain(more).collect();
        if !pages.is_empty() {
            let mut visibility = Visibility::of_everything(workspace, authority);
            let pages: Vec<_> = pages.into_iter().collect();
            let found = unit.tx.pages().list_by_id(workspace, &pages).await?;
            visibility.look_up(unit, found.iter().map(|page| page.access)).await?;
            let visible = found.iter().filter(|page| page.trash.is_none() && visibility.level_of(page) >= Level::View);
            for page in visible {
                match page.resource() {
                    ResourceId::Page(id) => drop(there.pages.insert(id)),
                    ResourceId::Database(id) => drop(there.databases.insert(id)),
                }
            }
            let stored: BTreeSet<_> = found.iter().map(|page| page.id).collect();
            let without_row: Vec<_> = pages.into_iter().filter(|id| !stored.contains(id)).collect();
            there.pages.extend(visible_implied(unit, workspace, &mut visibility, &without_row).await?);
        }
        let is_seen = |(_, database): &&(ViewId, DatabaseId)| there.databases.contains(database);
        there.views = views.iter().filter(is_seen).map(|(view, _)| *view).collect();
        there.charts =
            charts.iter().filter(|chart| there.databases.contains(&chart.database)).map(|chart| chart.id).collect();
        if named.iter().any(|reference| matches!(reference, Reference::User(_))) {
            there.users = unit.tx.members().list_ids(workspace).await?.into_iter().collect();
        }
        if named.iter().any(|reference| matches!(reference, Reference::Team(_))) {
            // A team that the writer may not see is treated like one that does not exist.
            let visibility = teams::visibility(authority);
            let teams = unit.tx.teams().list(workspace, visibility, None, u32::MAX).await?;
            there.teams = teams.into_iter().map(|team| team.id).collect();
        }
        Ok(there)
    }

    pub(super) fn sees(&self, page: PageId) -> bool {
        self.pages.contains(&page)
    }

    pub(crate) fn has(&self, reference: Reference) -> bool {
        match reference {
            Reference::Page(id) => self.pages.contains(&id),
            Reference::User(id) => self.users.contains(&id),
            Reference::Team(id) => self.teams.contains(&id),
            Reference::Database(id) => self.databases.contains(&id),
            Reference::View(id) => self.views.contains(&id),
            Reference::Chart(id) => self.charts.contains(&id),
            Reference::Form(_) | Reference::File(_) => false,
        }
    }
}

/// Which of these ids belong to pages of records that have no row and that the writer may see. Two statements, and those
/// of the visibility; none if there are no ids.
async fn visible_implied(
    unit: &mut Unit,
    workspace: WorkspaceId,
    visibility: &mut Visibility,
    ids: &[PageId],
) -> AppResult<Vec<PageId>> {
    if ids.is_empty() || !visibility.opens(ScopeArea::Pages) {
        return Ok(Vec::new());
    }
    let records: Vec<_> = ids.iter().map(|id| id.as_record()).collect();
    let records = unit.tx.records().list_by_id(workspace, &records).await?;
    let nodes: BTreeSet<_> = records.iter().map(|record| record.database.node()).collect();
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let nodes = unit.tx.pages().list_by_id(workspace, &Vec::from_iter(nodes)).await?;
    visibility.look_up(unit, nodes.iter().map(|node| node.access)).await?;
    let is_open = |node: &&Page| node.trash.is_none() && visibility.level(node.access) >= Level::View;
    let open: BTreeSet<_> = nodes.iter().filter(is_open).map(|node| node.id).collect();
    let is_implied = |record: &&Record| record.page == RecordPage::Implied && open.contains(&record.database.node());
    Ok(records.iter().filter(is_implied).map(|record| record.id.page()).collect())
}

/// The charts that are named. No statement if there are none.
async fn charts_of(unit: &mut Unit, workspace: WorkspaceId, named: &[Reference]) -> AppResult<Vec<Chart>> {
    let charts = named.iter().filter_map(|reference| match reference {
        Reference::Chart(id) => Some(*id),
        _ => None,
    });
    let charts: Vec<_> = charts.collect();
    if charts.is_empty() {
        return Ok(Vec::new());
    }
    Ok(unit.tx.charts().list_by_id(workspace, &charts).await?)
}

const fn view_of(reference: Reference) -> Option<ViewId> {
    match reference {
        Reference::View(id) => Some(id),
        _ => None,
    }
}
