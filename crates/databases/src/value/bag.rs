//! All values of a record.

use super::PropertyValue;

/// The values of a record by the slots of their properties. A property without value is not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Vec<(u32, PropertyValue)>);

impl Values {
    /// The value in a slot.
    pub fn get(&self, slot: u32) -> Option<&PropertyValue> {
        self.place(slot).ok().map(|at| &self.0[at].1)
    }

    /// Puts a value into a slot, or clears the slot. A value that says nothing clears it too.
    pub fn set(&mut self, slot: u32, value: Option<PropertyValue>) {
        match (self.place(slot), value.filter(|value| !value.is_unset())) {
            (Ok(at), Some(value)) => self.0[at].1 = value,
            (Ok(at), None) => drop(self.0.remove(at)),
            (Err(at), Some(value)) => self.0.insert(at, (slot, value)),
            (Err(_), None) => {}
        }
    }

    /// The values, by rising slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &PropertyValue)> {
        self.0.iter().map(|(slot, value)| (*slot, value))
    }

    /// Whether no property has a value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, slot: u32) -> Result<usize, usize> {
        // Slots are mostly read and written in rising order.
        match self.0.last() {
            Some((last, _)) if *last >= slot => self.0.binary_search_by_key(&slot, |(slot, _)| *slot),
            _ => Err(self.0.len()),
        }
    }
}

impl FromIterator<(u32, PropertyValue)> for Values {
    fn from_iter<I: IntoIterator<Item = (u32, PropertyValue)>>(values: I) -> Self {
        let mut bag = Self::default();
        for (slot, value) in values {
            bag.set(slot, Some(value));
        }
        bag
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_acts_like_a_map(changes in prop::collection::vec((0_u32..20, any::<Option<bool>>()), 0..60)) {
            let (mut bag, mut map) = (Values::default(), BTreeMap::new());
            for (slot, sent) in changes {
                bag.set(slot, sent.map(PropertyValue::Checkbox));
                match sent {
                    Some(true) => drop(map.insert(slot, PropertyValue::Checkbox(true))),
                    _ => drop(map.remove(&slot)),
                }
                prop_assert_eq!(bag.get(slot), map.get(&slot));
            }
            prop_assert_eq!(bag.iter().collect::<Vec<_>>(), map.iter().map(|(slot, value)| (*slot, value)).collect::<Vec<_>>());
        }
    }
}
