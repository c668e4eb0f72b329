//! Converts blocks to documents, and documents to blocks.

use super::{named::ExistingReferences, shown::Branch};
use crate::{access::WorkspaceCaller, outcome::AppResult, scope::Unit};
use octavo_blocks_tree::{Piece, RemovedReferences};
use octavo_core_model::id::BlockId;
use octavo_permissions::Authority;
use std::collections::{BTreeMap, BTreeSet};

/// Converts branches to pieces that reproduce the page: an instance names its source.
pub fn as_written(branches: Vec<Branch>) -> Vec<Piece> {
    let piece = |branch: Branch| {
        let Branch { shown, children } = branch;
        Piece { id: Some(shown.block.id), body: shown.block.body, children: as_written(children) }
    };
    branches.into_iter().map(piece).collect()
}

/// Converts branches to pieces that reproduce what the reader sees: an instance becomes the block that it shows.
pub fn readable(branches: Vec<Branch>) -> Vec<Piece> {
    let piece = |branch: Branch| {
        let Branch { shown, children } = branch;
        Piece { id: Some(shown.block.id), body: shown.into_body(), children: readable(children) }
    };
    branches.into_iter().map(piece).collect()
}

/// What was left out of a document because the things it names do not exist for the writer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Mentions and link targets.
    pub names: RemovedReferences,
    /// Instances.
    pub instances: usize,
}

/// The part of a document that the writer may import: it gets new ids, and refers only to things that exist for them.
pub(crate) async fn visible_part(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    pieces: Vec<Piece>,
) -> AppResult<(Vec<Piece>, LeftOut)> {
    let (mut ids, mut references, mut sources) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<_> = pieces.iter().collect();
    while let Some(piece) = open.pop() {
        if let Some(id) = piece.id {
            ids.insert(id, unit.id(BlockId::new));
        }
        references.extend(piece.body.references());
        sources.extend(piece.body.source());
        open.extend(&piece.children);
    }
    sources.retain(|source| !ids.contains_key(source));
    let sources: Vec<_> = sources.into_iter().collect();
    let mut found = Vec::new();
    if !sources.is_empty() {
        found = unit.tx.blocks().list_locations(caller.workspace, &sources).await?;
        found.retain(|block| !block.is_deleted && block.source.is_none());
    }
    let named: Vec<_> = references.into_iter().collect();
    let there = ExistingReferences::load(unit, caller, authority, &named, found.iter().map(|block| block.page)).await?;
    let shown = found.iter().filter(|block| there.sees(block.page)).map(|block| block.id).collect();
    let mut part = Part { ids, there, shown, left_out: LeftOut::default() };
    let pieces = part.of(pieces);
    Ok((pieces, part.left_out))
}

struct Part {
    ids: BTreeMap<BlockId, BlockId>,
    there: ExistingReferences,
    /// The blocks of other pages that instances may show.
    shown: BTreeSet<BlockId>,
    left_out: LeftOut,
}

impl Part {
    fn of(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        pieces.into_iter().filter_map(|piece| self.piece(piece)).collect()
    }

    /// `None` for an instance without a source.
    fn piece(&mut self, piece: Piece) -> Option<Piece> {
        if let Some(source) = piece.body.source()
            && !self.ids.contains_key(&source)
            && !self.shown.contains(&source)
        {
            self.left_out.instances += 1;
            return None;
        }
        let (body, removed) = piece.body.showing(&self.ids).keeping(&|reference| self.there.has(reference));
        self.left_out.names.mentions += removed.mentions;
        self.left_out.names.targets += removed.targets;
        let id = piece.id.and_then(|id| self.ids.get(&id).copied());
        Some(Piece { id, body, children: self.of(piece.children) })
    }
}
