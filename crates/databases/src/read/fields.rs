//! The fields of an object, read one after the other.

use super::Flaw;
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Map, Value};

/// Who wrote the JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A caller: everything is checked, and what only the server decides is ignored.
    Caller,
    /// The store: it was checked before.
    Store,
}

/// What was sent for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent<T> {
    /// Nothing.
    Absent,
    /// Null.
    Null,
    /// A value; `None` if it was flawed, which is reported.
    Value(Option<T>),
}

impl<T> Sent<T> {
    /// The value that holds after a merge patch of a field that can be empty.
    pub fn or(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Absent => before,
            Self::Null => None,
            Self::Value(value) => value,
        }
    }
}

/// The fields of an object and the flaws that were found in them.
pub struct Fields<'a> {
    sent: Map<String, Value>,
    at: String,
    origin: Origin,
    flaws: &'a mut Vec<Violation>,
}

impl<'a> Fields<'a> {
    /// The fields of an object at this path; the path of the whole body is empty.
    pub fn new(sent: Map<String, Value>, at: &str, origin: Origin, flaws: &'a mut Vec<Violation>) -> Self {
        Self { sent, at: at.to_owned(), origin, flaws }
    }

    /// The fields of an object that stands in a field of this one. Null and nothing are an empty object.
    pub fn object(&mut self, name: &str) -> Fields<'_> {
        let at = self.path(name);
        let fields = match self.sent.remove(name) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(fields)) => fields,
            Some(other) => {
                self.flaws.push(Violation::new(&at, Issue::InvalidType).with(other));
                Map::new()
            }
        };
        Fields { sent: fields, at, origin: self.origin, flaws: self.flaws }
    }

    /// Reads the fields of an object that was taken from a field of this one.
    pub fn within<T>(&mut self, name: &str, sent: Map<String, Value>, read: impl FnOnce(&mut Fields<'_>) -> T) -> T {
        let at = self.path(name);
        read(&mut Fields { sent, at, origin: self.origin, flaws: self.flaws })
    }

    /// Whether the store wrote this.
    pub fn is_stored(&self) -> bool {
        self.origin == Origin::Store
    }

    /// The path of a field.
    pub fn path(&self, name: &str) -> String {
        if self.at.is_empty() { name.to_owned() } else { format!("{}.{name}", self.at) }
    }

    /// Reports the flaw of a field.
    pub fn refuse(&mut self, name: &str, flaw: Flaw, sent: Option<Value>) {
        let field = self.path(name);
        self.flaws.push(flaw.at(field, sent));
    }

    /// Reports violations with full paths.
    pub fn report(&mut self, violations: impl IntoIterator<Item = Violation>) {
        self.flaws.extend(violations);
    }

    /// Takes what was sent for a field.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.sent.remove(name)
    }

    /// Reads a field that can be null.
    pub fn nullable<T>(&mut self, name: &str, read: impl FnOnce(&Value) -> Result<T, Flaw>) -> Sent<T> {
        match self.take(name) {
            None => Sent::Absent,
            Some(Value::Null) => Sent::Null,
            Some(sent) => match read(&sent) {
                Ok(value) => Sent::Value(Some(value)),
                Err(flaw) => {
                    self.refuse(name, flaw, Some(sent));
                    Sent::Value(None)
                }
            },
        }
    }

    /// Reads a field that cannot be null, if it was sent.
    pub fn optional<T>(&mut self, name: &str, read: impl FnOnce(&Value) -> Result<T, Flaw>) -> Option<T> {
        let sent = self.take(name)?;
        match read(&sent) {
            Ok(value) => Some(value),
            Err(flaw) => {
                self.refuse(name, flaw, Some(sent));
                None
            }
        }
    }

    /// Reads a field that must be there unless there is a value already.
    pub fn required<T>(
        &mut self,
        name: &str,
        before: Option<T>,
        read: impl FnOnce(&Value) -> Result<T, Flaw>,
    ) -> Option<T> {
        if self.sent.contains_key(name) {
            return self.optional(name, read);
        }
        if before.is_none() {
            self.refuse(name, Flaw::new(Issue::Required), None);
        }
        before
    }
}
