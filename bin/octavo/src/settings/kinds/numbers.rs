//! Whole numbers and durations within bounds.

use super::{Flaw, Kind, Shape};
use std::{marker::PhantomData, time::Duration};
use validator::ValidateRange;

/// A whole number from `min` to `max`.
pub(in crate::settings) struct Number<T> {
    min: u64,
    max: u64,
    target: PhantomData<T>,
}

impl<T> Number<T> {
    pub(in crate::settings) const fn within(min: u64, max: u64) -> Self {
        Self { min, max, target: PhantomData }
    }
}

/// Parses digits only: `+5`, `5_000` and ` 5` are more likely to be mistakes than numbers.
fn digits(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

impl<T: TryFrom<u64>> Kind for Number<T> {
    type Value = T;
    const NATIVE: Shape = Shape::Number;

    fn wants(&self) -> String {
        format!("a whole number from {} to {}", self.min, self.max)
    }

    fn parse(&self, text: &str) -> Result<T, Flaw> {
        let number = digits(text).ok_or(Flaw::Malformed)?;
        if !number.validate_range(Some(self.min), Some(self.max), None, None) {
            return Err(Flaw::Malformed);
        }
        T::try_from(number).map_err(|_| Flaw::Malformed)
    }
}

/// A whole number up to `max`; 0 means no limit.
pub(in crate::settings) struct NumberOrNone<T>(Number<T>);

impl<T> NumberOrNone<T> {
    pub(in crate::settings) const fn up_to(max: u64) -> Self {
        Self(Number::within(0, max))
    }
}

impl<T: TryFrom<u64> + PartialEq + Default> Kind for NumberOrNone<T> {
    type Value = Option<T>;
    const NATIVE: Shape = Shape::Number;

    fn wants(&self) -> String {
        self.0.wants()
    }

    fn parse(&self, text: &str) -> Result<Option<T>, Flaw> {
        let number = self.0.parse(text)?;
        Ok(if number == T::default() { None } else { Some(number) })
    }
}

/// A number with a unit, from `min` to `max`.
pub(in crate::settings) struct DurationKind {
    pub(in crate::settings) min: Duration,
    pub(in crate::settings) max: Duration,
}

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

fn written(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let whole = UNITS.iter().rev().find(|(_, size)| millis >= *size && millis.is_multiple_of(*size));
    whole.map_or_else(|| "0s".to_owned(), |(unit, size)| format!("{}{unit}", millis / size))
}

impl Kind for DurationKind {
    type Value = Duration;

    fn wants(&self) -> String {
        format!("a duration from {} to {}, such as 500ms, 30s, 15m, 24h or 7d", written(self.min), written(self.max))
    }

    fn parse(&self, text: &str) -> Result<Duration, Flaw> {
        let split = text.find(|c: char| !c.is_ascii_digit()).ok_or(Flaw::Malformed)?;
        let (number, unit) = text.split_at(split);
        let size = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size).ok_or(Flaw::Malformed)?;
        let millis = number.parse::<u64>().ok().and_then(|number| number.checked_mul(size)).ok_or(Flaw::Malformed)?;
        let duration = Duration::from_millis(millis);
        let fits =
            duration.as_millis().validate_range(Some(self.min.as_millis()), Some(self.max.as_millis()), None, None);
        if fits { Ok(duration) } else { Err(Flaw::Malformed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_within_the_bounds_are_a_number() {
        let kind = Number::<u32>::within(2, 300);
        assert_eq!(kind.parse("2"), Ok(2));
        assert_eq!(kind.parse("300"), Ok(300));
        for wrong in ["1", "301", "", "+5", " 5", "5 ", "-5", "5.0", "0x10", "5_0", "٣", "99999999999999999999999"] {
            assert_eq!(kind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
    }

    #[test]
    fn zero_means_none_where_the_kind_says_so() {
        let kind = NumberOrNone::<u32>::up_to(10);
        assert_eq!(kind.parse("0"), Ok(None));
        assert_eq!(kind.parse("10"), Ok(Some(10)));
        assert_eq!(kind.parse("11"), Err(Flaw::Malformed));
    }

    #[test]
    fn a_duration_has_one_number_and_one_unit() {
        let kind = DurationKind { min: Duration::ZERO, max: Duration::from_hours(14 * 24) };
        for (text, millis) in
            [("500ms", 500), ("30s", 30_000), ("15m", 900_000), ("24h", 86_400_000), ("7d", 604_800_000), ("0s", 0)]
        {
            assert_eq!(kind.parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for wrong in ["", "5", "s", "5S", "5 s", "-5s", "1.5s", "5sec", "1h30m", "15d", "99999999999999999999d"] {
            assert_eq!(kind.parse(wrong), Err(Flaw::Malformed), "{wrong:?}");
        }
        assert_eq!(kind.wants(), "a duration from 0s to 14d, such as 500ms, 30s, 15m, 24h or 7d");
    }
}
