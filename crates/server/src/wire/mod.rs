//! Values in bodies, queries and replies: how they are parsed, written and described.
//!
//! The types of the core know nothing about JSON schemas. Here each of them gets its representation; `body!`,
//! `query!` and `reply!` combine them.

mod body;
mod confidential;
mod cursor;
mod encoding;
mod envelope;
mod form;
mod free;
#[cfg(test)]
mod fuzz;
mod hint;
mod json;
mod long_json;
mod page;
mod pascal_case;
mod query;
mod reader;
mod reply;
mod route_reply;
#[cfg(test)]
mod tests;
mod union;
mod values;

pub use confidential::Confidential;
pub use cursor::{Binding, CursorSeal, Pager};
pub use encoding::{Bodies, Encoding, FORM, JSON};
pub use envelope::{Data, Page};
pub use form::parse_form;
pub use free::{Json, JsonOf, JsonText, Markdown};
pub use json::{parse, parse_document};
pub use long_json::write_json;
pub use page::PageRequest;
pub use query::Parameters;
pub use reader::{MAX_UNKNOWN, Reader, read_nested, unknown_field};
pub use route_reply::{Located, MediaDoc, RouteReply};
pub use union::{reference, tag, union};
pub use values::{
    ChangedByMove, ConfirmationText, Listed, Neighbour, NeighbourFavorite, Parent, Root, Several, Sort, Text,
    TreeRootRef, Unchangeable, UnsupportedField, Version, VersionLabel, Whole,
};

pub(crate) use body::{
    body, documented_struct, field_example, field_schema, field_type, is_always, is_exemplary, is_nullable, put_schema,
    whole_example,
};
pub(crate) use pascal_case::pascal_case;
pub(crate) use query::{query, size_name};
pub(crate) use reply::{reply, show_field, shown_type};

use octavo_core_model::fault::{Hint, Issue, Violation};
use serde::Serializer;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A value with a schema in the published description.
pub trait Documented {
    /// Whether examples of bodies show a field of this type.
    const IN_EXAMPLES: bool = true;

    /// Whether replies with this field contain a token, a secret or a signed address. Such replies are not
    /// compressed: the compressed length would reveal the secret to somebody who can add text of their own.
    const HOLDS_SECRET: bool = false;

    /// Its JSON schema.
    fn schema() -> Value;

    /// An example, for fields without one of their own.
    fn example() -> Value;

    /// Adds the schemas that `schema` refers to by name.
    fn collect(_named: &mut Named) {}
}

/// A value in requests.
pub trait Readable: Documented + Sized {
    /// Whether error details must not quote the received value.
    const SECRET: bool = false;

    fn read(value: &Value) -> Result<Self, Issue>;

    /// Parses the value of a field and records its flaws. A type that contains other values names the place of a flaw
    /// itself.
    fn read_field(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<Self> {
        match Self::read(value) {
            Ok(value) => Some(value),
            Err(issue) => {
                violations.push(Self::flawed(field, issue, value));
                None
            }
        }
    }

    /// Parses the value of a field that is read only once. Long values are moved instead of copied.
    fn take_field(field: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
        Self::read_field(field, value, violations)
    }

    /// The violation for a value that breaks a rule.
    fn flawed(field: &str, issue: Issue, value: &Value) -> Violation {
        let violation = Violation::new(field, issue).hinting(Self::hint(issue));
        if Self::SECRET { violation } else { violation.with(value.clone()) }
    }

    /// What would have been right in place of a value that breaks a rule.
    fn hint(issue: Issue) -> Hint {
        hint::of_schema(&Self::schema(), issue)
    }

    /// Parses a query parameter, which is always a text.
    fn read_text(text: &str) -> Result<Self, Issue> {
        Self::read(&Value::String(text.to_owned()))
    }
}

/// A value in replies.
pub trait Writable: Documented {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Makes a writable value serializable for serde.
pub struct Written<'a, T: ?Sized>(pub &'a T);

impl<T: Writable + ?Sized> serde::Serialize for Written<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<T> std::fmt::Debug for Written<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Written")
    }
}

/// The schemas in `components`, which are referred to by name.
pub type Named = BTreeMap<String, Value>;

/// The body of a request: an object whose fields are parsed one by one, so that all flaws are reported at once.
pub trait RequestBody: Documented + Sized {
    /// Its name in the description.
    const NAME: &'static str;

    fn read_fields(fields: &mut Reader<'_>) -> Option<Self>;
}

/// The parameters of a query.
pub trait QueryParameters: Sized {
    fn read(parameters: &mut Parameters<'_>) -> Option<Self>;

    /// Descriptions of the parameters.
    fn describe() -> Vec<ParameterDoc>;

    /// The default and the largest page size; `None` for queries without a list.
    const PAGE: Option<PageLimits> = None;
}

#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// The parameter for the size of a page.
    pub name: &'static str,
    pub default: u32,
    pub max: u32,
}

/// A query parameter in the description.
#[derive(Clone, Debug)]
pub struct ParameterDoc {
    pub name: &'static str,
    pub about: String,
    pub required: bool,
    pub schema: Value,
    /// Shown only if the parameter is required, because the viewer sends it with every call that somebody tries.
    pub example: Value,
}

/// A field of a body or reply in the description.
pub struct FieldDoc {
    pub name: &'static str,
    pub about: String,
    pub required: bool,
    pub nullable: bool,
    pub schema: Value,
    pub example: Value,
}

/// The schema of an object with these fields.
pub fn object_schema(about: &str, fields: Vec<FieldDoc>) -> Value {
    let required: Vec<_> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let properties: Map<_, _> = fields.into_iter().map(|field| (field.name.to_owned(), field.into_schema())).collect();
    let mut schema = json!({ "type": "object", "description": about, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

impl FieldDoc {
    fn into_schema(self) -> Value {
        let mut schema = if self.nullable { nullable(self.schema) } else { self.schema };
        schema["description"] = self.about.into();
        schema["examples"] = json!([self.example]);
        schema
    }
}

fn nullable(mut schema: Value) -> Value {
    match schema.get_mut("type") {
        Some(kind) if kind.is_string() => {
            *kind = json!([kind.take(), "null"]);
            if let Some(Value::Array(members)) = schema.get_mut("enum") {
                members.push(Value::Null);
            }
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// Joins the lines of a doc comment into one text, keeping paragraphs apart.
pub fn prose(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines.iter().map(|line| line.trim()) {
        if line.is_empty() {
            text.push_str("\n\n");
        } else {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push(' ');
            }
            text.push_str(line);
        }
    }
    text
}
