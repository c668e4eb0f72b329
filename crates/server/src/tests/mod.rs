//! The HTTP surface over a real socket, in front of a real store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "what fails here fails the test, and tests read the clock themselves"
)]

mod areas;
mod compression;
mod conditional;
mod cors;
mod docs;
mod empty_index;
mod framing;
mod headers;
mod idempotency;
mod limits;
mod live;
mod matrix;
mod operations;
mod server;
mod shutdown;
mod streaming;
mod wire;

use server::Server;
use wire::{Answer, request};
