//! Finds which blocks of a changed page correspond to which blocks of the old page.

use super::{
    align::{align, best},
    flat::Flat,
    similar::{ENOUGH, LetterPairs, similarity},
};
use crate::{Body, Kind, Piece, markdown::write::are_same};
use octavo_core_model::id::BlockId;
use std::{
    collections::{BTreeMap, VecDeque},
    slice,
};

/// Larger gaps are matched in order, without comparing all pairs.
const MOST_COMPARED: usize = 10_000;

/// Gives new blocks the ids of the corresponding old ones. Comments refer to ids, so as many as possible are kept:
/// first of unchanged blocks at the same place, then of blocks that were moved, then of blocks that were changed
/// between the same neighbours.
pub(super) fn keep_ids(old: &[Piece], mut new: Vec<Piece>) -> Vec<Piece> {
    // Most edits are small: equal blocks at both ends need no comparison of all pairs.
    let is_same = |(one, other): &(&Piece, &mut Piece)| are_same(slice::from_ref(*one), slice::from_ref(&**other));
    let head = old.iter().zip(&mut new).take_while(is_same).map(|(one, other)| copy(one, other)).count();
    let (old, new_rest) = (&old[head..], &mut new[head..]);
    let ends = old.iter().rev().zip(new_rest.iter_mut().rev());
    let tail = ends.take_while(is_same).map(|(one, other)| copy(one, other)).count();
    let (old, middle) = (&old[..old.len() - tail], new_rest.len() - tail);
    let middle = &mut new_rest[..middle];
    let ids = {
        let mut keeper = Keeper::new(Flat::of(old), Flat::of(middle));
        keeper.keep_equal();
        keeper.keep_moved();
        keeper.keep_changed();
        keeper.ids()
    };
    give(middle, &mut ids.into_iter());
    new
}

/// Copies the ids of a tree with the same content.
fn copy(old: &Piece, new: &mut Piece) {
    new.id = old.id;
    for (old, new) in old.children.iter().zip(&mut new.children) {
        copy(old, new);
    }
}

fn give(pieces: &mut [Piece], ids: &mut impl Iterator<Item = Option<BlockId>>) {
    for piece in pieces {
        piece.id = ids.next().flatten();
        give(&mut piece.children, ids);
    }
}

struct Keeper<'a> {
    old: Flat<'a>,
    new: Flat<'a>,
    /// The corresponding old block of each new block.
    is: Vec<Option<usize>>,
    is_taken: Vec<bool>,
    /// Blocks without a counterpart between the same neighbours.
    gaps: VecDeque<(Vec<usize>, Vec<usize>)>,
}

impl<'a> Keeper<'a> {
    fn new(old: Flat<'a>, new: Flat<'a>) -> Self {
        let (is, is_taken) = (vec![None; new.blocks.len()], vec![false; old.blocks.len()]);
        Self { old, new, is, is_taken, gaps: VecDeque::new() }
    }

    fn ids(&self) -> Vec<Option<BlockId>> {
        self.is.iter().map(|old| old.and_then(|old| self.old.blocks[old].piece.id)).collect()
    }

    fn keep_equal(&mut self) {
        let (old, new) = (self.old.top.clone(), self.new.top.clone());
        self.siblings(&old, &new);
    }

    /// Matches siblings with the same content, and their descendants.
    fn siblings(&mut self, old: &[usize], new: &[usize]) {
        let old = old.iter().copied().filter(|at| !self.is_taken[*at]).collect::<Vec<_>>();
        let new = new.iter().copied().filter(|at| self.is[*at].is_none()).collect::<Vec<_>>();
        let mut pairs = self.whole_pairs(&old, &new);
        pairs.push((old.len(), new.len()));
        let mut from = (0, 0);
        for (one, other) in pairs {
            self.part(&old[from.0..one], &new[from.1..other]);
            if let (Some(one), Some(other)) = (old.get(one), new.get(other)) {
                self.pair(*one, *other);
            }
            from = (one + 1, other + 1);
        }
    }

    /// Pairs that are equal including all descendants.
    fn whole_pairs(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        let old = old.iter().map(|at| self.old.blocks[*at].deep_hash).collect::<Vec<_>>();
        let new = new.iter().map(|at| self.new.blocks[*at].deep_hash).collect::<Vec<_>>();
        align(&old, &new)
    }

    /// Between those, matches siblings with the same content but other children.
    fn part(&mut self, old: &[usize], new: &[usize]) {
        let old_hashes = old.iter().map(|at| self.old.blocks[*at].hash).collect::<Vec<_>>();
        let new_hashes = new.iter().map(|at| self.new.blocks[*at].hash).collect::<Vec<_>>();
        let mut from = (0, 0);
        for (one, other) in align(&old_hashes, &new_hashes).into_iter().chain([(old.len(), new.len())]) {
            let gap = (old[from.0..one].to_vec(), new[from.1..other].to_vec());
            if !gap.0.is_empty() && !gap.1.is_empty() {
                self.gaps.push_back(gap);
            }
            if let (Some(one), Some(other)) = (old.get(one), new.get(other)) {
                self.pair(*one, *other);
            }
            from = (one + 1, other + 1);
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.is[new] = Some(old);
        self.is_taken[old] = true;
        let (old, new) = (self.old.blocks[old].children.clone(), self.new.blocks[new].children.clone());
        if !old.is_empty() && !new.is_empty() {
            self.siblings(&old, &new);
        }
    }

    /// Matches blocks with the same content at different places, except empty ones, which are all alike.
    fn keep_moved(&mut self) {
        let mut lost: BTreeMap<u64, VecDeque<usize>> = BTreeMap::new();
        for (at, block) in self.old.blocks.iter().enumerate() {
            if !self.is_taken[at] {
                lost.entry(block.hash).or_default().push_back(at);
            }
        }
        for new in 0..self.is.len() {
            if self.is[new].is_some() || is_empty_body(self.new.body(new)) {
                continue;
            }
            let Some(places) = lost.get_mut(&self.new.blocks[new].hash) else { continue };
            while let Some(old) = places.pop_front() {
                if !self.is_taken[old] {
                    self.pair(old, new);
                    break;
                }
            }
        }
    }

    fn keep_changed(&mut self) {
        while let Some((old, new)) = self.gaps.pop_front() {
            let old = old.into_iter().filter(|at| !self.is_taken[*at]).collect::<Vec<_>>();
            let new = new.into_iter().filter(|at| self.is[*at].is_none()).collect::<Vec<_>>();
            let mut from = (0, 0);
            for (one, other) in self.alike(&old, &new).into_iter().chain([(old.len(), new.len())]) {
                self.in_order(&old[from.0..one], &new[from.1..other]);
                if let (Some(one), Some(other)) = (old.get(one), new.get(other)) {
                    self.pair(*one, *other);
                }
                from = (one + 1, other + 1);
            }
        }
    }

    /// Matches blocks with such similar texts that one is probably a changed version of the other.
    fn alike(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        if old.len().saturating_mul(new.len()) > MOST_COMPARED {
            return Vec::new();
        }
        let looks = |flat: &Flat<'a>, places: &[usize]| {
            places.iter().map(|at| (flat.body(*at), LetterPairs::of(flat.body(*at)))).collect::<Vec<_>>()
        };
        let (olds, news) = (looks(&self.old, old), looks(&self.new, new));
        best(old.len(), new.len(), |one, other| {
            let ((one, look), (other, other_look)) = (&olds[one], &news[other]);
            let score = similarity((one, look), (other, other_look));
            if score >= ENOUGH && may_turn_into(one, other) { score } else { 0 }
        })
    }

    /// If there are as many blocks of a type between the same neighbours as before, they were rewritten in place.
    fn in_order(&mut self, old: &[usize], new: &[usize]) {
        if old.len() != new.len() {
            return;
        }
        for (one, other) in old.iter().zip(new) {
            let (was, is) = (self.old.body(*one), self.new.body(*other));
            if was.kind() == is.kind() && may_turn_into(was, is) {
                self.pair(*one, *other);
            }
        }
    }
}

/// Whether one block could be a changed version of the other. The content of an instance comes from its source, and
/// its source never changes.
fn may_turn_into(old: &Body, new: &Body) -> bool {
    [old, new].iter().all(|body| body.kind() != Kind::SyncedBlock)
}

fn is_empty_body(body: &Body) -> bool {
    *body == Body::empty(body.kind())
}
