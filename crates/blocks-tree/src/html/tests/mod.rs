//! Foreign tags never get through, and no text is lost when parsing.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod bombs;
mod shown;

use super::{FileUrl, export, export_body, import_body, presentation::Alone, read, write};
use crate::{Body, Kind, Piece, Refusal, markdown};
use html5ever::{
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};
use octavo_core_model::{cancellation::Cancellation, id::FileId};
use proptest::prelude::*;
use serde_json::json;
use std::cell::{Cell, RefCell};

fn nowhere(_: FileId) -> Option<String> {
    None
}

fn body(pieces: &[Piece], file_url: FileUrl<'_>) -> String {
    export_body(pieces, &Alone(file_url), &Cancellation::default()).unwrap()
}

fn block(kind: Kind, keys: &serde_json::Value) -> Piece {
    Piece::new(Body::read(kind, Some(keys.clone()), Some(keys.clone()), "block").unwrap())
}

#[track_caller]
fn reads(html: &str, markdown: &str) {
    let (_, pieces) = read(html).unwrap();
    assert_eq!(markdown::write(&pieces), markdown, "{html}");
}

#[test]
fn documents_have_a_title_and_no_script() {
    let html = write("A <b> title", &markdown::read("# One\n\ntext").unwrap(), &nowhere);
    assert!(html.starts_with("<!doctype html>"));
    assert!(html.contains("<title>A &lt;b&gt; title</title>") && html.contains("<h1>A &lt;b&gt; title</h1>"));
    assert!(html.contains("name=\"viewport\"") && html.contains("color-scheme:light dark"));
    assert!(!html.contains("<script"));
}

#[test]
fn blocks_become_the_tags_that_mean_them() {
    let markdown = "# a\n\n- b\n  - c\n- d\n\n3. e\n4. f\n\n- [x] g\n\n> h\n>\n> i\n\n---\n\n```rust\n<j>\n```\n\n| k |\n| --- |\n| l |\n";
    let html = body(&markdown::read(markdown).unwrap(), &nowhere);
    for part in [
        "<h1>a</h1>",
        "<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>",
        "<ol start=\"3\">\n<li>e</li>\n<li>f</li>\n</ol>",
        "<input type=\"checkbox\" checked disabled> g",
        "<blockquote><p>h</p>\n<p>i</p>\n</blockquote>",
        "<hr>",
        "<div class=\"code\" data-language=\"Rust\"><pre tabindex=\"0\"><code class=\"language-rust\">&lt;j&gt;</code></pre></div>",
        "<th>k</th>",
        "<td>l</td>",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn overlapping_marks_become_tags_within_each_other() {
    let marks = json!([{ "type": "bold", "from": 0, "to": 2 }, { "type": "italic", "from": 1, "to": 3 }]);
    let html = body(&[block(Kind::Paragraph, &json!({ "text": "abc", "marks": marks }))], &nowhere);
    assert_eq!(html, "<p><strong>a<em>b</em></strong><em>c</em></p>\n");
}

#[test]
fn links_lead_to_the_web_and_nowhere_else() {
    let link = |url: &str| {
        let mark = json!([{ "type": "link", "from": 0, "to": 1, "attrs": { "url": url } }]);
        body(&[block(Kind::Paragraph, &json!({ "text": "a", "marks": mark }))], &nowhere)
    };
    let expected = "<p><a href=\"https://e.x/?a&amp;b\" rel=\"noopener noreferrer nofollow\">a</a></p>\n";
    assert_eq!(link("https://e.x/?a&b"), expected);
    assert_eq!(link("/inside"), "<p><span>a</span></p>\n");
}

#[test]
fn files_are_shown_where_the_reader_may_have_them() {
    let image = block(Kind::Image, &json!({ "fileId": "fil_00000000000000000000000000", "caption": "\"cat\"" }));
    let html = body(std::slice::from_ref(&image), &|id| Some(format!("/files/{id}?a&b")));
    assert!(
        html.contains(
            "<img src=\"/files/fil_00000000000000000000000000?a&amp;b\" alt=\"&quot;cat&quot;\" loading=\"lazy\">"
        ),
        "{html}"
    );
    let html = body(&[image], &nowhere);
    assert!(!html.contains("<img") && html.contains("&quot;cat&quot;"), "{html}");
}

/// The tags of a document with the names of their attributes.
#[derive(Default)]
struct Tags(RefCell<Vec<String>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token {
            let attributes = tag.attrs.iter().map(|attribute| attribute.name.local.to_string());
            let names = attributes.chain([tag.name.to_string()]).filter(|_| tag.kind == TagKind::StartTag);
            self.0.borrow_mut().extend(names);
        }
        TokenSinkResult::Continue
    }
}

fn tags(html: &str) -> Vec<String> {
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.take()
}

const OURS: &[&str] = &[
    "a",
    "href",
    "rel",
    "strong",
    "em",
    "u",
    "s",
    "mark",
    "code",
    "span",
    "class",
    "br",
    "p",
    "h1",
    "h2",
    "h3",
    "ul",
    "ol",
    "start",
    "li",
    "input",
    "type",
    "checked",
    "disabled",
    "blockquote",
    "footer",
    "label",
    "role",
    "tabindex",
    "aria-label",
    "aria-hidden",
    "data-address",
    "data-language",
    "data-lines",
    "data-size",
    "details",
    "open",
    "summary",
    "div",
    "figure",
    "img",
    "src",
    "alt",
    "loading",
    "figcaption",
    "video",
    "audio",
    "controls",
    "pre",
    "hr",
    "table",
    "colgroup",
    "col",
    "width",
    "tr",
    "th",
    "td",
];

proptest! {
    #[test]
    fn no_text_of_people_becomes_a_tag(pieces in markdown::tests::arbitrary::pieces()) {
        let html = body(&pieces, &|id| Some(format!("/{id}")));
        for name in tags(&html) {
            prop_assert!(OURS.contains(&name.as_str()), "{} in {}", name, html);
        }
    }

    #[test]
    fn any_html_reads(html in "(<[a-z/]{1,6}( [a-z]{1,4}=[a-z\"']{1,4})?>|[a-z &;<>]{0,6}){0,30}") {
        let (_, pieces) = read(&html).unwrap();
        prop_assert_eq!(markdown::read(&markdown::write(&pieces)), Ok(pieces));
    }

    /// A written document is parsed into the same words.
    #[test]
    fn reading_html_loses_no_word(words in prop::collection::vec("[a-z]{1,8}", 1..20), tags in prop::collection::vec(
        prop::sample::select(vec!["<p>", "</p>", "<b>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</table>", "<h1>", "<pre>", "</pre>", "<details>", "<summary>", "<blockquote>", "</div>", "<x-y>", "<dl>", "<caption>", "<title>", "</title>"]),
        20,
    )) {
        let html = words.iter().zip(&tags).flat_map(|(word, tag)| [*tag, word.as_str(), " "]).collect::<String>();
        let (title, pieces) = read(&html).unwrap();
        let mut text = title.unwrap_or_default();
        text.push_str(&markdown::write(&pieces));
        for word in &words {
            prop_assert!(text.contains(word.as_str()), "{} of {} is not in {}", word, html, text);
        }
    }
}

#[test]
fn html_becomes_blocks() {
    reads("<h1>a</h1><h2>b</h2><h5>c</h5><h1>d</h1>", "## b\n\n### c\n\n# d\n");
    reads("<p>one\n  two<p>three<br>four", "one two\n\nthree\\\nfour\n");
    reads("<ul><li>a<ul><li>b</ul><li>c</ul><ol start=4><li>d</ol>", "- a\n  - b\n- c\n\n4. d\n");
    reads("<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>", "- [x] a\n- [ ] b\n");
    reads("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc\n");
    reads("<pre><code class=\"language-rust\">a\n  b\n</code></pre>", "```rust\na\n  b\n```\n");
    reads("<table><tr><th>a<th>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| c |  |\n");
    reads("<details><summary>a</summary><p>b</details>", ":::toggle {\"text\":\"a\"}\n\nb\n\n:::\n");
    reads("<p>a <b>b <i>c</i></b> <a href=https://e.x>d</a><hr>", "a **b _c_** [d](https://e.x)\n\n---\n");
    reads("<img src=https://e.x/a.png alt=cat>", "[cat](https://e.x/a.png)\n");
}

#[test]
fn active_content_is_dropped_and_its_text_kept() {
    reads("a<script>alert('<p>x')</script><style>p{}</style>b<svg><script>x</script></svg>", "ab\n");
    reads("<p onclick=\"x()\" style=\"y\">a<iframe src=x>y</iframe>", "a\n");
    for url in
        ["javascript:x", "data:text/html,x", "vbscript:x", "mailto:a@b.c", "/rel", " java\nscript:x", "ftp://e.x"]
    {
        reads(&format!("<a href=\"{url}\">a</a>"), "a\n");
    }
    reads("<img src=\"data:image/png;base64,AAAA\" alt=cat onerror=x>", "cat\n");
    reads("<unknown>a</unknown><noscript>b</noscript>", "ab\n");
}

#[test]
fn the_title_comes_from_the_head_or_the_first_heading() {
    let title = |html: &str| read(html).unwrap().0;
    assert_eq!(title("<title>a &amp;\n b</title><h1>c</h1>").as_deref(), Some("a & b"));
    assert_eq!(title("<p>x</p><h1>c <i>d</i></h1>").as_deref(), Some("c d"));
    assert_eq!(title("<p>x</p>"), None);
    reads("<title>a</title><h1>a</h1>b", "b\n");
    reads("<title>a</title><h1>b</h1>", "# b\n");
    let long = "word ".repeat(100);
    assert!(markdown::write(&read(&format!("<title>{long}</title>")).unwrap().1).contains(long.trim()));
}

#[test]
fn what_was_written_reads_back() {
    let markdown = "# a\n\nb **c** _d_ `e` ==f==\n\n- g\n  - h\n\n> i\n\n- [ ] j\n\n```rust\nk\n```\n\n| l |\n| --- |\n| m |\n\n---\n";
    let pieces = markdown::read(markdown).unwrap();
    let (title, read) = read(&write("Title", &pieces, &nowhere)).unwrap();
    assert_eq!((title.as_deref(), read), (Some("Title"), pieces));
}

#[test]
fn a_page_with_a_title_of_its_own_keeps_the_heading() {
    let html = "<title>Plan</title><h1>Plan</h1><p>text</p>";
    assert_eq!(markdown::write(&import_body(html, &Cancellation::default()).unwrap()), "# Plan\n\ntext\n");
    reads(html, "text\n");
}

#[test]
fn writing_stops_at_the_block_at_which_it_is_cancelled() {
    let image = || block(Kind::Image, &json!({ "fileId": "fil_00000000000000000000000000", "caption": "cat" }));
    let list = block(Kind::BulletedList, &json!({ "text": "a" })).with(vec![image(), image()]);
    for pieces in [vec![image(), image(), image()], vec![list, image()]] {
        let (cancellation, written) = (Cancellation::default(), Cell::new(0));
        let leave = |_: FileId| -> Option<String> {
            written.set(written.get() + 1);
            cancellation.cancel();
            None
        };
        assert_eq!(export_body(&pieces, &Alone(&leave), &cancellation), Err(Refusal::Cancelled));
        assert_eq!(written.get(), 1, "no other block is written");
        assert_eq!(export("Title", &pieces, &leave, &cancellation), Err(Refusal::Cancelled));
        assert_eq!(written.get(), 1, "nor is any after that");
    }
}
