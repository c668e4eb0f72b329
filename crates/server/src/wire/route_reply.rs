//! What a route can answer with, as its declaration names it.

use super::{Data, Documented, Page};

/// A type that a route can answer with.
pub trait RouteReply: Documented {
    const MEDIA: &'static str = "application/json";
}

impl<T: Documented> RouteReply for Data<T> {}
impl<T: Documented> RouteReply for Page<T> {}
