//! The count of a rate-limit bucket.

use super::NumberOrNone;

/// The largest count. A bucket that is turned off is shown to clients with this limit, so no real one may pass it.
const MOST: u64 = 1_000_000;

pub(in crate::settings) const BUCKET_LIMIT: NumberOrNone<u32> = NumberOrNone::up_to(MOST);
