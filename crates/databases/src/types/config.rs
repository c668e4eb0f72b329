//! What every configuration can do.

use crate::{
    options::{self, Options},
    read::Fields,
};
use octavo_core_model::{id::PropertyId, text::PropertyName};
use serde_json::{Map, Value};

/// What a configuration can need besides what was sent.
pub struct ConfigInputs<'a> {
    /// Draws the id of the property on the other side of a relation.
    pub draw: &'a mut dyn FnMut() -> PropertyId,
    /// The name of that property unless one is sent.
    pub reverse_name: &'a PropertyName,
}

/// A configuration that can be read and written.
pub(crate) trait Config: Sized + 'static {
    /// Reads a whole configuration, or with one before a merge patch of it. Reports all flaws; `None` if there are
    /// any that leave no configuration.
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, inputs: &mut ConfigInputs<'_>) -> Option<Self>;

    /// The configuration in JSON.
    fn write(&self) -> Map<String, Value>;

    /// The keys as JSON Schema.
    fn keys() -> Map<String, Value>;

    /// The keys that must be sent when the property is created.
    const REQUIRED: &'static [&'static str] = &[];
}

/// The configuration of the types that have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoConfig;

impl Config for NoConfig {
    fn read(_: Option<&Self>, _: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        Some(Self)
    }

    fn write(&self) -> Map<String, Value> {
        Map::new()
    }

    fn keys() -> Map<String, Value> {
        Map::new()
    }
}

impl Config for Options {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        options::read::read(before.unwrap_or(&Self::default()), fields)
    }

    fn write(&self) -> Map<String, Value> {
        object([("options", self.to_json())])
    }

    fn keys() -> Map<String, Value> {
        object([("options", options::read::schema())])
    }
}

/// An object with these keys.
pub(super) fn object<const N: usize>(keys: [(&str, Value); N]) -> Map<String, Value> {
    keys.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
