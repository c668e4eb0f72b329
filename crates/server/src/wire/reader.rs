//! Reads the fields of a body and collects their flaws.

use super::{Readable, RequestBody};
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Map, Value};

/// How many unknown fields of a body are named, and with how many characters each.
pub const MAX_UNKNOWN: usize = 20;
const MAX_NAME: usize = 100;

/// The fields of a body. Each method either returns a value, or records a violation and returns `None`.
#[derive(Debug)]
pub struct Reader<'a> {
    fields: Fields<'a>,
    /// The names that were asked for.
    known: Vec<&'static str>,
    violations: Vec<Violation>,
}

#[derive(Debug)]
enum Fields<'a> {
    Lent(&'a Map<String, Value>),
    /// Each field is read once.
    Given(&'a mut Map<String, Value>),
}

impl<'a> Reader<'a> {
    pub const fn over(fields: &'a Map<String, Value>) -> Self {
        Self { fields: Fields::Lent(fields), known: Vec::new(), violations: Vec::new() }
    }

    /// Reads every field only once, so that long values are moved instead of copied.
    pub const fn taking(fields: &'a mut Map<String, Value>) -> Self {
        Self { fields: Fields::Given(fields), known: Vec::new(), violations: Vec::new() }
    }

    /// A field that must be present.
    pub fn required<T: Readable>(&mut self, name: &'static str) -> Option<T> {
        self.known.push(name);
        if self.peek(name).is_none() {
            self.violations.push(Violation::new(name, Issue::Required).hinting(T::hint(Issue::Required)));
            return None;
        }
        self.value(name)
    }

    /// A field that may be left out but must not be null.
    pub fn optional<T: Readable>(&mut self, name: &'static str) -> Option<Option<T>> {
        self.known.push(name);
        if self.peek(name).is_none() { Some(None) } else { self.value(name).map(Some) }
    }

    /// A field of a merge patch: left out, it stays as it is; null clears it.
    pub fn nullable<T: Readable>(&mut self, name: &'static str) -> Option<Option<Option<T>>> {
        self.known.push(name);
        match self.peek(name) {
            Some(Value::Null) => Some(Some(None)),
            Some(_) => self.value(name).map(|value| Some(Some(value))),
            None => Some(None),
        }
    }

    fn peek(&self, name: &str) -> Option<&Value> {
        match &self.fields {
            Fields::Lent(fields) => fields.get(name),
            Fields::Given(fields) => fields.get(name),
        }
    }

    fn value<T: Readable>(&mut self, name: &'static str) -> Option<T> {
        match &mut self.fields {
            Fields::Lent(fields) => T::read_field(name, fields.get(name)?, &mut self.violations),
            Fields::Given(fields) => T::take_field(name, fields.get_mut(name)?, &mut self.violations),
        }
    }

    /// The fields that were not taken yet, and the violations, for a check of several fields together.
    pub fn split(&mut self) -> (&Map<String, Value>, &mut Vec<Violation>) {
        let fields: &Map<String, Value> = match &self.fields {
            Fields::Lent(fields) => fields,
            Fields::Given(fields) => fields,
        };
        (fields, &mut self.violations)
    }

    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    /// The violations, and one for each field that nobody asked for. All fields of the body must have been read.
    pub fn into_all_violations(self) -> Vec<Violation> {
        let fields: &Map<String, Value> = match &self.fields {
            Fields::Lent(fields) => fields,
            Fields::Given(fields) => fields,
        };
        let unknown = fields.keys().filter(|name| !self.known.contains(&name.as_str()));
        let unknown = unknown.take(MAX_UNKNOWN).map(|name| unknown_field(name));
        self.violations.into_iter().chain(unknown).collect()
    }
}

/// The violation for a field that nobody knows. A long name is cut, and an empty one is shown as `""`.
pub fn unknown_field(name: &str) -> Violation {
    if name.is_empty() {
        return Violation::new("\"\"", Issue::UnknownField);
    }
    let start: String = name.chars().take(MAX_NAME).collect();
    Violation::new(start, Issue::UnknownField)
}

/// A body within a body: its flaws are reported with their path.
pub fn read_nested<T: RequestBody>(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<T> {
    let Value::Object(fields) = value else {
        violations.push(Violation::new(field, Issue::InvalidType).with(value.clone()));
        return None;
    };
    let mut reader = Reader::over(fields);
    let read = T::read_fields(&mut reader);
    violations.extend(reader.into_all_violations().into_iter().map(|mut violation| {
        violation.field = format!("{field}.{}", violation.field);
        violation
    }));
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::body;
    use octavo_core_model::text::Name;
    use serde_json::json;

    body! {
        /// A body within another one.
        InnerBody {
            /// A name.
            name "name": optional Name,
        }
    }

    body! {
        /// A body with bodies in it.
        OuterBody {
            /// One.
            inner "inner": nullable InnerBody,
            /// Several.
            list "list": optional Vec<InnerBody>,
        }
    }

    fn unknown(body: &Value) -> Vec<String> {
        let Value::Object(fields) = body else { panic!("an object") };
        let read = |mut reader: Reader<'_>| {
            assert!(OuterBody::read_fields(&mut reader).is_some(), "unknown fields are no reason to refuse");
            reader.into_all_violations()
        };
        let lent = read(Reader::over(fields));
        assert_eq!(lent, read(Reader::taking(&mut fields.clone())));
        assert!(lent.iter().all(|violation| violation.issue == Issue::UnknownField && violation.received.is_none()));
        lent.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn unknown_fields_are_found_at_every_depth() {
        assert_eq!(unknown(&json!({})), [""; 0]);
        let known = json!({ "inner": { "name": "Ada" }, "list": [{}] });
        assert_eq!(unknown(&known), [""; 0]);
        let values_of = |outer: OuterBody| {
            let name = outer.inner.flatten().and_then(|inner| inner.name);
            (name.map(|name| name.to_string()), outer.list.map(|list| list.len()))
        };
        let read = read_nested::<OuterBody>("", &known, &mut Vec::new());
        assert_eq!(read.map(values_of), Some((Some("Ada".to_owned()), Some(1))));
        let body = json!({ "inner": { "nam": 1 }, "list": [{}, { "Name": { "x": 1 } }], "lists": [], "inner ": null });
        let mut found = unknown(&body);
        found.sort_unstable();
        assert_eq!(found, ["inner ", "inner.nam", "list.1.Name", "lists"]);
        let mut found = unknown(&json!({ "": 1, "inner": { "": 1 } }));
        found.sort_unstable();
        assert_eq!(found, ["\"\"", "inner.\"\""]);
    }

    #[test]
    fn only_the_first_ones_are_named_and_not_in_full() {
        let many: Map<_, _> = (0..50).map(|n| (format!("x{n}"), Value::Null)).collect();
        assert_eq!(unknown(&Value::Object(many)).len(), MAX_UNKNOWN);
        assert_eq!(unknown(&json!({ "x".repeat(5_000): 1 })), ["x".repeat(MAX_NAME)]);
    }
}
