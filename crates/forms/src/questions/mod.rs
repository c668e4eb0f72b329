//! The questions of a form, and how they change.

mod difference;
mod read;

pub use difference::Difference;

use crate::{fault::FormFault, mapping, question::Question};
use octavo_core_model::{
    fault::{Issue, Violation},
    form::StoredQuestion,
    id::QuestionId,
    position::Position,
};
use octavo_databases::{Schema, read::Flaw};
use read::QuestionInput;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What changes of questions need besides what is sent.
pub struct Builder<'a> {
    /// The properties of the database of the form.
    pub schema: &'a Schema,
    /// Draws the ids of new questions.
    pub draw: &'a mut dyn FnMut() -> QuestionId,
}

/// The questions of a form in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions(Vec<Question>);

impl Questions {
    /// How many a form has at most.
    pub const MAX: usize = 50;

    /// Questions from the store, in any order.
    pub fn from_stored(stored: impl IntoIterator<Item = StoredQuestion>) -> Self {
        let mut questions = Self(stored.into_iter().map(Question::from_stored).collect());
        questions.arrange();
        questions
    }

    /// The questions in their order.
    pub fn list(&self) -> &[Question] {
        &self.0
    }

    /// The question with this id.
    pub fn get(&self, id: QuestionId) -> Option<&Question> {
        self.0.iter().find(|question| question.id == id)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The questions of a new form. Ids of other forms mean nothing in it.
    pub(crate) fn create(mut sent: Value, builder: &mut Builder<'_>) -> Result<Self, FormFault> {
        let questions = sent.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
        questions.for_each(|question| drop(question.remove("id")));
        Self::default().replaced(sent, builder)
    }

    /// Appends a question and returns its id.
    pub(crate) fn add(&mut self, sent: Map<String, Value>, builder: &mut Builder<'_>) -> Result<QuestionId, FormFault> {
        let input = QuestionInput::read_alone(sent, None)?;
        if self.0.len() >= Self::MAX {
            return Err(FormFault::TooManyQuestions);
        }
        let position = Position::after(self.0.last().map(|question| &question.position));
        let made = input.create((builder.draw)(), position);
        let (id, touched) = (made.question.id, made.touched(self.0.len(), ""));
        self.0.push(made.question);
        mapping::check(&self.0, touched.into_iter().collect(), builder.schema)?;
        Ok(id)
    }

    /// Changes a question.
    pub(crate) fn change(
        &mut self,
        id: QuestionId,
        sent: Map<String, Value>,
        builder: &Builder<'_>,
    ) -> Result<(), FormFault> {
        let index = self.index_of(id)?;
        let before = &self.0[index];
        let input = QuestionInput::read_alone(sent, Some(before))?;
        if let Some(position) = &input.position
            && self.0.iter().any(|other| other.id != id && other.position == *position)
        {
            return Err(FormFault::Invalid(vec![Violation::new("position", Issue::PositionTaken)]));
        }
        let made = input.change(before, builder.schema);
        let touched = made.touched(index, "");
        self.0[index] = made.question;
        mapping::check(&self.0, touched.into_iter().collect(), builder.schema)?;
        self.arrange();
        Ok(())
    }

    /// Removes a question.
    pub(crate) fn remove(&mut self, id: QuestionId) -> Result<(), FormFault> {
        let index = self.index_of(id)?;
        self.0.remove(index);
        Ok(())
    }

    /// Puts a question before another one, or behind all others. If there is no room, all get new positions.
    pub(crate) fn reorder(&mut self, from: QuestionId, before: Option<QuestionId>) -> Result<(), FormFault> {
        let not_here = |field, id: QuestionId| {
            FormFault::Invalid(vec![Violation::new(field, Issue::AnchorNotSibling).with(json!(id))])
        };
        let at = self.0.iter().position(|question| question.id == from).ok_or_else(|| not_here("fromId", from))?;
        if before == Some(from) {
            return Ok(());
        }
        let moved = self.0.remove(at);
        let target = match before {
            None => Some(self.0.len()),
            Some(before) => self.0.iter().position(|question| question.id == before),
        };
        let Some(target) = target else {
            self.0.insert(at, moved);
            return Err(before.map_or(FormFault::UnknownQuestion, |before| not_here("beforeId", before)));
        };
        let position = |index: Option<usize>| index.and_then(|index| self.0.get(index)).map(|other| &other.position);
        let between = Position::between(position(target.checked_sub(1)), position(Some(target)));
        self.0.insert(target, moved);
        match between {
            // A question that stays where it is keeps its position.
            Some(_) if at == target => {}
            Some(position) => self.0[target].position = position,
            None => self.spread(),
        }
        Ok(())
    }

    /// Replaces the questions: those that are sent with an id are changed, those without are new, and all others are removed.
    /// Their order becomes that of the list.
    pub(crate) fn replaced(&self, sent: Value, builder: &mut Builder<'_>) -> Result<Self, FormFault> {
        let mut flaws = Vec::new();
        let inputs = self.read_list(sent, &mut flaws);
        if !flaws.is_empty() {
            return Err(FormFault::Invalid(flaws));
        }
        let (mut questions, mut touched) = (Self::default(), Vec::new());
        for (index, (id, input)) in inputs.into_iter().enumerate() {
            let at = format!("questions.{index}.");
            let made = match id.and_then(|id| self.get(id)) {
                Some(before) => input.change(before, builder.schema),
                None => input.create((builder.draw)(), Position::after(None)),
            };
            touched.extend(made.touched(index, &at));
            questions.0.push(made.question);
        }
        questions.spread();
        mapping::check(&questions.0, touched, builder.schema)?;
        Ok(questions)
    }

    fn read_list(&self, sent: Value, flaws: &mut Vec<Violation>) -> Vec<(Option<QuestionId>, QuestionInput)> {
        let list = match sent {
            Value::Array(list) if list.len() <= Self::MAX => list,
            Value::Array(_) => {
                flaws.push(Flaw::too_long(Self::MAX).at("questions", None));
                return Vec::new();
            }
            other => {
                flaws.push(Flaw::of_shape("a list of questions").at("questions", Some(other)));
                return Vec::new();
            }
        };
        let mut left: BTreeMap<_, _> = self.0.iter().map(|question| (question.id, question)).collect();
        let mut inputs = Vec::with_capacity(list.len());
        for (index, sent) in list.into_iter().enumerate() {
            let at = format!("questions.{index}");
            let Value::Object(mut sent) = sent else {
                flaws.push(Flaw::of_shape("a question `{ type, label }`").at(at, Some(sent)));
                continue;
            };
            let before = match sent.remove("id") {
                None => None,
                Some(id) => {
                    let known = id.as_str().and_then(|id| id.parse().ok()).and_then(|id| left.remove(&id));
                    if known.is_none() {
                        let rule = "the id of a question of this form, each once; none for a new question";
                        flaws.push(Flaw::new(Issue::InvalidValue).ruled(&[rule]).at(format!("{at}.id"), Some(id)));
                        continue;
                    }
                    known
                }
            };
            if let Some(input) = QuestionInput::read(sent, &at, before, flaws) {
                inputs.push((before.map(|before| before.id), input));
            }
        }
        inputs
    }

    fn index_of(&self, id: QuestionId) -> Result<usize, FormFault> {
        self.0.iter().position(|question| question.id == id).ok_or(FormFault::UnknownQuestion)
    }

    fn arrange(&mut self) {
        self.0.sort_by(|one, other| (&one.position, one.id).cmp(&(&other.position, other.id)));
    }

    fn spread(&mut self) {
        let positions = Position::spread(self.0.len());
        for (question, position) in self.0.iter_mut().zip(positions) {
            question.position = position;
        }
    }
}
