//! Short runs of the fuzz targets on stable Rust. `cargo xtask test --slow` runs each for 20 s.
//!
//! `octavo-blocks-tree` has the same functions in `src/fuzz.rs`; change both. The only crate that could provide them to
//! both without the stores is `octavo-core-model`, as a feature for tests. With that feature, tests would compile it
//! and every crate above it a second time.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the environment says how long a run may take, and a run prints how many inputs it checked"
)]

use proptest::{prelude::*, test_runner::TestRunner};
use std::time::{Duration, Instant};

/// Checks one batch of inputs, and more while there is time.
pub(crate) fn run<S: Strategy>(inputs: &S, batch: u32, check: impl Fn(S::Value)) {
    let begun = Instant::now();
    let mut checked = 0;
    loop {
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(batch) };
        let outcome = TestRunner::new(config).run(inputs, |input| {
            check(input);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{failure}");
        }
        checked += batch;
        if begun.elapsed() >= time() {
            break;
        }
    }
    println!("{checked} inputs in {:?}", begun.elapsed());
}

fn time() -> Duration {
    let is_slow = std::env::var_os("OCTAVO_TEST_SLOW").is_some_and(|value| !value.is_empty() && value != "0");
    if is_slow { Duration::from_secs(20) } else { Duration::ZERO }
}
