//! Which records of a chunk a filter finds.
//!
//! Each operator has one meaning, in one function over a single value: `text`, `number`, `date` and `set` have one for
//! each kind of values. Columns are compared by calling it for each row; only the search in texts has a faster way for
//! whole chunks.

mod computed;
mod date;
mod number;
mod set;
mod text;

use crate::{
    bits::Bits,
    chunk::Chunk,
    context::{Context, Zone},
    field::{Field, View},
};
use computed::Computed;
use date::DateTest;
use number::NumberTest;
use octavo_databases::{
    Schema,
    query::{Comparison, Conditions, Filter, Leaf, comparison::Equality},
    types::Storage,
};
use set::SetTest;
use std::rc::Rc;
use text::TextTest;

/// A filter that is ready to run.
pub(crate) enum Test<'a> {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Leaf(Field<'a>, Condition<'a>),
    /// A condition on a property that no longer exists.
    Nothing,
}

/// What a condition says about a value.
pub(crate) enum Condition<'a> {
    Empty,
    Filled,
    Text(Box<TextTest>),
    Number(NumberTest),
    Set(SetTest<'a>),
    Date(DateTest),
    Checkbox(bool),
    Serial(Equality, Option<u64>),
    Computed(Computed),
}

/// What is needed to prepare a filter.
pub(crate) struct Preparation<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) context: Context<'a>,
    pub(crate) zone: Rc<Zone>,
}

impl<'a> Preparation<'a> {
    pub(crate) fn test(&self, filter: &'a Filter) -> Test<'a> {
        let all = |conditions: &'a Conditions| conditions.as_slice().iter().map(|each| self.test(each)).collect();
        match filter {
            Filter::All(conditions) => Test::All(all(conditions)),
            Filter::Any(conditions) => Test::Any(all(conditions)),
            Filter::Not(condition) => Test::Not(Box::new(self.test(condition))),
            Filter::Leaf(leaf) => self.leaf(leaf),
        }
    }

    fn leaf(&self, leaf: &'a Leaf) -> Test<'a> {
        let Some(property) = self.schema.property(leaf.property) else { return Test::Nothing };
        let field = Field::new(property, &self.context);
        let is_computed = property.kind().facts().storage == Storage::Computed;
        let date = || DateTest::new(&leaf.comparison, self.context.now, &self.zone);
        let condition = match &leaf.comparison {
            Comparison::IsEmpty => Condition::Empty,
            Comparison::IsNotEmpty => Condition::Filled,
            comparison if is_computed => match Computed::new(comparison, self.context.now, &self.zone) {
                Some(computed) => Condition::Computed(computed),
                None => return Test::Nothing,
            },
            Comparison::Text(operator, text) => Condition::Text(Box::new(TextTest::new(*operator, text))),
            Comparison::Number(operator, number) => Condition::Number(NumberTest::new(*operator, *number)),
            Comparison::Option(operator, id) => Condition::Set(SetTest::option(*operator, id, &field)),
            Comparison::Options(operator, ids) => Condition::Set(SetTest::options(*operator, ids.as_slice(), &field)),
            Comparison::Persons(operator, ids) => Condition::Set(SetTest::persons(*operator, ids.as_slice())),
            Comparison::Records(operator, ids) => Condition::Set(SetTest::records(*operator, ids.as_slice())),
            Comparison::Files(operator, ids) => Condition::Set(SetTest::files(*operator, ids.as_slice())),
            Comparison::IsCurrentUser => Condition::Set(SetTest::current_user(self.context.caller)),
            Comparison::Checkbox(operator, wanted) => Condition::Checkbox(*wanted != operator.is_negated()),
            Comparison::UniqueId(operator, id) => Condition::Serial(*operator, id.number),
            Comparison::Span(..)
            | Comparison::Date(..)
            | Comparison::Between(..)
            | Comparison::WithinNextDays(_)
            | Comparison::Relative(_) => match date() {
                Some(test) => Condition::Date(test),
                None => return Test::Nothing,
            },
        };
        Test::Leaf(field, condition)
    }
}

impl Test<'_> {
    /// The rows among these that the filter finds.
    pub(crate) fn among(&self, chunk: &Chunk, rows: &Bits) -> Bits {
        match self {
            Self::All(tests) => {
                let mut left = rows.clone();
                for test in tests {
                    if !left.any() {
                        break;
                    }
                    left = test.among(chunk, &left);
                }
                left
            }
            Self::Any(tests) => {
                let (mut found, mut left) = (Bits::none(rows.len()), rows.clone());
                for test in tests {
                    if !left.any() {
                        break;
                    }
                    let more = test.among(chunk, &left);
                    left.remove(&more);
                    found.add(&more);
                }
                found
            }
            Self::Not(test) => {
                let mut left = rows.clone();
                left.remove(&test.among(chunk, rows));
                left
            }
            Self::Leaf(field, condition) => {
                let mut found = condition.rows(field, chunk, rows);
                found.keep(rows);
                found
            }
            Self::Nothing => Bits::none(rows.len()),
        }
    }
}

impl Condition<'_> {
    /// The rows that meet the condition. Rows outside of `wanted` do not matter.
    fn rows(&self, field: &Field<'_>, chunk: &Chunk, wanted: &Bits) -> Bits {
        let rows = chunk.len();
        let all = |is_met: bool| if is_met { Bits::all(rows) } else { Bits::none(rows) };
        match (self, field.view(chunk)) {
            (Self::Empty, _) => field.filled(chunk).inverted(),
            (Self::Filled, _) => field.filled(chunk),
            (Self::Text(test), View::Text(texts)) => test.rows(texts, wanted),
            (Self::Text(test), _) => all(test.meets(None)),
            (Self::Number(test), View::Number(numbers)) => test.rows(numbers),
            (Self::Number(test), _) => all(test.meets(None)),
            (Self::Set(test), view) => test.rows(field, &view, rows),
            (Self::Date(test), View::Date(dates)) => {
                Bits::collect(rows, |row| test.meets(dates.start(row), || dates.end(row)))
            }
            (Self::Date(test), View::Time(times)) => test.rows_of_times(times),
            (Self::Date(test), _) => all(test.meets(None, || None)),
            (Self::Checkbox(wanted), View::Checkbox(ticked)) => {
                if *wanted {
                    ticked.clone()
                } else {
                    ticked.clone().inverted()
                }
            }
            (Self::Checkbox(wanted), _) => all(!wanted),
            (Self::Serial(operator, number), View::Serial(facts)) => Bits::collect(rows, |row| {
                let is_same = number.is_some() && facts.number(row) == *number;
                is_same != operator.is_negated()
            }),
            (Self::Serial(operator, _), _) => all(operator.is_negated()),
            (Self::Computed(test), View::Computed(column)) => Bits::collect(rows, |row| test.meets(column.part(row))),
            (Self::Computed(test), _) => all(test.meets(crate::computed::Part::Empty)),
        }
    }
}
