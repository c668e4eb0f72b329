//! Values of bodies, queries and replies: how they are read, written and described.
//!
//! The words of the core know nothing of JSON schemas. Here each of them is taught once how it looks on the wire;
//! `body!`, `query!` and `reply!` put them together.

mod body;
mod confidential;
mod cursor;
mod envelope;
mod form;
mod free;
mod json;
mod page;
mod query;
mod reader;
mod reply;
#[cfg(test)]
mod tests;
mod values;

pub use confidential::Confidential;
pub use cursor::{Binding, CursorSeal, Pager};
pub use envelope::{Data, Page};
pub use form::parse_form;
pub use free::{Json, Markdown};
pub use json::parse;
pub use page::PageAsked;
pub use query::Parameters;
pub use reader::{Reader, read_nested};
pub use values::{
    ByMoving, Listed, Neighbour, NotYet, Parent, Root, Several, Sort, SpeltOut, Text, TreeRootRef, Unchangeable,
    Version, VersionLabel, Whole,
};

pub(crate) use body::{body, documented_struct, field_example, field_type, is_always, is_nullable};
pub(crate) use query::query;
pub(crate) use reply::{reply, show_field, shown_type};

use octavo_core_model::fault::{Issue, Violation};
use serde::Serializer;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A value with a place in the published description.
pub trait Documented {
    /// Whether examples of bodies show a field of this type.
    const IN_EXAMPLES: bool = true;

    /// Whether a reply that shows it hands out a token, a secret or a signed address. Such replies are not compressed: how well a text
    /// compresses reveals what is in it to somebody who can add text of their own.
    const HOLDS_SECRET: bool = false;

    /// Its JSON schema.
    fn schema() -> Value;

    /// An example, for fields that give none of their own.
    fn example() -> Value;

    /// Adds the schemas that `schema` refers to by name.
    fn collect(_named: &mut Named) {}
}

/// A value that requests bring.
pub trait Readable: Documented + Sized {
    /// Whether error details must not repeat what was sent.
    const SECRET: bool = false;

    fn read(value: &Value) -> Result<Self, Issue>;

    /// Reads the value of a field and notes what is wrong with it. What holds other values names the place of the flaw itself.
    fn read_field(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<Self> {
        match Self::read(value) {
            Ok(value) => Some(value),
            Err(issue) => {
                violations.push(Self::flawed(field, issue, value));
                None
            }
        }
    }

    /// Reads the value of a field that nobody reads again. What may be long is moved out of it in place of being copied.
    fn take_field(field: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
        Self::read_field(field, value, violations)
    }

    /// What is said of a value that breaks a rule.
    fn flawed(field: &str, issue: Issue, value: &Value) -> Violation {
        let violation = Violation::new(field, issue);
        if Self::SECRET { violation } else { violation.with(value.clone()) }
    }

    /// Reads a query parameter, which is always a text.
    fn read_text(text: &str) -> Result<Self, Issue> {
        Self::read(&Value::String(text.to_owned()))
    }
}

/// A value that replies hold.
pub trait Writable: Documented {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Lets a writable value be a field of something serde serializes.
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

/// The schemas that stand under `components` and are referred to by name.
pub type Named = BTreeMap<&'static str, Value>;

/// The body of a request: an object whose fields are read one by one, so that all flaws are reported at once.
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

    /// How many items a page has by default and at most; `None` where nothing is listed.
    const PAGE: Option<PageLimits> = None;
}

#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    pub default: u32,
    pub max: u32,
}

/// One query parameter as the description shows it.
#[derive(Clone, Debug)]
pub struct ParameterDoc {
    pub name: &'static str,
    pub about: String,
    pub required: bool,
    pub schema: Value,
    pub example: Value,
}

/// One field of a body or reply as the description shows it.
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

/// Joins the lines of a doc comment into one text, paragraphs kept apart.
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
