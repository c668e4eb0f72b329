//! What a route can answer with, as its declaration names it.

use super::{Data, Documented, Named, Page};
use serde_json::Value;
use std::marker::PhantomData;

/// A type that a route can answer with.
pub trait RouteReply: Documented {
    const MEDIA: &'static str = "application/json";

    /// Whether the answer has a `Location`.
    const HAS_LOCATION: bool = false;

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

/// An answer with the path of the new thing in `Location` ([`octavo_app::Reply::at`]).
#[derive(Debug)]
pub struct Located<T>(PhantomData<T>);

impl<T: Documented> Documented for Located<T> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        T::schema()
    }

    fn example() -> Value {
        T::example()
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: RouteReply> RouteReply for Located<T> {
    const MEDIA: &'static str = T::MEDIA;
    const HAS_LOCATION: bool = true;

    fn alternatives() -> Vec<MediaDoc> {
        T::alternatives()
    }
}

impl<T: Documented> RouteReply for Data<T> {}
impl<T: Documented> RouteReply for Page<T> {}
