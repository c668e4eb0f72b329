//! Why changes of schemas and values are refused.

use octavo_core_model::{
    fault::Violation,
    id::{DatabaseId, PropertyId},
};

/// A change that is well-formed, but cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Callers cannot write the values of this property.
    ReadOnlyProperty(PropertyId),
    /// The title of a database cannot be deleted.
    CannotDeleteTitleProperty,
    /// Rollups or formulas use the property.
    HasDependents(Vec<PropertyId>),
    /// A property of this type cannot become the title.
    NotTextCompatible,
    /// A user of the value does not belong to the workspace.
    UnknownPrincipal(PropertyId),
    /// A file of the value does not exist.
    UnknownFile(PropertyId),
    /// A linked record does not exist in the target database.
    RelationIntegrity(PropertyId),
    /// Several records of the target database have the title that was sent for a link.
    AmbiguousMatch(PropertyId),
    /// The relation does not allow so many links.
    CardinalityViolation(PropertyId),
}

impl Refusal {
    /// The name of the reason in the API.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ReadOnlyProperty(_) => "read_only_property",
            Self::CannotDeleteTitleProperty => "cannot_delete_title_property",
            Self::HasDependents(_) => "has_dependents",
            Self::NotTextCompatible => "not_text_compatible",
            Self::UnknownPrincipal(_) => "unknown_principal",
            Self::UnknownFile(_) => "unknown_file",
            Self::RelationIntegrity(_) => "relation_integrity",
            Self::AmbiguousMatch(_) => "ambiguous_match",
            Self::CardinalityViolation(_) => "cardinality_violation",
        }
    }

    /// The property whose value is refused.
    pub const fn property(&self) -> Option<PropertyId> {
        match self {
            Self::ReadOnlyProperty(id)
            | Self::UnknownPrincipal(id)
            | Self::UnknownFile(id)
            | Self::RelationIntegrity(id)
            | Self::AmbiguousMatch(id)
            | Self::CardinalityViolation(id) => Some(*id),
            Self::CannotDeleteTitleProperty | Self::HasDependents(_) | Self::NotTextCompatible => None,
        }
    }
}

/// Why the values of a record cannot be written.
#[derive(Clone, Debug, PartialEq)]
pub enum ValuesFault {
    /// They break constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// They are well-formed, but cannot be written; there is at least one reason.
    Refused(Vec<Refusal>),
}

/// Why a schema cannot be changed.
#[derive(Clone, Debug, PartialEq)]
pub enum SchemaFault {
    /// What was sent breaks constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// The database has no such property.
    UnknownProperty,
    /// Another property of this database has the name.
    DuplicateName {
        /// The field with the name.
        field: String,
        /// The database in which the name is taken.
        database: DatabaseId,
    },
    /// The database has as many properties as it may have.
    LimitReached {
        /// How many that is.
        limit: usize,
        /// The database with these properties.
        database: DatabaseId,
    },
    /// The change is well-formed, but cannot be made.
    Refused(Refusal),
}

impl From<Violation> for SchemaFault {
    fn from(violation: Violation) -> Self {
        Self::Invalid(vec![violation])
    }
}

impl From<Refusal> for SchemaFault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
