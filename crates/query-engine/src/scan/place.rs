//! Where an answer continues.

use octavo_core_model::id::RecordId;

/// Where an answer continues: behind a record. If that record is no longer where it was, the answer continues after as
/// many records as were shown before, so a page may then repeat or skip some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The last record of the page before.
    pub anchor: RecordId,
    /// How many records were shown before; under several groups a record counts several times.
    pub offset: u64,
    /// What the record was sorted and grouped by.
    pub key: u64,
    /// The query that the page was an answer to; see [`super::digest`].
    pub digest: u64,
}
