//! The order of the rows of an answer.

use super::{place::Place, prepared::first_bytes};
use crate::{
    chunk::Chunk,
    group::{GroupCodes, Level, NO_GROUP},
    order::{Key, Keys, SortField},
};
use octavo_core_model::id::RecordId;
use std::cmp::Ordering;

/// The groups of a row, from the outermost level; missing levels have [`NO_GROUP`].
pub(super) type Path = [u32; 3];

/// A row that may be part of the page.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) prefix: u64,
    pub(super) path: Path,
    pub(super) keys: Box<[Key]>,
    /// What tells its position from others.
    pub(super) position: u64,
    /// Its place in the order of all rows.
    pub(super) order: u64,
    pub(super) id: RecordId,
}

impl Candidate {
    /// How many bytes of memory it takes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.keys) + self.keys.iter().map(Key::text_bytes).sum::<usize>()
    }
}

/// The row behind which the page begins.
#[derive(Debug)]
pub(super) struct Start {
    prefix: u64,
    path: Path,
    keys: Box<[Key]>,
    position: Box<[u8]>,
    id: RecordId,
}

/// A row of the chunk that is being read.
pub(super) struct Probe<'p, 'c> {
    pub(super) path: Path,
    pub(super) keys: &'p [Keys<'c>],
    pub(super) chunk: &'c Chunk,
    pub(super) row: usize,
    pub(super) order: u64,
}

/// By what rows are ordered: by their groups, then by the keys of the sort, then by their places.
pub(super) struct Ranking<'r, 'a> {
    pub(super) levels: &'r [Level<'a>],
    pub(super) sort: &'r [SortField<'a>],
}

impl Ranking<'_, '_> {
    /// A number that is in the order of the rows. Different rows can have the same one.
    #[inline]
    pub(super) fn prefix(&self, probe: &Probe<'_, '_>) -> u64 {
        match (self.levels.first(), self.sort.first()) {
            (Some(level), _) => level.prefix(probe.path[0]),
            (None, Some(sort)) => probe.keys[0].get(probe.row).prefix(sort.direction),
            (None, None) => 0,
        }
    }

    fn compare_paths(&self, a: &Path, b: &Path) -> Ordering {
        self.levels
            .iter()
            .enumerate()
            .fold(Ordering::Equal, |order, (at, level)| order.then_with(|| level.compare(a[at], b[at])))
    }

    fn compare_keys(&self, probe: &Probe<'_, '_>, keys: &[Key]) -> Ordering {
        let each = self.sort.iter().zip(probe.keys.iter().zip(keys));
        each.fold(Ordering::Equal, |order, (sort, (a, b))| {
            order.then_with(|| a.get(probe.row).compare(&b.as_ref(), sort.direction))
        })
    }

    pub(super) fn compare(&self, a: &Candidate, b: &Candidate) -> Ordering {
        let keys = || {
            self.sort.iter().zip(a.keys.iter().zip(&b.keys)).fold(Ordering::Equal, |order, (sort, (a, b))| {
                order.then_with(|| a.as_ref().compare(&b.as_ref(), sort.direction))
            })
        };
        let order = a.prefix.cmp(&b.prefix).then_with(|| self.compare_paths(&a.path, &b.path));
        order.then_with(keys).then(a.order.cmp(&b.order))
    }

    /// Whether a row comes before a candidate.
    pub(super) fn is_before(&self, probe: &Probe<'_, '_>, prefix: u64, other: &Candidate) -> bool {
        let order = prefix.cmp(&other.prefix).then_with(|| self.compare_paths(&probe.path, &other.path));
        let order = order.then_with(|| self.compare_keys(probe, &other.keys)).then(probe.order.cmp(&other.order));
        order == Ordering::Less
    }

    /// Whether a row comes behind the start of the page.
    pub(super) fn is_behind(&self, probe: &Probe<'_, '_>, prefix: u64, start: &Start) -> bool {
        let order = prefix.cmp(&start.prefix).then_with(|| self.compare_paths(&probe.path, &start.path));
        let order = order.then_with(|| self.compare_keys(probe, &start.keys));
        let place = || probe.chunk.facts().place(probe.row).cmp(&(&*start.position, start.id));
        order.then_with(place) == Ordering::Greater
    }

    /// What identifies a row in the order: everything that decides its place but its id.
    pub(super) fn digest(&self, path: &Path, keys: &[Key], position: u64) -> u64 {
        let mut digest = blake3::Hasher::new();
        for (level, group) in self.levels.iter().zip(path) {
            level.digest(*group, &mut digest);
        }
        for key in keys {
            key.digest(&mut digest);
        }
        digest.update(&position.to_le_bytes());
        first_bytes(digest.finalize())
    }

    /// The start of a page behind a record, if the record is still where it was.
    pub(super) fn start(&self, place: &Place, probe: &mut Probe<'_, '_>, codes: &[GroupCodes<'_>]) -> Option<Start> {
        let keys: Box<[_]> = probe.keys.iter().map(|keys| keys.get(probe.row).to_key()).collect();
        let position = probe.chunk.facts().position(probe.row);
        let path = paths(codes, probe.row).find(|path| self.digest(path, &keys, digest_of(position)) == place.key)?;
        probe.path = path;
        let prefix = self.prefix(probe);
        Some(Start { prefix, path, keys, position: position.into(), id: place.anchor })
    }
}

impl Probe<'_, '_> {
    pub(super) fn to_candidate(&self, prefix: u64) -> Candidate {
        Candidate {
            prefix,
            path: self.path,
            keys: self.keys.iter().map(|keys| keys.get(self.row).to_key()).collect(),
            position: digest_of(self.chunk.facts().position(self.row)),
            order: self.order,
            id: self.chunk.id(self.row),
        }
    }
}

impl Start {
    /// Whether all rows of a chunk come before the page, where rows are ordered by their places only.
    pub(super) fn is_behind_all(&self, chunk: &Chunk) -> bool {
        chunk.len().checked_sub(1).is_none_or(|last| chunk.facts().place(last) <= (&*self.position, self.id))
    }
}

/// A short digest of a position. It only has to notice that a record was moved.
fn digest_of(position: &[u8]) -> u64 {
    position
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// All groups of the innermost level that a row is in, with those above.
pub(super) fn paths(codes: &[GroupCodes<'_>], row: usize) -> impl Iterator<Item = Path> {
    let mut paths = vec![[NO_GROUP; 3]];
    let mut groups = Vec::new();
    for (at, codes) in codes.iter().enumerate() {
        codes.read(row, &mut groups);
        paths = paths.iter().flat_map(|path| groups.iter().map(move |group| with(*path, at, *group))).collect();
    }
    paths.into_iter()
}

fn with(mut path: Path, at: usize, group: u32) -> Path {
    path[at] = group;
    path
}
