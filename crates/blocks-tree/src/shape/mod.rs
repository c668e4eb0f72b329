//! The content and properties of each type of block, apart from text, as one table.

pub mod known_keys;
mod rule;
pub mod schema;

pub(crate) use rule::cells;

use rule::Rule;

use crate::kind::Kind;
use octavo_core_model::{
    fault::Violation,
    id::{BlockId, ChartId, DatabaseId, FileId, FormId, PageId, ViewId},
};
use rule::{ALIGN, CAPTION, DISPLAY, FLAG, LANGUAGE, LINE, MIME, NAME, TITLE, URL, id};
use serde_json::{Map, Value};
use std::fmt;

/// The keys of content (except those of rich texts) and of properties.
pub(crate) struct Shape {
    pub(crate) content: &'static [Field],
    pub(crate) properties: &'static [Field],
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    /// The default content of a block.
    default: Option<fn() -> Value>,
}

const fn field(name: &'static str, rule: Rule) -> Field {
    Field { name, rule, default: None }
}

const fn with_default(name: &'static str, rule: Rule, default: fn() -> Value) -> Field {
    Field { name, rule, default: Some(default) }
}

const ALIGN_FIELD: Field = field("align", ALIGN);
const FILE_FIELD: Field = field("fileId", id::<FileId>(FileId::PREFIX));
const DATABASE_FIELD: Field = field("databaseId", id::<DatabaseId>(DatabaseId::PREFIX));
const VIEW_FIELD: Field = field("viewId", id::<ViewId>(ViewId::PREFIX));
const WIDTH_FIELD: Field = field("widthPct", Rule::Number { least: 10, most: 100 });
const CAPTION_FIELD: Field = field("caption", CAPTION);
const URL_FIELD: Field = field("url", URL);
/// The default height of a spacer.
const SPACER_PX: u32 = 24;

impl Shape {
    #[expect(clippy::too_many_lines, reason = "a table with a row for each type of block")]
    pub(crate) const fn of(kind: Kind) -> Self {
        let (content, properties): (&[Field], &[Field]) = match kind {
            Kind::Paragraph => (&[], const { &[ALIGN_FIELD, field("color", Rule::Color)] }),
            Kind::Heading1 => (&[], const { &[ALIGN_FIELD, field("showDivider", FLAG)] }),
            Kind::Heading2 | Kind::Heading3 => (&[], const { &[ALIGN_FIELD] }),
            Kind::Quote => (const { &[field("citation", CAPTION)] }, const { &[ALIGN_FIELD] }),
            Kind::Callout => (
                &[],
                const {
                    &[
                        field("emoji", Rule::Emoji),
                        field("backgroundColor", Rule::Color),
                        field("textColor", Rule::Color),
                    ]
                },
            ),
            Kind::NumberedList => (const { &[field("start", Rule::Whole { least: 0, most: 999_999_999 })] }, &[]),
            Kind::Todo => (&[], const { &[field("checked", FLAG)] }),
            Kind::Toggle => (&[], const { &[field("collapsed", FLAG)] }),
            Kind::Image => (
                const { &[FILE_FIELD, CAPTION_FIELD] },
                const { &[ALIGN_FIELD, WIDTH_FIELD, field("display", DISPLAY)] },
            ),
            Kind::Video => (const { &[FILE_FIELD, URL_FIELD, CAPTION_FIELD] }, const { &[ALIGN_FIELD, WIDTH_FIELD] }),
            Kind::Audio => (const { &[FILE_FIELD, URL_FIELD] }, &[]),
            Kind::File => {
                const SIZE: Rule = Rule::Whole { least: 0, most: (1 << 53) - 1 };
                (
                    const { &[FILE_FIELD, field("name", NAME), field("size", SIZE), field("mimeType", MIME)] },
                    const { &[CAPTION_FIELD] },
                )
            }
            Kind::Bookmark => (const { &[URL_FIELD, field("title", TITLE), field("description", CAPTION)] }, &[]),
            Kind::Embed => {
                (const { &[URL_FIELD] }, const { &[field("heightPx", Rule::Whole { least: 120, most: 800 })] })
            }
            Kind::Code => (
                const {
                    &[
                        with_default("code", Rule::Text { most: 100_000 }, || Value::String(String::new())),
                        with_default("language", LANGUAGE, || Value::String("plain".to_owned())),
                    ]
                },
                const { &[field("showLineNumbers", FLAG), field("wrap", FLAG)] },
            ),
            Kind::Equation => (
                const { &[with_default("latex", Rule::Text { most: 100_000 }, || Value::String(String::new()))] },
                const { &[ALIGN_FIELD] },
            ),
            Kind::Column => (
                const { &[field("text", Rule::Nothing)] },
                const { &[field("widthPct", Rule::Number { least: 20, most: 100 })] },
            ),
            Kind::ColumnList => {
                const PADDING: Rule = Rule::Whole { least: 0, most: 200 };
                (
                    const { &[field("text", Rule::Nothing)] },
                    const { &[field("background", Rule::Color), field("padding", PADDING)] },
                )
            }
            Kind::BulletedList | Kind::Divider => (&[], &[]),
            Kind::Spacer => (
                const { &[with_default("heightPx", Rule::Whole { least: 8, most: 200 }, || Value::from(SPACER_PX))] },
                &[],
            ),
            Kind::Database => (const { &[DATABASE_FIELD] }, const { &[VIEW_FIELD] }),
            Kind::LinkedDatabase => (const { &[DATABASE_FIELD, VIEW_FIELD] }, &[]),
            Kind::Table => (
                const { &[with_default("headerRow", FLAG, || Value::Bool(false))] },
                const { &[field("columnWidths", Rule::Widths), ALIGN_FIELD] },
            ),
            Kind::Chart => (
                const { &[field("chartId", id::<ChartId>(ChartId::PREFIX)), DATABASE_FIELD] },
                const { &[WIDTH_FIELD] },
            ),
            Kind::Form => (const { &[field("formId", id::<FormId>(FormId::PREFIX)), DATABASE_FIELD] }, &[]),
            // Its content, and whether the reader may see it, is read from its source each time.
            Kind::SyncedBlock => (const { &[field("sourceBlockId", id::<BlockId>(BlockId::PREFIX))] }, &[]),
            Kind::ChildPage => (const { &[field("pageId", id::<PageId>(PageId::PREFIX))] }, &[]),
            Kind::ChildDatabase => (const { &[DATABASE_FIELD, field("title", LINE)] }, const { &[VIEW_FIELD] }),
        };
        Self { content, properties }
    }
}

/// The path of a part of a block in a request. It is formatted only for flaws.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    within: &'a str,
    part: &'a str,
}

impl<'a> Place<'a> {
    pub(crate) const fn new(within: &'a str, part: &'a str) -> Self {
        Self { within, part }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = if self.within.is_empty() { "" } else { "." };
        write!(f, "{}{dot}{}", self.within, self.part)
    }
}

/// Parses the known fields and moves them out of the request; drops others. Reports every flaw.
pub(crate) fn read_fields(
    fields: &[Field],
    sent: &mut Map<String, Value>,
    at: Place<'_>,
    flaws: &mut Vec<Violation>,
) -> Map<String, Value> {
    let mut read = Map::new();
    for field in fields {
        let Some(value) = sent.remove(field.name).filter(|value| !value.is_null()) else { continue };
        match field.rule.read(value, &format_args!("{at}.{}", field.name)) {
            Ok(value) => {
                read.insert(field.name.to_owned(), value);
            }
            Err(flaw) => flaws.push(flaw),
        }
    }
    read
}

/// Adds missing default keys to the content, so that readers find every key.
pub(crate) fn complete(fields: &[Field], content: &mut Map<String, Value>) {
    for field in fields {
        content.entry(field.name).or_insert_with(|| field.default.map_or(Value::Null, |default| default()));
    }
}
