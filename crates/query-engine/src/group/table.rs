//! A hash table from numbers to numbers.

/// A hash table from numbers to numbers. A `BTreeMap` took most of the time of grouping by several levels. The keys are
/// numbers in the order in which things were met, so nobody can choose them to collide; the table is only asked for
/// single keys, so its order shows nowhere.
#[derive(Default)]
pub(super) struct Numbers {
    /// Keys and values; a power of two. No key is `u64::MAX`.
    slots: Vec<(u64, u32)>,
    len: usize,
}

const FREE: u64 = u64::MAX;

impl Numbers {
    /// The value of a key, which becomes this one if there is none yet.
    pub(super) fn get_or_insert(&mut self, key: u64, value: u32) -> u32 {
        if self.slots.len() < 2 * (self.len + 1) {
            self.grow();
        }
        let at = self.place(key);
        if self.slots[at].0 == FREE {
            self.slots[at] = (key, value);
            self.len += 1;
        }
        self.slots[at].1
    }

    /// How many bytes of memory it takes.
    pub(super) const fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, u32)>()
    }

    /// The slot that has a key or is free for it.
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        let mut at = usize::try_from(mixed & mask as u64).unwrap_or_default();
        while self.slots[at].0 != key && self.slots[at].0 != FREE {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        let before = std::mem::replace(&mut self.slots, vec![(FREE, 0); size]);
        for (key, value) in before.into_iter().filter(|(key, _)| *key != FREE) {
            let at = self.place(key);
            self.slots[at] = (key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_acts_like_a_map(keys in prop::collection::vec((0..40_u64, 0..5_u64), 0..300)) {
            let (mut table, mut map) = (Numbers::default(), BTreeMap::new());
            for (value, (above, group)) in (0..).zip(keys) {
                let key = above << 32 | group;
                prop_assert_eq!(table.get_or_insert(key, value), *map.entry(key).or_insert(value));
            }
        }
    }
}
