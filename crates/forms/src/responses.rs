//! What those who may view the database see of submissions.

use crate::form::Form;
use octavo_core_model::id::{FileId, QuestionId};
use octavo_databases::text::folded;
use serde_json::{Map, Value, json};
use std::net::IpAddr;

/// What stands for the label of a question that was deleted.
const DELETED: &str = "Deleted question";

/// An address of a submission for those who do not see it whole: `203.0.113.x`, `2001:db8:1::x`.
pub fn masked_address(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.x")
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}::x")
        }
    }
}

/// The network of an address, for events: `203.0.113.0/24`, `2001:db8:1::/48`.
pub fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{}/48", std::net::Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

impl Form {
    /// What the questions of these answers ask now, by their ids.
    pub fn labels_of(&self, answers: &Map<String, Value>) -> Value {
        let label = |id: &String| {
            let question = id.parse::<QuestionId>().ok().and_then(|id| self.questions.get(id));
            question.map_or_else(
                || json!({ "label": DELETED, "type": null }),
                |question| json!({ "label": question.label, "type": question.kind() }),
            )
        };
        Value::Object(answers.keys().map(|id| (id.clone(), label(id))).collect())
    }
}

/// A text that submissions are searched for.
pub struct Search(String);

impl Search {
    /// How many characters it has at most.
    pub const MAX: usize = 200;

    /// Searches for this text, whatever its case.
    pub fn new(text: &str) -> Self {
        Self(folded(text))
    }

    /// Whether the text is in an answer, or in what else is shown of the submission. Ids of files are not searched.
    pub fn finds<'a>(&self, answers: &Map<String, Value>, shown: impl IntoIterator<Item = &'a str>) -> bool {
        shown.into_iter().any(|text| self.is_in(text)) || answers.values().any(|answer| self.is_in_answer(answer))
    }

    fn is_in_answer(&self, answer: &Value) -> bool {
        match answer {
            Value::String(text) => text.parse::<FileId>().is_err() && self.is_in(text),
            Value::Number(number) => self.is_in(&number.to_string()),
            Value::Array(list) => list.iter().any(|answer| self.is_in_answer(answer)),
            _ => false,
        }
    }

    fn is_in(&self, text: &str) -> bool {
        folded(text).contains(&self.0)
    }
}
