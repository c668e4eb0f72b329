//! A lower and an upper bound.

use octavo_core_model::fault::Issue;
use octavo_databases::read::{Fields, Flaw};

/// The rule for a lower bound, before the name of the upper one.
pub(crate) const ABOVE: &str = "not above";

/// Bounds that something lies between, with both of them. The lower one is not above the upper one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<T> {
    min: Option<T>,
    max: Option<T>,
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self { min: None, max: None }
    }
}

impl<T: Copy + PartialOrd> Bounds<T> {
    /// The bounds, unless nothing is between them.
    pub fn new(min: Option<T>, max: Option<T>) -> Option<Self> {
        let is_empty = min.zip(max).is_some_and(|(min, max)| min > max);
        (!is_empty).then_some(Self { min, max })
    }

    /// The lower bound.
    pub const fn min(&self) -> Option<T> {
        self.min
    }

    /// The upper bound.
    pub const fn max(&self) -> Option<T> {
        self.max
    }

    /// Reads the bounds in two fields.
    pub(crate) fn read(
        fields: &mut Fields<'_>,
        (min_name, max_name): (&str, &str),
        read: impl Fn(&serde_json::Value, bool) -> Result<T, Flaw>,
    ) -> Option<Self> {
        let min = fields.optional(min_name, |sent| read(sent, false));
        let max = fields.optional(max_name, |sent| read(sent, true));
        let bounds = Self::new(min, max);
        if bounds.is_none() {
            let rule = format!("{ABOVE} {max_name}");
            fields.refuse(min_name, Flaw::new(Issue::MinAboveMax).ruled(&[&rule]), None);
        }
        bounds
    }
}
