//! The parts of a block that are not rich text.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Keys and their values, ordered by key. Most blocks have one or two, for which a JSON map would need ten times the
/// memory of this list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields(Vec<(Box<str>, Value)>);

impl Fields {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.place_of(key).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// Whether there is no key.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All keys with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.0.iter_mut().map(|(key, value)| (&**key, value))
    }

    pub(super) fn insert(&mut self, key: &str, value: Value) {
        match self.place_of(key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => {
                self.0.reserve_exact(1);
                self.0.insert(at, (key.into(), value));
            }
        }
    }

    /// The keys and values as a JSON map.
    pub fn to_json(&self) -> Map<String, Value> {
        self.clone().into_json()
    }

    pub(super) fn into_json(self) -> Map<String, Value> {
        self.0.into_iter().map(|(key, value)| (key.into(), value)).collect()
    }

    /// Where the key is, or where it belongs.
    fn place_of(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| (**own).cmp(key))
    }
}

impl From<Map<String, Value>> for Fields {
    fn from(map: Map<String, Value>) -> Self {
        // A JSON map is ordered by key.
        let mut fields = Vec::with_capacity(map.len());
        fields.extend(map.into_iter().map(|(key, value)| (key.into_boxed_str(), value)));
        Self(fields)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
