//! What refers to a page.

use super::{
    enter,
    sight::{Sight, find},
};
use crate::{
    access::Door,
    engine::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    id::{BlockId, PageId, WorkspaceId},
    text::PageTitle,
};
use octavo_ports::blocks::{PageReference, ReferenceKind, ReferenceMark};
use std::collections::BTreeMap;

/// How much of a block's text is shown, in characters.
const EXCERPT: usize = 240;

/// A block that refers to a page.
#[derive(Clone, Debug)]
pub struct Backlink {
    pub block: BlockId,
    /// The page that the block stands on, and its title.
    pub page: PageId,
    pub title: PageTitle,
    pub kind: ReferenceKind,
    pub excerpt: String,
    pub created_at: Timestamp,
}

impl Backlink {
    /// Behind which one a list goes on.
    pub const fn mark(&self) -> ReferenceMark {
        ReferenceMark { created_at: self.created_at, block: self.block, kind: self.kind }
    }
}

/// Which backlinks to list.
#[derive(Clone, Copy, Debug)]
pub struct BacklinkList {
    pub after: Option<ReferenceMark>,
    pub limit: u32,
}

/// Lists what refers to a page and the caller sees, newest first, for everybody who sees the page.
pub async fn backlinks(view: &mut View, id: Draft<PageId>, asked: Draft<BacklinkList>) -> AppResult<Vec<Backlink>> {
    let (entry, authority) = enter(view, Door::PAGES).await?;
    let seen = find(view, &entry, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let BacklinkList { after, limit } = asked?;
    let (workspace, target) = (entry.workspace, seen.page.id);
    let within = Sight::of(view, workspace, &authority).await?.within(Level::View);
    let references = view.tx.list_references_to(workspace, target, within.as_deref(), after.as_ref(), limit).await?;
    told(view, workspace, references).await
}

/// What stands where the references do. Two statements.
async fn told(view: &mut View, workspace: WorkspaceId, references: Vec<PageReference>) -> AppResult<Vec<Backlink>> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    let pages: Vec<_> = references.iter().map(|reference| reference.page).collect();
    let pages = view.tx.list_pages_by_id(workspace, &pages).await?;
    let titles: BTreeMap<_, _> = pages.into_iter().map(|page| (page.id, page.title)).collect();
    let blocks: Vec<_> = references.iter().map(|reference| reference.block).collect();
    let blocks = view.tx.find_blocks(workspace, &blocks).await?;
    let texts: BTreeMap<_, _> = blocks.iter().map(|block| (block.id, excerpt(&block.body))).collect();
    let backlink = |reference: PageReference| {
        Some(Backlink {
            title: titles.get(&reference.page)?.clone(),
            excerpt: texts.get(&reference.block).cloned().unwrap_or_default(),
            block: reference.block,
            page: reference.page,
            kind: reference.kind,
            created_at: reference.created_at,
        })
    };
    Ok(references.into_iter().filter_map(backlink).collect())
}

fn excerpt(body: &octavo_blocks_tree::Body) -> String {
    let texts = body.texts();
    let said: Vec<_> = texts.iter().map(octavo_blocks_tree::RichText::text).filter(|text| !text.is_empty()).collect();
    said.join(" ").chars().take(EXCERPT).collect()
}
