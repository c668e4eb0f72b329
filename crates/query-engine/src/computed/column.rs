//! The computed values of a chunk.

use super::{ComputedValue, Item};
use crate::{
    column::{Point, Texts},
    number::narrow,
};
use octavo_core_model::Timestamp;
use octavo_databases::value::Moment;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    Number,
    Text,
    Boolean,
    Day,
    Instant,
    List,
    Error,
}

/// The computed values of the records of a chunk, in their order.
#[derive(Clone, Debug)]
pub struct ComputedColumn {
    kinds: Vec<Kind>,
    /// The bits of a number or boolean, the milliseconds of a date, or the place in one of the lists below.
    words: Vec<u64>,
    texts: Texts,
    lists: Vec<Box<[Item]>>,
    /// How many bytes the items of the lists take.
    list_bytes: usize,
    /// The first item of each list, if it is a text.
    firsts: Texts,
    errors: Vec<&'static str>,
}

impl ComputedColumn {
    /// So many records without a value, for what a caller cannot see.
    pub fn nulls(len: usize) -> Self {
        let mut builder = ComputedBuilder::new(len);
        (0..len).for_each(|_| builder.push(ComputedValue::Null));
        builder.finish()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The value of a record.
    pub fn get(&self, row: usize) -> ComputedValue<'_> {
        let word = self.words[row];
        let place = || usize::try_from(word).unwrap_or(usize::MAX);
        match self.kinds[row] {
            Kind::Null => ComputedValue::Null,
            Kind::Number => ComputedValue::Number(f64::from_bits(word)),
            Kind::Text => ComputedValue::Text(self.texts.text(place())),
            Kind::Boolean => ComputedValue::Boolean(word != 0),
            Kind::Day => ComputedValue::Date(Point { millis: word.cast_signed(), is_day: true }.moment()),
            Kind::Instant => ComputedValue::Date(Moment::Instant(Timestamp::from_millis(word.cast_signed()))),
            Kind::List => ComputedValue::List(&self.lists[place()]),
            Kind::Error => ComputedValue::Error(self.errors[place()]),
        }
    }

    /// The value in the form in which it is compared.
    #[inline]
    pub(crate) fn part(&self, row: usize) -> Part<'_> {
        let word = self.words[row];
        let place = || usize::try_from(word).unwrap_or(usize::MAX);
        match self.kinds[row] {
            Kind::Null | Kind::Error => Part::Empty,
            Kind::Number => Part::Number(f64::from_bits(word)),
            Kind::Text if !self.texts.is_filled(place()) => Part::Empty,
            Kind::Text => Part::Text { folded: self.texts.folded(place()), exact: self.texts.exact(place()) },
            Kind::Boolean => Part::Boolean(word != 0),
            Kind::Day => Part::Date(Point { millis: word.cast_signed(), is_day: true }),
            Kind::Instant => Part::Date(Point::instant(word.cast_signed())),
            Kind::List if self.lists[place()].is_empty() => Part::Empty,
            Kind::List => {
                let first = (self.firsts.folded(place()), self.firsts.exact(place()));
                Part::List { items: &self.lists[place()], first }
            }
        }
    }

    /// How many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.kinds.capacity()
            + self.words.capacity() * 8
            + self.texts.bytes()
            + self.firsts.bytes()
            + self.lists.capacity() * size_of::<Box<[Item]>>()
            + self.list_bytes
            + self.errors.capacity() * size_of::<&str>()
    }
}

/// A computed value in the form in which it is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Empty,
    Number(f64),
    Text {
        folded: &'a [u8],
        exact: &'a [u8],
    },
    Boolean(bool),
    Date(Point),
    /// Not an empty one; with the first item as folded text and as it is, if it is a text.
    List {
        items: &'a [Item],
        first: (&'a [u8], &'a [u8]),
    },
}

/// Builds a computed column value by value.
#[derive(Debug)]
pub struct ComputedBuilder(ComputedColumn);

impl ComputedBuilder {
    /// A builder with room for so many values.
    pub fn new(len: usize) -> Self {
        Self(ComputedColumn {
            kinds: Vec::with_capacity(len),
            words: Vec::with_capacity(len),
            texts: Texts::new(),
            firsts: Texts::new(),
            lists: Vec::new(),
            list_bytes: 0,
            errors: Vec::new(),
        })
    }

    /// Adds the value of the next record. A number that is not finite is no value.
    pub fn push(&mut self, value: ComputedValue<'_>) {
        let (kind, word) = match value {
            ComputedValue::Number(number) if number.is_finite() => (Kind::Number, (number + 0.0).to_bits()),
            ComputedValue::Null | ComputedValue::Number(_) => (Kind::Null, 0),
            ComputedValue::Text(text) => {
                self.0.texts.push(text);
                (Kind::Text, place(self.0.texts.len() - 1))
            }
            ComputedValue::Boolean(boolean) => (Kind::Boolean, u64::from(boolean)),
            ComputedValue::Date(moment) => {
                let point = Point::from(moment);
                (if point.is_day { Kind::Day } else { Kind::Instant }, point.millis.cast_unsigned())
            }
            ComputedValue::List(list) => {
                self.0.firsts.push(if let Some(Item::Text(text)) = list.first() { text } else { "" });
                self.0.list_bytes += size_of_val(list) + list.iter().map(Item::text_len).sum::<usize>();
                self.0.lists.push(list.into());
                (Kind::List, place(self.0.lists.len() - 1))
            }
            ComputedValue::Error(name) => {
                let known = self.0.errors.iter().position(|known| *known == name);
                let at = known.unwrap_or_else(|| {
                    self.0.errors.push(name);
                    self.0.errors.len() - 1
                });
                (Kind::Error, place(at))
            }
        };
        self.0.kinds.push(kind);
        self.0.words.push(word);
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes of memory the values take so far.
    pub fn memory(&self) -> usize {
        self.0.memory()
    }

    /// The column.
    pub fn finish(mut self) -> ComputedColumn {
        self.0.kinds.shrink_to_fit();
        self.0.words.shrink_to_fit();
        self.0.texts.shrink();
        self.0.firsts.shrink();
        self.0.lists.shrink_to_fit();
        self.0
    }
}

fn place(index: usize) -> u64 {
    u64::from(narrow(index))
}
