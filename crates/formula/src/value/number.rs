//! Numbers as texts, and decimal rounding.

use std::fmt::{self, Write};

/// With one more digit, a number below this has at most 15.
const SHORT: f64 = 1e14;

/// Numbers from here on have no fraction.
const WHOLE_FROM: f64 = 4_503_599_627_370_496.0;

/// Writes a number: in digits if that takes no more than 21 of them before or six zeros after the point, otherwise with
/// an exponent. There is one zero.
pub(crate) fn write(number: f64, out: &mut impl Write) -> fmt::Result {
    let number = number + 0.0;
    let size = number.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return write!(out, "{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => write!(out, "{digits}e+{power}"),
        _ => out.write_str(&text),
    }
}

/// Parses a decimal number with an optional sign, fraction and exponent, and white space around it.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    let number = if is_decimal { text.parse::<f64>().ok()? } else { return None };
    number.is_finite().then_some(number)
}

/// The number with so many digits after the point, halves away from zero. What counts is the number as it is written:
/// 1.005 becomes 1.01, although the closest binary number is a little less.
pub(crate) fn rounded(number: f64, digits: i64) -> f64 {
    let Ok(digits) = i32::try_from(digits.clamp(-400, 400)) else { return number };
    if digits == 0 {
        return number.round();
    }
    if digits > 0 && number.abs() >= WHOLE_FROM {
        return number;
    }
    if digits.abs() <= 21 {
        let scale = 10_f64.powi(digits.abs());
        let scaled = if digits > 0 { number * scale } else { number / scale };
        let from_half = (scaled.abs().fract() - 0.5).abs();
        // Two roundings of the scaled number are smaller than this. So it is on the right side of the half, and what
        // remains is one exactly rounded operation on two whole numbers.
        if scaled.abs() < WHOLE_FROM && from_half > scaled.abs() * (2.0 * f64::EPSILON) {
            let whole = scaled.round();
            return if digits > 0 { whole / scale } else { whole * scale };
        }
        if digits > 0 && scaled.abs() < SHORT {
            return rounded_at_half(number, scaled, scale);
        }
    }
    rounded_as_written(number, digits).unwrap_or(number)
}

/// Rounds a number that is about halfway between two. It is compared with the number for the half as it is written:
/// a decimal of at most 15 digits is the shortest for its number, and numbers are in the order of their decimals.
fn rounded_at_half(number: f64, scaled: f64, scale: f64) -> f64 {
    let whole = scaled.abs().trunc();
    let half = (whole * 10.0 + 5.0) / (scale * 10.0);
    let rounded = if number.abs() >= half { whole + 1.0 } else { whole };
    (rounded / scale).copysign(number)
}

/// Rounds the shortest decimal that reads back as the number. `None` if it does not have that many digits.
fn rounded_as_written(number: f64, digits: i32) -> Option<f64> {
    let text = format!("{:e}", number.abs());
    let (mantissa, power) = text.split_once('e')?;
    let written: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let kept = power.parse::<i32>().ok()? + 1 + digits;
    let Ok(kept) = usize::try_from(kept) else { return Some(0.0) };
    let next = *written.get(kept)?;
    let mut whole = written[..kept].iter().map(|digit| char::from(*digit)).collect::<String>();
    if whole.is_empty() {
        whole.push('0');
    }
    // At most 17 digits.
    let whole = whole.parse::<u64>().ok()? + u64::from(next >= b'5');
    let size: f64 = format!("{whole}e{}", -digits).parse().ok()?;
    Some(size.copysign(number))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    #![allow(clippy::float_cmp, reason = "equal numbers are expected, not close ones")]
    use super::*;
    use proptest::prelude::*;

    fn text(number: f64) -> String {
        let mut text = String::new();
        write(number, &mut text).unwrap();
        text
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let cases = [
            (12.0, "12"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000_001, "0.000001"),
            (1.5e-7, "1.5e-7"),
        ];
        for (number, expected) in cases {
            assert_eq!(text(number), expected);
        }
    }

    #[test]
    fn halves_as_they_are_written_are_rounded_away_from_zero() {
        let cases = [
            (2.5, 0, 3.0),
            (-2.5, 0, -3.0),
            (0.499_999_999_999_999_94, 0, 0.0),
            (1.005, 2, 1.01),
            (-1.005, 2, -1.01),
            (1.045, 2, 1.05),
            (2.345, 2, 2.35),
            (1.004_999_9, 2, 1.0),
            (0.5e-20, 20, 1e-20),
            (0.000_05, 2, 0.0),
            (1250.0, -2, 1300.0),
            (1249.0, -2, 1200.0),
            (50.0, -2, 100.0),
            (49.0, -2, 0.0),
            (1e300, 2, 1e300),
            (1e300, -400, 0.0),
            (0.1, 400, 0.1),
        ];
        for (number, digits, expected) in cases {
            assert!((rounded(number, digits) - expected).abs() < f64::MIN_POSITIVE, "{number} {digits}");
        }
    }

    #[test]
    fn only_decimal_numbers_are_parsed() {
        for (text, expected) in [("12", 12.0), (" -1.5e3\t", -1500.0), ("+7", 7.0), (".5", 0.5)] {
            assert_eq!(parse(text), Some(expected));
        }
        for text in ["", " ", "inf", "NaN", "1e999", "0x10", "1,5", "1 000", "--1", "e5", "\u{663}"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_number_reads_back_from_its_text(number: f64) {
            prop_assume!(number.is_finite());
            prop_assert_eq!(parse(&text(number)), Some(number));
        }

        #[test]
        fn both_ways_of_rounding_agree(number in -1e9..1e9, digits in -10..10_i32) {
            let slow = rounded_as_written(number, digits).unwrap_or(number);
            prop_assert_eq!(rounded(number, i64::from(digits)) + 0.0, slow + 0.0);
        }

        #[test]
        fn tenths_of_a_half_agree_as_well(whole in -1_000_000_i32..1_000_000, digits in 0..5_i32) {
            let number: f64 = format!("{whole}5e-{}", digits + 1).parse().unwrap();
            let expected: f64 = format!("{}e-{digits}", whole.abs() + 1).parse().unwrap();
            let number = number.abs();
            if whole != 0 {
                prop_assert_eq!(rounded(number, i64::from(digits)), expected);
            }
        }
    }
}
