//! The harness of end-to-end tests: a real server, users, mail, and raw connections.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a harness that fails fails its test, and tells why on stderr"
)]
#![allow(clippy::return_self_not_must_use, reason = "many a step of a test matters for what it does alone")]

pub mod answer;
pub mod at_once;
mod binary;
pub mod browser;
pub mod command_result;
mod conventions;
pub mod deployment;
pub mod description;
pub mod engine;
pub mod event_stream;
pub mod jwt;
mod launcher;
pub mod mailbox;
pub mod output;
pub mod own_server;
pub mod person;
pub mod poll;
pub mod postgres;
pub mod proxy;
pub mod reason;
pub mod request;
pub mod server;
pub mod shape;
pub mod shared;
pub mod smtp;
pub mod tenant;
pub mod wire;

pub use answer::Answer;
pub use browser::Browser;
pub use deployment::Deployment;
pub use engine::Engine;
pub use event_stream::{EventStream, Frame};
pub use own_server::OwnServer;
pub use person::Person;
pub use reason::Reason;
pub use request::{Request, Site};
pub use server::Server;
pub use tenant::Tenant;
