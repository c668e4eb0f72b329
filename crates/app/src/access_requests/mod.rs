//! Access requests: asking for more on a page, and what those decide who may grant it.

mod ask;
mod decide;
mod list;
mod report;

pub use ask::{Wish, ask};
pub use decide::{approve, deny};
pub use list::{AccessRequestList, list};

use octavo_core_model::{access_request::AccessRequest, member::Person};

/// A request and who asks.
#[derive(Clone, Debug)]
pub struct Shown {
    pub request: AccessRequest,
    pub person: Person,
}
