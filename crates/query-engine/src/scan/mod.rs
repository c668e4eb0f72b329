//! Running a query over chunks, one after the other.

mod answer;
mod best;
mod finish;
mod place;
mod prepared;
mod ranking;

pub use answer::{Answer, Found, Group};
pub use place::Place;
pub use prepared::{Request, digest};

use crate::{
    aggregate::{Input, Measure, Total},
    bits::Bits,
    chunk::Chunk,
    context::Context,
    group::{Common, GroupCodes, Level, NO_GROUP, Tree},
    number::narrow,
    order::Keys,
    table::{Order, Segment},
};
use best::Best;
use prepared::Prepared;
use ranking::{Path, Probe, Ranking, Start, paths};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The caller of the engine wanted it to stop.
    Deadline,
    /// The place belongs to another query.
    OtherQuery,
    /// There are more groups than [`Scan::MAX_GROUPS`].
    TooManyGroups,
}

/// A query that reads chunks one after the other and keeps only what the answer needs. The chunks can come from a
/// [`crate::Table`], or be built, read and dropped.
pub struct Scan<'a> {
    prepared: Prepared<'a>,
    levels: Vec<Level<'a>>,
    tree: Tree,
    totals: Vec<Total>,
    count: u64,
    place: Option<Place>,
    start: Option<Start>,
    /// How many rows come before the page, if they are counted.
    skipped: usize,
    best: Best,
    /// The number of rows that were read as chunks of a stream.
    streamed: u32,
    is_complete: bool,
}

impl<'a> Scan<'a> {
    /// The largest number of groups of an answer, on all levels together.
    pub const MAX_GROUPS: usize = 1_000_000;
    /// The largest number of groups that one record may be in.
    const MAX_PATHS: usize = 1_000_000;

    /// A scan for a page. `anchor` is a chunk that has the anchor of the place; without it, the page begins after as
    /// many rows as were shown before.
    pub fn new(
        request: Request<'a>,
        context: &Context<'a>,
        place: Option<&Place>,
        anchor: Option<&Chunk>,
    ) -> Result<Self, Stopped> {
        if place.is_some_and(|place| place.digest != digest(&request)) {
            return Err(Stopped::OtherQuery);
        }
        let prepared = Prepared::new(request, context);
        let levels = prepared.levels();
        let totals = prepared.measures.iter().map(Measure::start).collect();
        let mut scan = Self {
            prepared,
            levels,
            tree: Tree::default(),
            totals,
            count: 0,
            place: place.copied(),
            start: None,
            skipped: 0,
            best: Best::new(0),
            streamed: 0,
            is_complete: true,
        };
        if let Some(place) = place {
            scan.start = anchor.and_then(|anchor| scan.find_start(place, anchor));
            if scan.start.is_none() {
                scan.skipped = usize::try_from(place.offset).unwrap_or(usize::MAX);
            }
        }
        let page = request.most();
        scan.best = Best::new(scan.skipped.saturating_add(page).saturating_add(1));
        scan.add_empty_groups();
        Ok(scan)
    }

    fn find_start(&mut self, place: &Place, anchor: &Chunk) -> Option<Start> {
        let row = anchor.find(place.anchor)?;
        let mut rows = Bits::none(anchor.len());
        rows.set(row);
        let codes = self.codes(anchor, &rows);
        let keys = self.keys(anchor);
        let mut probe = Probe { path: [NO_GROUP; 3], keys: &keys, chunk: anchor, row, order: 0 };
        self.ranking().start(place, &mut probe, &codes)
    }

    /// Groups of options that no record has.
    fn add_empty_groups(&mut self) {
        let Some(level) = self.levels.first_mut().filter(|_| self.prepared.request.with_empty_groups) else { return };
        let options = level.field.options().map_or(0, |options| options.list().len());
        let measures = if self.prepared.request.query.per_group { &self.prepared.measures[..] } else { &[] };
        for place in 0..options {
            let common = Common::Option(u16::try_from(place).unwrap_or(u16::MAX));
            let group = level.number(common, &self.prepared.context);
            self.tree.node(None, group, measures);
        }
    }

    fn ranking(&self) -> Ranking<'_, 'a> {
        Ranking { levels: &self.levels, sort: &self.prepared.sort }
    }

    fn keys<'c>(&self, chunk: &'c Chunk) -> Vec<Keys<'c>> {
        let prepared = &self.prepared;
        let keys = prepared.sort.iter();
        keys.map(|sort| Keys::new(&sort.field, chunk, &prepared.context, &prepared.zone)).collect()
    }

    fn codes<'c>(&mut self, chunk: &'c Chunk, rows: &Bits) -> Vec<GroupCodes<'c>> {
        let prepared = &self.prepared;
        let levels = self.levels.iter_mut();
        levels.map(|level| GroupCodes::new(level, chunk, rows, &prepared.context, &prepared.zone)).collect()
    }

    /// Reads the next chunk of a stream. The rows of all chunks together must come in the order of their positions and
    /// ids.
    pub fn push(&mut self, chunk: &Chunk) -> Result<(), Stopped> {
        let order = Order::From(self.streamed);
        self.streamed += narrow(chunk.len());
        self.read(&Segment { chunk, removed: None, order })
    }

    /// Whether nothing but the first rows in the order of their places is wanted.
    fn is_plain(&self) -> bool {
        self.levels.is_empty() && self.prepared.sort.is_empty() && self.prepared.measures.is_empty()
    }

    /// Whether the answer is complete if all further rows come behind this place in the order of all rows. Rows that
    /// are not read are not counted.
    pub(crate) fn is_done(&mut self, next: u64) -> bool {
        if !self.is_plain() {
            return false;
        }
        let ranking = Ranking { levels: &self.levels, sort: &self.prepared.sort };
        let is_done = self.best.last(&ranking).is_some_and(|last| last.order < next);
        self.is_complete &= !is_done;
        is_done
    }

    /// Reads rows of a table.
    pub(crate) fn read(&mut self, segment: &Segment<'_>) -> Result<(), Stopped> {
        let chunk = segment.chunk;
        if self.is_plain() && self.start.as_ref().is_some_and(|start| start.is_behind_all(chunk)) {
            self.is_complete = false;
            return Ok(());
        }
        let rows = self.matching(segment);
        if !rows.any() {
            return Ok(());
        }
        self.count += rows.count() as u64;
        let codes = self.codes(chunk, &rows);
        let inputs: Vec<_> = self.prepared.measures.iter().map(|measure| Input::new(measure, chunk)).collect();
        for (total, input) in self.totals.iter_mut().zip(&inputs) {
            for row in rows.rows() {
                total.add(input, row, &self.prepared.zone);
            }
        }
        let keys = self.keys(chunk);
        let mut probe = Probe { path: [NO_GROUP; 3], keys: &keys, chunk, row: 0, order: 0 };
        for row in rows.rows() {
            probe.row = row;
            probe.order = segment.order.of(row);
            match codes.as_slice() {
                [] => self.offer(&probe),
                [codes] if let Some(group) = codes.one(row) => {
                    probe.path[0] = group;
                    self.count_below(&probe.path, 0, row, &inputs);
                    self.offer(&probe);
                }
                codes => self.offer_all(&mut probe, codes, &inputs)?,
            }
        }
        if self.tree.len() > Self::MAX_GROUPS { Err(Stopped::TooManyGroups) } else { Ok(()) }
    }

    /// The rows that the query finds.
    fn matching(&self, segment: &Segment<'_>) -> Bits {
        let (prepared, chunk) = (&self.prepared, segment.chunk);
        let all = prepared.request.query.include_archived;
        let mut rows = if all { Bits::all(chunk.len()) } else { chunk.active() };
        if let Some(removed) = segment.removed {
            rows.remove(removed);
        }
        if let Some(parent) = prepared.request.parent {
            let parents = &chunk.facts().parents;
            rows.keep(&Bits::collect(chunk.len(), |row| parents.get(row) == Some(&parent)));
        }
        if let Some(test) = &prepared.test {
            rows = test.among(chunk, &rows);
        }
        hide(chunk, &prepared.context, &mut rows);
        rows
    }

    /// Offers a row that is in several groups, or in groups of several levels.
    fn offer_all(
        &mut self,
        probe: &mut Probe<'_, '_>,
        codes: &[GroupCodes<'_>],
        inputs: &[Input<'_>],
    ) -> Result<(), Stopped> {
        let count = codes.iter().fold(1_usize, |count, codes| {
            let mut groups = Vec::new();
            codes.read(probe.row, &mut groups);
            count.saturating_mul(groups.len())
        });
        if count > Self::MAX_PATHS {
            return Err(Stopped::TooManyGroups);
        }
        let all: Vec<_> = paths(codes, probe.row).collect();
        let mut before: Option<Path> = None;
        for path in all {
            probe.path = path;
            // Paths with the same outer groups are next to each other, and a record counts once in each group.
            let same = before.map_or(0, |before| (0..3).take_while(|at| before[*at] == path[*at]).count());
            self.count_below(&path, same, probe.row, inputs);
            before = Some(path);
            self.offer(probe);
        }
        Ok(())
    }

    /// Counts a row in the groups of a path, without the first ones, where it is counted already.
    fn count_below(&mut self, path: &Path, counted: usize, row: usize, inputs: &[Input<'_>]) {
        let per_group = self.prepared.request.query.per_group;
        let (measures, inputs) = if per_group {
            (&self.prepared.measures[..], inputs)
        } else {
            (&self.prepared.measures[..0], &inputs[..0])
        };
        let mut above = None;
        for (at, group) in path.iter().enumerate().take(self.levels.len()) {
            let node = self.tree.node(above, *group, measures);
            if at >= counted {
                self.tree.count(node, row, inputs, &self.prepared.zone);
            }
            above = Some(node);
        }
    }

    #[inline]
    fn offer(&mut self, probe: &Probe<'_, '_>) {
        let ranking = Ranking { levels: &self.levels, sort: &self.prepared.sort };
        let prefix = ranking.prefix(probe);
        if let Some(start) = &self.start
            && !ranking.is_behind(probe, prefix, start)
        {
            return;
        }
        self.best.offer(&ranking, probe, prefix);
    }
}

/// Removes rows that the caller must not see.
fn hide(chunk: &Chunk, context: &Context<'_>, rows: &mut Bits) {
    let Some((first, last)) = chunk.facts().id_range().filter(|_| !context.hidden.is_empty()) else { return };
    let mut hidden = Bits::none(chunk.len());
    for row in context.hidden.range(first..=last).filter_map(|id| chunk.find(*id)) {
        hidden.set(row);
    }
    rows.remove(&hidden);
}
