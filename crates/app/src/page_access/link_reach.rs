//! Where the reach of a link ends below its page: at pages that do not inherit, and at pages that exclude somebody.

use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    id::{PageId, WorkspaceId},
    page::{Node, Page, Step},
};
use octavo_ports::store::Reads;
use std::collections::BTreeSet;

/// Which of these steps exclude somebody, no matter whom. One statement; none if no step has entries of its own.
pub(crate) async fn excluding_steps<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    steps: &[Step],
) -> AppResult<BTreeSet<PageId>> {
    excluding(scope, workspace, steps.iter().map(|step| (step.id, step.access))).await
}

/// Which of these pages a link shows, given that it shows their parents. One statement; none if no page has
/// entries of its own.
pub(crate) async fn shown_by_link<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    mut pages: Vec<Page>,
) -> AppResult<Vec<Page>> {
    pages.retain(|page| page.inherit);
    let excluding = excluding(scope, workspace, pages.iter().map(|page| (page.id, page.access))).await?;
    pages.retain(|page| !excluding.contains(&page.id));
    Ok(pages)
}

async fn excluding<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    pages: impl Iterator<Item = (PageId, Node)>,
) -> AppResult<BTreeSet<PageId>> {
    let with_entries: Vec<_> = pages.filter(|(id, access)| *access == Node::Page(*id)).map(|(id, _)| id).collect();
    if with_entries.is_empty() {
        return Ok(BTreeSet::new());
    }
    let now = scope.call.now;
    Ok(scope.tx.grants().list_excluding_pages(workspace, &with_entries, now).await?.into_iter().collect())
}
