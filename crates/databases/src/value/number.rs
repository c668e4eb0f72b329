//! Finite numbers.

use serde_json::Value;
use std::{cmp::Ordering, fmt, hash::Hash};

/// A finite number. There is one zero, so that equal numbers have equal bits.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Number {
    /// The number, unless it is infinite or no number at all.
    pub fn new(number: f64) -> Option<Self> {
        // Adding zero turns the negative zero into the positive one.
        number.is_finite().then_some(Self(number + 0.0))
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The number if it is whole and every whole number up to it can be told apart.
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    pub fn whole(self) -> Option<i64> {
        const MOST: f64 = 9_007_199_254_740_992.0;
        (self.0.fract() == 0.0 && self.0.abs() <= MOST).then_some(self.0 as i64)
    }

    /// The number in JSON: whole ones without a fraction.
    pub fn to_json(self) -> Value {
        self.whole().map_or_else(|| Value::from(self.0), Value::from)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whole numbers without a fraction, others with as many digits as tell them apart.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_json().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_finite_numbers_are_kept_and_there_is_one_zero() {
        assert_eq!(Number::new(f64::NAN), None);
        assert_eq!(Number::new(f64::INFINITY), None);
        assert_eq!(Number::new(-0.0), Number::new(0.0));
    }

    #[test]
    fn whole_numbers_have_no_fraction_in_json() {
        let text = |number: f64| Number::new(number).map(|number| number.to_json().to_string()).unwrap_or_default();
        assert_eq!(text(12.0), "12");
        assert_eq!(text(-0.0), "0");
        assert_eq!(text(0.1), "0.1");
        assert_eq!(text(1e300), "1e+300");
    }

    proptest! {
        #[test]
        fn a_number_reads_back_from_its_json(number: f64) {
            if let Some(number) = Number::new(number) {
                let read: f64 = serde_json::from_str(&number.to_string()).unwrap_or(f64::NAN);
                prop_assert_eq!(Number::new(read), Some(number));
            }
        }
    }
}
