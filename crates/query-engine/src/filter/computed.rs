//! Comparison of computed values. Their type is known only for each record: a value of another type than the one that
//! a condition is about is not what was asked for, so it meets only conditions that deny something.

use super::{
    date::{DateTest, Wanted},
    number::NumberTest,
    text::TextTest,
};
use crate::{
    column::Point,
    computed::{Item, Part},
    context::Zone,
};
use octavo_core_model::Timestamp;
use octavo_databases::{
    query::{
        Comparison,
        comparison::{Equality, TextOperator},
    },
    text::folded,
    value::Moment,
};
use std::rc::Rc;

/// A condition on computed values.
pub(crate) enum Computed {
    /// A text that is written like a date also equals that date.
    Text(Box<TextTest>, Option<(Wanted, Rc<Zone>)>),
    Number(NumberTest),
    Checkbox(Equality, bool),
    Date(DateTest),
}

impl Computed {
    pub(crate) fn new(comparison: &Comparison, now: Timestamp, zone: &Rc<Zone>) -> Option<Self> {
        Some(match comparison {
            Comparison::Text(operator, text) => {
                let date = Moment::parse(text).map(|moment| (Wanted::new(moment, zone), Rc::clone(zone)));
                Self::Text(Box::new(TextTest::new(*operator, text)), date)
            }
            Comparison::Number(operator, number) => Self::Number(NumberTest::new(*operator, *number)),
            Comparison::Checkbox(operator, wanted) => Self::Checkbox(*operator, *wanted),
            other => Self::Date(DateTest::new(other, now, zone)?),
        })
    }

    const fn is_negated(&self) -> bool {
        match self {
            Self::Text(test, _) => test.is_negated(),
            Self::Number(test) => test.is_negated(),
            Self::Checkbox(operator, _) => operator.is_negated(),
            Self::Date(test) => test.is_negated(),
        }
    }

    pub(crate) fn meets(&self, value: Part<'_>) -> bool {
        match (self, value) {
            (Self::Text(test, _), Part::Text { folded, .. }) => test.meets(Some(folded)),
            (Self::Text(test, Some((date, zone))), Part::Date(point)) if is_equality(test) => {
                date.compare(point, zone).is_eq() != test.is_negated()
            }
            (Self::Number(test), Part::Number(number)) => test.meets(Some(number)),
            (Self::Checkbox(operator, wanted), Part::Boolean(boolean)) => (boolean == *wanted) != operator.is_negated(),
            (Self::Date(test), Part::Date(point)) => test.meets(Some(point), || None),
            (_, Part::List { items, .. }) => self.meets_list(items),
            _ => self.is_negated(),
        }
    }

    /// A list is equal to one value if all its items are. It contains a text if one of its items does.
    fn meets_list(&self, items: &[Item]) -> bool {
        let is_negated = self.is_negated();
        let is_met = |item: &Item| self.meets_item(item) != is_negated;
        let found = match self {
            Self::Text(test, _) if !is_equality(test) => items.iter().any(is_met),
            Self::Number(test) if !test.is_equality() => false,
            Self::Date(_) => false,
            _ => items.iter().all(is_met),
        };
        found != is_negated
    }

    fn meets_item(&self, item: &Item) -> bool {
        match item {
            Item::Number(number) => self.meets(Part::Number(*number)),
            Item::Boolean(boolean) => self.meets(Part::Boolean(*boolean)),
            Item::Date(moment) => self.meets(Part::Date(Point::from(*moment))),
            Item::Text(text) => {
                let folded = folded(text);
                self.meets(Part::Text { folded: folded.as_bytes(), exact: text.as_bytes() })
            }
        }
    }
}

const fn is_equality(test: &TextTest) -> bool {
    use TextOperator as Op;
    matches!(test.operator(), Op::Is | Op::IsNot | Op::Equals | Op::NotEquals)
}
