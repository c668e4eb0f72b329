//! The backlink after which a list continues.

use super::{Backlink, BacklinkSource};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, CommentId, RecordId},
};
use octavo_ports::{
    blocks::{ReferenceKind, ReferenceMark},
    comments::CommentMark,
    record_links::LinkingRecord,
};
use std::{fmt, str::FromStr};

/// The backlink after which a list continues: newer ones come first, and of the same time blocks before comments, and
/// comments before records. It can be parsed from its text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BacklinkMark {
    Block(ReferenceMark),
    Comment(CommentMark),
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
            BacklinkSource::Comment(comment, reply) => {
                BacklinkMark::Comment(CommentMark { created_at, comment, reply })
            }
            BacklinkSource::Record(record) => BacklinkMark::Record(LinkingRecord { record, linked_at: created_at }),
        }
    }
}

impl BacklinkMark {
    /// The mark after which the references from blocks continue.
    pub(super) const fn among_blocks(self) -> ReferenceMark {
        // All blocks of the time of a comment or record came before it.
        let created_at = match self {
            Self::Block(mark) => return mark,
            Self::Comment(mark) => mark.created_at,
            Self::Record(mark) => mark.linked_at,
        };
        ReferenceMark { created_at, block: BlockId::LOWEST, kind: ReferenceKind::Synced }
    }

    /// The mark after which the comments continue.
    pub(super) const fn among_comments(self) -> CommentMark {
        let created_at = match self {
            Self::Comment(mark) => return mark,
            // All comments of this time come after the block.
            Self::Block(mark) => after(mark.created_at),
            // All comments of this time came before the record.
            Self::Record(mark) => mark.linked_at,
        };
        CommentMark { created_at, comment: CommentId::LOWEST, reply: None }
    }

    /// The mark after which the records continue.
    pub(super) const fn among_records(self) -> LinkingRecord {
        // All records of the time of a block or comment come after it.
        let linked_at = match self {
            Self::Record(mark) => return mark,
            Self::Block(mark) => after(mark.created_at),
            Self::Comment(mark) => after(mark.created_at),
        };
        LinkingRecord { record: RecordId::LOWEST, linked_at }
    }
}

const fn after(time: Timestamp) -> Timestamp {
    Timestamp::from_millis(time.millis().saturating_add(1))
}

impl fmt::Display for BacklinkMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(mark) => mark.fmt(f),
            Self::Comment(mark) => mark.fmt(f),
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
            Err(_) => match text.parse() {
                Ok(mark) => Ok(Self::Comment(mark)),
                Err(_) => text.parse().map(Self::Block).map_err(|_| InvalidBacklinkMark),
            },
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
        let comment = CommentMark { created_at: time, comment: CommentId::LOWEST, reply: None };
        for mark in [BacklinkMark::Block(block), BacklinkMark::Comment(comment), BacklinkMark::Record(record)] {
            assert_eq!(mark.to_string().parse(), Ok(mark));
        }
        for wrong in ["", "x", "rpt_1 7", &format!("{} x", RecordId::LOWEST), &format!("{} 7", BlockId::LOWEST)] {
            assert_eq!(wrong.parse::<BacklinkMark>(), Err(InvalidBacklinkMark), "{wrong}");
        }
    }
}
