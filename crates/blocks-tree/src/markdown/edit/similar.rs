//! The similarity of two blocks.

use crate::{Body, RichText};

/// The similarity from which a block counts as a changed version of another one.
pub(super) const ENOUGH: u32 = 400;

/// How many characters of a text are compared.
const MOST: usize = 600;

/// The data for the comparison: the pairs of letters in its texts.
pub(super) struct LetterPairs {
    pairs: Vec<(char, char)>,
}

impl LetterPairs {
    pub(super) fn of(body: &Body) -> Self {
        let mut letters = Vec::new();
        let fields = body.fields().iter().filter_map(|(_, value)| value.as_str());
        for text in fields.chain(body.texts().iter().map(RichText::text)) {
            if letters.len() >= MOST {
                break;
            }
            letters.extend(text.chars().take(MOST));
            letters.push('\n');
        }
        letters.truncate(MOST);
        let mut pairs = letters.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
        pairs.sort_unstable();
        Self { pairs }
    }
}

/// From 0 to 1000: four fifths for the common part of the texts, the rest for the type.
pub(super) fn similarity(one: (&Body, &LetterPairs), other: (&Body, &LetterPairs)) -> u32 {
    let shared = shared(&one.1.pairs, &other.1.pairs);
    let all = one.1.pairs.len() + other.1.pairs.len();
    let texts = (800 * 2 * shared).checked_div(all).unwrap_or(0);
    let kind = if one.0.kind() == other.0.kind() { 200 } else { 0 };
    u32::try_from(texts + kind).unwrap_or(0)
}

fn shared(one: &[(char, char)], other: &[(char, char)]) -> usize {
    let (mut at, mut place, mut shared) = (0, 0, 0);
    while let (Some(this), Some(that)) = (one.get(at), other.get(place)) {
        shared += usize::from(this == that);
        at += usize::from(this <= that);
        place += usize::from(that <= this);
    }
    shared
}
