//! The use cases of Octavo: load, decide, save, report.
//!
//! One function an operation, and the only place that decides. A use case gets a view or a unit and sees neither
//! a pool nor a clock nor a socket; what is slow (hashing a password) happens in a flow before its unit opens.

pub mod call;
pub mod engine;
pub mod reply;
pub mod rules;
pub mod scope;

pub use call::{Call, Caller, Client};
pub use engine::{AppResult, Bell, Draft, Engine, Stop};
pub use reply::Reply;
pub use rules::{Rules, Signup};
pub use scope::{Unit, View};
