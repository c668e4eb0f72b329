//! Which texts a query matches. An index finds the same faster; this is what it has to find.

use crate::{
    query::{Query, Term},
    tokens::{Token, normalize, tokens},
};
use std::ops::Range;

/// Where a text of a unit stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    /// The title of a page, a record or a database.
    Title,
    /// The value of a property.
    Property,
    /// A block, or the description of a database.
    Text,
    /// A comment or a reply.
    Comment,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 4] = [Self::Title, Self::Property, Self::Text, Self::Comment];

    /// What a match in this field counts.
    pub fn weight(self) -> u8 {
        match self {
            Self::Title => 8,
            Self::Property => 3,
            Self::Text | Self::Comment => 1,
        }
    }
}

/// A set of fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields(u8);

impl Fields {
    /// All fields.
    pub const ALL: Self = Self(0b1111);

    /// Whether the set has a field.
    pub fn has(self, field: Field) -> bool {
        self.0 & bit(field) != 0
    }
}

impl FromIterator<Field> for Fields {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        Self(fields.into_iter().fold(0, |bits, field| bits | bit(field)))
    }
}

fn bit(field: Field) -> u8 {
    1 << field as u8
}

/// How well a unit matches. The best class is first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The title consists of what was searched for.
    WholeTitle,
    /// All terms are in the title.
    InTitle,
    /// At least one term is elsewhere.
    Elsewhere,
}

impl Query {
    /// How a unit with these texts matches, if it does. All terms must occur and no excluded one may, each in any of the
    /// fields, but within one text. A list of texts has at most one title.
    pub fn class<'a>(&self, texts: impl IntoIterator<Item = (Field, &'a str)>, fields: Fields) -> Option<Class> {
        let mut found = vec![false; self.terms().len()];
        let mut class = Class::Elsewhere;
        for (field, text) in texts {
            if !fields.has(field) {
                continue;
            }
            let tokens = tokens(text);
            if self.excluded().iter().any(|term| term.is_in(&tokens)) {
                return None;
            }
            let mut all = true;
            for (term, found) in self.terms().iter().zip(&mut found) {
                let here = term.is_in(&tokens);
                *found |= here;
                all &= here;
            }
            if field == Field::Title && all {
                class = if normalize(text) == self.whole() { Class::WholeTitle } else { Class::InTitle };
            }
        }
        found.iter().all(|found| *found).then_some(class)
    }
}

impl Term {
    fn is_in(&self, tokens: &[Token]) -> bool {
        self.places(tokens).next().is_some()
    }

    /// Where the term occurs, in bytes of the text.
    pub(crate) fn places(&self, tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
        tokens.windows(self.tokens().len()).filter(|window| self.fits(window)).map(|window| {
            let (first, last) = (&window[0], &window[window.len() - 1]);
            first.place.start..last.place.end.max(first.place.end)
        })
    }

    fn fits(&self, window: &[Token]) -> bool {
        let Some((last, whole)) = self.tokens().split_last() else { return false };
        let Some((end, before)) = window.split_last() else { return false };
        let ends = if self.is_prefix() { end.text.starts_with(last.as_str()) } else { end.text == *last };
        ends && whole.iter().zip(before).all(|(wanted, token)| *wanted == token.text)
    }
}
