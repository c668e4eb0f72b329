//! What formulas spend.

/// How many operations a formula took in each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Costs {
    /// The same in every row.
    Same(u32),
    /// Those of each row.
    Each(Vec<u32>),
}

impl Default for Costs {
    fn default() -> Self {
        Self::Same(0)
    }
}

impl Costs {
    /// The operations of a row.
    pub fn get(&self, row: usize) -> u32 {
        match self {
            Self::Same(cost) => *cost,
            Self::Each(costs) => costs.get(row).copied().unwrap_or_default(),
        }
    }

    /// Adds the costs of a block that begins behind `rows` others.
    pub(super) fn append(&mut self, rows: usize, block: Self) {
        match (&mut *self, block) {
            (_, block) if rows == 0 => *self = block,
            (Self::Same(cost), Self::Same(of_block)) if *cost == of_block => {}
            (Self::Each(costs), Self::Each(of_block)) => costs.extend(of_block),
            (_, Self::Each(of_block)) => {
                *self = Self::Each((0..rows).map(|row| self.get(row)).chain(of_block).collect());
            }
            // All blocks of a program are of one kind, so they also have one cost if it is the same in every row.
            (_, Self::Same(_)) => {}
        }
    }
}
