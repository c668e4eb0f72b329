//! What a route can answer with, as its declaration names it.

use super::{Data, Documented, Page};
use serde_json::Value;

/// A type that a route can answer with.
pub trait RouteReply: Documented {
    const MEDIA: &'static str = "application/json";

    /// The same answer in other media types, of which the call chooses one.
    fn alternatives() -> Vec<MediaDoc> {
        Vec::new()
    }
}

/// An answer in one media type, for the description.
#[derive(Debug)]
pub struct MediaDoc {
    pub media: &'static str,
    pub schema: Value,
    pub example: Value,
}

impl<T: Documented> RouteReply for Data<T> {}
impl<T: Documented> RouteReply for Page<T> {}
