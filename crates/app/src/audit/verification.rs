//! Verifying that a trail is intact.

use super::enter;
use crate::{
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    audit::{AuditHead, Broken, ChainLink},
    event::Chain,
};
use octavo_ports::store::StoreResult;

/// How many entries are in memory at a time.
const PAGE: i64 = 1000;

/// How often a walk starts over because the oldest entries were pruned ahead of it.
const ATTEMPTS: u32 = 3;

/// The part of a trail to verify; a bound that is left out means that end of the trail.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeqRange {
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// The result of verifying a part of a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// How many entries were checked.
    pub checked: i64,
    /// The numbers of the first and the last of them.
    pub range: Option<(i64, i64)>,
    /// The hash at the end of the trail.
    pub head_hash: String,
    /// The number of the first entry that does not match its hash.
    pub broken_at: Option<i64>,
}

/// Recomputes the hashes of a part of the trail.
pub async fn verify(view: &mut View, range: Draft<SeqRange>) -> AppResult<Verification> {
    let chain = enter(view).await?;
    let range = range?;
    Ok(walk(view, chain, range).await?.0)
}

/// The head of a trail as somebody saved it earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHead {
    pub seq: i64,
    pub hash: String,
}

/// Whether the present trail continues from an earlier head: that entry is unchanged, and all later ones are chained
/// to it.
///
/// If the entry at the earlier head has been pruned, it cannot be compared any more and counts as missing, except the
/// last pruned entry, whose hash is kept.
pub async fn is_consistent(view: &mut View, kept: Draft<KeptHead>) -> AppResult<bool> {
    let chain = enter(view).await?;
    let kept = kept?;
    let head = view.tx.audits().find_head(chain).await?.unwrap_or_else(AuditHead::origin);
    let there = link_at(view, chain, &head, kept.seq).await?;
    if there != Some(ChainLink { seq: kept.seq, hash: kept.hash }) {
        return Ok(false);
    }
    // Starts at the kept entry itself, whose content has to match its hash.
    let range = SeqRange { from: Some(kept.seq.max(1)), to: None };
    Ok(walk(view, chain, range).await?.0.broken_at.is_none())
}

async fn walk(view: &mut View, chain: Chain, range: SeqRange) -> StoreResult<(Verification, AuditHead)> {
    let mut attempt = 1;
    loop {
        let head = view.tx.audits().find_head(chain).await?.unwrap_or_else(AuditHead::origin);
        let verdict = walk_once(view, chain, range, &head).await?;
        if verdict.broken_at.is_some() && attempt < ATTEMPTS {
            let now = view.tx.audits().find_head(chain).await?.unwrap_or_else(AuditHead::origin);
            if now.pruned != head.pruned {
                attempt += 1;
                continue;
            }
        }
        return Ok((verdict, head));
    }
}

async fn walk_once(view: &mut View, chain: Chain, range: SeqRange, head: &AuditHead) -> StoreResult<Verification> {
    let first = range.from.unwrap_or(1).max(head.pruned.seq + 1);
    let last = range.to.unwrap_or(head.last.seq).min(head.last.seq);
    let verdict = |range, broken_at| Verification {
        checked: match range {
            Some((first, last)) => last - first + 1,
            None => 0,
        },
        range,
        head_hash: head.last.hash.clone(),
        broken_at,
    };
    if first > last {
        return Ok(verdict(None, None));
    }
    let Some(before) = link_at(view, chain, head, first - 1).await? else {
        return Ok(verdict(None, Some(first - 1)));
    };
    match follow(view, chain, before, last).await? {
        // The head that was stored when the last entry was sealed.
        Ok(end) if last == head.last.seq && end != head.last => Ok(verdict(Some((first, last)), Some(last))),
        Ok(_) => Ok(verdict(Some((first, last)), None)),
        Err(Broken { at }) => Ok(verdict(Some((first, at)), Some(at))),
    }
}

/// The link to which the entry after this number is chained.
async fn link_at(view: &mut View, chain: Chain, head: &AuditHead, seq: i64) -> StoreResult<Option<ChainLink>> {
    if seq == head.pruned.seq {
        return Ok(Some(head.pruned.clone()));
    }
    if seq < head.pruned.seq || seq > head.last.seq {
        return Ok(None);
    }
    let found = view.tx.audits().list_sealed_entries(chain, seq, 1).await?.pop().and_then(|record| record.seal);
    Ok(found.map(ChainLink::from).filter(|link| link.seq == seq))
}

async fn follow(
    view: &mut View,
    chain: Chain,
    mut link: ChainLink,
    last: i64,
) -> StoreResult<Result<ChainLink, Broken>> {
    while link.seq < last {
        let limit = u32::try_from(PAGE.min(last - link.seq)).unwrap_or(u32::MAX);
        let page = view.tx.audits().list_sealed_entries(chain, link.seq + 1, limit).await?;
        if page.is_empty() {
            return Ok(Err(Broken { at: link.seq + 1 }));
        }
        link = match link.follow(&page) {
            Ok(link) => link,
            Err(broken) => return Ok(Err(broken)),
        };
    }
    Ok(Ok(link))
}
