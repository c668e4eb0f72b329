//! The bag of a record as it is stored: compact JSON with slots as keys and the bare inner values.

mod decode;
mod encode;
mod usage;

pub use decode::{InvalidValues, decode, decode_slots};
pub use encode::encode;
pub use usage::Usage;

use crate::{
    types::PropertyConfig,
    value::{PropertyValue, Values},
};

/// The slot under which a single value is written.
const SINGLE: u32 = 0;

/// A single value in the stored form, such as the default of a property.
pub fn encode_one(value: &PropertyValue) -> String {
    encode(&Values::from_iter([(SINGLE, value.clone())]))
}

/// A single value from its stored form.
pub fn decode_one(text: &str, config: &PropertyConfig) -> Option<PropertyValue> {
    let values = decode::decode_with(text, |_| Some(config)).ok()?;
    values.get(SINGLE).cloned()
}
