//! Operands in JSON.

use super::{Comparison, DateSpan};
use serde_json::{Value, json};

impl Comparison {
    /// The operand in its shape; `None` if there is none.
    pub fn operand(&self) -> Option<Value> {
        Some(match self {
            Self::IsEmpty | Self::IsNotEmpty | Self::IsCurrentUser | Self::Relative(_) => return None,
            Self::Text(_, text) => json!({ "text": text }),
            Self::Number(_, number) => json!({ "value": number.to_json() }),
            Self::Option(_, id) => json!({ "optionId": id }),
            Self::Options(_, ids) => json!({ "optionIds": ids.as_slice() }),
            Self::Span(_, DateSpan { start, end }) => {
                json!({ "start": start.to_string(), "end": end.map(|end| end.to_string()) })
            }
            Self::Date(_, moment) => json!({ "value": moment.to_string() }),
            Self::Between(start, end) => json!({ "start": start.to_string(), "end": end.to_string() }),
            Self::WithinNextDays(days) => json!({ "days": days }),
            Self::Checkbox(_, is_ticked) => json!({ "value": is_ticked }),
            Self::Persons(_, ids) => json!({ "userIds": ids.as_slice() }),
            Self::Records(_, ids) => json!({ "recordIds": ids.as_slice() }),
            Self::Files(_, ids) => json!({ "fileIds": ids.as_slice() }),
            Self::UniqueId(_, id) => json!({ "value": id.text }),
        })
    }
}
