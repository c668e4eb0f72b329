//! The place where the results of a search continue.

use octavo_core_model::Timestamp;
use octavo_ports::search::{Mark, UnitKey};
use octavo_search::Class;
use std::{fmt, str::FromStr};

/// Numbers are written with these digits, because a query has up to a hundred terms, and a cursor must not be long.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// How many digits the weight of a term has. An index gives no term more weight than fits.
const WEIGHT_DIGITS: usize = 3;
const MOST_WEIGHT: u32 = 36_u32.pow(3) - 1;

/// The place where the results of a search continue. It can be parsed from its text form.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPlace(pub(super) Mark);

/// The text is not such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSearchPlace;

impl fmt::Display for SearchPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mark { class, score, time, key, weights } = &self.0;
        let (score, time) = (digits((*score).into()), digits(time.millis().unsigned_abs()));
        write!(f, "{} {score} {time} {key} ", *class as u8)?;
        weights
            .iter()
            .try_for_each(|weight| write!(f, "{:0>WEIGHT_DIGITS$}", digits((*weight).min(MOST_WEIGHT).into())))
    }
}

fn digits(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let [low, ..] = (number % 36).to_le_bytes();
        digits.push(char::from(DIGITS[usize::from(low)]));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

impl FromStr for SearchPlace {
    type Err = InvalidSearchPlace;

    fn from_str(text: &str) -> Result<Self, InvalidSearchPlace> {
        read(text).map(Self).ok_or(InvalidSearchPlace)
    }
}

fn read(text: &str) -> Option<Mark> {
    let mut parts = text.split(' ');
    let class = match parts.next()? {
        "0" => Class::WholeTitle,
        "1" => Class::InTitle,
        "2" => Class::Elsewhere,
        _ => return None,
    };
    let score = u32::from_str_radix(parts.next()?, 36).ok()?;
    let time = Timestamp::from_millis(i64::from_str_radix(parts.next()?, 36).ok()?);
    let key: UnitKey = parts.next()?.parse().ok()?;
    let weights = parts.next()?;
    if parts.next().is_some() || weights.len() % WEIGHT_DIGITS != 0 {
        return None;
    }
    let weights = weights.as_bytes().chunks(WEIGHT_DIGITS);
    let weights = weights.map(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 36).ok());
    Some(Mark { class, score, time, key, weights: weights.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::RecordId;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let mark = Mark {
            class: Class::InTitle,
            score: 4_294_967_295,
            time: Timestamp::from_millis(1_790_000_000_000),
            key: UnitKey::Record(RecordId::EXAMPLE),
            weights: vec![0, 35, 36, 14_000, MOST_WEIGHT],
        };
        let text = SearchPlace(mark.clone()).to_string();
        assert_eq!(text.parse(), Ok(SearchPlace(mark)));
        for wrong in ["", "3 1 1 rpt_1 ", &text[..text.len() - 1], &format!("{text} 1"), &text.replace("rpt_", "xyz_")]
        {
            assert_eq!(wrong.parse::<SearchPlace>(), Err(InvalidSearchPlace), "{wrong}");
        }
    }

    #[test]
    fn the_longest_query_fits_into_a_cursor() {
        let key = UnitKey::Record(RecordId::EXAMPLE);
        let weights = vec![MOST_WEIGHT; octavo_search::MAX_QUERY / 2];
        let mark = Mark {
            class: Class::Elsewhere,
            score: u32::MAX,
            time: Timestamp::from_millis(9_999_999_999_999),
            key,
            weights,
        };
        // With its code, in base64, a cursor has at most 512 characters.
        assert!(SearchPlace(mark).to_string().len() <= 352);
    }
}
