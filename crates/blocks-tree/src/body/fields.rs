//! The parts of a block that are not rich text.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Keys and their values, ordered by key. Most blocks have one or two, for which a JSON map would need ten times the
/// memory of this list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields(Vec<(Box<str>, Value)>);

impl Fields {
    /// Sorts the pairs by key, because a JSON map need not be sorted: any crate of a build can switch on the feature
    /// `preserve_order` of `serde_json`. Pairs that are sorted already are only compared once.
    fn of_pairs(pairs: impl ExactSizeIterator<Item = (String, Value)>) -> Self {
        let mut fields: Vec<(Box<str>, Value)> = Vec::with_capacity(pairs.len());
        fields.extend(pairs.map(|(key, value)| (key.into_boxed_str(), value)));
        fields.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Self(fields)
    }

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
        Self::of_pairs(map.into_iter())
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_found_in_whatever_order_they_came() {
        let fields = Fields::of_pairs(["c", "a", "d", "b"].map(|key| (key.to_owned(), json!(key))).into_iter());
        assert!(fields.iter().map(|(key, _)| key).eq(["a", "b", "c", "d"]));
        for key in ["a", "b", "c", "d"] {
            assert_eq!(fields.get(key), Some(&json!(key)));
        }
        assert_eq!(fields.get("e"), None);
    }
}
