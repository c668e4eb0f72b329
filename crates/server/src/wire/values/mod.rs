//! The representation of the core's types in requests and replies.

mod bounded;
mod ids;
mod listed;
mod notifications;
mod pages;
mod plain;
mod texts;
mod words;

pub use bounded::{ConfirmationText, Several, Text, Whole};
pub use listed::Listed;
pub use pages::{
    ChangedByMove, Neighbour, NeighbourFavorite, Parent, Root, Sort, TreeRootRef, UnsupportedField, Version,
    VersionLabel,
};
pub use plain::Unchangeable;

use octavo_core_model::fault::Issue;
use serde_json::Value;

fn text(value: &Value) -> Result<&str, Issue> {
    value.as_str().ok_or(Issue::InvalidType)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Documented, Readable};
    use octavo_core_model::{
        KeyScope, Secret, Timestamp,
        id::{SessionId, UserId},
        network::Network,
        session::SessionStatus,
        text::{Email, Name, NewPassword},
    };
    use serde_json::json;

    fn reads<T: Readable>(value: &Value) -> Result<(), Issue> {
        T::read(value).map(|_| ())
    }

    #[test]
    fn every_flaw_has_its_issue() {
        for (found, expected) in [
            (reads::<Email>(&json!("ada@example.com")), Ok(())),
            (reads::<Email>(&json!(7)), Err(Issue::InvalidType)),
            (reads::<Email>(&json!("ada")), Err(Issue::InvalidFormat)),
            (reads::<Name>(&json!("  ")), Err(Issue::TooShort)),
            (reads::<Name>(&json!("x".repeat(101))), Err(Issue::TooLong)),
            (reads::<NewPassword>(&json!("short")), Err(Issue::TooShort)),
            (reads::<UserId>(&json!("wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")), Err(Issue::InvalidId)),
            (reads::<SessionStatus>(&json!("active")), Err(Issue::InvalidValue)),
            (reads::<Timestamp>(&json!("yesterday")), Err(Issue::InvalidFormat)),
            (reads::<bool>(&json!("true")), Err(Issue::InvalidType)),
            (reads::<Whole<1, 9>>(&json!(0)), Err(Issue::TooSmall)),
            (reads::<Whole<1, 9>>(&json!(u64::MAX)), Err(Issue::TooLarge)),
            (reads::<Whole<1, 9>>(&json!(1.5)), Err(Issue::InvalidType)),
            (<Whole<1, 9>>::read_text("9.0").map(|_| ()), Ok(())),
            (<Whole<1, 9>>::read_text("09").map(|_| ()), Ok(())),
            (<Whole<1, 9>>::read_text("9.5").map(|_| ()), Err(Issue::InvalidType)),
            (<Whole<1, 9>>::read_text("99999999999999999999").map(|_| ()), Err(Issue::InvalidType)),
            (reads::<Text<2, 3>>(&json!("\u{1F600}")), Err(Issue::TooShort)),
            (reads::<Text<2, 3>>(&json!("abcd")), Err(Issue::TooLong)),
            (reads::<Several<KeyScope, 1, 2>>(&json!(["READ"])), Ok(())),
            (reads::<Several<KeyScope, 1, 2>>(&json!([])), Err(Issue::TooShort)),
            (reads::<Several<KeyScope, 1, 2>>(&json!(["READ", "READ", "READ"])), Err(Issue::TooLong)),
            (reads::<Several<KeyScope, 1, 2>>(&json!(["READ", "read"])), Err(Issue::InvalidValue)),
            (reads::<Several<KeyScope, 1, 2>>(&json!("READ")), Err(Issue::InvalidType)),
            (reads::<Network>(&json!("10.0.0.0/33")), Err(Issue::InvalidFormat)),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn example_ids_are_ids() {
        assert!(reads::<UserId>(&UserId::example()).is_ok());
        assert!(reads::<SessionId>(&SessionId::example()).is_ok());
    }

    #[test]
    fn only_secrets_hide_what_was_received() {
        assert_eq!([NewPassword::SECRET, <Secret<String>>::SECRET], [true; 2]);
        assert_eq!([Email::SECRET, UserId::SECRET, Name::SECRET], [false; 3]);
    }
}
