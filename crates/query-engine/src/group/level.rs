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
    /// How many bytes the texts of the groups take.
    text_bytes: usize,
    /// Whether there was no room for some group.
    is_full: bool,
}

/// How many bytes the texts of the groups of a level may take.
const MOST_TEXT_BYTES: usize = 16 << 20;

struct Group {
    common: Common,
    key: Key,
    prefix: u64,
}

impl<'a> Level<'a> {
    pub(crate) const fn new(field: Field<'a>, direction: Direction, bucket: Option<Bucket>) -> Self {
        Self { field, direction, bucket, known: BTreeMap::new(), groups: Vec::new(), text_bytes: 0, is_full: false }
    }

    /// Whether the texts of the groups have become too long. Groups that were met since have wrong numbers.
    pub(crate) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many bytes of memory the groups take.
    pub(crate) const fn memory(&self) -> usize {
        self.text_bytes + self.groups.len() * (2 * size_of::<Group>() + size_of::<(Common, u32)>())
    }

    /// How many bytes of text a group has where it is shown.
    pub(crate) fn shown_bytes(&self, group: u32) -> usize {
        let group = &self.groups[wide(group)];
        group.common.text_bytes().max(group.key.exact_bytes())
    }

    /// The number of a group.
    pub(crate) fn number(&mut self, common: Common, context: &Context<'_>) -> u32 {
        let common = self.bucketed(common);
        if let Some(number) = self.known.get(&common) {
            return *number;
        }
        if self.text_bytes > MOST_TEXT_BYTES {
            self.is_full = true;
            return 0;
        }
        let number = narrow(self.groups.len());
        let key = of_group(&common, &self.field, context);
        let prefix = key.as_ref().prefix(self.direction);
        self.text_bytes += 2 * common.text_bytes() + key.text_bytes();
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
