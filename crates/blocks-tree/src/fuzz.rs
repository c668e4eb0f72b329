//! Short runs of the fuzz targets on stable Rust. The random inputs are made of texts that the parsers know, so that
//! most get past the first few characters. `cargo xtask test --slow` runs each target for 20 s.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "the environment says how long a run may take, and a run prints how many inputs it checked"
)]

#[path = "../fuzz/bodies.rs"]
mod bodies;

use crate::Kind;
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::TestRunner,
};
use std::time::{Duration, Instant};

const MARKDOWN: &str = include_str!("../fuzz/seeds/markdown/page");
const HTML: &str = include_str!("../fuzz/seeds/html/page.html");
const PARAGRAPH: &str = include_str!("../fuzz/seeds/rich_text/paragraph");
const TABLE: &str = include_str!("../fuzz/seeds/rich_text/table");
const LIST: &str = include_str!("../fuzz/seeds/json/page");

/// Texts with a meaning in Markdown, HTML or JSON.
#[rustfmt::skip]
const SYNTAX: &[&str] = &[
    "\n", "\n\n", " ", "    ", "*", "**", "_", "~~", "`", "```", "$$", "==", ":::", "> ", "- ", "1. ", "- [ ] ", "#", "|", "|---|", "\\", "<",
    ">", "</", "&", "&#0;", "&lt;", "[", "](", ")", "![", "//", "\"", "'", "{", "}", ",", ":", "null", "1e999", "\u{0}", "\u{e4}", "\u{1f600}",
    "\u{301}", "\u{202e}", "\u{1e}", "<p>", "<table><tr><td>", "</div>", "<a href=", "<li>", "<br/>", "<pre><code>", "<!--",
];

const BATCH: u32 = 64;

/// Checks one batch of inputs, and more while there is time.
///
/// `octavo-server` has the same function in `src/fuzzing.rs`, which says why.
fn run<S: Strategy>(inputs: &S, check: impl Fn(S::Value)) {
    let begun = Instant::now();
    let mut checked = 0;
    loop {
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(BATCH) };
        let outcome = TestRunner::new(config).run(inputs, |input| {
            check(input);
            Ok(())
        });
        if let Err(failure) = outcome {
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

/// Lines and words of a valid text, syntax, and letters, in random order.
fn text(valid: &'static str) -> impl Strategy<Value = String> {
    let lines: Vec<_> = valid.split_inclusive('\n').collect();
    let words: Vec<_> = valid.split_inclusive([' ', ',', '>', '}']).collect();
    let part = prop_oneof![
        2 => select(lines).prop_map(str::to_owned),
        3 => select(words).prop_map(str::to_owned),
        3 => select(SYNTAX).prop_map(|syntax| (*syntax).to_owned()),
        1 => ".{0,6}",
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// A byte that chooses the type, and the JSON of a block with some bytes replaced.
fn block() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<Index>(), 0..8_usize, select(SYNTAX));
    (any::<u8>(), select(vec![PARAGRAPH, TABLE]), vec(change, 0..4)).prop_map(|(kind, valid, changes)| {
        let mut sent = valid.as_bytes().to_vec();
        for (at, length, syntax) in changes {
            let start = at.index(sent.len() + 1);
            let end = (start + length).min(sent.len());
            sent.splice(start..end, syntax.bytes());
        }
        if let Some(first) = sent.first_mut() {
            *first = kind;
        }
        sent
    })
}

/// The JSON of nested blocks, whose content and properties need not fit their types.
fn list() -> impl Strategy<Value = String> {
    let types: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).chain(["unheard_of"]).collect();
    let nested = Just("[]".to_owned()).prop_recursive(5, 24, 4, move |children| {
        let keys = || select(vec![&PARAGRAPH[1..], &TABLE[1..], "{}", "null"]);
        let id = select(vec!["null", "null", "null", "\"blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3\"", "\"blk_\""]);
        let block = (id, select(types.clone()), keys(), keys(), children);
        let block = block.prop_map(|(id, kind, content, properties, children)| {
            let named = format!(r#""id":{id},"type":"{kind}""#);
            format!(r#"{{{named},"content":{content},"properties":{properties},"children":{children}}}"#)
        });
        vec(block, 0..4).prop_map(|blocks| format!("[{}]", blocks.join(",")))
    });
    prop_oneof![1 => Just(LIST.to_owned()), 9 => nested]
}

#[test]
fn a_list_of_blocks_is_refused_or_reads_back() {
    run(&list(), |list| bodies::json_list(list.as_bytes()));
}

#[test]
fn markdown_reads_back() {
    run(&text(MARKDOWN), |text| bodies::markdown(&text));
}

#[test]
fn html_that_was_read_can_be_written() {
    run(&text(HTML), |text| bodies::html(&text));
}

#[test]
fn a_block_is_refused_or_can_be_written() {
    run(&block(), |sent| bodies::rich_text(&sent));
}

#[test]
fn an_edited_page_says_what_its_edited_text_says() {
    let sent = (any::<[u8; 3]>(), text(MARKDOWN), text(MARKDOWN)).prop_map(|(place, page, inserted)| {
        [&place[..], page.replace('\u{1e}', "").as_bytes(), b"\x1e", inserted.as_bytes()].concat()
    });
    run(&sent, |sent| bodies::edited(&sent));
}
