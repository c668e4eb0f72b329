//! What people set of a form, and how it changes.

use crate::{
    config::Config,
    fault::FormFault,
    questions::{Builder, Questions},
};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    form::{self, FormStatus, StoredQuestion},
    id::QuestionId,
    text::{FormName, FormSlug, FormText, TextFlaw},
};
use octavo_databases::read::{Fields, Flaw, Origin, line, one_of};
use serde_json::{Map, Value};

/// What people set of a form, apart from its slug: whether that is free is decided elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What people see.
    pub name: FormName,
    /// What it is for.
    pub description: Option<FormText>,
    /// Whether it takes answers.
    pub status: FormStatus,
    /// How it looks, and what it says.
    pub config: Config,
    /// Its questions.
    pub questions: Questions,
}

/// A form that is new or changed, and the slug that was sent with it.
#[derive(Clone, Debug, PartialEq)]
pub struct FormDraft {
    /// The form.
    pub form: Form,
    /// The slug that the caller chose.
    pub slug: Option<FormSlug>,
}

const FIELDS: [&str; 6] = ["name", "description", "status", "slug", "config", "questions"];

impl Form {
    /// A form from the store, with its questions in any order.
    pub fn from_stored(stored: &form::Form, questions: impl IntoIterator<Item = StoredQuestion>) -> Self {
        Self {
            name: stored.name.clone(),
            description: stored.description.clone(),
            status: stored.status,
            config: Config::from_stored(&stored.config),
            questions: Questions::from_stored(questions),
        }
    }

    /// Reads a new form, which is a draft.
    pub fn create(sent: Map<String, Value>, builder: &mut Builder<'_>) -> Result<FormDraft, FormFault> {
        read(sent, None, builder)
    }

    /// Reads a merge patch of the form. `questions` replaces all of them.
    pub fn change(&self, sent: Map<String, Value>, builder: &mut Builder<'_>) -> Result<FormDraft, FormFault> {
        if !FIELDS.iter().any(|field| sent.contains_key(*field)) {
            let hint = Hint::ruled_by(&["at least one of name, description, status, slug, config and questions"]);
            return Err(FormFault::Invalid(vec![Violation::new("body", Issue::Required).hinting(hint)]));
        }
        read(sent, Some(self), builder)
    }

    /// The form with one more question behind the others, and the id of the question.
    pub fn add_question(
        &self,
        sent: Map<String, Value>,
        builder: &mut Builder<'_>,
    ) -> Result<(Self, QuestionId), FormFault> {
        let mut form = self.clone();
        let id = form.questions.add(sent, builder)?;
        Ok((form, id))
    }

    /// The form after a merge patch of a question.
    pub fn change_question(
        &self,
        id: QuestionId,
        sent: Map<String, Value>,
        builder: &Builder<'_>,
    ) -> Result<Self, FormFault> {
        let mut form = self.clone();
        form.questions.change(id, sent, builder)?;
        Ok(form)
    }

    /// The form without a question.
    pub fn remove_question(&self, id: QuestionId) -> Result<Self, FormFault> {
        let mut form = self.clone();
        form.questions.remove(id)?;
        form.complete()
    }

    /// The form with a question before another one, or behind all others.
    pub fn reorder_questions(&self, from: QuestionId, before: Option<QuestionId>) -> Result<Self, FormFault> {
        let mut form = self.clone();
        form.questions.reorder(from, before)?;
        Ok(form)
    }

    /// The form, unless it is published without a question.
    fn complete(self) -> Result<Self, FormFault> {
        if self.status == FormStatus::Published && self.questions.is_empty() {
            return Err(FormFault::NoQuestions);
        }
        Ok(self)
    }
}

fn read(
    mut sent: Map<String, Value>,
    before: Option<&Form>,
    builder: &mut Builder<'_>,
) -> Result<FormDraft, FormFault> {
    let (config, questions) = (sent.remove("config"), sent.remove("questions"));
    let mut flaws = Vec::new();
    let mut fields = Fields::new(sent, "", Origin::Caller, &mut flaws);
    let name = before.map(|before| before.name.clone());
    let name = fields.required("name", name, |sent| line(sent, FormName::parse, FormName::MAX));
    let description = fields.nullable("description", |sent| line(sent, FormText::parse, FormText::MAX));
    // A new form is a draft, whatever is sent.
    let status = before.and_then(|_| fields.optional("status", |sent| one_of(sent, FormStatus::ALL)));
    let slug = fields.optional("slug", slug);
    let questions = match (questions, before) {
        (None, before) => Ok(before.map(|before| before.questions.clone()).unwrap_or_default()),
        (Some(sent), None) => Questions::create(sent, builder),
        (Some(sent), Some(before)) => before.questions.replaced(sent, builder),
    };
    let questions = match questions {
        Err(FormFault::Invalid(more)) => {
            flaws.extend(more);
            Ok(Questions::default())
        }
        other => other,
    };
    let (Some(name), true) = (name, flaws.is_empty()) else { return Err(FormFault::Invalid(flaws)) };
    let held = before.map(|before| before.config.clone()).unwrap_or_default();
    let config = config.map_or_else(|| Ok(held.clone()), |sent| held.changed(sent)).map_err(FormFault::Config)?;
    let form = Form {
        name,
        description: description.or(before.and_then(|before| before.description.clone())),
        status: status.or(before.map(|before| before.status)).unwrap_or(FormStatus::Draft),
        config,
        questions: questions?,
    };
    Ok(FormDraft { form: form.complete()?, slug })
}

fn slug(sent: &Value) -> Result<FormSlug, Flaw> {
    let text = octavo_databases::read::text(sent)?;
    FormSlug::parse(text).map_err(|flaw| match flaw {
        TextFlaw::Format => Flaw::of_pattern(Issue::InvalidFormat, FormSlug::PATTERN),
        TextFlaw::Empty | TextFlaw::TooShort => Flaw::new(Issue::TooShort).hinting(length()),
        TextFlaw::TooLong => Flaw::new(Issue::TooLong).hinting(length()),
    })
}

fn length() -> Hint {
    let bound = |length: usize| i64::try_from(length).ok();
    Hint { min: bound(FormSlug::MIN), max: bound(FormSlug::MAX), ..Hint::default() }
}
