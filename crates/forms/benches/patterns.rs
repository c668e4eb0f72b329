//! How long patterns take: when they are saved, and when texts of 10,000 characters are searched for them.

#![allow(clippy::unwrap_used, reason = "the patterns are right")]

use divan::{Bencher, black_box};
use octavo_forms::Pattern;

fn main() {
    divan::main();
}

const ORDINARY: &[&str] =
    &["^[A-Z]{2}[0-9]{4}$", r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$", r"^\p{Lu}\p{L}*( \p{Lu}\p{L}*)*$", "^.{10,500}$"];

/// Patterns that are catastrophic where searches backtrack, and the slowest ones that are accepted.
const HARD: &[&str] = &[
    "(a|aa)+$",
    "(a|a)*$",
    "(.*a){12}$",
    "(?:a+a)+b",
    "(a?){20}a{20}b",
    "[ab]*a[ab]{30}c",
    "[ab]*a[ab]{45}c",
    "[ab]*a[ab]{1000}c",
];

#[divan::bench(args = ORDINARY)]
fn save(bencher: Bencher<'_, '_>, pattern: &str) {
    bencher.bench(|| Pattern::read(black_box(pattern)).unwrap().check());
}

#[divan::bench(args = HARD)]
fn save_or_refuse(bencher: Bencher<'_, '_>, pattern: &str) {
    bencher.bench(|| Pattern::read(black_box(pattern)).unwrap().check());
}

#[divan::bench(args = ORDINARY)]
fn compile(bencher: Bencher<'_, '_>, pattern: &str) {
    bencher.bench(|| Pattern::read(black_box(pattern)).unwrap().compile());
}

#[divan::bench(args = HARD)]
fn search_run(bencher: Bencher<'_, '_>, pattern: &str) {
    let matcher = Pattern::read(pattern).unwrap().compile().unwrap();
    let text = format!("{}!", "a".repeat(9_999));
    bencher.bench(|| matcher.is_match(black_box(&text)));
}

#[divan::bench(args = HARD)]
fn search_mixed(bencher: Bencher<'_, '_>, pattern: &str) {
    let matcher = Pattern::read(pattern).unwrap().compile().unwrap();
    let text = mixed();
    bencher.bench(|| matcher.is_match(black_box(&text)));
}

/// The crate `regex` beside it, which does not count its steps.
#[divan::bench(args = HARD, sample_count = 20)]
fn search_mixed_with_regex(bencher: Bencher<'_, '_>, pattern: &str) {
    let regex = regex::Regex::new(pattern).unwrap();
    let text = mixed();
    bencher.bench(|| regex.is_match(black_box(&text)));
}

fn mixed() -> String {
    let is_a = |at: u32| (at.wrapping_mul(2_654_435_761) >> 30) & 1 == 0;
    (0..10_000).map(|at| if is_a(at) { 'a' } else { 'b' }).collect()
}
