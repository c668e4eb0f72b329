//! The types of properties. Each has a file of its own with everything that is special about it, and a row in the
//! table below.

mod button;
mod checkbox;
mod created_by;
mod created_time;
mod date;
mod date_range;
mod email;
mod facts;
mod files;
mod formula;
mod last_edited_by;
mod last_edited_time;
mod multi_select;
mod number;
mod operator;
mod person;
mod phone;
mod relation;
mod rich_text;
mod rollup;
mod select;
mod status;
mod text;
mod title;
mod unique_id;
mod url;

pub use button::{Action, ActionType, ButtonConfig};
pub use date::DateConfig;
pub use facts::{Facts, FilterKind, Grouping, SortKind, Storage};
pub use files::FilesConfig;
pub use formula::FormulaConfig;
pub use number::{Currency, NumberConfig, NumberFormat};
pub use operator::Operator;
pub use phone::{Country, PhoneConfig};
pub use relation::{Cardinality, RelationConfig, Reverse, Side};
pub use rich_text::RichTextConfig;
pub use rollup::{Aggregate, RollupConfig};
pub use status::StatusConfig;
pub use unique_id::UniqueIdConfig;

use crate::options::Options;
use octavo_core_model::named;

/// The configuration of the types that have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoConfig;

/// What a type has to define.
trait Rules {
    /// Its configuration.
    type Config;
    /// What is fixed about it.
    const FACTS: Facts;
}

/// Declares the types: the variant, its configuration, its name in the API and in the store, and its rules.
macro_rules! types {
    ($($member:ident($config:ty) = $name:literal by $rules:ty;)*) => {
        named! {
            /// The type of a property.
            PropertyType {
                $($member = $name,)*
            }
        }

        impl PropertyType {
            /// What is fixed about the type.
            pub const fn facts(self) -> &'static Facts {
                match self { $(Self::$member => &<$rules as Rules>::FACTS,)* }
            }
        }

        /// The type of a property and its configuration.
        #[derive(Clone, Debug, PartialEq)]
        pub enum PropertyConfig {
            $(
                #[doc = concat!("`", $name, "`")]
                $member($config),
            )*
        }

        impl PropertyConfig {
            /// The type.
            pub const fn kind(&self) -> PropertyType {
                match self { $(Self::$member(_) => PropertyType::$member,)* }
            }
        }
    };
}

types! {
    Title(NoConfig) = "title" by title::Title;
    Text(NoConfig) = "text" by text::Text;
    RichText(RichTextConfig) = "rich_text" by rich_text::RichText;
    Number(NumberConfig) = "number" by number::Number;
    Select(Options) = "select" by select::Select;
    MultiSelect(Options) = "multi_select" by multi_select::MultiSelect;
    Status(StatusConfig) = "status" by status::Status;
    Date(DateConfig) = "date" by date::Date;
    DateRange(NoConfig) = "date_range" by date_range::DateRange;
    Person(NoConfig) = "person" by person::Person;
    Email(NoConfig) = "email" by email::Email;
    Phone(PhoneConfig) = "phone" by phone::Phone;
    Url(NoConfig) = "url" by url::Url;
    Checkbox(NoConfig) = "checkbox" by checkbox::Checkbox;
    Files(FilesConfig) = "files" by files::Files;
    CreatedTime(NoConfig) = "created_time" by created_time::CreatedTime;
    CreatedBy(NoConfig) = "created_by" by created_by::CreatedBy;
    LastEditedTime(NoConfig) = "last_edited_time" by last_edited_time::LastEditedTime;
    LastEditedBy(NoConfig) = "last_edited_by" by last_edited_by::LastEditedBy;
    Relation(RelationConfig) = "relation" by relation::Relation;
    Rollup(RollupConfig) = "rollup" by rollup::Rollup;
    Formula(FormulaConfig) = "formula" by formula::Formula;
    Button(ButtonConfig) = "button" by button::Button;
    UniqueId(UniqueIdConfig) = "unique_id" by unique_id::UniqueId;
}

impl PropertyType {
    /// Whether callers cannot write the values.
    pub const fn is_read_only(self) -> bool {
        !self.facts().storage.is_writable()
    }

    /// The operators that a filter on such a property can use.
    pub const fn operators(self) -> &'static [Operator] {
        self.facts().filter.operators()
    }
}

impl PropertyConfig {
    /// The options of a select, multi-select or status.
    pub const fn options(&self) -> Option<&Options> {
        match self {
            Self::Select(options) | Self::MultiSelect(options) => Some(options),
            Self::Status(config) => Some(&config.options),
            _ => None,
        }
    }

    /// The configuration of a relation.
    pub const fn relation(&self) -> Option<&RelationConfig> {
        match self {
            Self::Relation(config) => Some(config),
            _ => None,
        }
    }
}
