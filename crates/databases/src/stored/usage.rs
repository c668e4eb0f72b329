//! Whether stored values use a property or an option, without reading them all.

use crate::options::OptionId;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is looked for in the stored form of values.
#[derive(Clone, Debug)]
pub struct Usage {
    slot: u32,
    options: Vec<OptionId>,
}

impl Usage {
    /// Any value in a slot.
    pub const fn of_slot(slot: u32) -> Self {
        Self { slot, options: Vec::new() }
    }

    /// A value in a slot with one of these options.
    pub const fn of_options(slot: u32, options: Vec<OptionId>) -> Self {
        Self { slot, options }
    }

    /// Whether the stored form of values contains it.
    pub fn is_in(&self, stored: &str) -> bool {
        // A key cannot occur within a text, where quotes are escaped.
        if !stored.contains(&format!("\"{}\":", self.slot)) {
            return false;
        }
        if self.options.is_empty() {
            return true;
        }
        let Ok(bag) = serde_json::from_str::<BTreeMap<u32, Value>>(stored) else { return false };
        let has = |id: &str| self.options.iter().any(|option| option.as_str() == id);
        match bag.get(&self.slot) {
            Some(Value::String(id)) => has(id),
            Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).any(has),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_slot_and_its_options() {
        let stored = r#"{"1":"a \"3\": b","4":["opt-a","opt-b"],"12":"opt-c"}"#;
        assert!(Usage::of_slot(1).is_in(stored) && Usage::of_slot(12).is_in(stored));
        assert!(!Usage::of_slot(2).is_in(stored) && !Usage::of_slot(3).is_in(stored));
        let option = |slot, id: &str| Usage::of_options(slot, vec![OptionId::from_stored(id)]).is_in(stored);
        assert!(option(4, "opt-b") && option(12, "opt-c"));
        assert!(!option(4, "opt-c") && !option(12, "opt-a") && !option(3, "opt-a"));
    }
}
