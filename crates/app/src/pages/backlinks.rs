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
    id::{BlockId, PageId},
    text::PageTitle,
};
use octavo_ports::blocks::{PageReference, ReferenceKind};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// How much of a block's text is shown, in characters.
const EXCERPT: usize = 240;
/// How many references are looked at in one go, for those that the caller does not see are left out.
const AT_ONCE: u32 = 200;

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

/// Behind which one a list of backlinks goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BacklinkMark {
    pub created_at: Timestamp,
    pub block: BlockId,
}

impl fmt::Display for BacklinkMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.block, self.created_at.millis())
    }
}

/// The text is no mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMark;

impl FromStr for BacklinkMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let (block, time) = text.split_once(' ').ok_or(InvalidMark)?;
        let created_at = time.parse().map(Timestamp::from_millis).map_err(|_| InvalidMark)?;
        Ok(Self { created_at, block: block.parse().map_err(|_| InvalidMark)? })
    }
}

/// Which backlinks to list.
#[derive(Clone, Copy, Debug)]
pub struct BacklinkList {
    pub after: Option<BacklinkMark>,
    pub limit: u32,
}

/// Lists what refers to a page and the caller sees, newest first, for everybody who sees the page.
pub async fn backlinks(view: &mut View, id: Draft<PageId>, asked: Draft<BacklinkList>) -> AppResult<Vec<Backlink>> {
    let (entry, authority) = enter(view, Door::PAGES).await?;
    let seen = find(view, &entry, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let BacklinkList { after, limit } = asked?;
    let sight = Sight::of(view, entry.workspace, &authority).await?;
    let mut before = after.map(|mark| (mark.created_at, mark.block));
    let mut found = Vec::new();
    while found.len() < limit as usize {
        let references = view.tx.list_references_to(entry.workspace, seen.page.id, before, AT_ONCE).await?;
        before = references.last().map(|last| (last.created_at, last.block));
        let is_last = references.len() < AT_ONCE as usize;
        found.extend(told(view, &sight, references).await?);
        if is_last {
            break;
        }
    }
    found.truncate(limit as usize);
    Ok(found)
}

/// Those on active pages that the caller sees. Two statements.
async fn told(view: &mut View, sight: &Sight, references: Vec<PageReference>) -> AppResult<Vec<Backlink>> {
    let Some(workspace) = references.first().map(|reference| reference.workspace) else { return Ok(Vec::new()) };
    let pages: Vec<_> = references.iter().map(|reference| reference.page).collect();
    let pages = view.tx.list_pages_by_id(workspace, &pages).await?;
    let visible = pages.into_iter().filter(|page| page.trash.is_none() && sight.level(page.access) >= Level::View);
    let titles: BTreeMap<_, _> = visible.map(|page| (page.id, page.title)).collect();
    let references: Vec<_> = references.into_iter().filter(|reference| titles.contains_key(&reference.page)).collect();
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
