//! Arbitrary JSON for a list of nested blocks.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies.rs"]
mod bodies;

fuzz_target!(|sent: &[u8]| bodies::json_list(sent));
