//! The content of a block.

use crate::{
    kind::Kind,
    rich_text::{self, RichText},
    shape::{Place, Shape, complete, read_fields},
};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::BlockId,
};
use serde_json::{Map, Value};

/// The type of a block, with content and properties that are valid for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    kind: Kind,
    content: Map<String, Value>,
    properties: Map<String, Value>,
}

impl Body {
    /// Parses what a caller sent for a block of this type. Drops keys that the type does not know. `at` is the path
    /// of the block in the request, or empty.
    pub fn read(
        kind: Kind,
        content: Option<&Value>,
        properties: Option<&Value>,
        at: &str,
    ) -> Result<Self, Vec<Violation>> {
        Self::from_sent(kind, content.cloned(), properties.cloned(), at)
    }

    /// Like [`Self::read`], for values that are not needed any more: moves texts instead of copying them.
    pub fn from_sent(
        kind: Kind,
        content: Option<Value>,
        properties: Option<Value>,
        at: &str,
    ) -> Result<Self, Vec<Violation>> {
        let mut flaws = Vec::new();
        let content = read_content(kind, content, Place::new(at, "content"), &mut flaws);
        let properties = read_properties(kind, properties, Place::new(at, "properties"), &mut flaws);
        if flaws.is_empty() { Ok(Self { kind, content, properties }) } else { Err(flaws) }
    }

    /// An empty block of the type.
    pub fn empty(kind: Kind) -> Self {
        let mut content = if kind.is_text() { RichText::default().to_json() } else { Map::new() };
        complete(Shape::of(kind).content, &mut content);
        Self { kind, content, properties: Map::new() }
    }

    /// A block with a text, if the type has one.
    pub fn with_text(kind: Kind, text: &RichText) -> Self {
        let mut body = Self::empty(kind);
        if kind.is_text() {
            body.content.extend(text.to_json());
        }
        body
    }

    /// Accepts a value from the store, which was valid when it was written.
    pub const fn from_stored(kind: Kind, content: Map<String, Value>, properties: Map<String, Value>) -> Self {
        Self { kind, content, properties }
    }

    /// The type of the block.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The content, as JSON. Which keys it has depends on the type.
    pub const fn content(&self) -> &Map<String, Value> {
        &self.content
    }

    /// The properties, as JSON. Which keys they can have depends on the type.
    pub const fn properties(&self) -> &Map<String, Value> {
        &self.properties
    }

    /// Its rich text, if its type has one.
    pub fn text(&self) -> Option<RichText> {
        self.kind.is_text().then(|| RichText::from_stored(&self.content))
    }

    /// How many bytes its type, content and properties have as a JSON array, including escapes.
    pub fn bytes(&self) -> u64 {
        let mut count = Count(0);
        // Maps with text keys can always be serialized, and counting cannot fail.
        let _ = serde_json::to_writer(&mut count, &(self.kind.name(), &self.content, &self.properties));
        count.0
    }

    /// Its content and its properties.
    pub fn into_words(self) -> (Map<String, Value>, Map<String, Value>) {
        (self.content, self.properties)
    }

    /// The source of an instance.
    pub fn source(&self) -> Option<BlockId> {
        if self.kind != Kind::SyncedBlock {
            return None;
        }
        self.content.get("sourceBlockId")?.as_str()?.parse().ok()
    }

    pub(crate) fn with_source(&self, source: BlockId) -> Self {
        let mut body = self.clone();
        body.content.insert("sourceBlockId".to_owned(), source.to_string().into());
        body
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
        let mut content = self.content.clone();
        if named.contains_key("text") {
            content.remove("marks");
        }
        content.extend(named);
        content.into()
    }

    /// The same content as another type: keeps what that type can hold, and drops properties that it does not know.
    #[must_use]
    pub fn turned_into(&self, kind: Kind) -> Self {
        let mut sent = self.content.clone();
        let said =
            ["text", "code", "latex"].iter().find_map(|key| self.content.get(*key).filter(|text| !text.is_null()));
        if let Some(said) = said.cloned() {
            for key in ["text", "code", "latex"] {
                sent.entry(key).or_insert_with(|| said.clone());
            }
        }
        // Whatever does not fit is dropped without an error: the caller did not send it.
        let mut ignored = Vec::new();
        let content = read_content(kind, Some(sent.into()), Place::default(), &mut ignored);
        let properties = read_properties(kind, Some(self.properties.clone().into()), Place::default(), &mut ignored);
        Self { kind, content, properties }
    }
}

fn read_content(kind: Kind, sent: Option<Value>, at: Place<'_>, flaws: &mut Vec<Violation>) -> Map<String, Value> {
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
    let fields = Shape::of(kind).content;
    let mut content = read_fields(fields, &mut sent, at, flaws);
    if kind.is_text() {
        match rich_text::read(&mut sent, &at) {
            Ok(text) => content.extend(text.into_json()),
            Err(flaw) => flaws.push(flaw),
        }
    }
    complete(fields, &mut content);
    content
}

fn read_properties(kind: Kind, sent: Option<Value>, at: Place<'_>, flaws: &mut Vec<Violation>) -> Map<String, Value> {
    match sent {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(mut sent)) => read_fields(Shape::of(kind).properties, &mut sent, at, flaws),
        Some(other) => {
            flaws.push(Violation::new(at.to_string(), Issue::InvalidType).with(other));
            Map::new()
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
