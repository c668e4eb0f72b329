//! What makes two values the same: for counting the different ones.

use crate::{
    bits::Bits,
    chunk::{Chunk, Facts},
    column::{Dates, Lists, Numbers, Texts},
    computed::{ComputedColumn, ComputedValue, Item, Part},
    field::{Field, View},
    number::wide,
};
use octavo_databases::value::Moment;
use std::hash::{Hash, Hasher};

/// A short form of a value. Different values have different ones, up to collisions of a cryptographic digest.
pub(crate) type Identity = u128;

/// The identities of the values of a property in a chunk. Texts count as they are written, lists as sets.
pub(crate) enum Identities<'c> {
    Nothing,
    Text(&'c Texts),
    Number(&'c Numbers),
    Date(&'c Dates),
    Time(&'c [i64]),
    Checkbox(&'c Bits),
    Unticked,
    Serial(&'c Facts),
    /// One for each code.
    Coded(&'c [u16], Vec<Option<Identity>>),
    /// The bytes of each thing; none if it no longer exists.
    Listed(Box<dyn Fn(usize) -> &'c [u32] + 'c>, Vec<Option<Vec<u8>>>),
    Computed(&'c ComputedColumn),
}

impl<'c> Identities<'c> {
    pub(crate) fn new(field: &Field<'_>, chunk: &'c Chunk) -> Self {
        let option = |stored: &str| field.option(stored).map(|index| index.to_le_bytes().to_vec());
        match field.view(chunk) {
            View::Empty => Self::Nothing,
            View::Text(texts) => Self::Text(texts),
            View::Number(numbers) => Self::Number(numbers),
            View::Date(dates) => Self::Date(dates),
            View::Time(times) => Self::Time(times),
            View::Checkbox(ticked) => Self::Checkbox(ticked),
            View::Unticked => Self::Unticked,
            View::Serial(facts) => Self::Serial(facts),
            View::Option(one) => {
                let identity = |stored: &str| option(stored).map(|bytes| of_bytes(&bytes));
                Self::Coded(&one.codes, one.by_code(|stored| stored.and_then(|stored| identity(stored))))
            }
            View::User(one) => Self::Coded(&one.codes, one.by_code(|user| user.map(|user| of_bytes(&bytes_of(user))))),
            View::Options(lists) => listed(lists, |stored| option(stored)),
            View::Persons(lists) => listed(lists, |user| Some(bytes_of(user))),
            View::Files(lists) => listed(lists, |file| Some(bytes_of(file))),
            View::Records(lists) => listed(lists, |record| field.shows(*record).then(|| bytes_of(record))),
            View::Computed(column) => Self::Computed(column),
        }
    }

    /// The identity of a value; `None` if there is none.
    pub(crate) fn get(&self, row: usize) -> Option<Identity> {
        match self {
            Self::Nothing => None,
            Self::Text(texts) => texts.is_filled(row).then(|| of_bytes(texts.exact(row))),
            Self::Number(numbers) => numbers.get(row).map(|number| u128::from(number.to_bits())),
            Self::Date(dates) => {
                let start = dates.start(row)?;
                let mut bytes = Vec::with_capacity(18);
                for point in std::iter::once(start).chain(dates.end(row)) {
                    bytes.extend(point.millis.to_le_bytes());
                    bytes.push(u8::from(point.is_day));
                }
                Some(of_bytes(&bytes))
            }
            Self::Time(times) => Some(u128::from(times[row].cast_unsigned())),
            Self::Checkbox(ticked) => Some(u128::from(ticked.get(row))),
            Self::Unticked => Some(0),
            Self::Serial(facts) => facts.number(row).map(u128::from),
            Self::Coded(codes, identities) => identities[usize::from(codes[row])],
            Self::Listed(codes, things) => {
                let mut list: Vec<_> = codes(row).iter().filter_map(|code| things[wide(*code)].as_deref()).collect();
                list.sort_unstable();
                list.dedup();
                // All things have the same number of bytes.
                (!list.is_empty()).then(|| of_bytes(&list.concat()))
            }
            Self::Computed(column) => (!matches!(column.part(row), Part::Empty)).then(|| identity_of(column.get(row))),
        }
    }
}

fn listed<T>(lists: &Lists<T>, bytes: impl Fn(&T) -> Option<Vec<u8>>) -> Identities<'_> {
    let things = lists.things.iter().map(bytes).collect();
    Identities::Listed(Box::new(|row| lists.codes(row)), things)
}

/// The identity of a computed value.
pub(crate) fn identity_of(value: ComputedValue<'_>) -> Identity {
    match value {
        ComputedValue::List(items) => {
            let mut list: Vec<_> = items.iter().map(|item: &Item| identity_of(item.value()).to_le_bytes()).collect();
            list.sort_unstable();
            list.dedup();
            of_bytes(&[&[b'l'][..], list.as_flattened()].concat())
        }
        ComputedValue::Number(number) => of_bytes(&[&[b'n'][..], &(number + 0.0).to_le_bytes()].concat()),
        ComputedValue::Text(text) => of_bytes(&[b"t", text.as_bytes()].concat()),
        ComputedValue::Boolean(boolean) => u128::from(boolean),
        ComputedValue::Date(Moment::Day(day)) => {
            of_bytes(&[&[b'd'][..], &day.midnight().millis().to_le_bytes()].concat())
        }
        ComputedValue::Date(Moment::Instant(time)) => of_bytes(&[&[b'i'][..], &time.millis().to_le_bytes()].concat()),
        ComputedValue::Null | ComputedValue::Error(_) => 2,
    }
}

/// Bytes that fit are taken as they are, with their number; others by their digest.
fn of_bytes(bytes: &[u8]) -> Identity {
    let mut short = [0; 16];
    if let Ok(count @ ..=15) = u8::try_from(bytes.len()) {
        short[..bytes.len()].copy_from_slice(bytes);
        short[15] = count;
    } else {
        short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        short[15] |= 0x80;
    }
    u128::from_le_bytes(short)
}

/// The bytes of an id.
pub(crate) fn bytes_of(id: &impl Hash) -> Vec<u8> {
    struct Bytes(Vec<u8>);
    impl Hasher for Bytes {
        fn finish(&self) -> u64 {
            0
        }
        fn write(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }
    }
    let mut bytes = Bytes(Vec::with_capacity(16));
    id.hash(&mut bytes);
    bytes.0
}
