//! What lies within the reach of a link: its own page or database, and below it what no cut separates from it, as far as
//! it is not in the trash or archived.

use super::node::Node;
use crate::{
    outcome::AppResult,
    page_access::link_reach::{excluding_steps, shown_by_link},
    record_pages::find_implied,
    scope::View,
};
use octavo_core_model::{
    Fault,
    id::{DatabaseId, PageId, RecordId, WorkspaceId},
    page::{Listed, Page, PageKind, ResourceId, Step},
    share_link::ShareLink,
};
use std::collections::BTreeSet;

/// A page or database that a link shows.
pub(super) struct Found {
    pub(super) link: ShareLink,
    pub(super) page: Page,
    /// What is above it, starting with the page of the link.
    pub(super) ancestors: Vec<Node>,
}

/// Finds a page or database that a link shows: `own` is the page of the link itself.
pub(super) async fn find(view: &mut View, link: ShareLink, own: Page, id: ResourceId) -> AppResult<Found> {
    let (page, ancestors) = if id.node() == own.id { (own, Vec::new()) } else { below(view, &link, id.node()).await? };
    if !id.is_a(page.kind) {
        return Err(Fault::NotFound.into());
    }
    Ok(Found { link, page, ancestors })
}

async fn below(view: &mut View, link: &ShareLink, id: PageId) -> AppResult<(Page, Vec<Node>)> {
    let lineage = view.tx.pages().find_lineage(link.workspace, id).await?;
    if lineage.is_empty() {
        return implied(view, link, id).await;
    }
    let shown = shown_part(view, link, &lineage).await?;
    let (_, above) = shown.split_last().ok_or(Fault::NotFound)?;
    let page = view.tx.pages().find(link.workspace, id).await?.filter(|page| page.trash.is_none());
    Ok((page.ok_or(Fault::NotFound)?, above.iter().map(Node::from).collect()))
}

/// The page of a record that has no row. It has the access of its database.
async fn implied(view: &mut View, link: &ShareLink, id: PageId) -> AppResult<(Page, Vec<Node>)> {
    let page = find_implied(view, link.workspace, id).await?.filter(|page| page.trash.is_none());
    let page = page.filter(|_| link.include_children).ok_or(Fault::NotFound)?;
    let database = page.database_of_record().ok_or(Fault::NotFound)?;
    let lineage = view.tx.pages().find_lineage(link.workspace, database.node()).await?;
    let shown = shown_part(view, link, &lineage).await?;
    refuse_archived(view, link.workspace, &[], &[id.as_record()]).await?;
    Ok((page, shown.iter().map(Node::from).collect()))
}

/// The part of a path that the link shows; refused unless it shows the end.
async fn shown_part<'a>(view: &mut View, link: &ShareLink, lineage: &'a [Step]) -> AppResult<&'a [Step]> {
    let excluding = excluding_steps(view, link.workspace, lineage).await?;
    let shown = link.shown_part(lineage, &excluding).ok_or(Fault::NotFound)?;
    let below = shown.get(1..).unwrap_or_default();
    let of_kind = |kind: PageKind| below.iter().filter(move |step| step.kind == kind);
    let databases: Vec<_> = of_kind(PageKind::Database).map(|step| step.id.as_database()).collect();
    let records: Vec<_> = of_kind(PageKind::Record).map(|step| step.id.as_record()).collect();
    refuse_archived(view, link.workspace, &databases, &records).await?;
    Ok(shown)
}

/// What is archived is not within reach, nor is what lies below it. Up to two statements.
async fn refuse_archived(
    view: &mut View,
    workspace: WorkspaceId,
    databases: &[DatabaseId],
    records: &[RecordId],
) -> AppResult<()> {
    let mut is_archived = false;
    if !databases.is_empty() {
        let found = view.tx.databases().list_by_id(workspace, databases).await?;
        is_archived |= found.len() < databases.len() || found.iter().any(|found| found.archived_at.is_some());
    }
    if !records.is_empty() {
        let found = view.tx.records().list_by_id(workspace, records).await?;
        is_archived |= found.len() < records.len() || found.iter().any(|found| found.archived_at.is_some());
    }
    if is_archived { Err(Fault::NotFound.into()) } else { Ok(()) }
}

/// How many children are examined for a list. Anybody may request such a list, and it is not paginated.
const MOST_CHILDREN: u32 = 1000;

/// The pages and databases in a page that the link shows as well, in their order. The records of a database are not among
/// them.
pub(super) async fn children(view: &mut View, link: &ShareLink, page: PageId) -> AppResult<Vec<Page>> {
    if !link.include_children {
        return Ok(Vec::new());
    }
    let listed = Listed::PagesAndDatabases;
    let found = view.tx.pages().list_children(link.workspace, &[page], listed, None, MOST_CHILDREN).await?;
    let mut shown = shown_by_link(view, link.workspace, found).await?;
    let databases = shown.iter().filter(|page| page.kind == PageKind::Database);
    let databases: Vec<_> = databases.map(|page| page.id.as_database()).collect();
    if !databases.is_empty() {
        let found = view.tx.databases().list_by_id(link.workspace, &databases).await?;
        let archived = found.iter().filter(|database| database.archived_at.is_some());
        let archived: BTreeSet<_> = archived.map(|database| database.id.node()).collect();
        shown.retain(|page| !archived.contains(&page.id));
    }
    Ok(shown)
}
