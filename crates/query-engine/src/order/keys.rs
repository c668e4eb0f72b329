//! What the values of a chunk are sorted by.

use super::{Key, KeyRef};
use crate::{
    bits::Bits,
    chunk::{Chunk, Facts},
    column::{Dates, Lists, Numbers, Point, Texts},
    computed::{ComputedColumn, Item, Part},
    context::{Context, Zone},
    field::{Field, View},
    number::{ordered, ordered_millis, wide},
};
use octavo_core_model::id::UserId;
use octavo_databases::text::folded;
use std::rc::Rc;

/// What the values of a property in a chunk are sorted by.
pub(crate) struct Keys<'c> {
    source: Source<'c>,
    zone: Rc<Zone>,
}

enum Source<'c> {
    Empty,
    Text(&'c Texts),
    Number(&'c Numbers),
    Date(&'c Dates),
    Time(&'c [i64]),
    Checkbox(&'c Bits),
    Unticked,
    Serial(&'c Facts),
    /// A key for each code.
    Coded(&'c [u16], Vec<Key>),
    /// A key for each thing, or none if it no longer exists; the first one counts.
    Listed(First<'c>, Vec<Option<Key>>),
    /// How many there are.
    Counted(Vec<u32>),
    Computed(&'c ComputedColumn),
}

/// The codes of a list.
type First<'c> = Box<dyn Fn(usize) -> &'c [u32] + 'c>;

impl<'c> Keys<'c> {
    pub(crate) fn new(field: &Field<'_>, chunk: &'c Chunk, context: &Context<'_>, zone: &Rc<Zone>) -> Self {
        let option = |stored: &str| field.option(stored).map(|index| KeyRef::small(u64::from(index)).to_key());
        let source = match field.view(chunk) {
            View::Empty => Source::Empty,
            View::Text(texts) => Source::Text(texts),
            View::Number(numbers) => Source::Number(numbers),
            View::Date(dates) => Source::Date(dates),
            View::Time(times) => Source::Time(times),
            View::Checkbox(ticked) => Source::Checkbox(ticked),
            View::Unticked => Source::Unticked,
            View::Serial(facts) => Source::Serial(facts),
            View::Option(one) => {
                let keys = one.by_code(|stored| stored.and_then(|stored| option(stored)));
                Source::Coded(&one.codes, keys.into_iter().map(|key| key.unwrap_or_else(empty)).collect())
            }
            View::User(one) => {
                Source::Coded(&one.codes, one.by_code(|user| user.map_or_else(empty, |user| of_person(*user, context))))
            }
            View::Options(lists) => listed(lists, |stored| option(stored)),
            View::Persons(lists) => listed(lists, |user| Some(of_person(*user, context))),
            View::Records(lists) => listed(lists, |record| {
                field.shows(*record).then(|| of_text(0, field.title(*record).as_deref().unwrap_or_default()))
            }),
            View::Files(lists) => {
                Source::Counted((0..lists.len()).map(|row| crate::number::narrow(lists.codes(row).len())).collect())
            }
            View::Computed(column) => Source::Computed(column),
        };
        Self { source, zone: Rc::clone(zone) }
    }

    /// What a row is sorted by.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> KeyRef<'_> {
        match &self.source {
            Source::Text(texts) if texts.is_filled(row) => KeyRef::text(0, texts.folded(row), texts.exact(row)),
            Source::Empty | Source::Text(_) => KeyRef::EMPTY,
            Source::Number(numbers) => numbers.get(row).map_or(KeyRef::EMPTY, |number| KeyRef::word(ordered(number))),
            Source::Date(dates) => dates.start(row).map_or(KeyRef::EMPTY, |point| of_point(0, point, &self.zone)),
            Source::Time(times) => KeyRef::word(ordered_millis(times[row])),
            Source::Checkbox(ticked) => KeyRef::small(u64::from(ticked.get(row))),
            Source::Unticked => KeyRef::small(0),
            Source::Serial(facts) => facts.number(row).map_or(KeyRef::EMPTY, KeyRef::small),
            Source::Coded(codes, keys) => keys[usize::from(codes[row])].as_ref(),
            Source::Listed(codes, keys) => {
                let first = codes(row).iter().find_map(|code| keys[wide(*code)].as_ref());
                first.map_or(KeyRef::EMPTY, Key::as_ref)
            }
            Source::Counted(counts) if counts[row] == 0 => KeyRef::EMPTY,
            Source::Counted(counts) => KeyRef::small(u64::from(counts[row])),
            Source::Computed(column) => match column.part(row) {
                Part::Empty => KeyRef::EMPTY,
                Part::Boolean(boolean) => KeyRef::ranked(BOOLEAN, 8 * u64::from(boolean)),
                Part::Number(number) => KeyRef::ranked(NUMBER, ordered(number)),
                Part::Date(point) => of_point(DATE, point, &self.zone),
                Part::Text { folded, exact } => KeyRef::text(TEXT, folded, exact),
                Part::List { items, first } => of_first(items, first, &self.zone),
            },
        }
    }
}

/// The order of the types of computed values.
pub(crate) const BOOLEAN: u8 = 0;
pub(crate) const NUMBER: u8 = 1;
pub(crate) const DATE: u8 = 2;
pub(crate) const TEXT: u8 = 3;

fn of_point(rank: u8, point: Point, zone: &Zone) -> KeyRef<'static> {
    KeyRef::ranked(rank, ordered_millis(zone.instant(point)))
}

fn of_first<'a>(items: &[Item], first: (&'a [u8], &'a [u8]), zone: &Zone) -> KeyRef<'a> {
    match items.first() {
        None => KeyRef::EMPTY,
        Some(Item::Text(_)) => KeyRef::text(TEXT, first.0, first.1),
        Some(Item::Number(number)) => KeyRef::ranked(NUMBER, ordered(*number + 0.0)),
        Some(Item::Boolean(boolean)) => KeyRef::ranked(BOOLEAN, 8 * u64::from(*boolean)),
        Some(Item::Date(moment)) => of_point(DATE, Point::from(*moment), zone),
    }
}

pub(crate) fn empty() -> Key {
    KeyRef::EMPTY.to_key()
}

fn listed<T>(lists: &Lists<T>, key: impl Fn(&T) -> Option<Key>) -> Source<'_> {
    let keys = lists.things.iter().map(key).collect();
    Source::Listed(Box::new(|row| lists.codes(row)), keys)
}

pub(crate) fn of_text(rank: u8, text: &str) -> Key {
    KeyRef::text(rank, folded(text).as_bytes(), text.as_bytes()).to_key()
}

pub(crate) fn of_person(user: UserId, context: &Context<'_>) -> Key {
    of_text(0, context.persons.get(&user).map_or("", String::as_str))
}
