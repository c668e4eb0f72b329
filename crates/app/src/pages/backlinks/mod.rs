//! References to a page: from blocks, from comments, and from records with a relation to its record.

mod in_blocks;
mod in_comments;
mod in_records;
mod mark;

pub use mark::{BacklinkMark, InvalidBacklinkMark};

use super::{enter, lineage::find};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Timestamp,
    id::{BlockId, CommentId, PageId, RecordId, ReplyId, WorkspaceId},
    page::Page,
    text::PageTitle,
};
use octavo_ports::blocks::ReferenceKind;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// What refers to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BacklinkSource {
    Block(BlockId, ReferenceKind),
    /// The text of a comment, or of a reply to it.
    Comment(CommentId, Option<ReplyId>),
    /// A record with a relation to the record of the page.
    Record(RecordId),
}

/// A reference to a page.
#[derive(Clone, Debug)]
pub struct Backlink {
    pub source: BacklinkSource,
    /// The page of the block, comment or record, and its title.
    pub page: PageId,
    pub title: PageTitle,
    pub excerpt: String,
    pub created_at: Timestamp,
}

/// Which backlinks to list.
#[derive(Clone, Copy, Debug)]
pub struct BacklinkList {
    pub after: Option<BacklinkMark>,
    pub limit: u32,
}

/// Lists the references to a page that the caller may see, newest first. Open to everybody who may see the page.
pub async fn backlinks(view: &mut View, id: Draft<PageId>, asked: Draft<BacklinkList>) -> AppResult<Vec<Backlink>> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let BacklinkList { after, limit } = asked?;
    let after_block = after.map(BacklinkMark::among_blocks);
    let mut found = in_blocks::list(view, &authority, &seen.page, after_block, limit).await?;
    let after_comment = after.map(BacklinkMark::among_comments);
    found.extend(in_comments::list(view, &authority, &seen.page, after_comment, limit).await?);
    found.extend(in_records::list(view, &authority, &seen.page, after.map(BacklinkMark::among_records), limit).await?);
    // All are in this order already, so blocks stay before comments, and comments before records of the same time.
    found.sort_by_key(|backlink| Reverse(backlink.created_at));
    found.truncate(limit as usize);
    in_blocks::add_excerpts(view, caller.workspace, &mut found).await?;
    Ok(found)
}

/// The pages that contain references. One statement; none if there are no references.
async fn pages_by_id(
    view: &mut View,
    workspace: WorkspaceId,
    ids: impl Iterator<Item = PageId>,
) -> AppResult<BTreeMap<PageId, Page>> {
    let ids: BTreeSet<_> = ids.collect();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let pages = view.tx.pages().list_by_id(workspace, &Vec::from_iter(ids)).await?;
    Ok(pages.into_iter().map(|page| (page.id, page)).collect())
}
