//! What blocks of each type hold besides their text, as one table.

mod rule;

pub(crate) use rule::{Rule, text};

use crate::kind::Kind;
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{ChartId, DatabaseId, FileId, FormId, PageId, ViewId},
};
use rule::{ALIGN, CAPTION, DISPLAY, FLAG, LANGUAGE, LINE, MIME, NAME, TITLE, URL, id};
use serde_json::{Map, Value};

/// The keys of content (those of rich text apart) and of properties.
pub(crate) struct Shape {
    pub(crate) content: &'static [Field],
    pub(crate) properties: &'static [Field],
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    /// What stands in the content of a block that was made without it.
    default: Option<fn() -> Value>,
}

const fn field(name: &'static str, rule: Rule) -> Field {
    Field { name, rule, default: None }
}

const fn with_default(name: &'static str, rule: Rule, default: fn() -> Value) -> Field {
    Field { name, rule, default: Some(default) }
}

const ALIGN_FIELD: Field = field("align", ALIGN);
const FILE_FIELD: Field = field("fileId", id::<FileId>());
const DATABASE_FIELD: Field = field("databaseId", id::<DatabaseId>());
const VIEW_FIELD: Field = field("viewId", id::<ViewId>());
const WIDTH_FIELD: Field = field("widthPct", Rule::Number { least: 10, most: 100 });
const CAPTION_FIELD: Field = field("caption", CAPTION);
const URL_FIELD: Field = field("url", URL);
/// The height of a spacer nobody gave one.
const SPACER_PX: u32 = 24;

impl Shape {
    #[expect(clippy::too_many_lines, reason = "a table with a row for each type of block")]
    pub(crate) const fn of(kind: Kind) -> Self {
        let (content, properties): (&[Field], &[Field]) = match kind {
            Kind::Paragraph => (&[], &[ALIGN_FIELD, field("color", Rule::Color)]),
            Kind::Heading1 => (&[], &[ALIGN_FIELD, field("showDivider", FLAG)]),
            Kind::Heading2 | Kind::Heading3 => (&[], &[ALIGN_FIELD]),
            Kind::Quote => (&[field("citation", CAPTION)], &[ALIGN_FIELD]),
            Kind::Callout => {
                const COLORS: [Field; 3] = [
                    field("emoji", Rule::Emoji),
                    field("backgroundColor", Rule::Color),
                    field("textColor", Rule::Color),
                ];
                (&[], &COLORS)
            }
            Kind::BulletedList => (&[], &[]),
            Kind::NumberedList => (&[field("start", Rule::Whole { least: 0, most: 999_999_999 })], &[]),
            Kind::Todo => (&[], &[field("checked", FLAG)]),
            Kind::Toggle => (&[], &[field("collapsed", FLAG)]),
            Kind::Image => {
                (&[FILE_FIELD, CAPTION_FIELD], &[ALIGN_FIELD, WIDTH_FIELD, field("display", DISPLAY)])
            }
            Kind::Video => (&[FILE_FIELD, URL_FIELD, CAPTION_FIELD], &[ALIGN_FIELD, WIDTH_FIELD]),
            Kind::Audio => (&[FILE_FIELD, URL_FIELD], &[]),
            Kind::File => {
                const SIZE: Rule = Rule::Whole { least: 0, most: (1 << 53) - 1 };
                (&[FILE_FIELD, field("name", NAME), field("size", SIZE), field("mimeType", MIME)], &[CAPTION_FIELD])
            }
            Kind::Bookmark => (&[URL_FIELD, field("title", TITLE), field("description", CAPTION)], &[]),
            Kind::Embed => (&[URL_FIELD], &[field("heightPx", Rule::Whole { least: 120, most: 800 })]),
            Kind::Code => (
                &[
                    with_default("code", Rule::Text { most: 100_000 }, || Value::String(String::new())),
                    with_default("language", LANGUAGE, || Value::String("plain".to_owned())),
                ],
                &[field("showLineNumbers", FLAG), field("wrap", FLAG)],
            ),
            Kind::Equation => (
                &[with_default("latex", Rule::Text { most: 100_000 }, || Value::String(String::new()))],
                &[ALIGN_FIELD],
            ),
            Kind::Column => (&[field("text", Rule::Nothing)], &[field("widthPct", Rule::Number { least: 20, most: 100 })]),
            Kind::ColumnList => {
                const PADDING: Rule = Rule::Whole { least: 0, most: 200 };
                (&[field("text", Rule::Nothing)], &[field("background", Rule::Color), field("padding", PADDING)])
            }
            Kind::Divider => (&[], &[]),
            Kind::Spacer => {
                (&[with_default("heightPx", Rule::Whole { least: 8, most: 200 }, || Value::from(SPACER_PX))], &[])
            }
            Kind::Database => (&[DATABASE_FIELD], &[VIEW_FIELD]),
            Kind::LinkedDatabase => (&[DATABASE_FIELD, VIEW_FIELD], &[]),
            Kind::Table => (
                &[
                    with_default("rows", Rule::Cells, || Value::Array(Vec::new())),
                    with_default("headerRow", FLAG, || Value::Bool(false)),
                ],
                &[field("columnWidths", Rule::Widths), ALIGN_FIELD],
            ),
            Kind::Chart => (&[field("chartId", id::<ChartId>()), DATABASE_FIELD], &[WIDTH_FIELD]),
            Kind::Form => (&[field("formId", id::<FormId>()), DATABASE_FIELD], &[]),
            // Its content is that of its source; whether that can be seen is told when it is read.
            Kind::SyncedBlock => (&[], &[]),
            Kind::ChildPage => (&[field("pageId", id::<PageId>())], &[]),
            Kind::ChildDatabase => (&[DATABASE_FIELD, field("title", LINE)], &[VIEW_FIELD]),
        };
        Self { content, properties }
    }
}

/// Reads the fields that are known from what was sent; others are dropped. Every flaw is told.
pub(crate) fn read_fields(
    fields: &[Field],
    sent: &Map<String, Value>,
    at: &str,
    flaws: &mut Vec<Violation>,
) -> Map<String, Value> {
    let mut read = Map::new();
    for field in fields {
        let Some(value) = sent.get(field.name).filter(|value| !value.is_null()) else { continue };
        match field.rule.read(value, &format!("{at}.{}", field.name)) {
            Ok(value) => {
                read.insert(field.name.to_owned(), value);
            }
            Err(flaw) => flaws.push(flaw),
        }
    }
    read
}

/// Fills in what content always has, so that readers find every key.
pub(crate) fn complete(fields: &[Field], content: &mut Map<String, Value>) {
    for field in fields {
        content.entry(field.name).or_insert_with(|| field.default.map_or(Value::Null, |default| default()));
    }
}

/// Reads an object that may be absent.
pub(crate) fn object<'a>(sent: Option<&'a Value>, at: &str) -> Result<Option<&'a Map<String, Value>>, Violation> {
    match sent {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(Violation::new(at, Issue::InvalidType).with(other.clone())),
    }
}
