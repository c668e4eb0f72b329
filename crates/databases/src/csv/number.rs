//! Numbers in cells.

/// Reads a number: digits with a minus sign, a decimal point and a signed exponent (`1.5e+21`), each optional.
///
/// It returns none for what would not come back from a number as it was, and for what depends on the country:
/// - `007` and `01234`, which are codes; `+4930123456`, which is a phone number; `1E5`, which may be a part number;
/// - more digits than a number keeps, as in the numbers of credit cards and in long ids;
/// - `1,234.5`, `1.234,5`, `1 234` and `12,5`: some people write a thousand like others write a fraction. A single
///   point is always the decimal point;
/// - units, as in `12%`, `$5` and `3 kg`, and words, as in `NaN` and `inf`.
///
/// White space around the number is ignored, and so are zeros at the end of a fraction: `1.50` is 1.5.
pub fn number(text: &str) -> Option<f64> {
    /// More digits than this are only needed for numbers that are far too large or small to be written without
    /// exponent.
    const LONGEST: usize = 64;
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let decimal = Decimal::read(text)?;
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite())?;
    // So many digits always fit.
    let is_kept = (decimal.digits.len() <= 15 && decimal.is_plain) || Decimal::read(&exact(value))?.equals(&decimal);
    is_kept.then_some(value)
}

/// Writes a number with as many digits as are needed to read the same one.
pub(super) fn write_number(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-7..1e21).contains(&magnitude) { number.to_string() } else { exact(number) }
}

/// The number with an exponent, as `number` reads it.
fn exact(number: f64) -> String {
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

/// A number as it is written.
struct Decimal {
    /// The digits between leading and trailing zeros.
    digits: String,
    /// The power of ten that the digits are multiplied by.
    exponent: i64,
    /// Whether it is written without exponent.
    is_plain: bool,
}

impl Decimal {
    fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(read_exponent(exponent)?)),
            None => (text, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let is_code = whole.len() > 1 && whole.starts_with('0');
        let is_number = !(whole.is_empty() && fraction.is_empty()) && is_digits(whole) && is_digits(fraction);
        if is_code || !is_number {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let significant = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - significant.len()).ok()?;
        let decimals = i64::try_from(fraction.len()).ok()?;
        Some(Self {
            digits: significant.trim_start_matches('0').to_owned(),
            exponent: exponent.unwrap_or(0) + dropped - decimals,
            is_plain: exponent.is_none(),
        })
    }

    fn equals(&self, other: &Self) -> bool {
        self.digits == other.digits && (self.exponent == other.exponent || self.digits.is_empty())
    }
}

fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-'])?;
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    text.parse().ok()
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "a number is read exactly or not at all")]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_numbers_are_read() {
        for (text, expected) in [
            ("0", 0.0),
            ("42", 42.0),
            (" -7 ", -7.0),
            ("1.50", 1.5),
            (".5", 0.5),
            ("1.234", 1.234),
            ("1000000", 1e6),
            ("0.30000000000000004", 0.1 + 0.2),
            ("9007199254740992", 9_007_199_254_740_992.0),
            ("1e+21", 1e21),
            ("1.5E-05", 1.5e-5),
            ("0.0", 0.0),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_would_not_come_back_is_no_number() {
        for text in [
            "",
            "-",
            ".",
            "5.",
            "007",
            "-01",
            "+5",
            "1E5",
            "1e5",
            "1e",
            "1e+",
            "1,234.5",
            "1,5",
            "1 234",
            "1_000",
            "1'000",
            "$5",
            "5%",
            "NaN",
            "inf",
            "infinity",
            "0x10",
            "1e+999",
            "1e-999",
            "4111111111111111111",
            "9007199254740993",
            "0.1000000000000000055",
            "--1",
            "1-2",
            "1.2.3",
            "\u{0661}",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(number(&"1".repeat(100_000)), None);
    }

    proptest! {
        #[test]
        fn a_written_number_is_read_as_the_same(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = write_number(value);
            prop_assert_eq!(number(&text).map(f64::to_bits), Some(bits), "{}", text);
        }

        #[test]
        fn any_text_is_read_or_not(text in "[-+0-9eE., ]{0,12}") {
            if let Some(value) = number(&text) {
                prop_assert_eq!(text.trim().parse::<f64>(), Ok(value));
            }
        }
    }
}
