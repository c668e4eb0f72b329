//! What readers see of each type of block.

use super::{block, body, nowhere};
use crate::{
    Kind, MAX_PIECES, Piece,
    html::{PageLink, Presentation, STYLE, export_body},
    json,
};
use octavo_core_model::{
    cancellation::Cancellation,
    id::{FileId, PageId},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A page below a title, with one page that its reader may see.
struct Shared;

impl Presentation for Shared {
    fn file_url(&self, _: FileId) -> Option<String> {
        None
    }

    fn page(&self, page: PageId) -> Option<PageLink> {
        let title = "Release <notes>".to_owned();
        let link = PageLink { address: "/share/t/p".to_owned(), title, emoji: Some("\u{1F680}".to_owned()) };
        (page == PageId::LOWEST).then_some(link)
    }

    fn equation(&self, latex: &str, is_block: bool) -> Option<String> {
        (latex != "nonsense").then(|| format!("<math>{latex} {is_block}</math>"))
    }

    fn code(&self, language: &str, code: &str) -> Option<String> {
        (language == "rust").then(|| format!("<i>{}</i>", code.len()))
    }

    fn has_title(&self) -> bool {
        true
    }
}

fn shared(pieces: &[Piece]) -> String {
    export_body(pieces, &Shared, &Cancellation::default()).unwrap()
}

/// A page with every type of block.
fn specimen() -> Vec<Piece> {
    let text = include_str!("../../../fixtures/specimen.json").replace("SHOWN_PAGE", &PageId::LOWEST.to_string());
    let blocks: Value = serde_json::from_str(&text).unwrap();
    json::read(blocks, MAX_PIECES, &Cancellation::default()).unwrap()
}

fn kinds(pieces: &[Piece], found: &mut BTreeSet<Kind>) {
    for piece in pieces {
        found.insert(piece.body.kind());
        kinds(&piece.children, found);
    }
}

#[test]
fn every_type_of_block_is_shown() {
    let pieces = specimen();
    let mut found = BTreeSet::new();
    kinds(&pieces, &mut found);
    // An instance is replaced by what it shows before a page is written.
    found.insert(Kind::SyncedBlock);
    assert_eq!(found, Kind::ALL.iter().copied().collect(), "the specimen has every type");
    let html = shared(&pieces);
    for part in [
        "<p>A paragraph with <strong>bold</strong>",
        "<h2 class=\"heading-1 divided\">",
        "<h3 class=\"heading-2\">",
        "<h4 class=\"heading-3\">",
        "<footer>Ada Lovelace</footer>\n</blockquote>",
        "<div class=\"callout with-emoji bg-yellow\" role=\"note\"><p><span class=\"emoji\">",
        "<ul>\n<li>",
        "<ol>\n<li>",
        "<label><input type=\"checkbox\" checked disabled> ",
        "<details><summary>",
        "<details open><summary>",
        "<figure class=\"media center w50\"><div class=\"absent\" role=\"img\"",
        "<figcaption>A picture of the harbour</figcaption>\n</figure>",
        "<figure class=\"media\"><div class=\"card video\" data-address=\"example.com/harbour.mp4\"><p><a href=\"https://example.com/harbour.mp4\"",
        "<figure class=\"media\"><div class=\"card audio\" data-address=\"example.com/horn.mp3\">",
        "<p class=\"file\" data-size=\"1.2 MB\">plan.pdf</p>",
        "<div class=\"card bookmark\" data-address=\"example.com/guide\"><p><a href=\"https://example.com/guide\"",
        "<div class=\"card embed\" data-address=\"example.com/map\">",
        "<div class=\"code\" data-language=\"Rust\"><pre tabindex=\"0\" data-lines=\"1\n2\n3\n\"><code class=\"language-rust\">",
        "<pre class=\"wrap\"><code",
        "the formula <math>E = mc^2 false</math>, a ",
        "<p class=\"equation\" tabindex=\"0\"><math>x = ",
        "<div class=\"columns bg-gray padded\">\n<div class=\"column w30\">\n",
        "<hr>",
        "<div class=\"spacer h40\"></div>",
        "<div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>\n<colgroup><col width=\"240\"><col></colgroup>",
        "<p class=\"pointer database\">Database</p>",
        "<p class=\"pointer database\">Tasks</p>",
        "<p class=\"pointer chart\">Chart</p>",
        "<p class=\"pointer form\">Form</p>",
        "<p class=\"pointer page with-emoji\"><a href=\"/share/t/p\"><span class=\"emoji\" aria-hidden=\"true\">\u{1F680}</span> Release &lt;notes&gt;</a></p>",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn a_page_is_linked_only_for_readers_who_may_see_it() {
    let hidden = "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    let mention = |id: &str| {
        let attributes = json!({ "mentionType": "page", "mentionId": id });
        let mark = json!([{ "type": "mention", "from": 0, "to": 3, "attrs": attributes }]);
        block(Kind::Paragraph, &json!({ "text": "Sea", "marks": mark }))
    };
    let seen = PageId::LOWEST.to_string();
    assert_eq!(shared(&[mention(&seen)]), "<p><a class=\"mention\" href=\"/share/t/p\">Sea</a></p>\n");
    assert_eq!(shared(&[mention(hidden)]), "<p><span class=\"mention\">Sea</span></p>\n");
    let pointer = |id: &str| block(Kind::ChildPage, &json!({ "pageId": id }));
    assert_eq!(shared(&[pointer(hidden)]), "<p class=\"pointer page\">Page</p>\n");
    assert_eq!(body(&[pointer(&seen)], &nowhere), "<p class=\"pointer page\">Page</p>\n", "a document stands alone");
}

#[test]
fn an_equation_that_cannot_be_set_shows_its_source() {
    let inline = |latex: &str| {
        let end = latex.len();
        let marks = json!([{ "type": "equation", "from": 0, "to": end }, { "type": "bold", "from": 0, "to": end }]);
        block(Kind::Paragraph, &json!({ "text": latex, "marks": marks }))
    };
    assert_eq!(shared(&[inline("a<b")]), "<p><strong><math>a<b false</math></strong></p>\n", "the markup as it is");
    assert_eq!(shared(&[inline("nonsense")]), "<p><strong><code>nonsense</code></strong></p>\n");
    assert_eq!(body(&[inline("a<b")], &nowhere), "<p><strong><code>a&lt;b</code></strong></p>\n");
    let equation = |latex: &str| block(Kind::Equation, &json!({ "latex": latex, "align": "right" }));
    assert_eq!(shared(&[equation("nonsense")]), "<p class=\"equation right\"><code>nonsense</code></p>\n");
}

#[test]
fn code_has_colours_where_its_language_is_known() {
    let code = |language: &str| block(Kind::Code, &json!({ "code": "<a>", "language": language }));
    assert!(shared(&[code("rust")]).contains("<code class=\"language-rust\"><i>3</i></code>"));
    assert!(shared(&[code("klingon")]).contains("<code class=\"language-klingon\">&lt;a&gt;</code>"));
    assert!(body(&[code("rust")], &nowhere).contains("<code class=\"language-rust\">&lt;a&gt;</code>"));
}

#[test]
fn headings_are_below_the_title_of_a_page_and_not_of_a_document() {
    let pieces = [block(Kind::Heading1, &json!({ "text": "a" })), block(Kind::Heading3, &json!({ "text": "b" }))];
    assert_eq!(shared(&pieces), "<h2 class=\"heading-1\">a</h2>\n<h4 class=\"heading-3\">b</h4>\n");
    assert_eq!(body(&pieces, &nowhere), "<h1>a</h1>\n<h3>b</h3>\n");
}

/// The policy of pages for browsers allows no style at a tag, so a class without a rule would have no effect.
#[test]
fn every_class_that_a_value_chooses_has_a_rule() {
    for (height, class) in [(8, ".h8{"), (24, ".h24{"), (199, ".h200{"), (200, ".h200{")] {
        let spacer = body(&[block(Kind::Spacer, &json!({ "heightPx": height }))], &nowhere);
        let name = class.trim_matches(['.', '{']);
        assert_eq!(spacer, format!("<div class=\"spacer {name}\"></div>\n"));
        assert!(STYLE.contains(&format!(".content {class}")));
    }
    for width in 10..=100 {
        let html = body(&[block(Kind::Video, &json!({ "url": "https://e.x", "widthPct": width }))], &nowhere);
        let class = html.split('"').nth(1).and_then(|classes| classes.split(' ').nth(1));
        assert!(class.map_or(width > 97, |class| STYLE.contains(&format!(".content .{class}{{"))), "{width} {html}");
    }
    for color in ["gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"] {
        let html = body(&[block(Kind::Callout, &json!({ "backgroundColor": color, "textColor": color }))], &nowhere);
        assert!(html.contains(&format!(" bg-{color} ink-{color}\"")), "{html}");
        assert!(STYLE.contains(&format!(".bg-{color}{{")) && STYLE.contains(&format!(".ink-{color}{{")), "{color}");
    }
}

#[test]
fn a_label_of_code_is_escaped_and_left_out_for_plain_text() {
    let code = |language: &str| body(&[block(Kind::Code, &json!({ "code": "a", "language": language }))], &nowhere);
    for plain in ["plain", "", "TEXT"] {
        assert!(code(plain).starts_with("<div class=\"code\"><pre"), "{plain}");
    }
    assert!(code("\"><b>").contains(" data-language=\"&quot;&gt;&lt;b&gt;\""));
    assert!(code("haskell").contains(" data-language=\"Haskell\"") && code("js").contains("\"JavaScript\""));
}
