//! The types of views. Each has a file of its own and a row in the table below.

mod board;
mod calendar;
mod chart;
mod config;
mod dashboard;
mod form;
mod gallery;
mod list;
mod rule;
mod table;
mod timeline;

pub use config::ViewConfig;

use octavo_core_model::named;
use rule::{Key, Rule, key};
use serde_json::{Map, Value, json};

/// What is fixed for a type of view.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// What it shows, in one sentence.
    description: &'static str,
    grouping: Grouping,
    /// The keys of the configuration besides [`SHARED`].
    keys: &'static [Key],
    /// Whether the view needs a date to place records; `None` if it has none.
    start: Option<Start>,
}

/// How the records of a view can be grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// They cannot.
    Nowhere,
    /// In several levels.
    Levels,
    /// By one property, whose values are the columns of a board.
    Columns,
}

/// Whether a view needs a date to place records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Optional,
    Required,
}

/// The names of keys that other code reads.
const VISIBLE_PROPERTIES: &str = "visibleProperties";
const START: &str = "startDatePropertyId";
const END: &str = "endDatePropertyId";

/// The keys that every type has.
const SHARED: &[Key] = &[
    key(VISIBLE_PROPERTIES, Rule::Properties, "The properties that are shown, in their order."),
    key("color", Rule::Word, "The name of a colour, or #rrggbb."),
    key("density", Rule::OneOf(&["compact", "comfortable", "spacious"]), "How much room there is between records."),
];

macro_rules! kinds {
    ($($member:ident = $name:literal in $module:ident;)*) => {
        named! {
            /// The type of a view.
            ViewType {
                $($member = $name,)*
            }
        }

        impl ViewType {
            const fn layout(self) -> &'static Layout {
                match self { $(Self::$member => &$module::LAYOUT,)* }
            }
        }
    };
}

kinds! {
    Table = "table" in table;
    List = "list" in list;
    Board = "board" in board;
    Gallery = "gallery" in gallery;
    Calendar = "calendar" in calendar;
    Timeline = "timeline" in timeline;
    Chart = "chart" in chart;
    Dashboard = "dashboard" in dashboard;
    Form = "form" in form;
}

impl ViewType {
    /// What views of this type show, in one sentence.
    pub const fn description(self) -> &'static str {
        self.layout().description
    }

    /// How the records can be grouped.
    pub const fn grouping(self) -> Grouping {
        self.layout().grouping
    }

    fn keys(self) -> impl Iterator<Item = &'static Key> {
        SHARED.iter().chain(self.layout().keys)
    }

    /// The configuration as JSON Schema. No key has to be sent, and null clears a key.
    pub fn config_schema(self) -> Value {
        let described = |key: &Key| {
            let mut schema = key.rule.schema();
            schema["description"] = match schema["description"].as_str() {
                Some(values) => json!(format!("{} {values}.", key.description)),
                None => json!(key.description),
            };
            (key.name.to_owned(), schema)
        };
        let keys: Map<_, _> = self.keys().map(described).collect();
        json!({ "type": "object", "description": self.description(), "properties": keys })
    }
}
