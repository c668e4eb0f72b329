//! Types for requests about notifications and follows.

use super::text;
use crate::wire::{Documented, Readable, Writable};
use octavo_core_model::{fault::Issue, follow::FollowTarget, id::PageId, notification::DailyTime};
use serde::Serializer;
use serde_json::{Value, json};

/// A page, a database or a thread.
impl Documented for FollowTarget {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(pg|db|cmt)_[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
    }

    fn example() -> Value {
        PageId::example()
    }
}

impl Readable for FollowTarget {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map_err(|_| Issue::InvalidId)
    }
}

impl Writable for FollowTarget {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Documented for DailyTime {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$" })
    }

    fn example() -> Value {
        Self::DEFAULT.to_string().into()
    }
}

impl Readable for DailyTime {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map_err(|_| Issue::InvalidFormat)
    }
}

impl Writable for DailyTime {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
