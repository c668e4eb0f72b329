//! The rows of a block for which steps are evaluated.

/// Rows of a block, in their order.
#[derive(Clone, Debug)]
pub(super) enum Selection {
    /// The first so many: all of them.
    All(usize),
    /// These.
    Rows(Vec<usize>),
}

impl Selection {
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::All(rows) => *rows,
            Self::Rows(rows) => rows.len(),
        }
    }

    /// The row in a place of the selection.
    pub(super) fn row(&self, place: usize) -> usize {
        match self {
            Self::All(_) => place,
            Self::Rows(rows) => rows.get(place).copied().unwrap_or_default(),
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|place| self.row(place))
    }
}
