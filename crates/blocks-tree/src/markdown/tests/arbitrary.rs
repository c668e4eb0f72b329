//! Random blocks and Markdown.

use crate::{Body, Kind, Piece};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value, json};

const SNIPPETS: &[&str] = &[
    "a",
    "word",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "|",
    "`",
    "``",
    "```",
    "~",
    "~~",
    "~~~",
    "*",
    "**",
    "_",
    "__",
    "=",
    "==",
    "===",
    "$",
    "$$",
    ":::",
    "::: toggle",
    ":::divider",
    ":::toggle {\"text\":\"x\"}",
    "#",
    "# ",
    "1. ",
    "2) ",
    "12.",
    "- ",
    "-",
    "---",
    "+ ",
    "* ",
    "> ",
    ">",
    "<",
    "<u>",
    "</u>",
    "<br>",
    "<div>",
    "<!-- c -->",
    "<b>x</b>",
    "&amp;",
    "&",
    "&#32;",
    "[",
    "]",
    "(",
    ")",
    "](",
    "[a](b)",
    "![x](y)",
    "[a]: b",
    "[^1]",
    "[^1]: x",
    "[ ] ",
    "[x] ",
    "\\",
    "\\\\",
    "!",
    "\u{1F600}",
    "\u{5D0}\u{5D1}",
    "\u{202E}",
    "\u{301}",
    "\u{A0}",
    "\u{2028}",
    "https://example.com",
    "<https://e.x>",
    "a@b.c",
    "1",
    "é",
    "|---|",
    ":-:",
    "{",
    "}",
    "\"",
    "'",
    "/",
    "%",
    ".",
    ",",
];

const FILE: &str = "fil_00000000000000000000000000";
const DATABASE: &str = "db_00000000000000000000000000";
const VIEW: &str = "view_00000000000000000000000000";

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,6}( [a-z]{1,6}){0,4}",
        3 => vec(select(SNIPPETS), 0..8).prop_map(|words| words.concat()),
        1 => any::<String>().prop_map(|text| text.replace('\0', "")),
    ]
}

fn mark() -> impl Strategy<Value = Value> {
    let plain = select(vec!["bold", "italic", "underline", "strikethrough", "code", "highlight", "equation"]);
    let urls =
        vec!["https://example.com/a_(b)?c=*d*&e", "mailto:a@b.c", "/rel", "#x", "a|b", "https://e.x/\\<>", "word"];
    let mentions = vec![
        ("user", "usr_00000000000000000000000000"),
        ("team", "tm_00000000000000000000000000"),
        ("page", "pg_00000000000000000000000000"),
        ("database", DATABASE),
    ];
    prop_oneof![
        4 => plain.prop_map(|kind| json!({ "type": kind })),
        1 => select(urls).prop_map(|url| json!({ "type": "link", "attrs": { "url": url } })),
        1 => select(mentions).prop_map(
            |(kind, id)| json!({ "type": "mention", "attrs": { "mentionType": kind, "mentionId": id } })
        ),
    ]
}

/// A text with marks, whose ends are random character boundaries.
pub(super) fn rich() -> impl Strategy<Value = Value> {
    (text(), vec((mark(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4)).prop_map(
        |(text, marks)| {
            let mut borders = vec![0];
            for letter in text.chars() {
                borders.push(borders[borders.len() - 1] + letter.len_utf16());
            }
            let marks = marks.into_iter().filter_map(|(mut mark, one, other)| {
                let (one, other) = (*one.get(&borders), *other.get(&borders));
                mark["from"] = json!(one.min(other));
                mark["to"] = json!(one.max(other));
                (one != other).then_some(mark)
            });
            json!({ "marks": marks.collect::<Vec<_>>(), "text": text })
        },
    )
}

/// A random subset of these keys.
fn keys(all: Vec<(&'static str, Vec<Value>)>) -> impl Strategy<Value = Map<String, Value>> {
    let draws = all.into_iter().map(|(key, values)| {
        prop_oneof![3 => Just(None), 1 => select(values).prop_map(move |value| Some((key.to_owned(), value)))]
    });
    draws.collect::<Vec<_>>().prop_map(|drawn| drawn.into_iter().flatten().collect())
}

fn decoration() -> impl Strategy<Value = Map<String, Value>> {
    keys(vec![
        ("align", vec![json!("center")]),
        ("color", vec![json!("red")]),
        ("showDivider", vec![json!(true)]),
        ("citation", vec![json!("me"), json!("")]),
        ("emoji", vec![json!("\u{1F600}")]),
        ("backgroundColor", vec![json!("#fff")]),
        ("start", vec![json!(1), json!(0), json!(7), json!(999_999_999)]),
        ("checked", vec![json!(true), json!(false)]),
        ("collapsed", vec![json!(false)]),
        ("widthPct", vec![json!(50), json!(33.3)]),
        ("display", vec![json!("auto")]),
        ("heightPx", vec![json!(130)]),
        ("showLineNumbers", vec![json!(true)]),
        ("padding", vec![json!(3)]),
        ("columnWidths", vec![json!([1, 2])]),
    ])
}

fn substance() -> impl Strategy<Value = Map<String, Value>> {
    let ids = keys(vec![
        ("fileId", vec![json!(FILE)]),
        ("databaseId", vec![json!(DATABASE)]),
        ("viewId", vec![json!(VIEW)]),
        ("pageId", vec![json!("pg_00000000000000000000000000")]),
        ("sourceBlockId", vec![json!("blk_00000000000000000000000000")]),
        ("url", vec![json!("https://example.com")]),
        ("size", vec![json!(3)]),
        ("language", vec![json!("rust"), json!("a b"), json!("`"), json!("")]),
        ("headerRow", vec![json!(true)]),
    ]);
    (ids, text(), text(), 0..4usize).prop_flat_map(|(ids, words, code, width)| {
        vec(vec(rich(), width), 0..4).prop_map(move |rows| {
            let mut keys = ids.clone();
            for (key, value) in
                [("caption", &words), ("title", &words), ("name", &words), ("code", &code), ("latex", &code)]
            {
                keys.insert(key.to_owned(), json!(value));
            }
            keys.insert("rows".to_owned(), json!(rows));
            keys
        })
    })
}

fn body(parent: Option<Kind>) -> impl Strategy<Value = Body> {
    let fitting = Kind::ALL.iter().copied().filter(|kind| kind.may_stand_in(parent)).collect::<Vec<_>>();
    let common = [Kind::Paragraph, Kind::BulletedList, Kind::NumberedList, Kind::Todo, Kind::Quote, Kind::Code];
    let common = common.into_iter().filter(|kind| kind.may_stand_in(parent)).collect::<Vec<_>>();
    let common = if common.is_empty() { fitting.clone() } else { common };
    (prop_oneof![select(fitting), select(common)], rich(), substance(), decoration()).prop_map(
        |(kind, rich, mut keys, more)| {
            keys.extend(rich.as_object().cloned().unwrap_or_default());
            keys.extend(more);
            if matches!(kind, Kind::Column | Kind::ColumnList) {
                keys.remove("text");
            }
            let sent = Value::Object(keys);
            Body::read(kind, Some(sent.clone()), Some(sent), "block").unwrap_or_else(|_| Body::empty(kind))
        },
    )
}

fn tree(parent: Option<Kind>, depth: u32) -> BoxedStrategy<Piece> {
    body(parent)
        .prop_flat_map(move |body| {
            let kind = body.kind();
            let most = if depth == 0 || kind == Kind::SyncedBlock { 1 } else { 4 };
            let child =
                if most > 1 { tree(Some(kind), depth - 1) } else { Just(Piece::new(Body::empty(kind))).boxed() };
            vec(child, 0..most)
                .prop_map(move |children| Piece::new(body.clone()).with(if most > 1 { children } else { Vec::new() }))
        })
        .boxed()
}

pub(crate) fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    vec(tree(None, 2), 0..5)
}

/// Text in which much looks like Markdown.
pub(crate) fn markdown() -> impl Strategy<Value = String> {
    let line = (select(vec!["", "", "", "  ", "    ", "> ", "- ", "1. ", "\t", "   > ", "* [ ] "]), text());
    vec(line.prop_map(|(head, text)| format!("{head}{text}\n")), 0..12).prop_map(|lines| lines.concat())
}
