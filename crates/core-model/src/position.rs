//! Positions in an order that users arrange: keys between which there is always room for another one.
//!
//! A key is a text over `0-9A-Za-z`, compared byte by byte. Generated keys follow a common scheme: the first letter
//! says how many digits the following whole number has, and the rest is a fraction. So a list that only grows at its
//! ends keeps short keys.

use std::fmt;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A text that is compared as greater than every key.
pub const BEHIND_PAGES: &str = "~";

/// A position in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(String);

/// The text is empty, too long or has a character outside of `0-9A-Za-z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPosition;

impl Position {
    /// How many characters a key has at most.
    pub const MAX: usize = 100;

    /// Parses a position that a caller asks for.
    pub fn parse(text: &str) -> Result<Self, InvalidPosition> {
        if text.len() > Self::MAX { Err(InvalidPosition) } else { Self::parse_taken(text) }
    }

    /// Parses a position that is already in use, whatever its length.
    pub fn parse_taken(text: &str) -> Result<Self, InvalidPosition> {
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidPosition) }
    }

    /// Accepts a value from the store, which was valid when it was written.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The place of databases among the children of a page: behind all pages. Callers cannot name it.
    pub fn behind_pages() -> Self {
        Self(BEHIND_PAGES.to_owned())
    }

    /// The key. Keys are compared byte by byte.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A position after everything. Only the largest possible key has none after it; in that case the same key is
    /// returned.
    #[must_use]
    pub fn after(last: Option<&Self>) -> Self {
        let Some(last) = last else { return Self("a0".to_owned()) };
        let next = last.whole().and_then(increment);
        Self(next.or_else(|| last.next_whole()).unwrap_or_else(|| last.next_fraction()))
    }

    /// A position strictly between two. `None` if there is none: because the second one is not after the first, or
    /// nothing fits between them, or what fits would be too long.
    pub fn between(before: Option<&Self>, behind: Option<&Self>) -> Option<Self> {
        let key = match (before, behind) {
            (_, None) => return Some(Self::after(before)).filter(|key| Some(key) != before),
            (None, Some(behind)) => match behind.whole() {
                Some(whole) if whole.len() < behind.0.len() => whole.to_owned(),
                Some(whole) => match decrement(whole) {
                    Some(key) => key,
                    None => midpoint("", &behind.0)?,
                },
                None => midpoint("", &behind.0)?,
            },
            (Some(before), Some(behind)) if before < behind => {
                let next = before.whole().filter(|_| behind.whole().is_some()).and_then(increment);
                match next {
                    Some(next) if next.as_str() < behind.0.as_str() => next,
                    _ => midpoint(&before.0, &behind.0)?,
                }
            }
            _ => return None,
        };
        Some(Self(key)).filter(|key| key.0.len() <= Self::MAX)
    }

    /// This number of positions in rising order with short keys. Siblings get them when there was no room between two
    /// of them.
    pub fn spread(count: usize) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(Self::after(None)), |last| Some(Self::after(Some(last)))).take(count)
    }

    /// The first whole number after a key of another scheme.
    fn next_whole(&self) -> Option<String> {
        match self.0.as_bytes().first()? {
            // Shortened: the missing digits make the result longer and therefore greater.
            head @ b'a'..=b'z' if self.whole().is_none() => {
                let length = usize::from(head - b'a') + 2;
                Some(format!("{:0<length$}", self.0))
            }
            b'a'..=b'z' => None,
            _ => Some("a0".to_owned()),
        }
    }

    /// A key after one that has no whole number after it: a longer one while there is room, then the next of the same
    /// length.
    fn next_fraction(&self) -> String {
        if self.0.len() < Self::MAX {
            return format!("{}V", self.0);
        }
        let mut digits = self.0.clone().into_bytes();
        for digit in digits.iter_mut().rev() {
            match DIGITS.get(value(*digit) + 1) {
                Some(next) => {
                    *digit = *next;
                    return digits.into_iter().map(char::from).collect();
                }
                None => *digit = DIGITS[0],
            }
        }
        self.0.clone()
    }

    /// The whole number of the key, if it has one.
    fn whole(&self) -> Option<&str> {
        let head = *self.0.as_bytes().first()?;
        let length = match head {
            b'a'..=b'z' => usize::from(head - b'a') + 2,
            b'A'..=b'Z' => usize::from(b'Z' - head) + 2,
            _ => return None,
        };
        self.0.get(..length)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The value of a digit.
fn value(digit: u8) -> usize {
    DIGITS.iter().position(|known| *known == digit).unwrap_or(0)
}

/// The next whole number.
fn increment(whole: &str) -> Option<String> {
    let (head, mut digits) = split(whole)?;
    for digit in digits.iter_mut().rev() {
        match DIGITS.get(value(*digit) + 1) {
            Some(next) => {
                *digit = *next;
                return Some(join(head, &digits));
            }
            None => *digit = DIGITS[0],
        }
    }
    match head {
        b'z' => None,
        b'Z' => Some("a0".to_owned()),
        b'a'..=b'y' => {
            digits.push(DIGITS[0]);
            Some(join(head + 1, &digits))
        }
        _ => {
            digits.pop();
            Some(join(head + 1, &digits))
        }
    }
}

/// The previous whole number.
fn decrement(whole: &str) -> Option<String> {
    let (head, mut digits) = split(whole)?;
    let last = DIGITS[DIGITS.len() - 1];
    for digit in digits.iter_mut().rev() {
        match value(*digit).checked_sub(1) {
            Some(previous) => {
                *digit = DIGITS[previous];
                return Some(join(head, &digits));
            }
            None => *digit = last,
        }
    }
    match head {
        b'A' => None,
        b'a' => Some(join(b'Z', &[last])),
        b'B'..=b'Z' => {
            digits.push(last);
            Some(join(head - 1, &digits))
        }
        _ => {
            digits.pop();
            Some(join(head - 1, &digits))
        }
    }
}

fn split(whole: &str) -> Option<(u8, Vec<u8>)> {
    let (head, digits) = whole.as_bytes().split_first()?;
    Some((*head, digits.to_vec()))
}

fn join(head: u8, digits: &[u8]) -> String {
    std::iter::once(head).chain(digits.iter().copied()).map(char::from).collect()
}

/// A text strictly between two, where `before` is smaller. It never ends with the lowest digit, so that there is room
/// before it.
fn midpoint(before: &str, behind: &str) -> Option<String> {
    let (before, behind) = (before.as_bytes(), behind.as_bytes());
    let mut middle = Vec::new();
    let mut is_bounded = true;
    for place in 0.. {
        let low = before.get(place).map_or(0, |digit| value(*digit));
        let high = match behind.get(place) {
            Some(digit) if is_bounded => value(*digit),
            // Nothing fits after the end of the upper text.
            None if is_bounded => return None,
            _ => DIGITS.len(),
        };
        let between = usize::midpoint(low, high);
        if between > low {
            middle.push(DIGITS[between]);
            break;
        }
        middle.push(DIGITS[low]);
        is_bounded = is_bounded && low == high;
    }
    String::from_utf8(middle).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Position {
        Position::parse(text).unwrap()
    }

    #[test]
    fn made_keys_follow_the_common_scheme() {
        assert_eq!(Position::after(None), at("a0"));
        assert_eq!(Position::after(Some(&at("a0"))), at("a1"));
        assert_eq!(Position::after(Some(&at("az"))), at("b00"));
        assert_eq!(Position::after(Some(&at("a0V"))), at("a1"));
        assert_eq!(Position::between(None, Some(&at("a0"))), Some(at("Zz")));
        assert_eq!(Position::between(None, Some(&at("a0V"))), Some(at("a0")));
        assert_eq!(Position::between(Some(&at("a0")), Some(&at("a1"))), Some(at("a0V")));
        assert_eq!(Position::between(Some(&at("a0")), Some(&at("a2"))), Some(at("a1")));
        assert_eq!(Position::between(Some(&at("Zz")), Some(&at("a1"))), Some(at("a0")));
        assert_eq!(Position::between(Some(&at("a1")), Some(&at("a1"))), None);
        assert_eq!(Position::between(Some(&at("a1")), Some(&at("a0"))), None);
        assert_eq!(Position::between(Some(&at("a")), Some(&at("a0"))), None, "nothing fits between these");
    }

    #[test]
    fn behind_a_sent_key_comes_a_short_one() {
        let z100 = "z".repeat(100);
        for (last, next) in [
            ("9", "a0"),
            ("0zzz", "a0"),
            ("A", "a0"),
            ("b", "b00"),
            ("zz", "zz0000000000000000000000000"),
            (z100.as_str(), z100.as_str()),
        ] {
            assert_eq!(Position::after(Some(&at(last))), at(next), "{last}");
        }
        let full = format!("{}1z", "z".repeat(98));
        assert_eq!(Position::after(Some(&at(&full))), at(&format!("{}20", "z".repeat(98))));
        assert_eq!(Position::between(Some(&at(&z100)), None), None, "nothing is behind the last key there is");
        let (low, high) = (format!("{}1", "a".repeat(99)), format!("{}2", "a".repeat(99)));
        assert_eq!(Position::between(Some(&at(&low)), Some(&at(&high))), None, "what fits would be too long");
    }

    #[test]
    fn only_short_texts_of_the_alphabet_are_positions() {
        assert!(Position::parse(&"z".repeat(100)).is_ok());
        for wrong in ["", "a b", "a-", "\u{e4}", &"z".repeat(101)] {
            assert_eq!(Position::parse(wrong), Err(InvalidPosition), "{wrong}");
        }
    }

    #[test]
    fn spread_places_rise_and_are_short() {
        let places: Vec<_> = Position::spread(5000).collect();
        assert_eq!((places.len(), &places[0], &places[1]), (5000, &at("a0"), &at("a1")));
        assert!(
            places.windows(2).all(|pair| pair[0] < pair[1]) && places.iter().all(|place| place.as_str().len() <= 4)
        );
    }

    proptest! {
        #[test]
        fn inserting_anywhere_keeps_the_order(places in prop::collection::vec(any::<prop::sample::Index>(), 1..200)) {
            let mut order: Vec<Position> = Vec::new();
            for place in places {
                let place = place.index(order.len() + 1);
                let before = place.checked_sub(1).and_then(|place| order.get(place));
                let key = Position::between(before, order.get(place)).unwrap();
                prop_assert!(Position::parse(key.as_str()).is_ok());
                order.insert(place, key);
            }
            prop_assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
        }

        #[test]
        fn every_made_key_is_one_that_could_be_sent(
            last in "[0-9A-Za-z]{1,100}|z{0,3}[a-z][0-9A-Za-z]{90,96}|z{26,100}|z{100}|[0-9A-Z]z{0,99}",
            other in "[0-9A-Za-z]{1,100}|z{90,100}",
        ) {
            let last = at(&last);
            let mut place = last.clone();
            for _ in 0..200 {
                let next = Position::after(Some(&place));
                prop_assert!(Position::parse(next.as_str()).is_ok(), "{next}");
                prop_assert!(next > place || place == at(&"z".repeat(100)), "{next} {place}");
                place = next;
            }
            let other = at(&other);
            let (before, behind) = (last.clone().min(other.clone()), last.max(other));
            for key in [
                Position::between(Some(&before), Some(&behind)),
                Position::between(None, Some(&before)),
                Position::between(Some(&behind), None),
            ].into_iter().flatten() {
                prop_assert!(Position::parse(key.as_str()).is_ok(), "{key}");
            }
        }

        #[test]
        fn a_key_between_two_sent_ones_lies_between(a in "[0-9A-Za-z]{1,8}", b in "[0-9A-Za-z]{1,8}") {
            let (before, behind) = (at(&a).min(at(&b)), at(&a).max(at(&b)));
            if let Some(key) = Position::between(Some(&before), Some(&behind)) {
                prop_assert!(before < key && key < behind, "{before} {key} {behind}");
            }
            prop_assert!(Position::after(Some(&behind)) > behind);
        }

        #[test]
        fn appending_stays_short(count in 1usize..2000) {
            let mut last = None;
            for _ in 0..count {
                last = Some(Position::after(last.as_ref()));
            }
            prop_assert!(last.unwrap().as_str().len() <= 4);
        }
    }
}
