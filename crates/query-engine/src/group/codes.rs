//! To which groups of a level the records of a chunk belong.

use super::{Level, value::Common};
use crate::{
    bits::Bits,
    chunk::Chunk,
    column::{Lists, Point},
    computed::{Item, Part},
    context::{Context, Zone},
    field::View,
    number::wide,
};
use octavo_core_model::id::UserId;
use std::str;

/// The numbers of the groups that records belong to.
pub(crate) enum GroupCodes<'c> {
    /// One group for each row. Rows that are not asked for have any.
    One(Vec<u32>),
    /// The groups of the things in the list of a row, or of a row without any.
    Listed { lists: Codes<'c>, groups: Vec<Option<u32>>, without: u32 },
    /// Each row has its own list.
    Each(Vec<Vec<u32>>),
}

type Codes<'c> = Box<dyn Fn(usize) -> &'c [u32] + 'c>;

impl<'c> GroupCodes<'c> {
    /// The groups of these rows.
    pub(crate) fn new(
        level: &mut Level<'_>,
        chunk: &'c Chunk,
        rows: &Bits,
        context: &Context<'_>,
        zone: &Zone,
    ) -> Self {
        let field = level.field;
        let option = |stored: &str| field.option(stored).map(Common::Option);
        match field.view(chunk) {
            View::Option(one) => {
                let commons = one.by_code(|stored| stored.and_then(|stored| option(stored)).unwrap_or(Common::Empty));
                Self::coded(level, &one.codes, commons, context)
            }
            View::User(one) => {
                let commons = one.by_code(|user| user.map_or(Common::Empty, |user| of_person(*user, context)));
                Self::coded(level, &one.codes, commons, context)
            }
            View::Options(lists) => Self::listed(level, lists, |stored| option(stored), context),
            View::Persons(lists) => Self::listed(level, lists, |user| Some(of_person(*user, context)), context),
            View::Records(lists) => {
                Self::listed(level, lists, |record| field.shows(*record).then_some(Common::Record(*record)), context)
            }
            View::Computed(column) => {
                let mut each = vec![Vec::new(); chunk.len()];
                for row in rows.rows() {
                    each[row] = of_part(column.part(row), level, context, zone);
                }
                Self::Each(each)
            }
            view => Self::of_rows(level, &view, chunk.len(), rows, context, zone),
        }
    }

    /// Types of which each record has at most one value.
    fn of_rows(
        level: &mut Level<'_>,
        view: &View<'_>,
        len: usize,
        rows: &Bits,
        context: &Context<'_>,
        zone: &Zone,
    ) -> Self {
        let mut codes = vec![0; len];
        for row in rows.rows() {
            let common = match view {
                View::Text(texts) if texts.is_filled(row) => Common::Text(texts.text(row).into()),
                View::Number(numbers) => {
                    numbers.get(row).map_or(Common::Empty, |number| Common::Number(number.to_bits()))
                }
                View::Date(dates) => dates.start(row).map_or(Common::Empty, |point| Common::Day(zone.day(point))),
                View::Time(times) => Common::Day(zone.day(Point::instant(times[row]))),
                View::Checkbox(ticked) => Common::Boolean(ticked.get(row)),
                View::Unticked => Common::Boolean(false),
                View::Serial(facts) => facts.number(row).map_or(Common::Empty, Common::Serial),
                _ => Common::Empty,
            };
            codes[row] = level.number(common, context);
        }
        Self::One(codes)
    }

    fn coded(level: &mut Level<'_>, codes: &[u16], commons: Vec<Common>, context: &Context<'_>) -> Self {
        let groups: Vec<_> = commons.into_iter().map(|common| level.number(common, context)).collect();
        Self::One(codes.iter().map(|code| groups[usize::from(*code)]).collect())
    }

    fn listed<T>(
        level: &mut Level<'_>,
        lists: &'c Lists<T>,
        common: impl Fn(&T) -> Option<Common>,
        context: &Context<'_>,
    ) -> Self {
        let groups = lists.things.iter().map(|thing| Some(level.number(common(thing)?, context))).collect();
        let without = level.number(Common::Empty, context);
        Self::Listed { lists: Box::new(|row| lists.codes(row)), groups, without }
    }

    /// Puts the groups of a row into a list, each once.
    #[inline]
    pub(crate) fn read(&self, row: usize, groups: &mut Vec<u32>) {
        groups.clear();
        match self {
            Self::One(codes) => groups.push(codes[row]),
            Self::Each(each) => groups.extend(&each[row]),
            Self::Listed { lists, groups: known, without } => {
                groups.extend(lists(row).iter().filter_map(|code| known[wide(*code)]));
                if groups.is_empty() {
                    groups.push(*without);
                } else if groups.len() > 1 {
                    groups.sort_unstable();
                    groups.dedup();
                }
            }
        }
    }

    /// The group of each row, if each has one.
    pub(crate) fn ones(&self) -> Option<&[u32]> {
        match self {
            Self::One(codes) => Some(codes),
            Self::Listed { .. } | Self::Each(_) => None,
        }
    }
}

fn of_person(user: UserId, context: &Context<'_>) -> Common {
    if !context.persons_by_name {
        return Common::Person(user);
    }
    Common::PersonName(context.persons.get(&user).map_or("", String::as_str).into())
}

/// The groups of a computed value: once under each item of a list.
fn of_part(part: Part<'_>, level: &mut Level<'_>, context: &Context<'_>, zone: &Zone) -> Vec<u32> {
    let common = match part {
        Part::Empty => Common::Empty,
        Part::Number(number) => Common::Number((number + 0.0).to_bits()),
        Part::Boolean(boolean) => Common::Boolean(boolean),
        Part::Date(point) => Common::Day(zone.day(point)),
        Part::Text { exact, .. } => Common::Text(str::from_utf8(exact).unwrap_or_default().into()),
        Part::List { items, .. } => {
            let mut groups: Vec<_> = items.iter().flat_map(|item| of_item(item, level, context, zone)).collect();
            groups.sort_unstable();
            groups.dedup();
            return groups;
        }
    };
    vec![level.number(common, context)]
}

fn of_item(item: &Item, level: &mut Level<'_>, context: &Context<'_>, zone: &Zone) -> Vec<u32> {
    let part = match item {
        Item::Number(number) => Part::Number(*number),
        Item::Boolean(boolean) => Part::Boolean(*boolean),
        Item::Date(moment) => Part::Date(Point::from(*moment)),
        Item::Text(text) if text.is_empty() => Part::Empty,
        Item::Text(text) => Part::Text { folded: &[], exact: text.as_bytes() },
    };
    of_part(part, level, context, zone)
}
