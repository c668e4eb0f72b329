//! Access requests: members ask for a higher level on a page or database, and people who may grant it decide.

mod ask;
mod decide;
mod list;
mod report;

pub use ask::{NewAccessRequest, ask};
pub use decide::{approve, deny};
pub use list::{AccessRequestList, list};

use octavo_core_model::{access_request::AccessRequest, member::Person, page::ResourceId};

/// A request and the person who asks.
#[derive(Clone, Debug)]
pub struct AccessRequestDetails {
    pub request: AccessRequest,
    /// The page or database that they ask for.
    pub resource: ResourceId,
    pub person: Person,
}
