//! Texts that make patterns slow.

use super::nesting::letters;
use regex_syntax::hir::{ClassUnicode, Hir, HirKind};
use std::collections::BTreeSet;

/// How many characters each text has.
const LENGTH: usize = 10_000;
/// How many sets of characters are tried, and how many characters of each.
const SETS: usize = 6;
const LETTERS: usize = 8;
/// How many ranges of a set count.
const RANGES: usize = 4;

/// Texts of the characters that the pattern is about: of each of its sets alone, so that nothing else ends a match, and of
/// all together. Their order is random, which slows down patterns that have to remember where they have been; and some
/// are one character over and over, which slows down repetitions.
pub(super) fn texts(pattern: &Hir) -> impl Iterator<Item = String> {
    let mut parts = Vec::new();
    collect(pattern, &mut parts);
    // Characters at the borders of sets are told apart by the pattern.
    let borders: BTreeSet<char> =
        parts.iter().flat_map(|part| part.iter().take(RANGES)).flat_map(|range| [range.start(), range.end()]).collect();
    let mut sets: Vec<Vec<char>> = Vec::new();
    for part in [letters(pattern)].into_iter().chain(parts) {
        let has = |letter: &char| part.ranges().iter().any(|range| (range.start()..=range.end()).contains(letter));
        let set: Vec<char> = borders.iter().copied().filter(has).take(LETTERS).collect();
        if !set.is_empty() && !sets.contains(&set) && sets.len() < SETS {
            sets.push(set);
        }
    }
    sets.into_iter().flat_map(|set| {
        let run = set.first().map(|letter| std::iter::repeat_n(*letter, LENGTH).collect());
        std::iter::once(shuffled(&set)).chain(run)
    })
}

/// All sets of characters and then all literals.
fn collect(part: &Hir, parts: &mut Vec<ClassUnicode>) {
    match part.kind() {
        HirKind::Class(_) => parts.insert(0, letters(part)),
        HirKind::Literal(_) => parts.push(letters(part)),
        HirKind::Repetition(repetition) => collect(&repetition.sub, parts),
        HirKind::Capture(capture) => collect(&capture.sub, parts),
        HirKind::Concat(inner) | HirKind::Alternation(inner) => inner.iter().for_each(|part| collect(part, parts)),
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

/// The characters in an order that is the same each time and has no pattern.
fn shuffled(set: &[char]) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let index = usize::try_from(state >> 33).unwrap_or(0) % set.len().max(1);
        set.get(index).copied()
    };
    std::iter::repeat_with(draw).map_while(|letter| letter).take(LENGTH).collect()
}
