//! Reading of a question.

use crate::{
    fault::FormFault,
    kinds::Rules,
    mapping::Touched,
    question::{Question, Unreadable},
};
use octavo_core_model::{
    fault::{Issue, Violation},
    form::QuestionType,
    id::{PropertyId, QuestionId},
    position::Position,
    text::{FormText, Placeholder, QuestionLabel},
};
use octavo_databases::{
    Schema,
    read::{Fields, Flaw, Origin, Sent, boolean, line, one_of, text},
};
use serde_json::{Map, Value};

/// A question that was sent. What was not sent is as it was before.
pub(super) struct QuestionInput {
    label: QuestionLabel,
    description: Option<FormText>,
    rules: Result<Rules, Unreadable>,
    required: bool,
    property: PropertyInput,
    placeholder: Option<Placeholder>,
    /// Where the question is to be, if that was sent.
    pub(super) position: Option<Position>,
}

/// What was sent for the property of a question.
#[derive(Clone, Copy)]
enum PropertyInput {
    Absent,
    Null,
    Id(PropertyId),
    /// A text that is no id, so no property has it.
    Malformed,
}

/// A question that was created or changed.
pub(super) struct Made {
    pub(super) question: Question,
    /// Whether its type or its property was changed, so that they have to fit.
    is_touched: bool,
    is_malformed: bool,
}

impl Made {
    /// What has to be checked; `at` is the path of the question.
    pub(super) fn touched(&self, index: usize, at: &str) -> Option<Touched> {
        let touched = Touched { index, field: format!("{at}propertyId"), is_malformed: self.is_malformed };
        self.is_touched.then_some(touched)
    }
}

impl QuestionInput {
    /// Reads a question that is the whole body.
    pub(super) fn read_alone(sent: Map<String, Value>, before: Option<&Question>) -> Result<Self, FormFault> {
        let mut flaws = Vec::new();
        let input = Self::read(sent, "", before, &mut flaws);
        input.filter(|_| flaws.is_empty()).ok_or(FormFault::Invalid(flaws))
    }

    /// Reads a question at this path.
    pub(super) fn read(
        sent: Map<String, Value>,
        at: &str,
        before: Option<&Question>,
        flaws: &mut Vec<Violation>,
    ) -> Option<Self> {
        let mut fields = Fields::new(sent, at, Origin::Caller, flaws);
        let kind = fields.required("type", before.map(Question::kind), |sent| one_of(sent, QuestionType::ALL));
        let label = fields.required("label", before.map(|before| before.label.clone()), |sent| {
            line(sent, QuestionLabel::parse, QuestionLabel::MAX)
        });
        let description = fields.nullable("description", |sent| line(sent, FormText::parse, FormText::MAX));
        let placeholder = fields.nullable("placeholder", |sent| line(sent, Placeholder::parse, Placeholder::MAX));
        let required = fields.optional("required", boolean);
        let property = property(&mut fields);
        // New questions are put behind the others, whatever is sent.
        let position = before.and_then(|_| fields.optional("position", position));
        let rules = rules(&mut fields, kind, before);
        Some(Self {
            label: label?,
            description: description.or(before.and_then(|before| before.description.clone())),
            rules: rules?,
            required: required.unwrap_or(before.is_some_and(|before| before.required)),
            property,
            placeholder: placeholder.or(before.and_then(|before| before.placeholder.clone())),
            position,
        })
    }

    /// A new question.
    pub(super) fn create(self, id: QuestionId, position: Position) -> Made {
        let property = match self.property {
            PropertyInput::Id(id) => Some(id),
            _ => None,
        };
        let is_touched = !matches!(self.property, PropertyInput::Absent | PropertyInput::Null);
        self.made(id, position, property, is_touched)
    }

    /// The question after the change.
    pub(super) fn change(self, before: &Question, schema: &Schema) -> Made {
        let is_other_type = self.kind() != before.kind();
        let (property, is_touched) = match self.property {
            PropertyInput::Id(id) => (Some(id), is_other_type || before.property != Some(id)),
            PropertyInput::Malformed => (None, true),
            PropertyInput::Null => (None, false),
            // A property that has gone is no reason to refuse another type.
            PropertyInput::Absent => {
                (before.property.filter(|_| !is_other_type || before.mapped(schema).is_some()), is_other_type)
            }
        };
        let position = self.position.clone().unwrap_or_else(|| before.position.clone());
        self.made(before.id, position, property, is_touched)
    }

    const fn kind(&self) -> QuestionType {
        match &self.rules {
            Ok(rules) => rules.kind(),
            Err(unreadable) => unreadable.kind,
        }
    }

    fn made(self, id: QuestionId, position: Position, property: Option<PropertyId>, is_touched: bool) -> Made {
        let Self { label, description, rules, required, placeholder, .. } = self;
        let is_malformed = matches!(self.property, PropertyInput::Malformed);
        let question = Question { id, label, description, rules, required, property, placeholder, position };
        Made { question, is_touched, is_malformed }
    }
}

/// Another type starts without rules, because those of the old one mean nothing to it.
fn rules(
    fields: &mut Fields<'_>,
    kind: Option<QuestionType>,
    before: Option<&Question>,
) -> Option<Result<Rules, Unreadable>> {
    let sent = match fields.take("validation") {
        None => match before.filter(|before| Some(before.kind()) == kind) {
            Some(before) => return Some(before.rules.clone()),
            None => Map::new(),
        },
        Some(Value::Null) => Map::new(),
        Some(Value::Object(sent)) => sent,
        Some(other) => {
            fields.refuse("validation", Flaw::of_shape("an object"), Some(other));
            return None;
        }
    };
    Rules::read(kind?, "validation", sent, fields).map(Ok)
}

fn property(fields: &mut Fields<'_>) -> PropertyInput {
    let sent = fields.nullable("propertyId", |sent| text(sent).map(|id| id.parse().ok()));
    match sent {
        Sent::Absent => PropertyInput::Absent,
        Sent::Value(Some(Some(id))) => PropertyInput::Id(id),
        Sent::Value(Some(None)) => PropertyInput::Malformed,
        // A flaw is reported.
        Sent::Null | Sent::Value(None) => PropertyInput::Null,
    }
}

fn position(sent: &Value) -> Result<Position, Flaw> {
    Position::parse(text(sent)?).map_err(|_| Flaw::new(Issue::InvalidPosition))
}
