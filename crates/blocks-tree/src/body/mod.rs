//! The content of a block.

mod fields;
mod parts;
mod texts;

pub use fields::Fields;
pub(crate) use parts::{Cell, Part};
pub(crate) use texts::Cells;

use crate::{
    kind::Kind,
    rich_text::{self, RichText},
    shape::{Place, Shape, cells, complete, read_fields},
};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::BlockId,
};
use serde::Serialize;
use serde_json::{Map, Value};
use texts::Texts;

/// The keys of content and properties that hold texts which people write.
const PROSE: &[&str] = &["caption", "citation", "code", "description", "latex", "name", "title"];

/// The type of a block, with content and properties that are valid for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    kind: Kind,
    texts: Texts,
    /// The content apart from the texts.
    fields: Fields,
    properties: Fields,
}

impl Body {
    /// Parses what a caller sent for a block of this type. Drops keys that the type does not know. `at` is the path
    /// of the block in the request, or empty. Texts are moved from the values, not copied.
    pub fn read(
        kind: Kind,
        content: Option<Value>,
        properties: Option<Value>,
        at: &str,
    ) -> Result<Self, Vec<Violation>> {
        let mut flaws = Vec::new();
        let (texts, fields) = read_content(kind, content, Place::new(at, "content"), &mut flaws);
        let properties = read_properties(kind, properties, Place::new(at, "properties"), &mut flaws);
        if flaws.is_empty() { Ok(Self { kind, texts, fields, properties }) } else { Err(flaws) }
    }

    /// Like [`Self::read`], for content and properties in one object: each takes the keys that it knows.
    pub(crate) fn from_keys(kind: Kind, mut keys: Map<String, Value>) -> Result<Self, Vec<Violation>> {
        let mut flaws = Vec::new();
        let properties = read_fields(Shape::of(kind).properties, &mut keys, Place::default(), &mut flaws).into();
        let (texts, fields) = read_content(kind, Some(keys.into()), Place::default(), &mut flaws);
        if flaws.is_empty() { Ok(Self { kind, texts, fields, properties }) } else { Err(flaws) }
    }

    /// An empty block of the type.
    pub fn empty(kind: Kind) -> Self {
        let mut fields = Map::new();
        complete(Shape::of(kind).content, &mut fields);
        Self { kind, texts: Texts::empty(kind), fields: fields.into(), properties: Fields::default() }
    }

    /// A block with a text, if the type has one.
    pub fn with_text(kind: Kind, text: RichText) -> Self {
        Self::empty(kind).with_new_text(text)
    }

    /// The same block with another text, if the type has one.
    #[must_use]
    pub(crate) fn with_new_text(mut self, text: RichText) -> Self {
        if let Texts::Text(own) = &mut self.texts {
            *own = text;
        }
        self
    }

    pub(crate) fn table(cells: Cells, has_head: bool) -> Self {
        let table = Self::empty(Kind::Table).with_field("headerRow", has_head.into());
        Self { texts: Texts::Cells(cells), ..table }
    }

    /// The same block with this value in its content.
    #[must_use]
    pub(crate) fn with_field(mut self, key: &str, value: Value) -> Self {
        self.fields.insert(key, value);
        self
    }

    /// The same block with this property.
    #[must_use]
    pub(crate) fn with_property(mut self, key: &str, value: Value) -> Self {
        self.properties.insert(key, value);
        self
    }

    /// Accepts a value from the store, which was valid when it was written.
    pub fn from_stored(kind: Kind, mut content: Map<String, Value>, properties: Map<String, Value>) -> Self {
        let texts = Texts::from_stored(kind, &mut content);
        Self { kind, texts, fields: content.into(), properties: properties.into() }
    }

    /// The type of the block.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The content, as JSON. Which keys it has depends on the type. It is made anew each time, and needs many times the
    /// memory of the block: to write it as text, use [`Self::to_content`].
    pub fn content(&self) -> Map<String, Value> {
        let mut content = self.fields.to_json();
        content.extend(self.texts.clone().into_json());
        content
    }

    /// The content, to be serialized. Which keys it has depends on the type.
    pub fn to_content(&self) -> impl Serialize + '_ {
        self.parts(Cell::Rich)
    }

    /// The content apart from the rich texts. Which keys it has depends on the type.
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The properties. Which keys they can have depends on the type.
    pub const fn properties(&self) -> &Fields {
        &self.properties
    }

    /// Its rich text, if its type has one.
    pub fn text(&self) -> Option<&RichText> {
        if let Texts::Text(text) = &self.texts { Some(text) } else { None }
    }

    /// All rich texts: that of the block, or those of its cells.
    pub fn texts(&self) -> &[RichText] {
        self.texts.as_slice()
    }

    /// What people have written in the block: its rich texts, and captions, titles, code and the like.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        // The title of a database in its block is that of the database.
        let keys = if self.kind == Kind::ChildDatabase { &[][..] } else { PROSE };
        let others = keys.iter().flat_map(|key| [self.fields.get(key), self.properties.get(key)]);
        let others = others.filter_map(|value| value?.as_str());
        self.texts().iter().map(RichText::text).chain(others).filter(|text| !text.is_empty())
    }

    pub(crate) fn texts_mut(&mut self) -> &mut [RichText] {
        self.texts.as_mut_slice()
    }

    /// The content apart from the rich texts, and the properties.
    pub(crate) fn keys_mut(&mut self) -> [&mut Fields; 2] {
        [&mut self.fields, &mut self.properties]
    }

    /// The cells of a table.
    pub(crate) fn cells(&self) -> Option<&Cells> {
        if let Texts::Cells(cells) = &self.texts { Some(cells) } else { None }
    }

    /// How many bytes its type, content and properties have as a JSON array, including escapes.
    pub fn bytes(&self) -> u64 {
        let mut count = Count(0);
        // Maps with text keys can always be serialized, and counting cannot fail.
        let _ = serde_json::to_writer(&mut count, self);
        count.0
    }

    /// The source of an instance.
    pub fn source(&self) -> Option<BlockId> {
        if self.kind != Kind::SyncedBlock {
            return None;
        }
        self.fields.get("sourceBlockId")?.as_str()?.parse().ok()
    }

    pub(crate) fn with_source(&self, source: BlockId) -> Self {
        self.clone().with_field("sourceBlockId", source.to_string().into())
    }

    /// The content after replacing some of its keys by what a caller sent, to be parsed again. Marks belong to their
    /// text: a text that is sent without marks has none.
    pub(crate) fn merged(&self, sent: &Value) -> Value {
        let named = match sent {
            Value::Object(named) => Some(named.clone()),
            Value::String(plain) => short_key(self.kind).map(|key| in_short(key, plain.clone())),
            _ => None,
        };
        let Some(named) = named else { return sent.clone() };
        let mut content = self.content();
        if named.contains_key("text") {
            content.remove("marks");
        }
        content.extend(named);
        content.into()
    }

    /// The same content as another type: keeps what that type can hold, and drops properties that it does not know.
    #[must_use]
    pub fn turned_into(&self, kind: Kind) -> Self {
        let mut sent = self.content();
        let text = ["text", "code", "latex"].iter().find_map(|key| sent.get(*key).filter(|text| !text.is_null()));
        if let Some(text) = text.cloned() {
            for key in ["text", "code", "latex"] {
                sent.entry(key).or_insert_with(|| text.clone());
            }
        }
        // Whatever does not fit is dropped without an error: the caller did not send it.
        let mut ignored = Vec::new();
        let (texts, fields) = read_content(kind, Some(sent.into()), Place::default(), &mut ignored);
        let properties = read_properties(kind, Some(self.properties.to_json().into()), Place::default(), &mut ignored);
        Self { kind, texts, fields, properties }
    }
}

/// Parses the texts and the other fields of the content.
fn read_content(kind: Kind, sent: Option<Value>, at: Place<'_>, flaws: &mut Vec<Violation>) -> (Texts, Fields) {
    let mut sent = match sent {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(sent)) => sent,
        Some(other) => match (short_key(kind), other) {
            (Some(key), Value::String(plain)) => in_short(key, plain),
            (_, other) => {
                flaws.push(Violation::new(at.to_string(), Issue::InvalidType).with(other));
                Map::new()
            }
        },
    };
    let shape = Shape::of(kind).content;
    let mut fields = read_fields(shape, &mut sent, at, flaws);
    complete(shape, &mut fields);
    let texts = read_texts(kind, &mut sent, at).unwrap_or_else(|flaw| {
        flaws.push(flaw);
        Texts::empty(kind)
    });
    (texts, fields.into())
}

fn read_texts(kind: Kind, sent: &mut Map<String, Value>, at: Place<'_>) -> Result<Texts, Violation> {
    match kind {
        Kind::Table => match sent.remove("rows").filter(|rows| !rows.is_null()) {
            Some(rows) => cells(rows, &format_args!("{at}.rows")).map(|rows| Texts::Cells(Cells::new(rows))),
            None => Ok(Texts::empty(kind)),
        },
        kind if kind.is_text() => rich_text::read(sent, &at).map(Texts::Text),
        _ => Ok(Texts::Nothing),
    }
}

fn read_properties(kind: Kind, sent: Option<Value>, at: Place<'_>, flaws: &mut Vec<Violation>) -> Fields {
    match sent {
        None | Some(Value::Null) => Fields::default(),
        Some(Value::Object(mut sent)) => read_fields(Shape::of(kind).properties, &mut sent, at, flaws).into(),
        Some(other) => {
            flaws.push(Violation::new(at.to_string(), Issue::InvalidType).with(other));
            Fields::default()
        }
    }
}

/// The key of the text, for types whose content can be sent as a plain text.
fn short_key(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Code => Some("code"),
        Kind::Equation => Some("latex"),
        kind if kind.is_text() => Some("text"),
        _ => None,
    }
}

fn in_short(key: &str, plain: String) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), Value::String(plain))])
}

/// Counts the bytes that are written to it.
struct Count(u64);

impl std::io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
