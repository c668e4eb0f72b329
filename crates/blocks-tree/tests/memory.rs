//! How much memory a document needs while it is parsed, and the blocks that it becomes, in bytes per byte of its text.
//!
//! One test, because the allocator counts what all threads allocate.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use octavo_blocks_tree::{Body, Kind, MAX_BLOCKS_READ, Piece, Refusal, RichText, html, json, markdown};
use octavo_core_model::cancellation::Cancellation;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MB: usize = 1 << 20;

struct Cost {
    peak: usize,
    kept: usize,
}

/// What parsing allocates at most at a time, and what the blocks hold, per byte of the text.
fn cost(text: &str, parse: impl Fn(&str) -> Result<Vec<Piece>, Refusal>) -> Cost {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let pieces = parse(text);
    let (peak, kept) = (ALLOCATOR.peak_usage(), ALLOCATOR.current_usage());
    drop(pieces);
    Cost { peak: (peak - before) / text.len(), kept: (kept - before) / text.len() }
}

fn repeated(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len())
}

/// Documents whose parsed form is large: marks, equations, links, delimiters without a meaning, lines, and cells.
fn markdown_documents() -> Vec<String> {
    let cells = format!("{}\n{}\n", "|a".repeat(50), "|-".repeat(50)) + &format!("{}\n", "|*a*".repeat(50)).repeat(500);
    let marks = ["*a* ", "**a** ", "$a$ ", "`a` ", "<u>a</u>", "==a== ", "[a](b)"];
    let others = ["[", "[a][b]", "a\n", "<", "![", "\\*", "[^1]", "lorem ipsum "];
    let marks = marks.iter().map(|part| part.repeat(20_000));
    marks.chain(others.iter().map(|part| repeated(part, MB / 4))).chain([cells]).collect()
}

fn html_documents() -> Vec<String> {
    let row = format!("<tr>{}", "<td><b>a</b>".repeat(49));
    let parts = ["<b>a</b>", "<i><b>a</b></i>", "<a href=http://a>a</a>", "<img src=http://a>", "a<br>", "<p a=b>"];
    let parts = parts.iter().flat_map(|part| [part.repeat(20_000), repeated(part, MB / 2)]);
    parts.chain([format!("<table>{}", row.repeat(500))]).collect()
}

#[test]
fn a_document_needs_memory_in_proportion_to_its_length() {
    for text in markdown_documents() {
        let Cost { peak, kept } = cost(&text, markdown::read);
        let begin = &text[..8];
        assert!(peak < 180, "{begin:?}: parsing {} bytes took {peak} bytes for each", text.len());
        assert!(kept < 30, "{begin:?}: the blocks of {} bytes hold {kept} bytes for each", text.len());
    }
    for text in html_documents() {
        let Cost { peak, kept } = cost(&text, |text| html::import_body(text, &Cancellation::default()));
        let begin = &text[..8];
        assert!(peak < 40, "{begin:?}: parsing {} bytes took {peak} bytes for each", text.len());
        assert!(kept < 30, "{begin:?}: the blocks of {} bytes hold {kept} bytes for each", text.len());
    }
    // The delimiters of a long document are limited, so per byte it needs less than a short one.
    for part in ["[", "a\n"] {
        let text = repeated(part, 5 * MB);
        let Cost { peak, .. } = cost(&text, |text| markdown::import(text, &Cancellation::default()));
        assert!(peak < 60, "{part:?}: parsing {} bytes took {peak} bytes for each", text.len());
    }
    // A list of blocks as JSON, with the JSON value that it is read from.
    let piece = r#"{"type":"paragraph","content":{"text":"a","marks":[{"type":"bold","from":0,"to":1}]}},"#;
    for part in ["1,", "{\"type\":\"divider\"},", piece] {
        let text = format!("[{}0]", repeated(part, MB / 2));
        let Cost { peak, .. } = cost(&text, |text| {
            let sent = serde_json::from_str(text).unwrap();
            Ok(json::read(sent, MAX_BLOCKS_READ, &Cancellation::default()).unwrap_or_default())
        });
        assert!(peak < 60, "{part:?}: reading {} bytes took {peak} bytes for each", text.len());
    }
    // Writing a large page does not need more either. It parses what it wrote.
    let text = RichText::plain(repeated("a[", RichText::MAX_CHARS));
    let page = vec![Piece::new(Body::with_text(Kind::Paragraph, text)); 24];
    let stored = repeated("a[", 24 * RichText::MAX_CHARS);
    let Cost { peak, .. } = cost(&stored, |_| markdown::export(&page, &Cancellation::default()).map(|_| Vec::new()));
    assert!(peak < 25, "writing {} bytes took {peak} bytes for each", stored.len());
}
