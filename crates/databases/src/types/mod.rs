//! The types of properties. Each has a file of its own with everything that is special about it, and a row in the
//! table below.

mod button;
mod checkbox;
mod config;
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

use config::{Config, object};

pub use button::{Action, ActionType, ButtonConfig};
pub use config::{ConfigInputs, NoConfig};
pub use date::DateConfig;
pub use facts::{Facts, FilterKind, Grouping, RecordField, SortKind, Storage};
pub use files::FilesConfig;
pub use formula::FormulaConfig;
pub use number::{Currency, NumberConfig, NumberFormat};
pub use operator::Operator;
pub use phone::{Country, PhoneConfig};
pub use relation::{Cardinality, MAX_LINKS, RelationConfig, Reverse, Side};
pub use rich_text::RichTextConfig;
pub use rollup::{Aggregate, RollupConfig};
pub use status::StatusConfig;
pub use unique_id::UniqueIdConfig;

use crate::{
    input::{Input, InputRules},
    options::Options,
    read::{Fields, Flaw, Origin},
};
use octavo_core_model::{id::PropertyId, named, text::PropertyName};
use serde_json::{Map, Value, json};

/// What a type has to define.
trait Rules {
    /// Its configuration.
    type Config: Config;
    /// What is fixed about it.
    const FACTS: Facts;
    /// How values are read; `None` if callers cannot write them.
    const INPUT: Option<InputRules<Self::Config>> = None;

    /// The values in answers as JSON Schema.
    fn value_schema() -> Value;

    /// What is shown for a record without a value.
    fn unset() -> Value {
        Value::Null
    }
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

            /// The configuration as JSON Schema.
            pub fn config_schema(self) -> Value {
                match self { $(Self::$member => config_schema::<$config>(),)* }
            }

            /// The values in answers as JSON Schema; properties without a value are null.
            pub fn value_schema(self) -> Value {
                match self { $(Self::$member => <$rules as Rules>::value_schema(),)* }
            }

            /// What is shown for a record without a value.
            pub fn unset(self) -> Value {
                match self { $(Self::$member => <$rules as Rules>::unset(),)* }
            }

            /// Reads the configuration of a new property.
            pub(crate) fn read_config(self, fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> Option<PropertyConfig> {
                match self {
                    $(Self::$member => <$config as Config>::read(None, fields, inputs).map(PropertyConfig::$member),)*
                }
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

            /// The configuration in JSON, as it is stored. A formula names properties by their ids.
            pub fn to_json(&self) -> Map<String, Value> {
                match self { $(Self::$member(config) => config.write(),)* }
            }

            /// Reads a merge patch of the configuration.
            pub(crate) fn read_change(&self, fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> Option<Self> {
                match self {
                    $(Self::$member(config) => Config::read(Some(config), fields, inputs).map(Self::$member),)*
                }
            }

            /// Reads a value in this form. `None` if callers cannot write values of this type.
            pub(crate) fn read_value(&self, sent: Value, form: Form) -> Option<Result<Input, Flaw>> {
                match self { $(Self::$member(config) => read_value::<$rules>(config, sent, form),)* }
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

    /// The id of the record with this number, as it is shown.
    pub fn unique_id(&self, number: u64) -> String {
        match self {
            Self::UniqueId(config) => config.id_of(number),
            _ => UniqueIdConfig::default().id_of(number),
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

/// The form in which a value is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As the API shows it.
    Exact,
    /// Any that has a clear meaning: plain texts, numbers, booleans and lists of them.
    Any,
}

fn read_value<R: Rules>(config: &R::Config, sent: Value, form: Form) -> Option<Result<Input, Flaw>> {
    let rules = R::INPUT?;
    Some(match form {
        Form::Exact => rules.read(config, sent),
        Form::Any => rules.cast(config, sent),
    })
}

fn config_schema<C: Config>() -> Value {
    let mut schema = json!({ "type": "object", "properties": C::keys() });
    if !C::REQUIRED.is_empty() {
        schema["required"] = json!(C::REQUIRED);
    }
    schema
}

impl PropertyConfig {
    /// A configuration from the store; `None` if it is not one of this type.
    pub fn from_stored(kind: PropertyType, stored: Map<String, Value>) -> Option<Self> {
        let mut flaws = Vec::new();
        let reverse_name = PropertyName::from_stored(String::new());
        let mut draw = || PropertyId::LOWEST;
        let mut inputs = ConfigInputs { draw: &mut draw, reverse_name: &reverse_name };
        kind.read_config(&mut Fields::new(stored, "", Origin::Store, &mut flaws), &mut inputs)
    }
}
