//! What a segment knows of its documents besides their words.

use crate::{
    document::{self, user_bytes},
    keys,
    schema::column,
};
use octavo_core_model::{Timestamp, id::UserId};
use octavo_ports::search::{NodeKey, Place, UnitKey, UnitKind};
use std::{cell::RefCell, collections::BTreeMap};
use tantivy::{
    DocId, SegmentReader,
    columnar::{BytesColumn, Column},
};

/// The columns of a segment.
pub(crate) struct Columns {
    id_high: Column<u64>,
    id_low: Column<u64>,
    kind: Column<u64>,
    page: Option<Column<u64>>,
    database: Option<Dictionary>,
    created_by: Option<BytesColumn>,
    updated_by: Option<BytesColumn>,
    created_at: Option<Column<i64>>,
    updated_at: Option<Column<i64>>,
    sources: Option<Column<u64>>,
    sequence: Option<Column<i64>>,
}

/// Who created or changed units.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    Creator,
    Editor,
}

/// The users of a segment as the numbers that its columns have for them.
pub(crate) struct WantedUser<'a> {
    column: &'a Column<u64>,
    ordinal: u64,
}

impl WantedUser<'_> {
    pub(crate) fn is_of(&self, doc: DocId) -> bool {
        self.column.first(doc) == Some(self.ordinal)
    }
}

impl Columns {
    pub(crate) fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = segment.fast_fields();
        Ok(Self {
            id_high: columns.u64(column::ID_HIGH)?,
            id_low: columns.u64(column::ID_LOW)?,
            kind: columns.u64(column::KIND)?,
            page: columns.column_opt(column::PAGE)?,
            database: columns.bytes(column::DATABASE)?.map(Dictionary::new),
            created_by: columns.bytes(column::CREATED_BY)?,
            updated_by: columns.bytes(column::UPDATED_BY)?,
            created_at: columns.column_opt(column::CREATED_AT)?,
            updated_at: columns.column_opt(column::UPDATED_AT)?,
            sources: columns.column_opt(column::SOURCES)?,
            sequence: columns.column_opt(column::SEQUENCE)?,
        })
    }

    /// The id of a document, whatever it is.
    pub(crate) fn bits(&self, doc: DocId) -> u128 {
        keys::whole(first(&self.id_high, doc), first(&self.id_low, doc))
    }

    pub(crate) fn code(&self, doc: DocId) -> u64 {
        first(&self.kind, doc)
    }

    pub(crate) fn key(&self, doc: DocId) -> UnitKey {
        document::key_of(self.code(doc), self.bits(doc))
    }

    pub(crate) fn created_at(&self, doc: DocId) -> Timestamp {
        time(self.created_at.as_ref(), doc)
    }

    pub(crate) fn updated_at(&self, doc: DocId) -> Timestamp {
        time(self.updated_at.as_ref(), doc)
    }

    pub(crate) fn sequence(&self, doc: DocId) -> Option<i64> {
        self.sequence.as_ref()?.first(doc)
    }

    pub(crate) fn place(&self, doc: DocId) -> Place {
        let page = match self.key(doc).kind() {
            UnitKind::Comment => self.page.as_ref().and_then(|pages| pages.first(doc)).unwrap_or_default(),
            UnitKind::Database | UnitKind::Page | UnitKind::Record => first(&self.id_low, doc),
        };
        let database = self.database.as_ref().and_then(|databases| databases.find(doc));
        Place { page: NodeKey(page), database }
    }

    /// Where the borrowed texts of a unit come from.
    pub(crate) fn sources(&self, doc: DocId) -> Vec<Place> {
        let Some(sources) = &self.sources else { return Vec::new() };
        let keys: Vec<_> = sources.values_for_doc(doc).collect();
        let place = |[page, database]: &[u64; 2]| Place {
            page: NodeKey(*page),
            database: (*database != 0).then_some(NodeKey(*database)),
        };
        keys.as_chunks().0.iter().map(place).collect()
    }

    /// Finds a user in the segment; `None` if no unit is theirs.
    pub(crate) fn find_user(&self, by: By, user: UserId) -> tantivy::Result<Option<WantedUser<'_>>> {
        let column = match by {
            By::Creator => self.created_by.as_ref(),
            By::Editor => self.updated_by.as_ref(),
        };
        let Some(column) = column else { return Ok(None) };
        let ordinal = column.dictionary().term_ord(user_bytes(user))?;
        Ok(ordinal.map(|ordinal| WantedUser { column: column.ords(), ordinal }))
    }
}

fn first(column: &Column<u64>, doc: DocId) -> u64 {
    column.first(doc).unwrap_or_default()
}

fn time(column: Option<&Column<i64>>, doc: DocId) -> Timestamp {
    Timestamp::from_millis(column.and_then(|times| times.first(doc)).unwrap_or_default())
}

/// Keys of databases, each of which is looked up in the dictionary once.
struct Dictionary {
    column: BytesColumn,
    known: RefCell<BTreeMap<u64, Option<NodeKey>>>,
}

impl Dictionary {
    fn new(column: BytesColumn) -> Self {
        Self { column, known: RefCell::default() }
    }

    fn find(&self, doc: DocId) -> Option<NodeKey> {
        let ordinal = self.column.ords().first(doc)?;
        *self.known.borrow_mut().entry(ordinal).or_insert_with(|| {
            let mut bytes = Vec::new();
            let found = self.column.ord_to_bytes(ordinal, &mut bytes).unwrap_or_default();
            let key = bytes.try_into().ok().map(u64::from_be_bytes);
            key.filter(|_| found).map(NodeKey)
        })
    }
}
