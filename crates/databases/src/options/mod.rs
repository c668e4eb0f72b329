//! The options of `select`, `multi_select` and `status`.

pub(crate) mod groups;
mod id;
pub(crate) mod read;
mod slug;

pub use id::{InvalidOptionId, OptionId};

use crate::text::folded_line;
use octavo_core_model::{id::PropertyId, named, text::OptionName};

named! {
    /// The colour of an option or a group.
    OptionColor {
        Gray = "gray",
        Brown = "brown",
        Orange = "orange",
        Yellow = "yellow",
        Green = "green",
        Blue = "blue",
        Purple = "purple",
        Pink = "pink",
        Red = "red",
        Default = "default",
    }
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectOption {
    /// Its id, which is unique in its property.
    pub id: OptionId,
    /// What people see.
    pub name: OptionName,
    /// Its colour.
    pub color: OptionColor,
}

impl SelectOption {
    /// Whether this is its name, whatever the case and outer white space.
    pub fn is_called(&self, name: &str) -> bool {
        folded_line(self.name.as_str()) == folded_line(name)
    }
}

/// A group of the options of a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusGroup {
    /// What people see.
    pub name: OptionName,
    /// Its options, which exist; no other group has them.
    pub options: Vec<OptionId>,
    /// Its colour.
    pub color: OptionColor,
}

/// The options of a property, in the order that people gave them. Their ids are unique.
#[derive(Clone, Debug, Default)]
pub struct Options {
    list: Vec<SelectOption>,
    /// The names as they are compared.
    folded: Vec<Box<str>>,
    /// Indexes of the options by id.
    by_id: Vec<u16>,
}

impl Options {
    /// The largest number of options of one property.
    pub const MAX: usize = 500;

    /// Options in their order. Only the first one with an id is kept, and no more than [`Self::MAX`].
    pub fn new(options: impl IntoIterator<Item = SelectOption>) -> Self {
        let mut read = Self::default();
        for option in options {
            read.add(option);
        }
        read
    }

    /// Appends an option, unless its id is taken or there is no room.
    pub fn add(&mut self, option: SelectOption) {
        let (Err(at), true) = (self.place(option.id.as_str()), self.list.len() < Self::MAX) else { return };
        // The limit is far below the largest index.
        let Ok(index) = u16::try_from(self.list.len()) else { return };
        self.by_id.insert(at, index);
        self.folded.push(folded_line(option.name.as_str()).into());
        self.list.push(option);
    }

    /// The options in their order.
    pub fn list(&self) -> &[SelectOption] {
        &self.list
    }

    /// The place of an option in the order; options are sorted by it.
    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.place(id).ok().map(|at| usize::from(self.by_id[at]))
    }

    /// The option with this id.
    pub fn by_id(&self, id: &str) -> Option<&SelectOption> {
        self.index_of(id).map(|index| &self.list[index])
    }

    /// The first option with this name, whatever its case and outer white space.
    pub fn by_name(&self, name: &str) -> Option<&SelectOption> {
        let wanted = folded_line(name);
        let index = self.folded.iter().position(|name| **name == *wanted)?;
        self.list.get(index)
    }

    /// The option that a value names: by its id, else by its name.
    pub fn find(&self, named: &str) -> Option<&SelectOption> {
        self.by_id(named).or_else(|| self.by_name(named))
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.by_id.binary_search_by(|index| self.list[usize::from(*index)].id.as_str().cmp(id))
    }
}

impl PartialEq for Options {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Eq for Options {}

/// Options that a value names and that have to be created first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOptions {
    /// The property that gets them.
    pub property: PropertyId,
    /// The options, which follow the existing ones.
    pub options: Vec<SelectOption>,
}

impl Options {
    /// The options with new ones behind them.
    #[must_use]
    pub fn with(mut self, added: &[SelectOption]) -> Self {
        for option in added {
            self.add(option.clone());
        }
        self
    }
}
