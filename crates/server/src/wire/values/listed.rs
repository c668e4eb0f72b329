//! Lists in queries.

use super::text;
use crate::wire::{Documented, Readable};
use octavo_core_model::fault::{Hint, Issue};
use serde_json::{Value, json};

/// Values separated by commas, in a query parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T>(pub Vec<T>);

impl<T: Documented> Documented for Listed<T> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }

    fn example() -> Value {
        json!([T::example()])
    }
}

impl<T: Readable> Readable for Listed<T> {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.split(',').filter(|item| !item.is_empty()).map(T::read_text).collect::<Result<_, _>>().map(Self)
    }

    fn hint(issue: Issue) -> Hint {
        T::hint(issue)
    }
}
