//! Building columns row by row, or from rows of other columns.

use super::{Column, ColumnKind, Dates, Lists, ListsBuilder, Numbers, Single, SingleBuilder, Texts};
use crate::{bits::Bits, number::wide};
use octavo_core_model::id::{FileId, RecordId, UserId};

/// A row of one of several chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick {
    pub(crate) chunk: u32,
    pub(crate) row: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum ColumnBuilder {
    Text(Texts),
    Number(Numbers),
    Option(SingleBuilder<Box<str>>),
    Options(ListsBuilder<Box<str>>),
    Date(Dates),
    Persons(ListsBuilder<UserId>),
    Files(ListsBuilder<FileId>),
    Checkbox(Bits),
    Records(ListsBuilder<RecordId>),
}

impl ColumnBuilder {
    pub(crate) fn new(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Text => Self::Text(Texts::new()),
            ColumnKind::Number => Self::Number(Numbers::default()),
            ColumnKind::Option => Self::Option(SingleBuilder::new()),
            ColumnKind::Options => Self::Options(ListsBuilder::new()),
            ColumnKind::Date => Self::Date(Dates::default()),
            ColumnKind::Persons => Self::Persons(ListsBuilder::new()),
            ColumnKind::Files => Self::Files(ListsBuilder::new()),
            ColumnKind::Checkbox => Self::Checkbox(Bits::default()),
            ColumnKind::Records => Self::Records(ListsBuilder::new()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(column) => column.len(),
            Self::Number(column) => column.values.len(),
            Self::Option(column) => column.len(),
            Self::Options(column) => column.len(),
            Self::Date(column) => column.len(),
            Self::Persons(column) => column.len(),
            Self::Files(column) => column.len(),
            Self::Checkbox(column) => column.len(),
            Self::Records(column) => column.len(),
        }
    }

    pub(crate) fn push_empty(&mut self) {
        match self {
            Self::Text(column) => column.push(""),
            Self::Number(column) => column.push(None),
            Self::Option(column) => column.push::<str>(None),
            Self::Options(column) => column.end(),
            Self::Date(column) => column.push(None, None),
            Self::Persons(column) => column.end(),
            Self::Files(column) => column.end(),
            Self::Checkbox(column) => column.push(false),
            Self::Records(column) => column.end(),
        }
    }

    /// Adds rows of other columns. Chunks without the column have no values.
    pub(crate) fn extend(&mut self, columns: &[Option<&Column>], picks: &[Pick]) {
        for pick in picks {
            let row = wide(pick.row);
            match (&mut *self, columns[wide(pick.chunk)]) {
                (Self::Text(to), Some(Column::Text(from))) => to.push_from(from, row),
                (Self::Number(to), Some(Column::Number(from))) => to.push(from.get(row)),
                (Self::Option(to), Some(Column::Option(from))) => push_one(to, from, row),
                (Self::Options(to), Some(Column::Options(from))) => {
                    for thing in from.things(row) {
                        to.add_text(thing);
                    }
                    to.end();
                }
                (Self::Date(to), Some(Column::Date(from))) => to.push(from.start(row), from.end(row)),
                (Self::Persons(to), Some(Column::Persons(from))) => push_list(to, from, row),
                (Self::Files(to), Some(Column::Files(from))) => push_list(to, from, row),
                (Self::Checkbox(to), Some(Column::Checkbox(from))) => to.push(from.get(row)),
                (Self::Records(to), Some(Column::Records(from))) => push_list(to, from, row),
                (to, _) => to.push_empty(),
            }
        }
    }

    pub(crate) fn finish(self) -> Column {
        match self {
            Self::Text(mut column) => {
                column.shrink();
                Column::Text(column)
            }
            Self::Number(mut column) => {
                column.shrink();
                Column::Number(column)
            }
            Self::Option(column) => Column::Option(column.finish()),
            Self::Options(column) => Column::Options(column.finish()),
            Self::Date(mut column) => {
                column.shrink();
                Column::Date(column)
            }
            Self::Persons(column) => Column::Persons(column.finish()),
            Self::Files(column) => Column::Files(column.finish()),
            Self::Checkbox(mut column) => {
                column.shrink();
                Column::Checkbox(column)
            }
            Self::Records(column) => Column::Records(column.finish()),
        }
    }
}

fn push_one(to: &mut SingleBuilder<Box<str>>, from: &Single<Box<str>>, row: usize) {
    to.push::<str>(from.get(row).map(|thing| &**thing));
}

fn push_list<T: Ord + Copy>(to: &mut ListsBuilder<T>, from: &Lists<T>, row: usize) {
    for thing in from.things(row) {
        to.add(*thing);
    }
    to.end();
}
