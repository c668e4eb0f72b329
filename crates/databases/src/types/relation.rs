//! `relation`: links to records of a database.

use super::{Facts, FilterKind, Rules, SortKind, Storage};
use octavo_core_model::{
    id::{DatabaseId, PropertyId},
    named,
    text::PropertyName,
};

named! {
    /// How many links the records on both sides of a relation may have.
    Cardinality {
        /// One link on either side.
        OneToOne = "one_to_one",
        /// A record links any number of targets, and each target is linked from one record.
        OneToMany = "one_to_many",
        /// Any number on both sides.
        ManyToMany = "many_to_many",
    }
}

/// On which side of a relation a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The relation was created here.
    Source,
    /// It is the reverse of a relation of another property.
    Reverse,
}

/// The configuration of `relation`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationConfig {
    /// The database of the linked records.
    pub target: DatabaseId,
    /// How many links there may be, seen from the source.
    pub cardinality: Cardinality,
    /// Which side this property is.
    pub side: Side,
    /// The property of the target that shows the same links from the other side.
    pub reverse: Option<Reverse>,
}

/// The property on the other side of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reverse {
    /// Its id.
    pub property: PropertyId,
    /// Its name.
    pub name: PropertyName,
}

impl RelationConfig {
    /// Whether the relation is visible on both sides.
    pub const fn is_bidirectional(&self) -> bool {
        self.reverse.is_some()
    }

    /// Whether a record with this property may link one target only.
    pub const fn links_one(&self) -> bool {
        match self.side {
            Side::Source => matches!(self.cardinality, Cardinality::OneToOne),
            Side::Reverse => !matches!(self.cardinality, Cardinality::ManyToMany),
        }
    }

    /// Whether a target may be linked from one record only.
    pub const fn is_linked_once(&self) -> bool {
        match self.side {
            Side::Source => !matches!(self.cardinality, Cardinality::ManyToMany),
            Side::Reverse => matches!(self.cardinality, Cardinality::OneToOne),
        }
    }
}

pub(super) struct Relation;

impl Rules for Relation {
    type Config = RelationConfig;

    const FACTS: Facts = Facts {
        can_match: false,
        storage: Storage::Links,
        ..Facts::in_bag("Links to up to 10000 records of a database.", FilterKind::Relation, SortKind::FirstTitle)
    };
}
