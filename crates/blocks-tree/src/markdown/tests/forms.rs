//! The Markdown of each type, and the result of ambiguous input.

use crate::{
    Body, Kind, Piece, Refusal,
    markdown::{read, write},
};
use serde_json::{Value, json};
use std::slice;

/// A block from one object with the keys of its content and its properties.
fn block(kind: Kind, keys: &Value) -> Piece {
    Piece::new(Body::read(kind, Some(keys.clone()), Some(keys.clone()), "block").unwrap())
}

fn paragraph(text: &str) -> Piece {
    block(Kind::Paragraph, &json!({ "text": text }))
}

/// The Markdown is what these blocks are written as, and reads back as them.
#[track_caller]
fn is_the_form_of(markdown: &str, pieces: &[Piece]) {
    assert_eq!(read(markdown).as_deref(), Ok(pieces), "{markdown}");
    assert_eq!(write(pieces), markdown);
}

/// The Markdown reads as these blocks, which may be written in another form.
#[track_caller]
fn reads(markdown: &str, pieces: &[Piece]) {
    assert_eq!(read(markdown).as_deref(), Ok(pieces), "{markdown}");
    assert_eq!(read(&write(pieces)).as_deref(), Ok(pieces), "{markdown}");
}

#[test]
fn texts_have_the_forms_of_commonmark() {
    is_the_form_of("one two\n", &[paragraph("one two")]);
    is_the_form_of(
        "# one\n\n## two\n\n### three\n",
        &[
            block(Kind::Heading1, &json!({ "text": "one" })),
            block(Kind::Heading2, &json!({ "text": "two" })),
            block(Kind::Heading3, &json!({ "text": "three" })),
        ],
    );
    is_the_form_of(
        "> said\n>\n> more\n",
        &[block(Kind::Quote, &json!({ "text": "said" })).with(vec![paragraph("more")])],
    );
    is_the_form_of("---\n", &[Piece::new(Body::empty(Kind::Divider))]);
    is_the_form_of("<br>\n", &[paragraph("")]);
    is_the_form_of("one\\\ntwo\n", &[paragraph("one\ntwo")]);
    is_the_form_of(
        "snake_case, 2 * 3 = 6 & a < b; C# is a[0]\n",
        &[paragraph("snake_case, 2 * 3 = 6 & a < b; C# is a[0]")],
    );
}

#[test]
fn lists_nest_by_indentation() {
    let item = |kind, text: &str| block(kind, &json!({ "text": text }));
    let checked = |text: &str, checked: bool| block(Kind::Todo, &json!({ "text": text, "checked": checked }));
    is_the_form_of(
        "- a\n  - b\n    1. c\n    2. d\n- e\n",
        &[
            item(Kind::BulletedList, "a").with(vec![
                item(Kind::BulletedList, "b").with(vec![item(Kind::NumberedList, "c"), item(Kind::NumberedList, "d")]),
            ]),
            item(Kind::BulletedList, "e"),
        ],
    );
    is_the_form_of(
        "- a\n\n  below\n\n  ```rust\n  fn b() {}\n  ```\n\n- c\n",
        &[
            item(Kind::BulletedList, "a")
                .with(vec![paragraph("below"), block(Kind::Code, &json!({ "code": "fn b() {}", "language": "rust" }))]),
            item(Kind::BulletedList, "c"),
        ],
    );
    is_the_form_of("- [ ] open\n- [x] done\n", &[checked("open", false), checked("done", true)]);
    is_the_form_of("+ [ ] unsaid\n", &[item(Kind::Todo, "unsaid")]);
    is_the_form_of(
        "7. a\n8. b\n",
        &[block(Kind::NumberedList, &json!({ "text": "a", "start": 7 })), item(Kind::NumberedList, "b")],
    );
}

#[test]
fn marks_have_their_signs() {
    let marked = |text: &str, marks: Value| block(Kind::Paragraph, &json!({ "text": text, "marks": marks }));
    let mark = |kind: &str| json!([{ "type": kind, "from": 2, "to": 3 }]);
    for (kind, form) in [
        ("bold", "a **b** c"),
        ("italic", "a _b_ c"),
        ("strikethrough", "a ~~b~~ c"),
        ("code", "a `b` c"),
        ("equation", "a $b$ c"),
        ("underline", "a <u>b</u> c"),
        ("highlight", "a ==b== c"),
    ] {
        is_the_form_of(&format!("{form}\n"), &[marked("a b c", mark(kind))]);
    }
    let link = json!([{ "type": "link", "from": 2, "to": 3, "attrs": { "url": "https://example.com" } }]);
    is_the_form_of("a [b](https://example.com) c\n", &[marked("a b c", link)]);
    for (kind, id) in [("user", "usr_"), ("team", "tm_"), ("page", "pg_"), ("database", "db_")] {
        let id = format!("{id}00000000000000000000000000");
        let mention =
            json!([{ "type": "mention", "from": 0, "to": 4, "attrs": { "mentionType": kind, "mentionId": id } }]);
        is_the_form_of(&format!("[@ann](mention:{id}) c\n"), &[marked("@ann c", mention)]);
    }
}

#[test]
fn blocks_of_their_own_have_the_forms_of_gfm() {
    is_the_form_of("```\nlet a;\n```\n", &[block(Kind::Code, &json!({ "code": "let a;" }))]);
    is_the_form_of("````\n```\n````\n", &[block(Kind::Code, &json!({ "code": "```" }))]);
    is_the_form_of("$$\na + b\n$$\n", &[block(Kind::Equation, &json!({ "latex": "a + b" }))]);
    let rows = json!([["a", "b"], ["c|d", { "text": "e", "marks": [{ "type": "bold", "from": 0, "to": 1 }] }]]);
    is_the_form_of(
        "| a | b |\n| --- | --- |\n| c\\|d | **e** |\n",
        &[block(Kind::Table, &json!({ "rows": rows, "headerRow": true }))],
    );
    is_the_form_of("|  |  |\n| --- | --- |\n| a | b |\n", &[block(Kind::Table, &json!({ "rows": [["a", "b"]] }))]);
    let file = "fil_00000000000000000000000000";
    is_the_form_of(
        &format!("![cat](file:{file})\n"),
        &[block(Kind::Image, &json!({ "fileId": file, "caption": "cat" }))],
    );
}

#[test]
fn everything_else_is_a_directive() {
    let toggle = block(Kind::Toggle, &json!({ "text": "more", "collapsed": true }));
    is_the_form_of(
        ":::toggle {\"collapsed\":true,\"text\":\"more\"}\n\nbelow\n\n:::\n",
        &[toggle.with(vec![paragraph("below")])],
    );
    is_the_form_of(
        ":::bookmark {\"url\":\"https://example.com\"}\n:::\n",
        &[block(Kind::Bookmark, &json!({ "url": "https://example.com" }))],
    );
    is_the_form_of(
        ":::paragraph {\"align\":\"center\",\"text\":\"a\"}\n:::\n",
        &[block(Kind::Paragraph, &json!({ "text": "a", "align": "center" }))],
    );
    is_the_form_of(":::paragraph {\"text\":\"a\"}\n\nb\n\n:::\n", &[paragraph("a").with(vec![paragraph("b")])]);
    let overlapping = json!([{ "type": "bold", "from": 0, "to": 2 }, { "type": "italic", "from": 1, "to": 3 }]);
    let overlapping = block(Kind::Paragraph, &json!({ "text": "abc", "marks": overlapping }));
    assert!(write(slice::from_ref(&overlapping)).starts_with(":::paragraph {\"marks\":["));
    reads(&write(slice::from_ref(&overlapping)), &[overlapping]);
}

#[test]
fn directives_need_no_empty_lines_around_them() {
    let columns = Piece::new(Body::empty(Kind::ColumnList)).with(vec![
        Piece::new(Body::empty(Kind::Column)).with(vec![block(Kind::BulletedList, &json!({ "text": "a" }))]),
        Piece::new(Body::empty(Kind::Column)).with(vec![paragraph("b")]),
    ]);
    reads(
        "x\n:::column_list\n:::column\n- a\n:::\n:::column {}\nb\n:::\n:::\ny",
        &[paragraph("x"), columns, paragraph("y")],
    );
}

#[test]
fn what_is_no_directive_is_text() {
    for text in [":::note", ":::", ":::callout {\"emoji\":7}", ":::callout {no}", ":::callout []"] {
        reads(text, &[paragraph(text)]);
        reads(&write(&[paragraph(text)]), &[paragraph(text)]);
    }
    let code = block(Kind::Code, &json!({ "code": "a\n:::divider\n:::" }));
    reads("```\na\n:::divider\n:::\n```", &[code]);
}

#[test]
fn blocks_that_may_not_stand_there_are_refused() {
    let refusal = Refusal::InvalidNesting { block: Kind::Paragraph, parent: Some(Kind::ColumnList) };
    assert_eq!(read(":::column_list\na\n:::"), Err(refusal));
}

#[test]
fn links_that_may_not_be_followed_lose_the_link_and_keep_the_text() {
    for url in [
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "JaVaScRiPt:x",
        "file:///etc",
        "mention:usr_1",
        "java&#10;script:x",
    ] {
        reads(&format!("[text]({url})"), &[paragraph("text")]);
    }
}

#[test]
fn html_is_text_but_for_breaks_and_underlines() {
    reads("a<br>b<br/>c", &[paragraph("a\nb\nc")]);
    reads("a <b>b</b> <script>c</script>", &[paragraph("a <b>b</b> <script>c</script>")]);
    reads("<div>\na\n</div>", &[paragraph("<div>\na\n</div>")]);
    reads("a <u>b", &[paragraph("a <u>b")]);
    reads("a </u>b ==c", &[paragraph("a </u>b ==c")]);
}

#[test]
fn images_from_elsewhere_become_links() {
    let linked = |text: &str, url: &str| {
        let to = text.encode_utf16().count();
        block(
            Kind::Paragraph,
            &json!({ "text": text, "marks": [{ "type": "link", "from": 0, "to": to, "attrs": { "url": url } }] }),
        )
    };
    reads("![alt](https://e.x/a.png)", &[linked("alt", "https://e.x/a.png")]);
    reads("![](https://e.x/a.png)", &[linked("https://e.x/a.png", "https://e.x/a.png")]);
    reads("[![badge](https://e.x/a.svg)](https://e.x)", &[linked("badge", "https://e.x")]);
    let file = "fil_00000000000000000000000000";
    reads(
        &format!("a ![b](file:{file}) c"),
        &[paragraph("a  c"), block(Kind::Image, &json!({ "fileId": file, "caption": "b" }))],
    );
}

#[test]
fn footnotes_stay_where_they_are_written() {
    reads("a[^1]\n\n[^1]: why", &[paragraph("a[^1]"), paragraph("[^1]: why")]);
}

#[test]
fn what_a_block_cannot_hold_becomes_several() {
    let pieces = read(&"ab ".repeat(100_000)).unwrap();
    assert_eq!(pieces.len(), 3);
    assert_eq!(read(&format!("```\n{}\n```", "x".repeat(100_001))).unwrap().len(), 2);
    let rows = "| a |\n".repeat(1_201);
    let tables = read(&format!("| h |\n| --- |\n{rows}")).unwrap();
    assert_eq!(
        tables.iter().map(|table| table.body.content()["rows"].as_array().unwrap().len()).collect::<Vec<_>>(),
        [500, 500, 202]
    );
    assert_eq!(tables.iter().filter(|table| table.body.content()["headerRow"] == json!(true)).count(), 1);
    let wide = format!("{}\n{}", "|word".repeat(51), "|-".repeat(51));
    assert_eq!(read(&wide).unwrap(), [paragraph(&wide)]);
}

#[test]
fn line_ends_of_other_systems_are_line_ends() {
    reads("# a\r\n\r\nb\rc\0", &[block(Kind::Heading1, &json!({ "text": "a" })), paragraph("b c\u{FFFD}")]);
}
