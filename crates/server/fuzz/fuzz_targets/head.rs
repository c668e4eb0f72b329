//! Heads of requests: whatever the parser accepts can be read in only one way.
//!
//! The parser is compiled into this target, so that it need not be public.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/head.rs"]
mod bodies;
#[path = "../../src/head_guard/head.rs"]
mod head;

fuzz_target!(|sent: &[u8]| bodies::head(sent));
