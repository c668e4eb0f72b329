//! Records of databases.

use crate::{
    id::{DatabaseId, RecordId, UserId, WorkspaceId},
    position::Position,
    text::{PageIcon, WebAddress},
    time::Timestamp,
};
use std::{fmt, str::FromStr};

/// How deep records may be nested; a record without parent has the depth 1.
pub const MAX_DEPTH: u32 = 10;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the record.
    pub id: RecordId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// Its database.
    pub database: DatabaseId,
    /// The record that it is a part of.
    pub parent: Option<RecordId>,
    /// Its position among all records of the database; those with equal positions are ordered by their ids.
    pub position: Position,
    /// Its values as the store keeps them. The schema of the database is needed to read them.
    pub bag: String,
    /// What is shown in front of its title.
    pub icon: Option<PageIcon>,
    /// The address of the picture above its page.
    pub cover_url: Option<WebAddress>,
    /// The number that properties of the type `unique_id` show.
    pub number: Option<i64>,
    /// When it was archived; `None` while it is in use.
    pub archived_at: Option<Timestamp>,
    /// How its page is stored.
    pub page: RecordPage,
    /// The number of changes of its values and its other fields.
    pub version: i64,
    /// Who created it; `None` if the user is unknown.
    pub created_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Who changed it last; `None` if the user is unknown.
    pub updated_by: Option<UserId>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The place of a record in the order of its database, after which a list continues. It can be parsed from its text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// Its position.
    pub position: Position,
    /// Its id, which orders equal positions.
    pub id: RecordId,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.position.as_str())
    }
}

/// The text is not a place of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPlace;

impl FromStr for RecordPlace {
    type Err = InvalidPlace;

    fn from_str(text: &str) -> Result<Self, InvalidPlace> {
        let (id, position) = text.split_once(' ').ok_or(InvalidPlace)?;
        let id = id.parse().map_err(|_| InvalidPlace)?;
        let position = Position::parse(position).map_err(|_| InvalidPlace)?;
        Ok(Self { position, id })
    }
}

/// How the page of a record is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPage {
    /// Nobody has written to it, so it takes everything from the record and its database.
    Implied,
    /// It is a node of the tree and has the access of its database.
    Stored,
    /// It is a node of the tree and has entries of its own, or does not inherit.
    WithEntries,
}

impl Record {
    /// Its place in the order of its database.
    pub fn place(&self) -> RecordPlace {
        RecordPlace { position: self.position.clone(), id: self.id }
    }

    /// Records who changed it: every change that counts calls this once.
    pub fn touch(&mut self, by: UserId, now: Timestamp) {
        self.version += 1;
        self.updated_by = Some(by);
        self.updated_at = now;
    }
}

/// A link between two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordLink {
    /// The record with the relation that was created first.
    pub source: RecordId,
    /// The record that it leads to.
    pub target: RecordId,
    /// Its place among the links of the source.
    pub source_order: i64,
    /// Its place among the links of the target.
    pub target_order: i64,
}

impl RecordLink {
    /// New links come behind all others because their places begin with the time: this many places in a millisecond.
    pub const PLACES_IN_A_MILLISECOND: i64 = 1024;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let place = RecordPlace { position: Position::after(None), id: RecordId::EXAMPLE };
        assert_eq!(place.to_string().parse(), Ok(place));
        for wrong in ["", "rpt_1 a0", "a0", "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX -"] {
            assert_eq!(wrong.parse::<RecordPlace>(), Err(InvalidPlace), "{wrong}");
        }
    }
}
