//! The HTTP surface of Octavo: routes, replies, errors, OpenAPI.
//!
//! The head guard checks the head of a call; the [`gate`] makes the checks that are the same for all routes; the
//! handler translates between HTTP and a use case; and on the way out the gate adds the common headers to the answer.

pub mod activity;
pub mod answer;
pub mod backend;
pub mod dispatcher;
mod docs_page;
mod entity_tag;
mod event_reply;
mod executor;
#[cfg(test)]
mod fuzzing;
pub mod gate;
mod head_guard;
mod health;
pub mod job_changes;
pub mod keys_in_use;
mod live;
mod load;
pub mod log_changes;
pub mod metrics;
mod notification_reply;
mod openapi;
pub mod refusal;
pub mod request;
pub mod route;
mod screen;
mod serve;
pub mod settings;
pub mod shared_encodings;
mod spool;
pub mod streaming;
#[cfg(test)]
mod tests;
mod typeset;
pub mod v1;
pub mod wire;
pub mod wiring;

/// The folder of the reviewed texts, whose changes must be accepted.
#[cfg(test)]
const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots");

pub use backend::Backend;
pub use job_changes::JobChanges;
pub use log_changes::{AllLogs, LogChanges};
pub use metrics::{ComputeMetrics, Metrics};
pub use openapi::{openapi_json, openapi_yaml};
pub use route::Table;
pub use serve::{Bound, serve};
pub use settings::{Cors, RateLimits, Settings, StreamTimes, Timeouts};
pub use v1::AREAS;
pub use wiring::Wiring;
