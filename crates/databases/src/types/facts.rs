//! What is fixed for each type of property.

use super::operator::{self, Operator};
use crate::value::Shape;

/// The facts about a type: one row for each type, in its own file.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What properties of the type hold, in one sentence.
    pub description: &'static str,
    /// Where the values are kept.
    pub storage: Storage,
    /// How values are compared in filters.
    pub filter: FilterKind,
    /// How records are sorted by the values; `None` if they cannot be.
    pub sort: Option<SortKind>,
    /// Where records can be grouped by the values.
    pub grouping: Grouping,
    /// Whether records can be found by their values when they are updated or created in bulk.
    pub can_match: bool,
    /// Whether a property of this type can become the title.
    pub can_become_title: bool,
}

/// Where records can be grouped by the values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grouping {
    /// Nowhere.
    Nowhere,
    /// In lists, but not as the columns of a board.
    Lists,
    /// In lists and as the columns of a board.
    Boards,
}

/// Where the values of a type are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In the bag of the record, in this form.
    Bag(Shape),
    /// As links between records.
    Links,
    /// In a field that every record has.
    Record(RecordField),
    /// Nowhere: they are computed from other values.
    Computed,
    /// Nowhere: there are none.
    Nothing,
}

/// A field that every record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordField {
    /// When it was created.
    CreatedAt,
    /// Who created it.
    CreatedBy,
    /// When it was last changed.
    EditedAt,
    /// Who last changed it.
    EditedBy,
    /// Its number in its database.
    Number,
}

impl Storage {
    /// Whether callers can write the values.
    pub const fn is_writable(self) -> bool {
        matches!(self, Self::Bag(_) | Self::Links)
    }
}

/// How the values of a type are compared in filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// As texts.
    Text,
    /// As numbers.
    Number,
    /// One option.
    Choice,
    /// Any number of options.
    Choices,
    /// By day or point in time.
    Date,
    /// True or false.
    Checkbox,
    /// As sets of users.
    Person,
    /// As sets of records.
    Relation,
    /// Only whether there are any.
    Files,
    /// By the number of the record.
    UniqueId,
    /// As whatever is computed: numbers, texts, dates or booleans.
    Computed,
    /// There are no values.
    Nothing,
}

impl FilterKind {
    /// The operators that a filter can use.
    pub const fn operators(self) -> &'static [Operator] {
        match self {
            Self::Text => operator::TEXT,
            Self::Number => operator::NUMBER,
            Self::Choice | Self::Choices | Self::Relation => operator::SETS,
            Self::Date => operator::DATE,
            Self::Person => operator::PERSON,
            Self::Computed => Operator::ALL,
            Self::Checkbox | Self::Files | Self::UniqueId | Self::Nothing => operator::ANY,
        }
    }
}

/// What records are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKind {
    /// The text, first without regard to case.
    Text,
    /// The number.
    Number,
    /// The place of the first option in the order of the options.
    OptionOrder,
    /// The start.
    Date,
    /// False before true.
    Checkbox,
    /// The name of the first person.
    PersonName,
    /// The title of the first linked record.
    FirstTitle,
    /// How many there are.
    Count,
    /// The number of the record.
    UniqueNumber,
    /// Whatever is computed.
    Computed,
}

impl Facts {
    /// A type whose values are in the bag, can be sorted and grouped, and find records.
    pub(super) const fn in_bag(description: &'static str, shape: Shape, filter: FilterKind, sort: SortKind) -> Self {
        Self {
            description,
            storage: Storage::Bag(shape),
            filter,
            sort: Some(sort),
            grouping: Grouping::Lists,
            can_match: true,
            can_become_title: false,
        }
    }

    /// A type whose values are links.
    pub(super) const fn in_links(description: &'static str, filter: FilterKind, sort: SortKind) -> Self {
        Self { storage: Storage::Links, can_match: false, ..Self::in_bag(description, Shape::Text, filter, sort) }
    }

    /// A type whose values callers cannot write.
    pub(super) const fn read_only(
        description: &'static str,
        storage: Storage,
        filter: FilterKind,
        sort: SortKind,
    ) -> Self {
        Self { storage, can_match: false, ..Self::in_bag(description, Shape::Text, filter, sort) }
    }

    /// The form of the values in the bags of records.
    pub const fn shape(&self) -> Option<Shape> {
        match self.storage {
            Storage::Bag(shape) => Some(shape),
            _ => None,
        }
    }

    /// The same, and the values can be the columns of a board.
    pub(super) const fn for_boards(self) -> Self {
        Self { grouping: Grouping::Boards, ..self }
    }

    /// Whether the configuration has options.
    pub const fn has_options(&self) -> bool {
        matches!(self.filter, FilterKind::Choice | FilterKind::Choices)
    }

    /// Whether records can be grouped by the values.
    pub const fn can_group(&self) -> bool {
        !matches!(self.grouping, Grouping::Nowhere)
    }

    /// Whether the values can be the columns of a board.
    pub const fn can_make_board(&self) -> bool {
        matches!(self.grouping, Grouping::Boards)
    }
}
