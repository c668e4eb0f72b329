//! A set of rows: one bit for each row of a chunk.

/// One bit for each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// So many bits that are not set.
    pub(crate) fn none(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// So many bits that are set.
    pub(crate) fn all(len: usize) -> Self {
        let mut bits = Self { words: vec![u64::MAX; len.div_ceil(64)], len };
        bits.trim();
        bits
    }

    /// The bits for which a function returns true.
    #[inline]
    pub(crate) fn collect(len: usize, mut is_set: impl FnMut(usize) -> bool) -> Self {
        let words = (0..len.div_ceil(64)).map(|word| {
            let start = word * 64;
            let end = len.min(start + 64);
            (start..end).fold(0_u64, |word, row| word | u64::from(is_set(row)) << (row - start))
        });
        Self { words: words.collect(), len }
    }

    /// The bits of 64 rows each, the first row in the lowest bit.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many rows there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Whether a bit is set. Rows that do not exist have none.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Sets the bit of an existing row.
    pub(crate) fn set(&mut self, row: usize) {
        debug_assert!(row < self.len);
        if let Some(word) = self.words.get_mut(row / 64) {
            *word |= 1 << (row % 64);
        }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, is_set: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if is_set {
            self.set(self.len - 1);
        }
    }

    /// Keeps the bits that are set in the other set as well.
    pub(crate) fn keep(&mut self, other: &Self) {
        self.combine(other, |a, b| a & b);
    }

    /// Removes the bits that are set in the other set.
    pub(crate) fn remove(&mut self, other: &Self) {
        self.combine(other, |a, b| a & !b);
    }

    /// Adds the bits that are set in the other set.
    pub(crate) fn add(&mut self, other: &Self) {
        self.combine(other, |a, b| a | b);
    }

    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        debug_assert_eq!(self.len, other.len);
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = combine(*word, *other);
        }
    }

    /// The other bits.
    #[must_use]
    pub(crate) fn inverted(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        self.trim();
        self
    }

    /// How many bits are set.
    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether any bit is set.
    pub(crate) fn any(&self) -> bool {
        self.words.iter().any(|word| *word != 0)
    }

    /// The rows whose bits are set, in rising order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, word)| Ones(*word).map(move |bit| index * 64 + bit))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    pub(crate) fn shrink(&mut self) {
        self.words.shrink_to_fit();
    }

    /// Clears the bits behind the last row.
    fn trim(&mut self) {
        if let (Some(last), rest @ 1..) = (self.words.last_mut(), self.len % 64) {
            *last &= (1 << rest) - 1;
        }
    }
}

/// The places of the bits that are set in a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(list: &[bool]) -> Bits {
        Bits::collect(list.len(), |row| list[row])
    }

    fn list(bits: &Bits) -> Vec<bool> {
        (0..bits.len()).map(|row| bits.get(row)).collect()
    }

    proptest! {
        #[test]
        fn they_act_like_a_list_of_booleans(pairs in prop::collection::vec(any::<(bool, bool)>(), 0..200)) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            let combined = |combine: fn(&mut Bits, &Bits)| {
                let mut bits = of(&a);
                combine(&mut bits, &of(&b));
                list(&bits)
            };
            let wanted = |combine: fn(bool, bool) -> bool| pairs.iter().map(|(a, b)| combine(*a, *b)).collect::<Vec<_>>();
            prop_assert_eq!(combined(Bits::keep), wanted(|a, b| a && b));
            prop_assert_eq!(combined(Bits::add), wanted(|a, b| a || b));
            prop_assert_eq!(combined(Bits::remove), wanted(|a, b| a && !b));
            prop_assert_eq!(list(&of(&a).inverted()), wanted(|a, _| !a));
            let rows: Vec<_> = (0..a.len()).filter(|row| a[*row]).collect();
            prop_assert_eq!(of(&a).count(), rows.len());
            prop_assert_eq!(of(&a).any(), !rows.is_empty());
            prop_assert_eq!(of(&a).rows().collect::<Vec<_>>(), rows);
            let mut pushed = Bits::default();
            for is_set in &a {
                pushed.push(*is_set);
            }
            prop_assert_eq!(pushed, of(&a));
            prop_assert_eq!(Bits::all(a.len()), Bits::none(a.len()).inverted());
        }
    }
}
