//! Short runs of what the fuzz targets do, with inputs put together at random from what the readers know. `cargo xtask test --slow` makes them longer.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use proptest::{collection::vec, prelude::*, sample::select};

const MARKDOWN: &str = include_str!("../fuzz/seeds/markdown/page");
const HTML: &str = include_str!("../fuzz/seeds/html/page.html");
const PARAGRAPH: &str = include_str!("../fuzz/seeds/rich_text/paragraph");
const TABLE: &str = include_str!("../fuzz/seeds/rich_text/table");

const SIGNS: &[&str] = &[
    "\n",
    "\n\n",
    " ",
    "    ",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "```",
    "$$",
    "==",
    ":::",
    "> ",
    "- ",
    "1. ",
    "- [ ] ",
    "#",
    "|",
    "|---|",
    "\\",
    "<",
    ">",
    "</",
    "&",
    "&#0;",
    "&lt;",
    "[",
    "](",
    ")",
    "![",
    "//",
    "\"",
    "'",
    "{",
    "}",
    ",",
    ":",
    "null",
    "1e999",
    "\u{0}",
    "\u{e4}",
    "\u{1f600}",
    "\u{301}",
    "\u{202e}",
    "\u{1e}",
    "<p>",
    "<table><tr><td>",
    "</div>",
    "<a href=",
    "<li>",
    "<br/>",
    "<pre><code>",
    "<!--",
];

#[allow(clippy::disallowed_methods, reason = "how patient to be is said by the environment")]
fn config() -> ProptestConfig {
    let is_slow = std::env::var_os("OCTAVO_TEST_SLOW").is_some_and(|value| !value.is_empty() && value != "0");
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if is_slow { 20_000 } else { 64 }) }
}

/// Pieces of a text that is in order, signs that mean something, and letters.
fn text(whole: &'static str) -> impl Strategy<Value = String> {
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    let words: Vec<_> = whole.split_inclusive([' ', ',', '>', '}']).collect();
    let part = prop_oneof![
        2 => select(lines).prop_map(str::to_owned),
        3 => select(words).prop_map(str::to_owned),
        3 => select(SIGNS).prop_map(|sign| (*sign).to_owned()),
        1 => ".{0,6}",
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

/// The JSON of a block with some of its bytes taken out, doubled or replaced, behind the byte that chooses the type.
fn block() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), 0..8_usize, select(SIGNS));
    (any::<u8>(), select(vec![PARAGRAPH, TABLE]), vec(change, 0..4)).prop_map(|(kind, whole, changes)| {
        let mut sent = whole.as_bytes().to_vec();
        for (at, length, sign) in changes {
            let start = at.index(sent.len() + 1);
            let end = (start + length).min(sent.len());
            sent.splice(start..end, sign.bytes());
        }
        if let Some(first) = sent.first_mut() {
            *first = kind;
        }
        sent
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn markdown_reads_back(text in text(MARKDOWN)) {
        bodies::markdown(&text);
    }

    #[test]
    fn html_reads_and_can_be_told(text in text(HTML)) {
        bodies::html(&text);
    }

    #[test]
    fn what_is_sent_for_a_block_is_refused_or_can_be_told(sent in block()) {
        bodies::rich_text(&sent);
    }

    #[test]
    fn an_edit_says_what_the_changed_text_says(at in any::<[u8; 3]>(), page in text(MARKDOWN), put in text(MARKDOWN)) {
        bodies::edited(&[&at[..], page.replace('\u{1e}', "").as_bytes(), b"\x1e", put.as_bytes()].concat());
    }
}
