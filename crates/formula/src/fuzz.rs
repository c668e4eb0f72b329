//! Short runs of the fuzz target on stable Rust. The random formulas are made of words that the parser knows, so that
//! most get past the first few characters. `cargo xtask test --slow` runs it for 20 s.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "the environment says how long a run may take, and a run prints how many inputs it checked"
)]

#[path = "../fuzz/bodies.rs"]
mod bodies;

use crate::functions;
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};
use std::time::{Duration, Instant};

const SEED: &str = include_str!("../fuzz/seeds/formula/formula");

/// Texts with a meaning in a formula.
#[rustfmt::skip]
const SYNTAX: &[&str] = &[
    " ", "\n", "(", ")", ",", "?", ":", "+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">=", "=", "&&", "and", "or", "not", "true",
    "false", "0", "1", "2.5", "1e308", "1e", ".5", "\"", "'", "\\", "\"a\"", "'\u{e4} '", "\"days\"", "\"2024-02-29\"", "\"YYYY-MM\"", "prop(",
    "prop(\"A\")", "prop('B')", "prop_1", "\u{1f600}", "\u{301}", "\u{a0}", "\u{202e}", "\0", "if(true,", "((((((((", "))))))))", "- - - - ",
];

/// How many formulas are checked between two looks at the time.
const BATCH: u32 = 500;

/// Checks one batch of inputs, and more while there is time.
///
/// `octavo-server` has the same function in `src/fuzzing.rs`, which says why.
pub(crate) fn run<S: Strategy>(inputs: &S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let begun = Instant::now();
    let mut checked = 0;
    loop {
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(BATCH) };
        if let Err(failure) = TestRunner::new(config).run(inputs, &check) {
            panic!("{failure}");
        }
        checked += BATCH;
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

/// Parts of a valid formula, calls, syntax and letters, in random order.
fn text() -> impl Strategy<Value = String> {
    let words: Vec<_> = SEED.split_inclusive([' ', ',', '(', ')']).collect();
    let names: Vec<_> = functions().map(|function| function.name).collect();
    let part = prop_oneof![
        3 => select(words).prop_map(str::to_owned),
        3 => select(SYNTAX).prop_map(|syntax| (*syntax).to_owned()),
        2 => select(names).prop_map(|name| format!("{name}(")),
        1 => ".{0,6}",
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// Calls with fitting brackets, so that most formulas parse.
fn calls() -> impl Strategy<Value = String> {
    let leaf = select(vec!["1", "-2.5", "'a'", "\"1\"", "true", "prop('A')", "prop_1", "now()", "'days'", "1e308"]);
    leaf.prop_map(str::to_owned).prop_recursive(6, 40, 4, |inner| {
        let call =
            (select(functions().collect::<Vec<_>>()), vec(inner.clone(), 4)).prop_map(|(function, arguments)| {
                let (least, _) = function.arity();
                format!("{}({})", function.name, arguments[..least].join(", "))
            });
        let signs = select(vec!["+", "-", "*", "/", "%", "^", "==", "<", ">=", "and", "or"]);
        let infix = (inner.clone(), signs, inner).prop_map(|(left, sign, right)| format!("({left} {sign} {right})"));
        prop_oneof![call, infix]
    })
}

#[test]
fn any_text_is_refused_or_can_be_saved_and_evaluated() {
    run(&prop_oneof![2 => text(), 2 => calls(), 1 => "\\PC{0,60}"], |formula| {
        bodies::formula(&formula);
        Ok(())
    });
}

#[test]
fn the_seed_is_a_formula() {
    assert!(crate::parse(SEED).is_ok());
    bodies::formula(SEED);
}
