//! Arbitrary forms and submissions.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bodies.rs"]
mod bodies;

fuzz_target!(|sent: &str| {
    bodies::form(sent);
});
