//! The representation of terms of the audit trail.

use crate::wire::{Documented, Readable};
use octavo_core_model::{
    audit::ActionPattern,
    fault::{Hint, Issue},
};
use serde_json::{Value, json};
use std::net::IpAddr;

impl Documented for ActionPattern {
    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "pattern": "^[^*]*\\*?$" })
    }

    fn example() -> Value {
        "user.*".into()
    }
}

impl Readable for ActionPattern {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_str().ok_or(Issue::InvalidType)?.parse().map_err(|_| Issue::InvalidFormat)
    }
}

/// An IP address in any notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) IpAddr);

impl Documented for Address {
    fn schema() -> Value {
        json!({ "type": "string", "anyOf": [{ "format": "ipv4" }, { "format": "ipv6" }] })
    }

    fn example() -> Value {
        "203.0.113.7".into()
    }
}

impl Readable for Address {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        text.parse().map(Self).map_err(|_| Issue::InvalidFormat)
    }

    fn hint(issue: Issue) -> Hint {
        match issue {
            Issue::InvalidFormat => Hint::ruled_by(&["an IP address, for example 203.0.113.7 or 2001:db8::7"]),
            _ => Hint::default(),
        }
    }
}

/// A hash as the trail shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hash(pub(crate) String);

impl Documented for Hash {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }

    fn example() -> Value {
        "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13".into()
    }
}

impl Readable for Hash {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        let is_hash = text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        if is_hash { Ok(Self(text.to_owned())) } else { Err(Issue::InvalidFormat) }
    }
}
