//! Terms that name things: workspaces, units, databases, people.
//!
//! Every term begins with a short form of its workspace. So posting lists, the frequency of words and the words that
//! begin with a prefix are those of one workspace, however many share the index.

use octavo_core_model::id::WorkspaceId;
use octavo_ports::search::{Dependency, NodeKey, UnitKey, UnitKind};

/// How many characters the short form of an id has.
pub(crate) const SHORT: usize = 11;

const ALPHABET: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

/// Titles with more bytes are longer than any query.
const LONGEST_TITLE: usize = 1_000;

/// The lower half of an id, which is random.
#[expect(clippy::cast_possible_truncation, reason = "only the lower half is wanted")]
pub(crate) const fn low(bits: u128) -> u64 {
    bits as u64
}

/// The upper half of an id.
pub(crate) const fn high(bits: u128) -> u64 {
    (bits >> 64) as u64
}

/// An id from its halves.
pub(crate) const fn whole(high: u64, low: u64) -> u128 {
    ((high as u128) << 64) | low as u128
}

pub(crate) const fn bits(key: UnitKey) -> u128 {
    match key {
        UnitKey::Comment(id) => id.bits(),
        UnitKey::Database(id) => id.bits(),
        UnitKey::Page(id) => id.bits(),
        UnitKey::Record(id) => id.bits(),
    }
}

/// The beginning of all terms of a workspace.
#[derive(Clone, Debug)]
pub(crate) struct Tenant(String);

impl Tenant {
    pub(crate) fn of(workspace: WorkspaceId) -> Self {
        let mut key = String::with_capacity(SHORT);
        push_short(&mut key, low(workspace.bits()));
        Self(key)
    }

    /// The term of a word.
    pub(crate) fn word(&self, word: &str) -> String {
        [&self.0, word].concat()
    }

    /// A text with the workspace in front, for the tokenizer.
    pub(crate) fn text(&self, text: &str) -> String {
        self.word(text)
    }

    /// All units of the workspace.
    pub(crate) fn units(&self) -> String {
        self.tagged('w')
    }

    /// How far the log of the workspace was followed.
    pub(crate) fn progress(&self) -> String {
        self.tagged('k')
    }

    pub(crate) fn unit(&self, kind: UnitKind, key: u64) -> String {
        let kind = match kind {
            UnitKind::Comment => 'c',
            UnitKind::Database => 'd',
            UnitKind::Page => 'p',
            UnitKind::Record => 'r',
        };
        let mut term = self.tagged('u');
        term.push(kind);
        push_short(&mut term, key);
        term
    }

    /// The units of a database: its records and what is on them.
    pub(crate) fn in_database(&self, database: NodeKey) -> String {
        self.with_key('d', database.0)
    }

    /// The comments on a page.
    pub(crate) fn on_page(&self, page: NodeKey) -> String {
        self.with_key('o', page.0)
    }

    pub(crate) fn depending_on(&self, on: Dependency) -> String {
        match on {
            Dependency::User(id) => self.with_key('x', low(id.bits())),
            Dependency::Record(id) => self.with_key('y', low(id.bits())),
            Dependency::Blocks(id) => self.with_key('z', low(id.bits())),
            Dependency::Schema(state) => self.with_key('s', state),
        }
    }

    /// The units with this whole title, normalized. `None` if it is empty or longer than any query.
    pub(crate) fn title(&self, title: &str) -> Option<String> {
        let fits = !title.is_empty() && title.len() <= LONGEST_TITLE;
        fits.then(|| [&self.0, "t", title].concat())
    }

    fn tagged(&self, tag: char) -> String {
        let mut term = self.0.clone();
        term.push(tag);
        term
    }

    fn with_key(&self, tag: char, key: u64) -> String {
        let mut term = self.tagged(tag);
        push_short(&mut term, key);
        term
    }
}

fn push_short(text: &mut String, key: u64) {
    for place in (0..SHORT).rev() {
        let digit = (key >> (6 * place)) & 63;
        text.push(char::from(ALPHABET[usize::try_from(digit).unwrap_or_default()]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn different_keys_have_different_short_forms(one: u64, other: u64) {
            let short = |key| {
                let mut text = String::new();
                push_short(&mut text, key);
                text
            };
            prop_assert_eq!(short(one).len(), SHORT);
            prop_assert_eq!(short(one) == short(other), one == other);
            prop_assert_eq!(short(one).cmp(&short(other)), one.cmp(&other));
        }

        #[test]
        fn an_id_is_made_of_its_halves(bits: u128) {
            prop_assert_eq!(whole(high(bits), low(bits)), bits);
        }
    }
}
