//! The groups of one level.

use super::{
    key::of_group,
    value::{Common, GroupKey, GroupValue},
};
use crate::{
    context::{Context, date_of, number_of},
    field::Field,
    number::{narrow, wide},
    order::Key,
};
use octavo_databases::{
    query::{Bucket, Direction},
    value::{Day, Number},
};
use std::{cmp::Ordering, collections::BTreeMap};

/// The groups of one level, with numbers in the order in which they were met.
pub(crate) struct Level<'a> {
    pub(crate) field: Field<'a>,
    pub(crate) direction: Direction,
    /// What its groups are, if they are ranges of values.
    bucket: Option<Bucket>,
    known: BTreeMap<Common, u32>,
    groups: Vec<Group>,
}

struct Group {
    common: Common,
    key: Key,
    prefix: u64,
}

impl<'a> Level<'a> {
    pub(crate) const fn new(field: Field<'a>, direction: Direction, bucket: Option<Bucket>) -> Self {
        Self { field, direction, bucket, known: BTreeMap::new(), groups: Vec::new() }
    }

    /// The number of a group.
    pub(crate) fn number(&mut self, common: Common, context: &Context<'_>) -> u32 {
        let common = self.bucketed(common);
        if let Some(number) = self.known.get(&common) {
            return *number;
        }
        let number = narrow(self.groups.len());
        let key = of_group(&common, &self.field, context);
        let prefix = key.as_ref().prefix(self.direction);
        self.known.insert(common.clone(), number);
        self.groups.push(Group { common, key, prefix });
        number
    }

    /// The range that a date or number is in, by its start.
    fn bucketed(&self, common: Common) -> Common {
        match (self.bucket, common) {
            (Some(Bucket::Time(bucket)), Common::Day(day)) => Common::Day(number_of(bucket.start(date_of(day)))),
            (Some(Bucket::Number(width)), Common::Number(bits)) => {
                Common::Number(width.start(f64::from_bits(bits)).to_bits())
            }
            (_, other) => other,
        }
    }

    /// A number that is in the order of the groups. Different groups can have the same one.
    #[inline]
    pub(crate) fn prefix(&self, group: u32) -> u64 {
        self.groups[wide(group)].prefix
    }

    /// The order of two groups.
    #[inline]
    pub(crate) fn compare(&self, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (a, b) = (&self.groups[wide(a)], &self.groups[wide(b)]);
        a.key.as_ref().compare(&b.key.as_ref(), self.direction).then_with(|| a.common.cmp(&b.common))
    }

    /// Adds everything that identifies a group.
    pub(crate) fn digest(&self, group: u32, digest: &mut blake3::Hasher) {
        let group = &self.groups[wide(group)];
        digest.update(format!("{:?}", group.common).as_bytes());
        group.key.digest(digest);
    }

    /// The group as it is shown.
    pub(crate) fn show(&self, group: u32, context: &Context<'_>) -> GroupKey {
        let text = |text: &str| (GroupValue::Text(text.to_owned()), None);
        let (value, label) = match &self.groups[wide(group)].common {
            Common::Empty => (GroupValue::Empty, None),
            Common::Boolean(boolean) => (GroupValue::Boolean(*boolean), None),
            Common::Number(bits) => {
                (GroupValue::Number(Number::new(f64::from_bits(*bits)).map_or(0.0, Number::get)), None)
            }
            Common::Day(day) => match Day::new(date_of(*day)) {
                Some(day) => (GroupValue::Day(day), None),
                None => text(&date_of(*day).to_string()),
            },
            Common::Text(found) => text(found),
            Common::Option(place) => match self.field.options().and_then(|all| all.list().get(usize::from(*place))) {
                Some(option) => (GroupValue::Option(option.id.clone()), Some(option.name.as_str().to_owned())),
                None => (GroupValue::Empty, None),
            },
            Common::Person(user) => (GroupValue::Person(*user), context.persons.get(user).cloned()),
            Common::PersonName(name) => (GroupValue::PersonName(name.to_string()), Some(name.to_string())),
            Common::Record(record) => (GroupValue::Record(*record), self.field.title(*record)),
            Common::Serial(number) => {
                (GroupValue::Serial(*number), Some(self.field.property.config.unique_id(*number)))
            }
        };
        GroupKey { property: self.field.property.id, value, label }
    }
}
