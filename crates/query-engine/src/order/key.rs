//! What one value is sorted by.

use octavo_databases::query::Direction;
use std::cmp::Ordering;

/// What one value is sorted by, borrowed from a chunk. Values of one type are ordered by a number, or by a text: by
/// the folded form first, and then as it was written. Of a text the number holds the first bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyRef<'a> {
    /// The type of the value, where there are several in one column.
    rank: u8,
    word: u64,
    folded: &'a [u8],
    exact: &'a [u8],
}

/// The rank of no value.
const EMPTY: u8 = u8::MAX;

impl<'a> KeyRef<'a> {
    pub(crate) const EMPTY: Self = Self { rank: EMPTY, word: 0, folded: &[], exact: &[] };

    /// A small whole number, below 2^61.
    pub(crate) const fn small(number: u64) -> Self {
        // A prefix leaves out the lowest three bits.
        Self::ranked(0, number << 3)
    }

    pub(crate) const fn word(word: u64) -> Self {
        Self::ranked(0, word)
    }

    /// `rank` is less than 8.
    pub(crate) const fn ranked(rank: u8, word: u64) -> Self {
        Self { rank, word, folded: &[], exact: &[] }
    }

    pub(crate) fn text(rank: u8, folded: &'a [u8], exact: &'a [u8]) -> Self {
        Self { rank, word: first_bytes(folded), folded, exact }
    }

    /// Compares two keys. Those without value are the last in both directions.
    #[inline]
    pub(crate) fn compare(&self, other: &KeyRef<'_>, direction: Direction) -> Ordering {
        match (self.rank == EMPTY, other.rank == EMPTY) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Greater,
            (false, true) => return Ordering::Less,
            (false, false) => {}
        }
        let order = (self.rank, self.word).cmp(&(other.rank, other.word));
        let order = order.then_with(|| self.folded.cmp(other.folded)).then_with(|| self.exact.cmp(other.exact));
        match direction {
            Direction::Ascending => order,
            Direction::Descending => order.reverse(),
        }
    }

    /// A number that is in the order of the keys. Different keys can have the same one.
    #[inline]
    pub(crate) fn prefix(&self, direction: Direction) -> u64 {
        if self.rank == EMPTY {
            return u64::MAX;
        }
        let prefix = (u64::from(self.rank) << 61) | (self.word >> 3);
        match direction {
            Direction::Ascending => prefix,
            Direction::Descending => !prefix,
        }
        .min(u64::MAX - 1)
    }

    pub(crate) fn to_key(self) -> Key {
        let text = !self.folded.is_empty() || !self.exact.is_empty();
        Key {
            rank: self.rank,
            word: self.word,
            text: text.then(|| Box::new(Text { folded: self.folded.into(), exact: self.exact.into() })),
        }
    }
}

/// The first eight bytes as a number.
fn first_bytes(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; 8];
    bytes[..text.len()].copy_from_slice(text);
    u64::from_be_bytes(bytes)
}

/// A text, folded and as it was written.
#[derive(Clone, Debug)]
struct Text {
    folded: Box<[u8]>,
    exact: Box<[u8]>,
}

/// What one value is sorted by.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    rank: u8,
    word: u64,
    text: Option<Box<Text>>,
}

impl Key {
    #[inline]
    pub(crate) fn as_ref(&self) -> KeyRef<'_> {
        let (folded, exact) = self.text.as_deref().map_or((&[][..], &[][..]), |text| (&*text.folded, &*text.exact));
        KeyRef { rank: self.rank, word: self.word, folded, exact }
    }

    /// How many bytes its text takes.
    pub(crate) fn text_bytes(&self) -> usize {
        self.text.as_deref().map_or(0, |text| text.folded.len() + text.exact.len())
    }

    /// How many bytes its text has as it was written.
    pub(crate) fn exact_bytes(&self) -> usize {
        self.text.as_deref().map_or(0, |text| text.exact.len())
    }

    /// Adds everything that the key depends on.
    pub(crate) fn digest(&self, digest: &mut blake3::Hasher) {
        digest.update(&[self.rank]).update(&self.word.to_le_bytes());
        if let Some(text) = self.text.as_deref() {
            digest.update(&(text.folded.len() as u64).to_le_bytes()).update(&text.folded).update(&text.exact);
        }
        digest.update(&[0xff]);
    }
}
