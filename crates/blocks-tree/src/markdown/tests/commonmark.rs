//! The examples of the `CommonMark` specification lose no text and parse back to the same blocks.

use crate::{
    Piece,
    markdown::{read, write},
};
use serde_json::Value;

const EXAMPLES: &str = include_str!("../../../fixtures/commonmark-0.31.2.json");

struct Example {
    number: u64,
    markdown: String,
    html: String,
}

fn examples() -> Vec<Example> {
    let examples = serde_json::from_str::<Vec<Value>>(EXAMPLES).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let example = |example: &Value| Example {
        number: example["number"].as_u64().unwrap(),
        markdown: text(&example["markdown"]),
        html: text(&example["html"]),
    };
    examples.iter().map(example).collect()
}

/// The values in the content of blocks, without the keys.
fn add_values(pieces: &[Piece], into: &mut String) {
    for piece in pieces {
        strings(&Value::Object(piece.body.content()), into);
        add_values(&piece.children, into);
    }
}

fn strings(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => into.extend([text, "\n"]),
        Value::Array(values) => values.iter().for_each(|value| strings(value, into)),
        Value::Object(keys) => keys.values().for_each(|value| strings(value, into)),
        _ => {}
    }
}

/// The words that a reader of the rendered document sees. Raw HTML is not visible there, but it is text here.
fn words(html: &str) -> Vec<String> {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = behind.split_at(tag_length(behind));
        // Marks do not separate words, blocks do.
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if !matches!(name, "em" | "strong" | "code" | "a" | "img") {
            text.push(' ');
        }
        rest = after.strip_prefix('>').unwrap_or(after);
    }
    text.push_str(rest);
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    text.split_whitespace().map(str::to_owned).collect()
}

/// The length up to the `>` that ends the tag, outside of quotes.
fn tag_length(tag: &str) -> usize {
    let mut quote = None;
    for (at, letter) in tag.char_indices() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '>' => return at,
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            _ => {}
        }
    }
    tag.len()
}

#[test]
fn there_are_652_examples() {
    assert_eq!(examples().len(), 652);
}

#[test]
fn no_example_loses_a_word() {
    for example in examples() {
        let pieces = read(&example.markdown).unwrap();
        let mut values = String::new();
        add_values(&pieces, &mut values);
        for word in words(&example.html) {
            assert!(
                values.contains(&word),
                "example {}: {word:?} of {:?} is not in {values:?}",
                example.number,
                example.html
            );
        }
    }
}

#[test]
fn what_every_example_means_reads_back() {
    for example in examples() {
        let pieces = read(&example.markdown).unwrap();
        let written = write(&pieces);
        assert_eq!(read(&written), Ok(pieces), "example {}: {written}", example.number);
    }
}
