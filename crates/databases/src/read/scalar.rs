//! Single values.

use super::Flaw;
use octavo_core_model::{
    fault::{Hint, Issue},
    text::TextFlaw,
};
use serde_json::Value;
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// A text.
pub fn text(sent: &Value) -> Result<&str, Flaw> {
    sent.as_str().ok_or(Flaw::new(Issue::InvalidType))
}

/// True or false.
pub fn boolean(sent: &Value) -> Result<bool, Flaw> {
    sent.as_bool().ok_or_else(|| Flaw::new(Issue::InvalidType).hinting(Hint::boolean()))
}

/// A whole number within bounds.
pub fn whole(sent: &Value, bounds: RangeInclusive<u32>) -> Result<u32, Flaw> {
    let number = sent.as_number().ok_or(Flaw::new(Issue::InvalidType))?;
    let (least, most) = (*bounds.start(), *bounds.end());
    let hint = Hint { min: Some(least.into()), max: Some(most.into()), ..Hint::default() };
    let flaw = |issue| Flaw::new(issue).hinting(hint);
    let number = number.as_f64().unwrap_or(f64::NAN);
    if number < f64::from(least) {
        return Err(flaw(Issue::TooSmall));
    }
    if number > f64::from(most) {
        return Err(flaw(Issue::TooLarge));
    }
    if number.fract() != 0.0 {
        return Err(flaw(Issue::InvalidType));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and within the bounds")]
    Ok(number as u32)
}

/// A member of an enumeration.
pub fn one_of<T: FromStr + fmt::Display + Copy>(sent: &Value, all: &[T]) -> Result<T, Flaw> {
    let allowed = || Hint::one_of(all.iter().copied());
    let name = sent.as_str().ok_or_else(|| Flaw::new(Issue::InvalidType).hinting(allowed()))?;
    name.parse().map_err(|_| Flaw::new(Issue::InvalidValue).hinting(allowed()))
}

/// A text with a rule of the core and at most `max` characters.
pub fn line<T>(sent: &Value, parse: fn(&str) -> Result<T, TextFlaw>, max: usize) -> Result<T, Flaw> {
    parse(text(sent)?).map_err(|flaw| Flaw::of_text(flaw, max))
}

/// An id with this prefix.
pub fn id<T: FromStr>(sent: &Value, prefix: &str) -> Result<T, Flaw> {
    text(sent)?.parse().map_err(|_| Flaw::of_pattern(Issue::InvalidId, id_pattern(prefix)))
}

/// The pattern of ids with a prefix.
pub fn id_pattern(prefix: &str) -> String {
    format!("^{prefix}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_whole_number_is_within_its_bounds() {
        let issue = |sent| whole(&sent, 1..=100).map_err(|flaw| flaw.issue);
        assert_eq!(issue(json!(100)), Ok(100));
        assert_eq!(issue(json!(1.0)), Ok(1));
        assert_eq!(issue(json!(0)), Err(Issue::TooSmall));
        assert_eq!(issue(json!(1e300)), Err(Issue::TooLarge));
        assert_eq!(issue(json!(1.5)), Err(Issue::InvalidType));
        assert_eq!(issue(json!("1")), Err(Issue::InvalidType));
    }
}
