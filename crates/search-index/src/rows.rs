//! Candidates: documents of a segment with what a query says of them.

use crate::schema::WordField;
use crate::words::Occurrences;
use tantivy::{DocId, fieldnorm::FieldNormReader};

/// A document that may be a hit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) doc: DocId,
    /// The score by the unit's own texts.
    pub(crate) own: u64,
    /// The score by borrowed texts.
    pub(crate) borrowed: u64,
    /// Whether own texts have all terms.
    pub(crate) own_has_all: bool,
    /// Whether the title has all terms.
    pub(crate) title_has_all: bool,
    pub(crate) is_whole_title: bool,
    pub(crate) unwanted: Unwanted,
}

/// Where a unit has terms that were excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unwanted {
    #[default]
    Nowhere,
    /// Only in borrowed texts.
    InBorrowed,
    InOwn,
}

/// How much of a term is in a document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TermScore {
    doc: DocId,
    /// In thousandths, before the term is weighted. Not zero if the term is there.
    own: u64,
    borrowed: u64,
    in_title: bool,
}

/// How much a match in each field counts, in thousandths.
const fn weight(field: WordField) -> u64 {
    match field {
        WordField::Title => 8_000,
        WordField::Property | WordField::BorrowedProperty => 3_000,
        WordField::Text | WordField::BorrowedText | WordField::Comment => 1_000,
    }
}

/// The length of a text, in words, at which its length makes no difference.
const USUAL_LENGTH: u64 = 200;

/// How much a term counts that occurs this often, in thousandths: less than one and a half times as much as one that
/// occurs once, so that no number of occurrences in the text outweighs a property. Longer texts need more of them.
fn saturated(times: u16, length: u64) -> u64 {
    let times = u64::from(times) * 1_000;
    let half = 125 + 375 * length.min(50 * USUAL_LENGTH) / USUAL_LENGTH;
    times * 1_500 / (times + half)
}

/// Adds up what the fields say of one term, document by document.
pub(crate) fn scores<'a>(
    found: &'a [(WordField, Vec<Occurrences>)],
    lengths: Option<&'a FieldNormReader>,
) -> impl Iterator<Item = TermScore> + 'a {
    let mut rest: Vec<_> = found.iter().map(|(field, docs)| (*field, docs.as_slice())).collect();
    std::iter::from_fn(move || {
        let doc = rest.iter().filter_map(|(_, docs)| docs.first()).map(|(doc, _)| *doc).min()?;
        let mut score = TermScore { doc, ..TermScore::default() };
        for (field, docs) in &mut rest {
            let Some(((_, times), behind)) = docs.split_first().filter(|((at, _), _)| *at == doc) else { continue };
            *docs = behind;
            let length = match (*field, lengths) {
                (WordField::Text, Some(lengths)) => lengths.fieldnorm(doc).into(),
                _ => USUAL_LENGTH,
            };
            let points = (weight(*field) * saturated(*times, length) / 1_000).max(1);
            if field.is_borrowed() {
                score.borrowed += points;
            } else {
                score.own += points;
            }
            score.in_title |= *field == WordField::Title;
        }
        Some(score)
    })
}

/// The documents with the first term of a query.
pub(crate) fn begin(scores: impl Iterator<Item = TermScore>, weight: u64) -> Vec<Row> {
    scores.map(|score| Row::before_terms(score.doc).with(score, weight)).collect()
}

/// Those of the rows that have one more term.
pub(crate) fn join(rows: &[Row], scores: impl Iterator<Item = TermScore>, weight: u64) -> Vec<Row> {
    let mut scores = scores.peekable();
    let joined = rows.iter().filter_map(|row| {
        while scores.next_if(|score| score.doc < row.doc).is_some() {}
        scores.next_if(|score| score.doc == row.doc).map(|score| row.with(score, weight))
    });
    joined.collect()
}

/// Notes which of the rows have an unwanted term.
pub(crate) fn note_unwanted(rows: &mut [Row], scores: impl Iterator<Item = TermScore>) {
    let mut scores = scores.peekable();
    for row in rows {
        while scores.next_if(|score| score.doc < row.doc).is_some() {}
        if let Some(score) = scores.next_if(|score| score.doc == row.doc) {
            row.unwanted = row.unwanted.max(if score.own > 0 { Unwanted::InOwn } else { Unwanted::InBorrowed });
        }
    }
}

impl Row {
    fn with(self, score: TermScore, weight: u64) -> Self {
        Self {
            own: self.own + weight * score.own / 1_000,
            borrowed: self.borrowed + weight * score.borrowed / 1_000,
            own_has_all: self.own_has_all && score.own > 0,
            title_has_all: self.title_has_all && score.in_title,
            ..self
        }
    }

    /// A document that is found without words.
    pub(crate) fn plain(doc: DocId) -> Self {
        Self { doc, own_has_all: true, ..Self::default() }
    }

    /// A document before the first term is looked for.
    pub(crate) fn before_terms(doc: DocId) -> Self {
        Self { title_has_all: true, ..Self::plain(doc) }
    }
}
