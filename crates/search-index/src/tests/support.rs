//! An index in a folder of its own, units for it, and what callers may view.

use crate::TextIndex;
use octavo_core_model::{
    Timestamp,
    cancellation::Cancellation,
    id::{BlockId, CommentId, DatabaseId, PageId, PropertyId, RecordId, WorkspaceId},
};
use octavo_ports::search::{
    Hits, Look, NodeFilter, NodeKey, Order, Place, Progress, SearchIndex, TextPlace, TimeRange, Unit, UnitChanges,
    UnitKey, UnitKind, UnitText,
};
use octavo_search::{Fields, Query};
use std::collections::BTreeSet;
use tempfile::TempDir;

pub(super) const HERE: WorkspaceId = WorkspaceId::from_bits(7);

/// An index that is removed with its folder.
pub(super) struct Shelf {
    pub(super) index: TextIndex,
    pub(super) folder: TempDir,
}

impl Shelf {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let index = TextIndex::in_folder(folder.path().to_owned());
        index.open().unwrap();
        Self { index, folder }
    }

    pub(super) fn of(units: Vec<Unit>) -> Self {
        let shelf = Self::new();
        shelf.put(units);
        shelf
    }

    pub(super) fn put(&self, units: Vec<Unit>) {
        self.index.apply(vec![changes(units)]).unwrap();
    }

    pub(super) fn find(&self, look: &Look, filter: &dyn NodeFilter) -> Hits {
        self.index.find(look, filter, &Cancellation::default()).unwrap()
    }

    /// The numbers of the units that somebody finds who may view everything, in their order.
    pub(super) fn found(&self, query: &str) -> Vec<u64> {
        numbers(&self.find(&look(query), &Everything))
    }
}

pub(super) fn changes(units: Vec<Unit>) -> UnitChanges {
    UnitChanges { workspace: HERE, removed: Vec::new(), units, progress: None }
}

pub(super) fn progress(up_to: i64) -> Progress {
    Progress { up_to, is_complete: true, rest: String::new() }
}

pub(super) fn look(query: &str) -> Look {
    Look { query: Some(Query::parse(query).unwrap()), ..everything() }
}

pub(super) fn everything() -> Look {
    Look {
        workspace: HERE,
        query: None,
        fields: Fields::ALL,
        kinds: UnitKind::ALL.to_vec(),
        created_by: None,
        updated_by: None,
        created: TimeRange::default(),
        updated: TimeRange::default(),
        with_archived: false,
        order: Order::Relevance,
        after: None,
        limit: 100,
    }
}

pub(super) fn number(key: UnitKey) -> u64 {
    crate::keys::low(crate::keys::bits(key))
}

pub(super) fn numbers(hits: &Hits) -> Vec<u64> {
    hits.hits.iter().map(|hit| number(hit.key)).collect()
}

/// A page without texts.
pub(super) fn page(number: u32) -> Unit {
    unit(UnitKey::Page(PageId::from_bits(number.into())), number)
}

pub(super) fn record(number: u32, database: u32) -> Unit {
    let place = Place { page: NodeKey(number.into()), database: Some(NodeKey(database.into())) };
    Unit { place, ..unit(UnitKey::Record(RecordId::from_bits(number.into())), number) }
}

pub(super) fn database(number: u32) -> Unit {
    unit(UnitKey::Database(DatabaseId::from_bits(number.into())), number)
}

pub(super) fn comment(number: u32, page: u32) -> Unit {
    unit(UnitKey::Comment(CommentId::from_bits(number.into())), page)
}

fn unit(key: UnitKey, page: u32) -> Unit {
    Unit {
        key,
        place: Place { page: NodeKey(page.into()), database: None },
        is_archived: false,
        created_by: None,
        updated_by: None,
        created_at: Timestamp::from_millis(1_000),
        updated_at: Timestamp::from_millis(2_000),
        texts: Vec::new(),
        depends_on: Vec::new(),
    }
}

/// Adds texts to a unit.
pub(super) trait With: Sized {
    fn with(self, place: TextPlace, text: &str, source: Option<Place>) -> Self;

    fn title(self, text: &str) -> Self {
        self.with(TextPlace::Title, text, None)
    }

    fn block(self, text: &str) -> Self {
        self.with(TextPlace::Text(Some(BlockId::LOWEST)), text, None)
    }

    fn property(self, text: &str) -> Self {
        self.with(TextPlace::Property(PropertyId::LOWEST), text, None)
    }

    fn reply(self, text: &str) -> Self {
        self.with(TextPlace::Comment, text, None)
    }

    fn borrowed_block(self, text: &str, source: u32) -> Self {
        let source = Place { page: NodeKey(source.into()), database: None };
        self.with(TextPlace::Text(Some(BlockId::LOWEST)), text, Some(source))
    }

    fn linked(self, text: &str, source: Place) -> Self {
        self.with(TextPlace::Property(PropertyId::LOWEST), text, Some(source))
    }
}

impl With for Unit {
    fn with(mut self, place: TextPlace, text: &str, source: Option<Place>) -> Self {
        self.texts.push(UnitText { place, text: text.to_owned(), source });
        self
    }
}

/// Views everything.
pub(super) struct Everything;

impl NodeFilter for Everything {
    fn shows(&self, _: Place) -> bool {
        true
    }
}

/// Views everything but these nodes.
pub(super) struct AllBut(pub(super) BTreeSet<u64>);

impl AllBut {
    pub(super) fn nodes(nodes: impl IntoIterator<Item = u32>) -> Self {
        Self(nodes.into_iter().map(u64::from).collect())
    }
}

impl NodeFilter for AllBut {
    fn shows(&self, place: Place) -> bool {
        !self.0.contains(&place.page.0) && place.database.is_none_or(|database| !self.0.contains(&database.0))
    }
}

/// Views only these nodes, and the records of those that are databases.
pub(super) struct Few(Vec<NodeKey>);

impl Few {
    pub(super) fn nodes(nodes: impl IntoIterator<Item = u32>) -> Self {
        Self(nodes.into_iter().map(|node| NodeKey(node.into())).collect())
    }
}

impl NodeFilter for Few {
    fn shows(&self, place: Place) -> bool {
        self.0.contains(&place.page) || place.database.is_some_and(|database| self.0.contains(&database))
    }

    fn few(&self) -> Option<&[NodeKey]> {
        Some(&self.0)
    }
}
