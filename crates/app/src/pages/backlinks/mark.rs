//! The backlink after which a list continues.

use super::{Backlink, BacklinkSource};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, RecordId},
};
use octavo_ports::{
    blocks::{ReferenceKind, ReferenceMark},
    record_links::LinkingRecord,
};
use std::{fmt, str::FromStr};

/// The backlink after which a list continues: newer ones come first, and blocks before records of the same time. It can
/// be parsed from its text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BacklinkMark {
    Block(ReferenceMark),
    Record(LinkingRecord),
}

/// The text is not a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBacklinkMark;

impl Backlink {
    /// The mark after which a list continues.
    pub const fn mark(&self) -> BacklinkMark {
        let created_at = self.created_at;
        match self.source {
            BacklinkSource::Block(block, kind) => BacklinkMark::Block(ReferenceMark { created_at, block, kind }),
            BacklinkSource::Record(record) => BacklinkMark::Record(LinkingRecord { record, linked_at: created_at }),
        }
    }
}

impl BacklinkMark {
    /// The mark after which the references from blocks continue.
    pub(super) const fn among_blocks(self) -> ReferenceMark {
        match self {
            Self::Block(mark) => mark,
            // All blocks of this time came before the record.
            Self::Record(mark) => {
                ReferenceMark { created_at: mark.linked_at, block: BlockId::LOWEST, kind: ReferenceKind::Synced }
            }
        }
    }

    /// The mark after which the records continue.
    pub(super) const fn among_records(self) -> LinkingRecord {
        match self {
            Self::Record(mark) => mark,
            // All records of this time come after the block.
            Self::Block(mark) => {
                let linked_at = Timestamp::from_millis(mark.created_at.millis().saturating_add(1));
                LinkingRecord { record: RecordId::LOWEST, linked_at }
            }
        }
    }
}

impl fmt::Display for BacklinkMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(mark) => mark.fmt(f),
            Self::Record(LinkingRecord { record, linked_at }) => write!(f, "{record} {}", linked_at.millis()),
        }
    }
}

impl FromStr for BacklinkMark {
    type Err = InvalidBacklinkMark;

    fn from_str(text: &str) -> Result<Self, InvalidBacklinkMark> {
        let (first, rest) = text.split_once(' ').ok_or(InvalidBacklinkMark)?;
        match first.parse() {
            Ok(record) => {
                let millis = rest.parse().map_err(|_| InvalidBacklinkMark)?;
                Ok(Self::Record(LinkingRecord { record, linked_at: Timestamp::from_millis(millis) }))
            }
            Err(_) => text.parse().map(Self::Block).map_err(|_| InvalidBacklinkMark),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_is_written() {
        let time = Timestamp::from_millis(7);
        let block = ReferenceMark { created_at: time, block: BlockId::LOWEST, kind: ReferenceKind::Link };
        let record = LinkingRecord { record: RecordId::LOWEST, linked_at: time };
        for mark in [BacklinkMark::Block(block), BacklinkMark::Record(record)] {
            assert_eq!(mark.to_string().parse(), Ok(mark));
        }
        for wrong in ["", "x", "rpt_1 7", &format!("{} x", RecordId::LOWEST), &format!("{} 7", BlockId::LOWEST)] {
            assert_eq!(wrong.parse::<BacklinkMark>(), Err(InvalidBacklinkMark), "{wrong}");
        }
    }
}
