//! Hostile input costs no more than its length justifies.

use crate::{
    Body, Kind, Mark, MarkKind, Piece, Refusal, RichText,
    body::Cells,
    html,
    markdown::{MAX_BYTES, import, read, write},
};
use octavo_core_model::{cancellation::Cancellation, page};
use std::time::Duration;

#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests may look at the clock")]
fn cost(text: &str) -> Duration {
    let begin = std::time::Instant::now();
    if let Ok(pieces) = read(text) {
        write(&pieces);
    }
    begin.elapsed()
}

const BOMBS: &[&str] = &[
    "[",
    "![",
    "]",
    "](",
    "[a](",
    "[a](<",
    "*",
    "**",
    "*a",
    "_a ",
    "**a*",
    "~~a",
    "==",
    "==a",
    "`",
    "`a``",
    "$",
    "$a",
    "$$",
    "<u>",
    "</u>",
    "<u>a",
    "<",
    "<a ",
    "<!--",
    "<![CDATA[",
    "<?",
    "&",
    "&#",
    "\\",
    "\n",
    "\n\n",
    " ",
    "\t",
    "#",
    "# \n",
    "=\n",
    "-",
    "a\n-\n",
    "- a\n",
    "> a\n",
    "1. a\n",
    "|",
    "|a",
    "a|b\n",
    "|a|\n|-|\n",
    "x\n```\n",
    "~~~\n",
    ":::toggle\n",
    ":::\n",
    ":::divider\n:::\n",
    "[a]: b\n",
    "[^1]",
    "[^1]: a\n",
    "[a][b]",
    "[^1]: [^1]\n\n",
    "- [ ] a\n",
    "$$\n",
    "<br>\n",
    "<div>\n",
    "a  \n",
    "\\\n",
    "\u{1F600}",
    ":::table {\"rows\":[[\"a\"]]}\n:::\n",
    "a_",
    "a.",
    "1.",
    "a**b",
];

#[test]
fn time_grows_with_length_and_not_faster() {
    for bomb in BOMBS {
        // Eight times the length: a quadratic cost would be 64 times as high. Several attempts, because the machine
        // may be busy.
        let holds = (0..5).any(|_| {
            let small = cost(&bomb.repeat(8_000 / bomb.len()));
            cost(&bomb.repeat(64_000 / bomb.len())) < small * 24 + Duration::from_millis(50)
        });
        assert!(holds, "{bomb:?}");
    }
}

#[test]
fn a_wide_table_costs_no_more_than_its_length() {
    let table = format!("{}\n{}\n{}", "|a".repeat(5_000), "|-".repeat(5_000), "|\n".repeat(10_000));
    assert!(cost(&table) < Duration::from_secs(2));
}

#[test]
fn deep_lists_with_many_empty_lines_cost_no_more_than_their_length() {
    let lists = (0..200).map(|depth| format!("{}- a", "  ".repeat(depth))).collect::<Vec<_>>().join("\n");
    assert!(cost(&format!("{lists}{}", "\n".repeat(100_000))) < Duration::from_secs(2));
}

#[test]
fn what_is_too_much_is_refused() {
    assert_eq!(read(&"a".repeat(MAX_BYTES + 1)), Err(Refusal::TooLong { most: MAX_BYTES }));
    assert!(read(&"a".repeat(MAX_BYTES)).is_ok());
    assert_eq!(read(&"a\n\n".repeat(20_001)), Err(Refusal::TooManyBlocks { most: 20_000 }));
    assert!(read(&"a\n\n".repeat(20_000)).is_ok());
    assert_eq!(read(&"> ".repeat(51)), Err(Refusal::TooDeep));
    assert!(read(&"> ".repeat(50)).is_ok());
    assert_eq!(read(&":::toggle\n".repeat(51)), Err(Refusal::TooDeep));
    assert_eq!(read(&">".repeat(100_000)), Err(Refusal::TooDeep));
}

#[test]
fn marks_are_counted_where_they_are_marks() {
    assert_eq!(read(&"*a* ".repeat(100_001)), Err(Refusal::TooManyMarks { most: 100_000 }));
    // In a directive they are part of a text.
    let cell = format!("\"{}\"", "*a* ".repeat(20_000));
    let table = format!(":::table {{\"rows\":[[{}]]}}\n:::\n", vec![cell; 6].join(","));
    assert_eq!(read(&table).map(|pieces| pieces[0].body.texts().len()), Ok(6));
}

#[test]
fn a_page_with_more_cells_or_marks_than_a_document_may_have_reads_back() {
    let cells = Cells::new(vec![vec![RichText::plain("a"); 50]; 400]);
    let table = Piece::new(Body::table(cells, true));
    let marks = (0..20).map(|word| Mark { kind: MarkKind::Italic, from: 2 * word, to: 2 * word + 1 }).collect();
    let text = RichText::new("a ".repeat(20).trim_end(), marks).unwrap();
    let paragraph = Piece::new(Body::with_text(Kind::Paragraph, text));
    // 120,000 each, of which 100,000 are in plain forms.
    for (pieces, directives) in [(vec![table; 6], 1), (vec![paragraph; 6_000], 1_000)] {
        let text = write(&pieces);
        assert_eq!(text.matches(":::").count(), 2 * directives, "each begins and ends");
        let read = import(&text, &Cancellation::default());
        assert!(read == Ok(pieces), "{:?}", read.err());
    }
}

#[test]
fn directives_may_be_as_large_as_a_page() {
    let row = format!("[{}]", vec!["\"\""; 50].join(","));
    let table = format!(":::table {{\"rows\":[{}]}}\n:::\n", vec![row; 400].join(","));
    let read = |tables| import(&table.repeat(tables), &Cancellation::default());
    let pieces = read(30).unwrap();
    assert!(pieces.iter().map(|piece| piece.body.bytes()).sum::<u64>() < page::MAX_BYTES);
    // An empty cell has three bytes here, but more in a page.
    assert_eq!(read(60), Err(Refusal::TooLarge));
}

#[test]
fn a_document_that_nobody_waits_for_is_not_read_to_its_end() {
    let cancellation = Cancellation::default();
    assert!(import("# Plan\n\ntext", &cancellation).is_ok());
    cancellation.cancel();
    assert_eq!(import("# Plan\n\ntext", &cancellation), Err(Refusal::Cancelled));
    assert_eq!(html::import("<p>text", &cancellation), Err(Refusal::Cancelled));
}
