//! Short runs of the fuzz target on stable Rust, with bodies that are made of words which forms know.
//! `cargo xtask test --slow` runs it for 20 s.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "the environment says how long a run may take, and a run prints how many inputs it checked"
)]

#[path = "../fuzz/bodies.rs"]
mod bodies;

use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

const SEED: &str = include_str!("../fuzz/seeds/form/form");

/// Keys of bodies.
const KEYS: &[&str] = &[
    "form",
    "submission",
    "name",
    "description",
    "status",
    "slug",
    "config",
    "questions",
    "answers",
    "type",
    "label",
    "required",
    "placeholder",
    "validation",
    "propertyId",
    "position",
    "minLength",
    "maxLength",
    "pattern",
    "min",
    "max",
    "integer",
    "minDate",
    "maxDate",
    "options",
    "default",
    "maxFiles",
    "maxBytes",
    "accent",
    "intro",
    "icon",
    "recaptcha",
    "enabled",
    "poweredBy",
    "frq_00000000000000000000000001",
    "frq_00000000000000000000000002",
    "website",
    "hp",
    "id",
];

/// How many bodies are checked between two looks at the time.
const BATCH: u32 = 200;

/// Checks one batch of inputs, and more while there is time.
///
/// `octavo-server` has the same function in `src/fuzzing.rs`, which says why.
fn run<S: Strategy>(inputs: &S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) {
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

/// Any JSON with these keys.
pub(crate) fn json_of(keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3..60_i32).prop_map(Value::from),
        select(vec![
            "SHORT_TEXT",
            "MULTI_SELECT",
            "RATING",
            "FILE",
            "PUBLISHED",
            "2024-02-29",
            "(a+)+",
            "red",
            "",
            "a"
        ])
        .prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((select(keys), inner), 0..8).prop_map(|pairs| {
                Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

/// The seed with some of its values replaced, so that most of it is right.
fn changed() -> impl Strategy<Value = String> {
    let seed: Value = serde_json::from_str(SEED).unwrap_or_default();
    vec((any::<prop::sample::Index>(), json_of(KEYS)), 0..3).prop_map(move |changes| {
        let mut body = seed.clone();
        for (place, value) in changes {
            let count = pointers(&body, String::new()).len();
            if let Some(at) = pointers(&body, String::new()).get(place.index(count))
                && let Some(held) = body.pointer_mut(at)
            {
                *held = value;
            }
        }
        body.to_string()
    })
}

fn pointers(value: &Value, at: String) -> Vec<String> {
    let children: Map<String, Value> = match value {
        Value::Object(fields) => fields.clone(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(index, value)| (index.to_string(), value.clone())).collect()
        }
        _ => Map::new(),
    };
    let below = children.iter().flat_map(|(key, value)| pointers(value, format!("{at}/{key}")));
    let below: Vec<_> = below.collect();
    std::iter::once(at).chain(below).collect()
}

#[test]
fn any_body_makes_a_form_that_holds_or_is_refused() {
    run(&prop_oneof![3 => changed(), 1 => json_of(KEYS).prop_map(|body| body.to_string())], |body| {
        bodies::form(&body);
        Ok(())
    });
}

#[test]
fn the_seed_makes_a_form() {
    assert!(bodies::form(SEED));
}
