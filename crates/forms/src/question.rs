//! A question of a form.

use crate::kinds::Rules;
use octavo_core_model::{
    form::{QuestionType, StoredQuestion},
    id::{FormId, PropertyId, QuestionId},
    position::Position,
    text::{FormText, Placeholder, QuestionLabel},
};
use octavo_databases::Schema;
use serde_json::{Value, json};

/// A question of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The id of the question.
    pub id: QuestionId,
    /// What it asks.
    pub label: QuestionLabel,
    /// What explains it.
    pub description: Option<FormText>,
    /// Its type, and which answers are accepted.
    pub rules: Result<Rules, Unreadable>,
    /// Whether nobody can submit the form without an answer.
    pub required: bool,
    /// The property that gets the answers, if it still exists; see [`Question::mapped`].
    pub property: Option<PropertyId>,
    /// What an empty field shows.
    pub placeholder: Option<Placeholder>,
    /// Its place among the questions.
    pub position: Position,
}

/// Rules in the store that cannot be read. Nobody can answer such a question until it is saved again.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreadable {
    /// The type of the question.
    pub kind: QuestionType,
    /// What is stored.
    pub stored: Value,
}

impl Question {
    /// The type.
    pub const fn kind(&self) -> QuestionType {
        match &self.rules {
            Ok(rules) => rules.kind(),
            Err(unreadable) => unreadable.kind,
        }
    }

    /// A question from the store.
    pub fn from_stored(stored: StoredQuestion) -> Self {
        let StoredQuestion { id, label, description, kind, required, validation, property, placeholder, position } =
            stored;
        let rules = Rules::from_stored(kind, &validation).ok_or(Unreadable { kind, stored: validation });
        Self { id, label, description, rules, required, property, placeholder, position }
    }

    /// The question for the store.
    pub fn to_stored(&self) -> StoredQuestion {
        StoredQuestion {
            id: self.id,
            label: self.label.clone(),
            description: self.description.clone(),
            kind: self.kind(),
            required: self.required,
            validation: self.validation(),
            property: self.property,
            placeholder: self.placeholder.clone(),
            position: self.position.clone(),
        }
    }

    fn validation(&self) -> Value {
        match &self.rules {
            Ok(rules) => rules.to_json(),
            Err(unreadable) => unreadable.stored.clone(),
        }
    }

    /// The question as those see it that may view the database.
    pub fn to_json(&self, form: FormId, schema: &Schema) -> Value {
        json!({
            "id": self.id,
            "formId": form,
            "label": self.label,
            "description": self.description,
            "type": self.kind(),
            "required": self.required,
            "validation": self.validation(),
            "propertyId": self.mapped(schema).map(|property| property.id),
            "placeholder": self.placeholder,
            "position": self.position.as_str(),
        })
    }

    /// The question as everybody sees it: without the property and without what only the server checks.
    pub(crate) fn to_public_json(&self, is_closed: bool) -> Value {
        let validation =
            self.rules.as_ref().ok().filter(|_| !is_closed).map_or_else(|| json!({}), Rules::to_public_json);
        json!({
            "id": self.id,
            "type": self.kind(),
            "label": self.label,
            "description": self.description,
            "required": self.required,
            "placeholder": self.placeholder,
            "validation": validation,
        })
    }
}
