//! Splits texts into the words of `octavo_search`, each with its workspace in front.

use crate::keys::SHORT;
use std::ops::Range;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// The name of the tokenizer in the schema.
pub(crate) const NAME: &str = "octavo";

/// Takes texts that begin with the short form of their workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordTokenizer {
    words: Words,
}

/// The words of a text, one behind the other.
#[derive(Clone, Debug, Default)]
struct Words {
    tenant: String,
    letters: String,
    ends: Vec<usize>,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        let Words { tenant, letters, ends } = &mut self.words;
        let (before, text) = text.split_at_checked(SHORT).unwrap_or_default();
        tenant.clear();
        tenant.push_str(before);
        letters.clear();
        ends.clear();
        octavo_search::each_token(text, |word, _: Range<usize>| {
            letters.push_str(word);
            ends.push(letters.len());
        });
        WordStream { words: &self.words, next: 0, token: Token::default() }
    }
}

pub(crate) struct WordStream<'a> {
    words: &'a Words,
    next: usize,
    token: Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(end) = self.words.ends.get(self.next) else { return false };
        let start = self.next.checked_sub(1).map_or(0, |before| self.words.ends[before]);
        self.token.position = self.next;
        self.token.text.clear();
        self.token.text.push_str(&self.words.tenant);
        self.token.text.push_str(&self.words.letters[start..*end]);
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
