//! The tokens of a text: its words, normalized, with their places.

use crate::letters::{Kind, combining_class, fold, is_accent, is_invisible, kind, loses_accents};
use icu_normalizer::properties::CanonicalCompositionBorrowed;
use std::{mem, ops::Range};

/// The most characters of a token. What follows in the same word is left out, both in texts and in queries.
pub const MAX_TOKEN: usize = 256;

/// A token of a text and its place there, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The normalized word.
    pub text: String,
    /// The bytes of the text that it was made of.
    pub place: Range<usize>,
}

/// The tokens of a text in their order.
///
/// Letters, digits and the marks on them form words; anything else separates words. Each Han, Hiragana, Katakana or
/// Hangul character is a token of its own. Compatibility forms and case make no difference, nor do accents of Latin,
/// Greek and Cyrillic letters.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    each_token(text, |token, place| tokens.push(Token { text: token.to_owned(), place }));
    tokens
}

/// Like [`tokens`], for texts that need not be in memory as a list of tokens.
pub fn each_token(text: &str, visit: impl FnMut(&str, Range<usize>)) {
    let mut words = Words { visit, word: String::new(), letters: 0, place: 0..0, is_syllable: false };
    let mut cluster = Cluster::default();
    for (from, c) in text.char_indices() {
        let place = from..from + c.len_utf8();
        if is_plain(c) {
            cluster.add(Piece { letter: c.to_ascii_lowercase(), class: 0, place }, &mut words);
        } else if is_invisible(c) {
            cluster.extend(place.end);
        } else {
            fold(c, |letter| {
                cluster.add(Piece { letter, class: combining_class(letter), place: place.clone() }, &mut words);
            });
        }
    }
    cluster.end(&mut words);
    words.end();
}

/// A text as its tokens with single spaces between them. Two texts with the same words are equal in this form.
pub fn normalize(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    each_token(text, |token, _| {
        if !normalized.is_empty() {
            normalized.push(' ');
        }
        normalized.push_str(token);
    });
    normalized
}

/// Characters that are neither invisible nor have anything to fold but their case.
fn is_plain(c: char) -> bool {
    c.is_ascii()
}

/// A folded and decomposed character, and the bytes that it stands for.
struct Piece {
    letter: char,
    /// The canonical combining class: 0, or where a mark is put on its letter.
    class: u8,
    place: Range<usize>,
}

/// A letter with the marks after it, until it is known that nothing more composes with it.
#[derive(Default)]
struct Cluster {
    pieces: Vec<Piece>,
    loses_accents: bool,
}

impl Cluster {
    fn add<V: FnMut(&str, Range<usize>)>(&mut self, piece: Piece, words: &mut Words<V>) {
        if self.loses_accents && is_accent(piece.letter) {
            return self.extend(piece.place.end);
        }
        if piece.class != 0 {
            self.pieces.push(piece);
            return;
        }
        self.compose_marks();
        // Some letters compose with the one before them: the vowels and finals of Hangul, vowel signs of India.
        if let [first] = self.pieces.as_mut_slice()
            && let Some(composed) = compose(first.letter, piece.letter)
        {
            first.letter = composed;
            first.place.end = piece.place.end;
            return;
        }
        self.hand_out(words);
        self.loses_accents = loses_accents(piece.letter);
        self.pieces.push(piece);
    }

    /// Makes the last character longer by what is left out after it.
    fn extend(&mut self, to: usize) {
        if let Some(last) = self.pieces.last_mut() {
            last.place.end = to;
        }
    }

    fn end<V: FnMut(&str, Range<usize>)>(&mut self, words: &mut Words<V>) {
        self.compose_marks();
        self.hand_out(words);
    }

    fn hand_out<V: FnMut(&str, Range<usize>)>(&mut self, words: &mut Words<V>) {
        for piece in self.pieces.drain(..) {
            words.add(piece.letter, piece.place);
        }
    }

    /// Puts the marks into canonical order and composes the letter with those that it composes with.
    fn compose_marks(&mut self) {
        if self.pieces.len() < 2 {
            return;
        }
        let from = usize::from(self.pieces[0].class == 0);
        self.pieces[from..].sort_by_key(|mark| mark.class);
        if from == 0 {
            return;
        }
        let mut marks = mem::take(&mut self.pieces).into_iter();
        let Some(mut first) = marks.next() else { return };
        let mut left: Vec<Piece> = Vec::new();
        for mark in marks {
            let blocked = left.last().is_some_and(|before| before.class == mark.class);
            match compose(first.letter, mark.letter) {
                Some(composed) if !blocked => {
                    first.letter = composed;
                    first.place.end = first.place.end.max(mark.place.end);
                }
                _ => left.push(mark),
            }
        }
        self.pieces.push(first);
        self.pieces.append(&mut left);
    }
}

fn compose(first: char, second: char) -> Option<char> {
    if first.is_ascii() && second.is_ascii() {
        return None;
    }
    CanonicalCompositionBorrowed::new().compose(first, second)
}

/// Collects characters into words.
struct Words<V> {
    visit: V,
    word: String,
    /// How many characters the word has.
    letters: usize,
    place: Range<usize>,
    /// Whether the word is a character that is a token of its own.
    is_syllable: bool,
}

impl<V: FnMut(&str, Range<usize>)> Words<V> {
    fn add(&mut self, c: char, place: Range<usize>) {
        match kind(c) {
            Kind::Letter => {
                if self.is_syllable {
                    self.end();
                }
                self.push(c, place);
            }
            Kind::Syllable => {
                self.end();
                self.is_syllable = true;
                self.push(c, place);
            }
            Kind::Mark if !self.word.is_empty() => self.push(c, place),
            Kind::Mark | Kind::Other => self.end(),
        }
    }

    fn push(&mut self, c: char, place: Range<usize>) {
        if self.word.is_empty() {
            self.place = place;
        } else {
            self.place.start = self.place.start.min(place.start);
            self.place.end = self.place.end.max(place.end);
        }
        if self.letters < MAX_TOKEN {
            self.word.push(c);
            self.letters += 1;
        }
    }

    fn end(&mut self) {
        if !self.word.is_empty() {
            (self.visit)(&self.word, self.place.clone());
        }
        self.word.clear();
        self.letters = 0;
        self.is_syllable = false;
    }
}
