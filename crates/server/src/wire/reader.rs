//! Reads the fields of a body and collects their flaws.

use super::{Readable, RequestBody};
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Map, Value};

/// The fields of a body. Each method either returns a value, or records a violation and returns `None`.
#[derive(Debug)]
pub struct Reader<'a> {
    fields: Fields<'a>,
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
        Self { fields: Fields::Lent(fields), violations: Vec::new() }
    }

    /// Reads every field only once, so that long values are moved instead of copied.
    pub const fn taking(fields: &'a mut Map<String, Value>) -> Self {
        Self { fields: Fields::Given(fields), violations: Vec::new() }
    }

    /// A field that must be present.
    pub fn required<T: Readable>(&mut self, name: &'static str) -> Option<T> {
        if self.peek(name).is_none() {
            self.violations.push(Violation::new(name, Issue::Required));
            return None;
        }
        self.value(name)
    }

    /// A field that may be left out but must not be null.
    pub fn optional<T: Readable>(&mut self, name: &'static str) -> Option<Option<T>> {
        if self.peek(name).is_none() { Some(None) } else { self.value(name).map(Some) }
    }

    /// A field of a merge patch: left out, it stays as it is; null clears it.
    pub fn nullable<T: Readable>(&mut self, name: &'static str) -> Option<Option<Option<T>>> {
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

    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}

/// A body within a body: its flaws are reported with their path.
pub fn read_nested<T: RequestBody>(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<T> {
    let Value::Object(fields) = value else {
        violations.push(Violation::new(field, Issue::InvalidType).with(value.clone()));
        return None;
    };
    let mut reader = Reader::over(fields);
    let read = T::read_fields(&mut reader);
    violations.extend(reader.into_violations().into_iter().map(|mut violation| {
        violation.field = format!("{field}.{}", violation.field);
        violation
    }));
    read
}
