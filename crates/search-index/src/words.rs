//! Finds the documents of a segment that have a word or a phrase.

use crate::{
    keys::Tenant,
    schema::{Fields, WordField},
    stop::Stop,
};
use octavo_search::Term;
use std::{collections::BTreeMap, sync::Arc};
use tantivy::{
    DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED,
    postings::{Postings, SegmentPostings, TermInfo},
    schema::IndexRecordOption,
};

/// How often a term of a query occurs in a document.
pub(crate) type Occurrences = (DocId, u16);

/// A term of a query, looked up in the dictionaries of one segment.
pub(crate) struct FoundTerm {
    fields: Vec<FoundIn>,
}

/// The words of a term in one field: for each of its tokens the words that match it.
struct FoundIn {
    field: WordField,
    index: Arc<InvertedIndexReader>,
    tokens: Vec<Vec<TermInfo>>,
}

/// Looks a term up. Fields without one of its tokens are left out.
pub(crate) fn look_up(
    segment: &SegmentReader,
    fields: &Fields,
    tenant: &Tenant,
    term: &Term,
    wanted: &[WordField],
    stop: &Stop<'_>,
) -> crate::Result<FoundTerm> {
    let mut found = Vec::with_capacity(wanted.len());
    for field in wanted {
        let index = segment.inverted_index(fields.words(*field))?;
        let mut tokens = Vec::with_capacity(term.tokens().len());
        for (place, token) in term.tokens().iter().enumerate() {
            let is_prefix = term.is_prefix() && place + 1 == term.tokens().len();
            let words = words_of(&index, &tenant.word(token), is_prefix, stop)?;
            if words.is_empty() {
                break;
            }
            tokens.push(words);
        }
        if tokens.len() == term.tokens().len() {
            found.push(FoundIn { field: *field, index, tokens });
        }
    }
    Ok(FoundTerm { fields: found })
}

fn words_of(index: &InvertedIndexReader, word: &str, is_prefix: bool, stop: &Stop<'_>) -> crate::Result<Vec<TermInfo>> {
    if !is_prefix {
        return Ok(index.terms().get(word)?.into_iter().collect());
    }
    // No word contains this byte.
    let behind = [word.as_bytes(), &[0xff]].concat();
    let mut words = Vec::new();
    let mut stream = index.terms().range().ge(word).lt(behind).without_keys().into_stream()?;
    while stream.advance() {
        words.push(stream.value().clone());
        stop.step()?;
    }
    Ok(words)
}

/// The number of documents that have these words, if none has two of them.
fn most_documents(words: &[TermInfo]) -> u64 {
    words.iter().map(|word| u64::from(word.doc_freq)).sum()
}

impl FoundTerm {
    /// About how many documents have the term: no fewer have it.
    pub(crate) fn estimate(&self) -> u64 {
        self.fields.iter().map(FoundIn::estimate).sum()
    }

    /// The documents with the term, field by field. Only those among `within`, if it is given.
    pub(crate) fn occurrences(
        &self,
        within: Option<&[DocId]>,
        documents: u32,
        stop: &Stop<'_>,
    ) -> crate::Result<Vec<(WordField, Vec<Occurrences>)>> {
        self.fields.iter().map(|found| Ok((found.field, found.occurrences(within, documents, stop)?))).collect()
    }
}

impl FoundIn {
    fn estimate(&self) -> u64 {
        self.tokens.iter().map(|words| most_documents(words)).min().unwrap_or_default()
    }

    fn occurrences(
        &self,
        within: Option<&[DocId]>,
        documents: u32,
        stop: &Stop<'_>,
    ) -> crate::Result<Vec<Occurrences>> {
        match self.tokens.as_slice() {
            [] => Ok(Vec::new()),
            [words] => self.any_of(words, within, documents, stop),
            [first @ .., last] => self.phrase(first, last, within, stop),
        }
    }

    /// The documents with any of these words, and how often they have the most frequent one.
    fn any_of(
        &self,
        words: &[TermInfo],
        within: Option<&[DocId]>,
        documents: u32,
        stop: &Stop<'_>,
    ) -> crate::Result<Vec<Occurrences>> {
        if let [word] = words {
            let mut found = Vec::new();
            self.visit(word, within, stop, |doc, times| found.push((doc, times)))?;
            return Ok(found);
        }
        // Looking each document up in each list costs more than reading the lists, unless these are long.
        let all = most_documents(words);
        let within = within.filter(|within| (within.len() as u64) * (words.len() as u64) * SEEK_COST < all);
        if all < u64::from(documents) / DENSE {
            let mut most = BTreeMap::new();
            for word in words {
                self.visit(word, within, stop, |doc, times| {
                    let most = most.entry(doc).or_insert(0);
                    *most = times.max(*most);
                })?;
            }
            return Ok(most.into_iter().collect());
        }
        let mut most = vec![0_u16; documents as usize];
        for word in words {
            self.visit(word, within, stop, |doc, times| {
                let most = &mut most[doc as usize];
                *most = times.max(*most);
            })?;
        }
        Ok((0..).zip(most).filter(|(_, times)| *times > 0).collect())
    }

    fn visit(
        &self,
        word: &TermInfo,
        within: Option<&[DocId]>,
        stop: &Stop<'_>,
        mut found: impl FnMut(DocId, u16),
    ) -> crate::Result<()> {
        let mut postings = self.index.read_postings_from_terminfo(word, IndexRecordOption::WithFreqs)?;
        let times = |postings: &SegmentPostings| u16::try_from(postings.term_freq()).unwrap_or(u16::MAX);
        let mut within = within;
        while postings.doc() != TERMINATED {
            stop.step()?;
            if let Some(rest) = &mut within {
                *rest = &rest[rest.partition_point(|doc| *doc < postings.doc())..];
                let Some(next) = rest.first() else { break };
                if *next > postings.doc() {
                    postings.seek(*next);
                    continue;
                }
            }
            found(postings.doc(), times(&postings));
            postings.advance();
        }
        Ok(())
    }

    /// The documents in which words follow each other: the first ones as they are, then any of the last ones.
    fn phrase(
        &self,
        first: &[Vec<TermInfo>],
        last: &[TermInfo],
        within: Option<&[DocId]>,
        stop: &Stop<'_>,
    ) -> crate::Result<Vec<Occurrences>> {
        let beginnings = self.beginnings(first, last, within, stop)?;
        let mut times = vec![0_u16; beginnings.len()];
        let mut positions = Vec::new();
        for word in last {
            let mut postings = self.open(word)?;
            let mut next = 0;
            while postings.doc() != TERMINATED {
                stop.step()?;
                next += beginnings[next..].partition_point(|(doc, _)| *doc < postings.doc());
                let Some((doc, ends)) = beginnings.get(next) else { break };
                if *doc > postings.doc() {
                    postings.seek(*doc);
                    continue;
                }
                postings.positions(&mut positions);
                let matches = positions.iter().filter(|position| ends.binary_search(position).is_ok()).count();
                times[next] = times[next].saturating_add(u16::try_from(matches).unwrap_or(u16::MAX));
                postings.advance();
            }
        }
        let found = beginnings.iter().zip(times).filter(|(_, times)| *times > 0);
        Ok(found.map(|((doc, _), times)| (*doc, times)).collect())
    }

    /// Where the first words of a phrase follow each other: for each document the positions right behind them, at which
    /// the last word has to be.
    fn beginnings(
        &self,
        first: &[Vec<TermInfo>],
        last: &[TermInfo],
        within: Option<&[DocId]>,
        stop: &Stop<'_>,
    ) -> crate::Result<Vec<(DocId, Vec<u32>)>> {
        let words: Vec<_> = first.iter().filter_map(|words| words.first()).collect();
        let mut lists = words.iter().map(|word| self.open(word)).collect::<crate::Result<Vec<_>>>()?;
        // A last word without alternatives leaves out documents before their positions are read.
        let mut only = match last {
            [word] => Some(self.index.read_postings_from_terminfo(word, IndexRecordOption::Basic)?),
            _ => None,
        };
        let mut within = within.map(|docs| docs.iter().copied().peekable());
        let (mut found, mut target) = (Vec::new(), 0);
        let mut positions = Vec::new();
        let length = u32::try_from(words.len()).unwrap_or(u32::MAX);
        'documents: loop {
            stop.step()?;
            if let Some(within) = &mut within {
                while within.next_if(|doc| *doc < target).is_some() {}
                match within.peek() {
                    Some(doc) => target = *doc,
                    None => break,
                }
            }
            for list in lists.iter_mut().chain(&mut only) {
                let doc = if list.doc() < target { list.seek(target) } else { list.doc() };
                if doc == TERMINATED {
                    break 'documents;
                }
                if doc > target {
                    target = doc;
                    continue 'documents;
                }
            }
            let mut begins = Vec::new();
            for (place, list) in (0..).zip(&mut lists) {
                list.positions(&mut positions);
                if place == 0 {
                    begins.clone_from(&positions);
                } else {
                    begins.retain(|begin| positions.binary_search(&(begin + place)).is_ok());
                }
            }
            if !begins.is_empty() {
                found.push((target, begins.iter().map(|begin| begin + length).collect()));
            }
            target += 1;
        }
        Ok(found)
    }

    fn open(&self, word: &TermInfo) -> crate::Result<SegmentPostings> {
        Ok(self.index.read_postings_from_terminfo(word, IndexRecordOption::WithFreqsAndPositions)?)
    }
}

/// How many postings are read in the time that it takes to look one document up.
const SEEK_COST: u64 = 8;

/// From one posting for this many documents on, an array of all documents is cheaper than a tree.
const DENSE: u64 = 64;
