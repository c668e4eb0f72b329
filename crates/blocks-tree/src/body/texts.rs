//! The rich texts of a block.

use crate::{kind::Kind, rich_text::RichText};
use serde_json::{Map, Value};
use std::slice;

/// The rich texts of a block. They are kept apart from the rest of its content, because the same text as JSON needs
/// twenty times the memory: each mark would be a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Texts {
    /// The type has none.
    #[default]
    Nothing,
    Text(RichText),
    Cells(Cells),
}

/// The cells of a table, row by row. All rows have the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Cells {
    rows: usize,
    cells: Vec<RichText>,
}

impl Texts {
    /// The texts of an empty block.
    pub(super) fn empty(kind: Kind) -> Self {
        match kind {
            Kind::Table => Self::Cells(Cells::default()),
            kind if kind.is_text() => Self::Text(RichText::default()),
            _ => Self::Nothing,
        }
    }

    /// Moves the texts out of stored content.
    pub(super) fn from_stored(kind: Kind, content: &mut Map<String, Value>) -> Self {
        match kind {
            Kind::Table => Self::Cells(Cells::from_stored(content.remove("rows"))),
            kind if kind.is_text() => Self::Text(RichText::take_stored(content)),
            _ => Self::Nothing,
        }
    }

    /// The keys of the content that hold the texts.
    pub(super) fn into_json(self) -> Map<String, Value> {
        match self {
            Self::Nothing => Map::new(),
            Self::Text(text) => text.into_json(),
            Self::Cells(cells) => Map::from_iter([("rows".to_owned(), cells.into_json())]),
        }
    }

    pub(super) fn as_slice(&self) -> &[RichText] {
        match self {
            Self::Nothing => &[],
            Self::Text(text) => slice::from_ref(text),
            Self::Cells(cells) => &cells.cells,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [RichText] {
        match self {
            Self::Nothing => &mut [],
            Self::Text(text) => slice::from_mut(text),
            Self::Cells(cells) => &mut cells.cells,
        }
    }
}

impl Cells {
    /// Short rows are filled up with empty cells.
    pub(crate) fn new(rows: Vec<Vec<RichText>>) -> Self {
        let (count, width) = (rows.len(), rows.iter().map(Vec::len).max().unwrap_or(0));
        let mut cells = Vec::with_capacity(count * width);
        for row in rows {
            let missing = width - row.len();
            cells.extend(row);
            cells.extend(std::iter::repeat_n(RichText::default(), missing));
        }
        Self { rows: count, cells }
    }

    fn from_stored(mut rows: Option<Value>) -> Self {
        let row = |row: &mut Value| {
            let cells = row.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
            cells.map(RichText::take_stored).collect()
        };
        let rows = rows.as_mut().and_then(Value::as_array_mut);
        Self::new(rows.into_iter().flatten().map(row).collect())
    }

    fn into_json(self) -> Value {
        let cell = |cell: &RichText| Value::Object(cell.to_json());
        self.rows().map(|row| row.iter().map(cell).collect::<Value>()).collect()
    }

    pub(crate) fn width(&self) -> usize {
        self.cells.len().checked_div(self.rows).unwrap_or(0)
    }

    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = &[RichText]> {
        let width = self.width();
        (0..self.rows).map(move |row| &self.cells[row * width..(row + 1) * width])
    }
}
