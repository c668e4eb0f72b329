//! What a handler receives of a request that passed the gate.

mod admitted_request;
mod part;
mod path_template;
mod preference;
pub(crate) mod principal;
mod unknown_fields;
mod upload;

pub use admitted_request::AdmittedRequest;
pub use part::{
    Body, BodyDoc, Confirmation, Cursors, EarlyFields, IfMatch, Inputs, Part, Path, Query, expected_version,
};
pub use path_template::PathTemplate;
pub use upload::Upload;

pub(crate) use preference::preference;
pub(crate) use unknown_fields::BodyReading;
pub(crate) use upload::{Bounds, Unread};
