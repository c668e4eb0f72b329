//! Arbitrary Markdown.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies.rs"]
mod bodies;

fuzz_target!(|sent: &str| bodies::markdown(sent));
