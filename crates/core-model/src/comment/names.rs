//! Finds the people and teams that a text mentions by name, as in `@Ada Lovelace`.

use super::Mention;
use crate::id::{TeamId, UserId};
use std::{collections::BTreeMap, ops::Bound};

/// How many characters after an `@` can belong to a name. No name is longer.
const LONGEST: usize = 100;

/// The names by which a text can mention somebody. Case does not matter.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Full names and display names.
    whole: BTreeMap<String, Mention>,
    /// The first words of the names of members.
    first_words: BTreeMap<String, UserId>,
}

impl Names {
    /// Adds a name of a member. If several have the same name, it stands for the one that was added first.
    pub fn add_member(&mut self, name: &str, user: UserId) {
        let folded: String = name.chars().flat_map(folded).collect();
        let first: String = folded.chars().take_while(|letter| letter.is_alphanumeric()).collect();
        if !first.is_empty() {
            self.first_words.entry(first).or_insert(user);
        }
        self.whole.entry(folded).or_insert(Mention::User(user));
    }

    /// Adds the name of a team. Add the members before: a name that both have stands for the member.
    pub fn add_team(&mut self, name: &str, team: TeamId) {
        let folded = name.chars().flat_map(folded).collect();
        self.whole.entry(folded).or_insert(Mention::Team(team));
    }

    /// Whether a name begins like this. Most texts after an `@` are given up here after a few characters.
    fn begins_a_name(&self, prefix: &str) -> bool {
        let next = self.whole.range::<str, _>((Bound::Included(prefix), Bound::Unbounded)).next();
        next.is_some_and(|(name, _)| name.starts_with(prefix))
    }

    /// Who is meant by the text after an `@`: the longest name with which it begins, otherwise a member whose name begins
    /// with its first word.
    fn meant(&self, rest: &[char]) -> Option<Mention> {
        let (mut prefix, mut longest) = (String::new(), None);
        for (index, letter) in rest.iter().enumerate().take(LONGEST) {
            prefix.extend(folded(*letter));
            if !self.begins_a_name(&prefix) {
                break;
            }
            if rest.get(index + 1).is_none_or(|next| !next.is_alphanumeric()) {
                longest = self.whole.get(&prefix).copied().or(longest);
            }
        }
        longest.or_else(|| {
            let word = rest.iter().take_while(|letter| letter.is_alphanumeric()).take(LONGEST + 1);
            let word: String = word.copied().flat_map(folded).collect();
            self.first_words.get(&word).copied().map(Mention::User)
        })
    }
}

/// Whom a text mentions, in the order of the text. An `@` inside a word, as in an address, mentions nobody.
pub fn mentioned(text: &str, names: &Names) -> Vec<Mention> {
    let letters: Vec<char> = text.chars().collect();
    let begins = |index: usize| {
        letters.get(index) == Some(&'@')
            && index
                .checked_sub(1)
                .and_then(|before| letters.get(before))
                .is_none_or(|before| !before.is_alphanumeric())
    };
    let starts = (0..letters.len()).filter(|index| begins(*index));
    starts.filter_map(|index| names.meant(letters.get(index + 1..).unwrap_or_default())).collect()
}

/// A character in the form for comparisons. The two small forms of sigma are the same letter.
fn folded(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn user(number: u8) -> UserId {
        UserId::new(1, [number; 10])
    }

    fn names() -> Names {
        let mut names = Names::default();
        for (number, name) in [
            (1, "Ada Lovelace"),
            (1, "ada"),
            (2, "Ada Lovelace King"),
            (3, "Ada Byron"),
            (4, "Jean-Luc Picard"),
            (5, "Σίσυφος"),
            (6, "東京"),
            (7, "Dr. Who?"),
            (8, "Design"),
        ] {
            names.add_member(name, user(number));
        }
        names.add_team("Design", TeamId::EXAMPLE);
        names.add_team("Design Ops", TeamId::EXAMPLE);
        names
    }

    #[test]
    fn a_name_after_an_at_sign_is_a_mention() {
        let team = Mention::Team(TeamId::EXAMPLE);
        let member = |number| Mention::User(user(number));
        for (text, expected) in [
            ("@Ada Lovelace, look", vec![member(1)]),
            ("look, @ADA LOVELACE", vec![member(1)]),
            ("@Ada Lovelace King!", vec![member(2)]),
            ("@Ada Lovelace Kingston", vec![member(1)]),
            ("@Ada Lovelaces", vec![member(1)]),
            ("@ada", vec![member(1)]),
            ("@adas", vec![]),
            ("@Ada Byron and @Ada Byron", vec![member(3), member(3)]),
            ("mail ada@ada.example", vec![]),
            ("(@ada)", vec![member(1)]),
            ("@@ada", vec![member(1)]),
            ("@ ada", vec![]),
            ("@jean", vec![member(4)]),
            ("@Jean-Luc", vec![member(4)]),
            ("@Jean-Luc Picard's ship", vec![member(4)]),
            ("@ΣΊΣΥΦΟΣ", vec![member(5)]),
            ("@東京", vec![member(6)]),
            ("@東京都", vec![]),
            ("@Dr. Who? yes", vec![member(7)]),
            ("@design", vec![member(8)]),
            ("@design ops", vec![team]),
            ("@nobody", vec![]),
            ("@", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(mentioned(text, &names()), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text: String) {
            let _ = mentioned(&text, &names());
        }

        #[test]
        fn any_name_is_found_in_a_text(name in "[a-zA-Z\u{c0}-\u{24f}]{1,20}( [a-z]{1,9})?", before in "[ .,(]{0,3}", after in "( .*)?") {
            let mut names = Names::default();
            names.add_member(&name, user(1));
            let found = mentioned(&format!("{before}@{name}{after}"), &names);
            prop_assert_eq!(found.first(), Some(&Mention::User(user(1))));
        }
    }
}
