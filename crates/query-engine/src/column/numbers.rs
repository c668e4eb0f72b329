//! Numbers.

use crate::bits::Bits;

/// Numbers of a chunk; those that are missing are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) values: Vec<f64>,
    pub(crate) filled: Bits,
}

impl Numbers {
    pub(crate) fn push(&mut self, number: Option<f64>) {
        self.values.push(number.unwrap_or_default());
        self.filled.push(number.is_some());
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<f64> {
        self.filled.get(row).then(|| self.values[row])
    }

    pub(crate) fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.filled.shrink();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * 8 + self.filled.bytes()
    }
}
