//! Third-party programs against the real binary: libraries for OAuth, tools that check the description of the API, and
//! clients that are generated from it, and a browser with an example.
//!
//! They are not part of the workspace: `cargo xtask test --clients` downloads them and passes their folder to these
//! tests. Without that, the tests do nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed unwrap is a failed test")]

mod generated;
mod linters;
mod live;
mod oauth;
mod programs;
