//! Finds units.
//!
//! The words of the query are looked up in all segments first, because how much each of them counts depends on how many
//! units of the workspace have it. Then each segment finds its documents with all of them, beginning with the rarest.
//! Only documents that would be counted or returned are compared with the filters and shown to the caller's filter.

use crate::{
    collector::Collector,
    columns::{By, Columns, WantedUser},
    document,
    keys::Tenant,
    rows::{self, Row, Unwanted},
    schema::{Fields, WordField},
    stop::Stop,
    words::{self, FoundTerm},
};
use octavo_core_model::Timestamp;
use octavo_ports::search::{Hit, Hits, Look, Mark, NodeFilter, Order, Place, TimeRange, UnitKey, UnitKind};
use octavo_search::{Class, Query, Term};
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED, schema::IndexRecordOption};

/// How much a term counts that every unit has, in thousandths.
const LEAST_WEIGHT: u32 = 100;

/// A search that runs.
pub(crate) struct Search<'a> {
    pub(crate) fields: &'a Fields,
    pub(crate) look: &'a Look,
    pub(crate) filter: &'a dyn NodeFilter,
    pub(crate) stop: Stop<'a>,
    pub(crate) tenant: Tenant,
}

/// A segment with the terms of the query.
struct Part<'a> {
    segment: &'a SegmentReader,
    wanted: Vec<FoundTerm>,
    unwanted: Vec<FoundTerm>,
}

impl Search<'_> {
    pub(crate) fn run(&self, searcher: &Searcher) -> crate::Result<Hits> {
        let look = self.look;
        let mut collector = Collector::new(look.order, look.after.as_ref(), look.limit);
        let Some(query) = &look.query else {
            for segment in searcher.segment_readers() {
                let docs = self.narrowed(segment)?.map_or_else(|| self.all(segment), Ok)?;
                let rows: Vec<_> = docs.into_iter().map(Row::plain).collect();
                self.collect(segment, &rows, &[], &mut collector)?;
            }
            return Ok(collector.finish());
        };
        let fields = self.word_fields();
        let mut parts = Vec::new();
        for segment in searcher.segment_readers() {
            parts.push(self.look_up(segment, query, &fields)?);
        }
        let weights = match &look.after {
            Some(mark) if mark.weights.len() == query.terms().len() => mark.weights.clone(),
            _ => self.weights(searcher, query, &parts)?,
        };
        for part in parts {
            let rows = self.rows(&part, query, &weights)?;
            self.collect(part.segment, &rows, &weights, &mut collector)?;
        }
        Ok(collector.finish())
    }

    fn word_fields(&self) -> Vec<WordField> {
        WordField::ALL.into_iter().filter(|field| self.look.fields.has(field.part())).collect()
    }

    fn look_up<'s>(&self, segment: &'s SegmentReader, query: &Query, fields: &[WordField]) -> crate::Result<Part<'s>> {
        let find = |term: &Term| words::look_up(segment, self.fields, &self.tenant, term, fields, &self.stop);
        let all = |terms: &[Term]| terms.iter().map(find).collect::<crate::Result<_>>();
        Ok(Part { segment, wanted: all(query.terms())?, unwanted: all(query.excluded())? })
    }

    /// How much each term counts: the rarer it is among the units of the workspace, the more.
    fn weights(&self, searcher: &Searcher, query: &Query, parts: &[Part<'_>]) -> crate::Result<Vec<u32>> {
        let mut units = 0;
        for segment in searcher.segment_readers() {
            let index = segment.inverted_index(self.fields.keys)?;
            units += index.terms().get(self.tenant.units())?.map_or(0, |term| u64::from(term.doc_freq));
        }
        let weight = |place: usize| {
            let having: u64 = parts.iter().map(|part| part.wanted[place].estimate()).sum();
            weight_of(having.min(units), units)
        };
        Ok((0..query.terms().len()).map(weight).collect())
    }

    fn rows(&self, part: &Part<'_>, query: &Query, weights: &[u32]) -> crate::Result<Vec<Row>> {
        let segment = part.segment;
        if part.wanted.iter().any(|term| term.estimate() == 0) {
            return Ok(Vec::new());
        }
        let narrowed = self.narrowed(segment)?;
        let lengths = segment.fieldnorms_readers().get_field(self.fields.words(WordField::Text))?;
        let find = |term: &FoundTerm, within: Option<&[DocId]>| term.occurrences(within, segment.max_doc(), &self.stop);
        let lengths = lengths.as_ref();
        let mut order: Vec<_> = (0..part.wanted.len()).collect();
        order.sort_by_key(|place| part.wanted[*place].estimate());
        let mut rows: Option<Vec<Row>> = narrowed.map(|docs| docs.into_iter().map(Row::before_terms).collect());
        for place in order {
            let weight = weights.get(place).copied().unwrap_or(LEAST_WEIGHT).into();
            rows = Some(match rows {
                None => {
                    let found = find(&part.wanted[place], None)?;
                    alive(segment, rows::begin(rows::scores(&found, lengths), weight))
                }
                Some(rows) if rows.is_empty() => rows,
                Some(rows) => {
                    let found = find(&part.wanted[place], Some(&docs_of(&rows)))?;
                    rows::join(&rows, rows::scores(&found, lengths), weight)
                }
            });
        }
        let mut rows = rows.unwrap_or_default();
        if !rows.is_empty() {
            let docs = docs_of(&rows);
            for term in &part.unwanted {
                let found = find(term, Some(&docs))?;
                rows::note_unwanted(&mut rows, rows::scores(&found, lengths));
            }
            self.note_whole_titles(segment, query, &mut rows)?;
        }
        Ok(rows)
    }

    fn note_whole_titles(&self, segment: &SegmentReader, query: &Query, rows: &mut [Row]) -> crate::Result<()> {
        let Some(term) = self.tenant.title(query.whole()) else { return Ok(()) };
        let titled = self.documents(segment, &term)?;
        for row in rows.iter_mut().filter(|row| row.title_has_all) {
            row.is_whole_title = titled.binary_search(&row.doc).is_ok();
        }
        Ok(())
    }

    /// The documents of the few nodes that the caller may view, if they are few.
    fn narrowed(&self, segment: &SegmentReader) -> crate::Result<Option<Vec<DocId>>> {
        let Some(nodes) = self.filter.few() else { return Ok(None) };
        let mut docs = Vec::new();
        for node in nodes {
            for kind in [UnitKind::Page, UnitKind::Record, UnitKind::Database] {
                docs.extend(self.documents(segment, &self.tenant.unit(kind, node.0))?);
            }
            docs.extend(self.documents(segment, &self.tenant.on_page(*node))?);
            docs.extend(self.documents(segment, &self.tenant.in_database(*node))?);
        }
        docs.sort_unstable();
        docs.dedup();
        Ok(Some(docs))
    }

    fn all(&self, segment: &SegmentReader) -> crate::Result<Vec<DocId>> {
        self.documents(segment, &self.tenant.units())
    }

    fn documents(&self, segment: &SegmentReader, term: &str) -> crate::Result<Vec<DocId>> {
        documents(segment, self.fields, term)
    }

    /// Offers the candidates of a segment to the collector.
    fn collect(
        &self,
        segment: &SegmentReader,
        rows: &[Row],
        weights: &[u32],
        collector: &mut Collector<'_>,
    ) -> crate::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let columns = Columns::open(segment)?;
        let Some(conditions) = Conditions::of(self.look, &columns)? else { return Ok(()) };
        for row in rows {
            self.stop.step()?;
            if row.unwanted != Unwanted::InOwn {
                self.offer(&columns, &conditions, row, weights, collector);
            }
        }
        Ok(())
    }

    fn offer(
        &self,
        columns: &Columns,
        conditions: &Conditions<'_>,
        row: &Row,
        weights: &[u32],
        collector: &mut Collector<'_>,
    ) {
        // The score by own texts is not higher.
        let (class, score) = (class_of(row), u32::try_from(row.own + row.borrowed).unwrap_or(u32::MAX));
        if !collector.may_need(class, score) {
            return;
        }
        let mut mark = Mark { class, score, time: self.time(columns, row.doc), key: FIRST_KEY, weights: Vec::new() };
        // The real key comes later.
        if !collector.needs(&mark) || !conditions.hold(columns, row.doc) {
            return;
        }
        let place = columns.place(row.doc);
        if !self.filter.shows(place) {
            return;
        }
        mark.key = columns.key(row.doc);
        let has_unwanted = row.unwanted != Unwanted::Nowhere;
        let depends = row.borrowed > 0 || has_unwanted;
        let hidden = depends && columns.sources(row.doc).into_iter().any(|source: Place| !self.filter.shows(source));
        if hidden {
            mark.score = u32::try_from(row.own).unwrap_or(u32::MAX);
        } else if has_unwanted {
            return;
        }
        mark.weights = weights.to_vec();
        let hit = Hit { key: mark.key, place, mark };
        if hidden && (has_unwanted || !row.own_has_all) {
            collector.take_doubtful(hit);
        } else {
            collector.take_certain(hit);
        }
    }

    fn time(&self, columns: &Columns, doc: DocId) -> Timestamp {
        match self.look.order {
            Order::Relevance | Order::NewestChange | Order::OldestChange => columns.updated_at(doc),
            Order::Newest | Order::Oldest => columns.created_at(doc),
        }
    }
}

/// The key that comes before all others.
const FIRST_KEY: UnitKey = UnitKey::Comment(octavo_core_model::id::CommentId::LOWEST);

const fn class_of(row: &Row) -> Class {
    if row.is_whole_title {
        Class::WholeTitle
    } else if row.title_has_all {
        Class::InTitle
    } else {
        Class::Elsewhere
    }
}

/// The weight of a term in thousandths: the usual measure of rarity, `ln(1 + (all - having + ½) / (having + ½))`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a weight between 0 and about 25, of which three digits count"
)]
fn weight_of(having: u64, all: u64) -> u32 {
    let (having, all) = (having as f64, all as f64);
    let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
    ((rarity * 1_000.0) as u32).max(LEAST_WEIGHT)
}

/// Leaves out what was removed.
fn alive(segment: &SegmentReader, mut rows: Vec<Row>) -> Vec<Row> {
    if let Some(alive) = segment.alive_bitset() {
        rows.retain(|row| alive.is_alive(row.doc));
    }
    rows
}

fn docs_of(rows: &[Row]) -> Vec<DocId> {
    rows.iter().map(|row| row.doc).collect()
}

/// The documents with a term that names something, without removed ones.
pub(crate) fn documents(segment: &SegmentReader, fields: &Fields, term: &str) -> crate::Result<Vec<DocId>> {
    let index = segment.inverted_index(fields.keys)?;
    let Some(found) = index.terms().get(term)? else { return Ok(Vec::new()) };
    let mut postings = index.read_postings_from_terminfo(&found, IndexRecordOption::Basic)?;
    let mut docs = Vec::new();
    while postings.doc() != TERMINATED {
        if segment.alive_bitset().is_none_or(|alive| alive.is_alive(postings.doc())) {
            docs.push(postings.doc());
        }
        postings.advance();
    }
    Ok(docs)
}

/// What a unit has to be, apart from its words.
struct Conditions<'a> {
    look: &'a Look,
    created_by: Option<WantedUser<'a>>,
    updated_by: Option<WantedUser<'a>>,
    kinds: [bool; UnitKind::ALL.len()],
}

impl<'a> Conditions<'a> {
    /// `None` if no unit of the segment fits.
    fn of(look: &'a Look, columns: &'a Columns) -> crate::Result<Option<Self>> {
        let user = |by, wanted: Option<_>| {
            let Some(user) = wanted else { return crate::Result::Ok(Some(None)) };
            Ok(columns.find_user(by, user)?.map(Some))
        };
        let Some(created_by) = user(By::Creator, look.created_by)? else { return Ok(None) };
        let Some(updated_by) = user(By::Editor, look.updated_by)? else { return Ok(None) };
        let kinds = UnitKind::ALL.map(|kind| look.kinds.contains(&kind));
        Ok(Some(Self { look, created_by, updated_by, kinds }))
    }

    fn hold(&self, columns: &Columns, doc: DocId) -> bool {
        let code = columns.code(doc);
        self.kinds[document::kind_place(code)]
            && (self.look.with_archived || !document::is_archived(code))
            && self.created_by.as_ref().is_none_or(|user| user.is_of(doc))
            && self.updated_by.as_ref().is_none_or(|user| user.is_of(doc))
            && contains(self.look.created, || columns.created_at(doc))
            && contains(self.look.updated, || columns.updated_at(doc))
    }
}

fn contains(range: TimeRange, time: impl FnOnce() -> Timestamp) -> bool {
    if range == TimeRange::default() {
        return true;
    }
    let time = time();
    range.from.is_none_or(|from| time >= from) && range.before.is_none_or(|before| time < before)
}
