//! Short parts of texts that show what a query found in them.

use crate::{
    matches::{Field, Fields},
    query::Query,
    tokens::tokens,
};
use std::{cmp::Reverse, ops::Range};
use unicode_segmentation::GraphemeCursor;

/// The most characters of an excerpt.
pub const MAX_EXCERPT: usize = 240;
/// The most excerpts of a unit.
pub const MAX_EXCERPTS: usize = 3;
/// How many matches of a text are looked at. An excerpt shows a few at the most.
const MAX_MATCHES: usize = 1000;

/// A part of a text, with the matches in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// Part of the text as it stands there.
    pub text: String,
    /// The matches in this part, in order and without overlaps, in UTF-16 code units.
    pub ranges: Vec<Range<usize>>,
}

/// A place in a text where a term matches.
struct Match {
    place: Range<usize>,
    /// The position of the term in the query.
    term: usize,
}

/// An excerpt of a text, unless no term of the query occurs in it.
pub fn excerpt(text: &str, query: &Query) -> Option<Excerpt> {
    let found = matches(text, query);
    (!found.is_empty()).then(|| cut(text, &found))
}

/// Excerpts of the texts that show most of what a query found, with the positions of their texts. Texts that show
/// further terms come first, then titles, properties and others in their order.
pub fn excerpts(query: &Query, texts: &[(Field, &str)], fields: Fields) -> Vec<(usize, Excerpt)> {
    let mut candidates: Vec<(usize, Vec<Match>)> = Vec::new();
    for (at, (field, text)) in texts.iter().enumerate() {
        let found = if fields.has(*field) { matches(text, query) } else { Vec::new() };
        if !found.is_empty() {
            candidates.push((at, found));
        }
    }
    let mut shown = vec![false; query.terms().len()];
    let mut excerpts = Vec::new();
    while excerpts.len() < MAX_EXCERPTS {
        let new_terms =
            |found: &[Match]| (0..shown.len()).filter(|&t| !shown[t] && found.iter().any(|m| m.term == t)).count();
        let best =
            candidates.iter().enumerate().min_by_key(|(_, (at, found))| (Reverse(new_terms(found)), texts[*at].0, *at));
        let Some((best, _)) = best else { break };
        let (at, found) = candidates.swap_remove(best);
        for m in &found {
            shown[m.term] = true;
        }
        excerpts.push((at, cut(texts[at].1, &found)));
    }
    excerpts.sort_by_key(|(at, _)| (texts[*at].0, *at));
    excerpts
}

/// The matches in a text in their order.
fn matches(text: &str, query: &Query) -> Vec<Match> {
    let tokens = tokens(text);
    let mut matches = Vec::new();
    for (term, wanted) in query.terms().iter().enumerate() {
        matches.extend(wanted.places(&tokens).take(MAX_MATCHES).map(|place| Match { place, term }));
    }
    matches.sort_by_key(|m| (m.place.start, m.place.end));
    matches.truncate(MAX_MATCHES);
    matches
}

fn cut(text: &str, matches: &[Match]) -> Excerpt {
    let window = window(text, matches);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for m in matches {
        let from = boundary_before(text, m.place.start).max(window.start);
        let to = boundary_after(text, m.place.end).min(window.end);
        match ranges.last_mut() {
            _ if from >= to => {}
            Some(last) if from <= last.end => last.end = last.end.max(to),
            _ => ranges.push(from..to),
        }
    }
    let units = |to: usize| text[window.start..to].encode_utf16().count();
    let ranges = ranges.iter().map(|range| units(range.start)..units(range.end)).collect();
    Excerpt { text: text[window].to_owned(), ranges }
}

/// The part of a text that shows most terms side by side, with what stands around them.
fn window(text: &str, matches: &[Match]) -> Range<usize> {
    let mut best = (0, 0..0);
    for (first, m) in matches.iter().enumerate() {
        let limit = skip(text, m.place.start, MAX_EXCERPT);
        let inside = || matches[first..].iter().take_while(|m| m.place.start < limit).filter(|m| m.place.end <= limit);
        let mut terms: Vec<_> = inside().map(|m| m.term).collect();
        terms.sort_unstable();
        terms.dedup();
        if terms.len() > best.0 || best.1.is_empty() {
            let end = inside().map(|m| m.place.end).max().unwrap_or(limit);
            best = (terms.len(), m.place.start..end);
        }
    }
    let (_, shown) = best;
    let room = MAX_EXCERPT.saturating_sub(text[shown.clone()].chars().count());
    let after = text[shown.end..].chars().take(room).count();
    let before = text[..shown.start].chars().rev().take((room / 2).max(room - after)).count();
    let start = text[..shown.start].char_indices().rev().take(before).last().map_or(shown.start, |(at, _)| at);
    let start = begin_with_a_word(text, start, shown.start);
    let limit = skip(text, start, MAX_EXCERPT);
    start..end_with_a_word(text, shown.end, limit, start)
}

/// The place this many characters further on, or the end.
fn skip(text: &str, from: usize, characters: usize) -> usize {
    text[from..].char_indices().nth(characters).map_or(text.len(), |(at, _)| from + at)
}

/// The first place in a range at which a word begins, or else a character as readers see it.
fn begin_with_a_word(text: &str, from: usize, to: usize) -> usize {
    if from == 0 || text[..from].ends_with(char::is_whitespace) {
        return from;
    }
    let space = text[from..to].char_indices().find(|(_, c)| c.is_whitespace());
    let word = space.map_or(from, |(at, c)| from + at + c.len_utf8());
    let start = boundary_after(text, word);
    if start <= to { start } else { to }
}

/// The last place in a range at which a word ends, or else a character as readers see it.
fn end_with_a_word(text: &str, from: usize, to: usize, start: usize) -> usize {
    if to == text.len() || text[to..].starts_with(char::is_whitespace) {
        return to;
    }
    let word = text[from..to].rfind(char::is_whitespace).map_or(to, |at| from + at);
    let end = boundary_before(text, word);
    if end > start { end } else { to }
}

/// The last place up to this one that cuts no character as readers see it.
fn boundary_before(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    }
}

/// The first place from this one on that cuts no character as readers see it.
fn boundary_after(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}
