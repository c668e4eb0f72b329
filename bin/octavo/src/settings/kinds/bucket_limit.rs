//! The limit of a rate-limit bucket.

use super::NumberOrNone;

/// The largest limit. Clients see this limit for a bucket that is turned off, so no real one may exceed it.
const MOST: u64 = 1_000_000;

pub(in crate::settings) const BUCKET_LIMIT: NumberOrNone<u32> = NumberOrNone::up_to(MOST);
