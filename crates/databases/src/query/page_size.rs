//! How many records one answer has.

use crate::read::Flaw;
use octavo_core_model::fault::{Hint, Issue};
use serde_json::Value;

/// How many records one answer has: 1 to 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u8);

impl PageSize {
    /// The largest one; a larger one that is sent is lowered to it.
    pub const MAX: u8 = 200;

    /// The number of records.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The page size for a number that a query parameter or the store holds; `None` if it is below 1.
    pub fn new(records: i64) -> Option<Self> {
        (records >= 1).then(|| Self(u8::try_from(records).unwrap_or(Self::MAX).min(Self::MAX)))
    }

    pub(crate) fn read(sent: &Value) -> Result<Self, Flaw> {
        let number = sent.as_number().ok_or(Flaw::new(Issue::InvalidType))?;
        let number = number.as_f64().unwrap_or(f64::NAN);
        if number < 1.0 {
            return Err(Flaw::new(Issue::TooSmall).hinting(Hint { min: Some(1), ..Hint::default() }));
        }
        if number.fract() != 0.0 {
            return Err(Flaw::new(Issue::InvalidType));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 1 and 200")]
        Ok(Self(number.min(f64::from(Self::MAX)) as u8))
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self(50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_size_over_the_largest_is_lowered_and_one_below_1_is_refused() {
        let read = |sent: Value| PageSize::read(&sent).map(PageSize::get).map_err(|flaw| flaw.issue);
        assert_eq!(read(json!(200)), Ok(200));
        assert_eq!(read(json!(1e300)), Ok(200));
        assert_eq!(read(json!(1)), Ok(1));
        assert_eq!(read(json!(0)), Err(Issue::TooSmall));
        assert_eq!(read(json!(-1e300)), Err(Issue::TooSmall));
        assert_eq!(read(json!(1.5)), Err(Issue::InvalidType));
        assert_eq!(read(json!("50")), Err(Issue::InvalidType));
        assert_eq!((PageSize::new(0), PageSize::new(i64::MAX)), (None, Some(PageSize(200))));
    }
}
