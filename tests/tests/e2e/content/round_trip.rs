//! A page that is read as Markdown and written to another page has the same content there.

use super::{block, each, instance, mentioning, paragraph, pointer, with_children, with_id, without_ids};
use crate::pages::{Office, office};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;

both_engines! {
    all_types_come_through_markdown_as_they_are,
}

fn text(text: &str, marks: &Value) -> Value {
    json!({ "text": text, "marks": marks })
}

/// At least one block of each type, with everything it can contain, and references only to things that exist.
fn everything(office: &Office, named: &str, team: &str) -> Vec<Value> {
    let marks = json!([
        { "type": "bold", "from": 0, "to": 4 },
        { "type": "italic", "from": 2, "to": 6 },
        { "type": "underline", "from": 7, "to": 9 },
        { "type": "strikethrough", "from": 10, "to": 12 },
        { "type": "code", "from": 13, "to": 15 },
        { "type": "highlight", "from": 16, "to": 18 },
        { "type": "link", "from": 19, "to": 21, "attrs": { "url": "https://example.com/a_b?c=(d)" } },
        { "type": "equation", "from": 22, "to": 24 },
    ]);
    let odd = "# no *heading* _at_ all | `x` \\ $5 [a](b) ==c== <u>:::\n\n- second line";
    let mut nested = vec![
        json!({ "type": "heading_1", "content": "One", "properties": { "align": "center", "showDivider": true } }),
        json!({ "type": "heading_2", "content": "Two" }),
        json!({ "type": "heading_3", "content": "Three", "properties": { "align": "right" } }),
        json!({ "type": "quote", "content": { "text": "said", "citation": "who: \"me\"" } }),
        json!({ "type": "callout", "content": "note", "properties": { "emoji": "\u{1F680}", "backgroundColor": "yellow" } }),
        with_children(
            json!({ "type": "bulleted_list", "content": "a" }),
            &[
                json!({ "type": "bulleted_list", "content": "b" }),
                json!({ "type": "code", "content": { "code": "let a = `b`;\n\n```", "language": "rust" }, "properties": { "wrap": true } }),
            ],
        ),
        json!({ "type": "numbered_list", "content": { "text": "c", "start": 7 } }),
        json!({ "type": "numbered_list", "content": "d" }),
        json!({ "type": "todo", "content": "e", "properties": { "checked": true } }),
        json!({ "type": "todo", "content": "" }),
        with_children(
            json!({ "type": "toggle", "content": "f", "properties": { "collapsed": true } }),
            &[paragraph(""), paragraph("in it")],
        ),
        with_children(
            json!({ "type": "column_list", "properties": { "padding": 8 } }),
            &[
                with_children(json!({ "type": "column", "properties": { "widthPct": 30 } }), &[paragraph("left")]),
                with_children(json!({ "type": "column" }), &[json!({ "type": "heading_2", "content": "right" })]),
            ],
        ),
    ];
    nested.extend(shows(named));
    nested.extend(
        [("user", &*office.member.id), ("team", team), ("page", named)].map(|(kind, id)| mentioning("@x", kind, id)),
    );
    nested.extend([
        json!({ "type": "paragraph", "content": text("bold and it st co hi li la", &marks), "properties": { "align": "left", "color": "red" } }),
        json!({ "type": "paragraph", "content": text("bold and it st co hi li la", &marks) }),
        paragraph(odd),
    ]);
    nested
}

/// Blocks that show something other than text.
fn shows(named: &str) -> Vec<Value> {
    vec![
        json!({ "type": "image", "content": { "caption": "a ] picture" }, "properties": { "widthPct": 50, "display": "pageWidth" } }),
        json!({ "type": "video", "content": { "url": "https://example.com/v", "caption": "v" }, "properties": { "widthPct": 20 } }),
        json!({ "type": "audio", "content": { "url": "https://example.com/a" } }),
        json!({ "type": "file", "content": { "name": "a.txt", "size": 7, "mimeType": "text/plain" }, "properties": { "caption": "c" } }),
        json!({ "type": "bookmark", "content": { "url": "https://example.com/", "title": "t", "description": "d" } }),
        json!({ "type": "embed", "content": { "url": "https://example.com/e" }, "properties": { "heightPx": 300 } }),
        json!({ "type": "equation", "content": "a^2 + $b$", "properties": { "align": "center" } }),
        json!({ "type": "divider" }),
        json!({ "type": "spacer", "content": { "heightPx": 99 } }),
        json!({ "type": "database", "properties": {} }),
        json!({ "type": "linked_database" }),
        json!({ "type": "table", "content": { "headerRow": true, "rows": [["a | b", "c"], ["", { "text": "d", "marks": [{ "type": "bold", "from": 0, "to": 1 }] }]] }, "properties": { "columnWidths": [100, 200] } }),
        json!({ "type": "table", "content": { "headerRow": true, "rows": [["a", "b"], ["c", "d"]] } }),
        json!({ "type": "chart", "properties": { "widthPct": 40 } }),
        json!({ "type": "form" }),
        json!({ "type": "child_database", "content": { "title": "Tasks" } }),
        pointer(named),
        instance(&block(1)),
    ]
}

fn kinds(blocks: &Value, found: &mut BTreeSet<String>) {
    for block in blocks.as_array().unwrap() {
        found.insert(shape::text(&block["type"]));
        kinds(&block["children"], found);
    }
}

fn all_types_come_through_markdown_as_they_are(engine: Engine) {
    let office = office(engine);
    let team = office.team("Open", false);
    let named = office.page_of("Named", &[with_id(1, paragraph("shown"))]);
    let page = office.page_of("From", &everything(&office, &named, &team));
    let before = office.blocks(&office.member, &page);
    let mut found = BTreeSet::new();
    kinds(&before, &mut found);
    assert_eq!(found.len(), 30, "{found:?}");
    let markdown = office.get(&office.member, &format!("/pages/{page}/markdown")).data(200)["markdown"].clone();
    let other = office.below(None, "To");
    let edits = json!({ "edits": [{ "op": "replace_all", "markdown": markdown }] });
    let edited = office.patch(&office.member, &format!("/pages/{other}/markdown"), &edits).data(200);
    let made = office.page(&office.member, &json!({ "title": "Made of it", "markdown": markdown }));
    for page in [&other, &made] {
        let after = office.blocks(&office.member, page);
        for (before, after) in
            without_ids(&before).as_array().unwrap().iter().zip(without_ids(&after).as_array().unwrap())
        {
            assert_eq!(after, before, "{markdown}");
        }
        assert_eq!(without_ids(&after), without_ids(&before));
    }
    let ids: BTreeSet<_> = each(&before, "id").into_iter().map(str::to_owned).collect();
    let new: BTreeSet<_> = edited["blockIds"].as_array().unwrap().iter().map(shape::text).collect();
    assert!(ids.is_disjoint(&new));
    let again = office.patch(&office.member, &format!("/pages/{page}/markdown"), &edits).data(200);
    assert_eq!(again["version"], 1, "its own text changes nothing");
}
