//! Bodies and documents in JSON: whatever the parser accepts can be read in only one way.
//!
//! The parser is compiled into this target, so that it need not be public.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies/json.rs"]
mod bodies;
#[path = "../../src/wire/json.rs"]
mod json;

fuzz_target!(|sent: &[u8]| bodies::json(sent));
