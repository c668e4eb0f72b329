//! Running a query over chunks, one after the other.

mod answer;
mod best;
mod cells;
mod finish;
mod place;
mod prepared;
mod ranking;

pub use answer::{Answer, Found, Group};
pub use cells::{Cell, Cells, InnerCell};
pub use place::Place;
pub use prepared::{Request, digest};

use crate::{
    aggregate::{Input, Total},
    bits::Bits,
    bounds::Bounds,
    chunk::Chunk,
    context::Context,
    group::{Common, GroupCodes, Level, NO_GROUP, Tree},
    number::{narrow, wide},
    order::Keys,
    stopped::Stopped,
    table::{Order, Segment},
};
use best::Best;
use prepared::Prepared;
use ranking::{Probe, Ranking, Start};

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
    /// How many rows the page has at most.
    size: usize,
    /// The number of rows that were read as chunks of a stream.
    streamed: u32,
    is_complete: bool,
    /// How many groups and aggregates of groups there may be.
    most_groups: usize,
    /// How many groups were weighed, and the bytes of the texts with which they are shown.
    weighed: (usize, usize),
}

impl<'a> Scan<'a> {
    /// The largest number of groups of an answer, on all levels together. Each aggregate of each group counts like a
    /// group: all of them are in every answer, and in memory while it is made.
    pub const MAX_GROUPS: usize = 50_000;
    /// The same where groups are not part of the answer, but summed up further.
    pub const MAX_CELLS: usize = 250_000;
    /// How many bytes of text the groups of an answer may have.
    pub const MAX_GROUP_TEXT: usize = 4 << 20;
    /// After so many groups of records the caller is asked whether to go on.
    const PATHS_BETWEEN_QUESTIONS: usize = 100_000;

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
        let tree = Tree::new(if request.query.per_group { prepared.measures.len() } else { 0 });
        let totals = prepared.measures.iter().map(|measure| Total::start(measure.function)).collect();
        let mut scan = Self {
            prepared,
            levels,
            tree,
            totals,
            count: 0,
            place: place.copied(),
            start: None,
            skipped: 0,
            best: Best::new(0),
            size: usize::from(request.query.page_size.get()),
            streamed: 0,
            is_complete: true,
            most_groups: Self::MAX_GROUPS,
            weighed: (0, 0),
        };
        if let Some(place) = place {
            scan.start = anchor.and_then(|anchor| scan.find_start(place, anchor));
            if scan.start.is_none() {
                scan.skipped = usize::try_from(place.offset).unwrap_or(usize::MAX);
            }
        }
        scan.best = Best::new(scan.skipped.saturating_add(scan.size).saturating_add(1));
        scan.add_empty_groups();
        Ok(scan)
    }

    /// A scan for all records on one page, whatever the query says.
    pub fn of_all(request: Request<'a>, context: &Context<'a>) -> Result<Self, Stopped> {
        let scan = Self::new(request, context, None, None)?;
        Ok(Self { size: usize::MAX, best: Best::new(usize::MAX), ..scan })
    }

    /// A scan for groups that are not shown themselves.
    pub(crate) fn of_cells(request: Request<'a>, context: &Context<'a>) -> Result<Self, Stopped> {
        Ok(Self { most_groups: Self::MAX_CELLS, ..Self::new(request, context, None, None)? })
    }

    /// How many bytes of memory it takes for what it has read.
    pub(crate) fn memory(&self) -> usize {
        self.best.memory()
            + self.tree.memory()
            + self.levels.iter().map(Level::memory).sum::<usize>()
            + self.totals.iter().map(Total::memory).sum::<usize>()
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
        for place in 0..options {
            let common = Common::Option(u16::try_from(place).unwrap_or(u16::MAX));
            let group = level.number(common, &self.prepared.context);
            self.tree.node(None, group, &self.prepared.measures);
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
    pub fn push(&mut self, chunk: &Chunk, bounds: &mut dyn Bounds) -> Result<(), Stopped> {
        let order = Order::From(self.streamed);
        self.streamed += narrow(chunk.len());
        self.read(&Segment { chunk, removed: None, order }, bounds)
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
    pub(crate) fn read(&mut self, segment: &Segment<'_>, bounds: &mut dyn Bounds) -> Result<(), Stopped> {
        let chunk = segment.chunk;
        if self.is_plain() && self.start.as_ref().is_some_and(|start| start.is_behind_all(chunk)) {
            self.is_complete = false;
            return Ok(());
        }
        let found = self.matching(segment);
        if !found.any() {
            return Ok(());
        }
        let codes = self.codes(chunk, &found);
        if self.levels.iter().any(Level::is_full) {
            return Err(Stopped::TooManyGroups);
        }
        let rows: Vec<_> = found.rows().map(narrow).collect();
        self.count += rows.len() as u64;
        let inputs: Vec<_> = self.prepared.measures.iter().map(|measure| Input::new(measure, chunk)).collect();
        for (total, input) in self.totals.iter_mut().zip(&inputs) {
            total.add_all(input, &rows, &self.prepared.zone);
        }
        let keys = self.keys(chunk);
        let mut probe = Probe { path: [NO_GROUP; 3], keys: &keys, chunk, row: 0, order: 0 };
        let inputs = if self.prepared.request.query.per_group { &inputs[..] } else { &[] };
        match codes.as_slice() {
            [] => self.offer_each(&mut probe, &rows, segment.order),
            [codes] if let Some(codes) = codes.ones() => {
                self.count_each(&rows, codes, inputs);
                self.offer_each_of(&mut probe, &rows, codes, segment.order);
            }
            codes => {
                let (mut groups, mut offered) = ([const { Vec::new() }; 3], 0);
                for row in rows {
                    if offered > Self::PATHS_BETWEEN_QUESTIONS {
                        offered = 0;
                        bounds.go_on()?;
                    }
                    probe.row = wide(row);
                    probe.order = segment.order.of(probe.row);
                    let levels = codes.iter().zip(&mut groups);
                    levels.for_each(|(codes, groups)| codes.read(probe.row, groups));
                    offered += self.offer_all(&mut probe, &groups[..codes.len()], inputs)?;
                }
            }
        }
        self.weigh_groups()
    }

    /// Checks how many groups there are, and how long their texts are.
    fn weigh_groups(&mut self) -> Result<(), Stopped> {
        let (weighed, text) = self.weighed;
        let added = self.tree.nodes_from(weighed).map(|(level, group)| self.levels[level].shown_bytes(group));
        self.weighed = (self.tree.len(), text + added.sum::<usize>());
        let is_over = self.tree.size() > self.most_groups || self.weighed.1 > Self::MAX_GROUP_TEXT;
        if is_over { Err(Stopped::TooManyGroups) } else { Ok(()) }
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

    fn offer_each(&mut self, probe: &mut Probe<'_, '_>, rows: &[u32], order: Order<'_>) {
        for row in rows {
            probe.row = wide(*row);
            probe.order = order.of(probe.row);
            self.offer(probe);
        }
    }

    /// Counts rows of which each is in one group of one level.
    fn count_each(&mut self, rows: &[u32], codes: &[u32], inputs: &[Input<'_>]) {
        let measures = &self.prepared.measures;
        let nodes: Vec<_> = rows.iter().map(|row| self.tree.node(None, codes[wide(*row)], measures)).collect();
        self.tree.count_all(&nodes, rows, inputs, &self.prepared.zone);
    }

    /// Offers rows of which each is in one group of one level.
    fn offer_each_of(&mut self, probe: &mut Probe<'_, '_>, rows: &[u32], codes: &[u32], order: Order<'_>) {
        for row in rows {
            let group = codes[wide(*row)];
            if self.levels[0].prefix(group) <= self.best.limit() {
                probe.path[0] = group;
                probe.row = wide(*row);
                probe.order = order.of(probe.row);
                self.offer(probe);
            }
        }
    }

    /// Offers a row that is in several groups, or in groups of several levels. Returns in how many.
    fn offer_all(
        &mut self,
        probe: &mut Probe<'_, '_>,
        groups: &[Vec<u32>],
        inputs: &[Input<'_>],
    ) -> Result<usize, Stopped> {
        let paths = groups.iter().fold(1_usize, |count, groups| count.saturating_mul(groups.len()));
        if paths > self.most_groups || self.tree.size() > self.most_groups {
            return Err(Stopped::TooManyGroups);
        }
        self.offer_below(None, probe, 0, groups, inputs);
        Ok(paths)
    }

    /// Counts a row in its groups of a level and of those below, and offers it in the innermost.
    fn offer_below(
        &mut self,
        above: Option<u32>,
        probe: &mut Probe<'_, '_>,
        depth: usize,
        groups: &[Vec<u32>],
        inputs: &[Input<'_>],
    ) {
        let Some((level, below)) = groups.split_first() else { return self.offer(probe) };
        for group in level {
            probe.path[depth] = *group;
            let node = self.count_in(above, *group, probe.row, inputs);
            self.offer_below(Some(node), probe, depth + 1, below, inputs);
        }
    }

    /// Counts a row in a group and returns its node.
    #[inline]
    fn count_in(&mut self, above: Option<u32>, group: u32, row: usize, inputs: &[Input<'_>]) -> u32 {
        let node = self.tree.node(above, group, &self.prepared.measures);
        self.tree.count(node, row, inputs, &self.prepared.zone);
        node
    }

    #[inline]
    fn offer(&mut self, probe: &Probe<'_, '_>) {
        let ranking = Ranking { levels: &self.levels, sort: &self.prepared.sort };
        let prefix = ranking.prefix(probe);
        if prefix > self.best.limit() {
            return;
        }
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
