//! What groups are sorted by: as the values that their records have in common.

use super::value::Common;
use crate::{
    context::Context,
    field::Field,
    number::{ordered, ordered_millis},
    order::{BOOLEAN, DATE, Key, KeyRef, NUMBER, TEXT, empty, of_person, of_text},
};

/// What a group is sorted by.
pub(super) fn of_group(common: &Common, field: &Field<'_>, context: &Context<'_>) -> Key {
    match common {
        Common::Empty => empty(),
        Common::Boolean(boolean) => KeyRef::ranked(BOOLEAN, 8 * u64::from(*boolean)).to_key(),
        Common::Number(bits) => KeyRef::ranked(NUMBER, ordered(f64::from_bits(*bits))).to_key(),
        Common::Day(day) => KeyRef::ranked(DATE, ordered_millis(8 * *day)).to_key(),
        Common::Text(text) => of_text(TEXT, text),
        Common::Option(place) => KeyRef::small(u64::from(*place)).to_key(),
        Common::Person(user) => of_person(*user, context),
        Common::PersonName(name) => of_text(0, name),
        Common::Record(record) => of_text(0, field.title(*record).as_deref().unwrap_or_default()),
        Common::Serial(number) => KeyRef::small(*number).to_key(),
    }
}
