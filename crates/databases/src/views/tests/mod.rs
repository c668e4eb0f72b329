//! How views are created, changed, locked and stored.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod changes;
mod configs;
mod drafts;

use super::{View, ViewDraft, ViewFault};
use crate::query::{
    Columns,
    sample::{id_of, schema},
};
use crate::types::PropertyType;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, ViewId},
    position::Position,
};
use serde_json::{Map, Value, json};

const THEN: Timestamp = Timestamp::from_millis(1000);
const NOW: Timestamp = Timestamp::from_millis(2000);

fn fields(sent: &Value) -> Map<String, Value> {
    serde_json::from_value(sent.clone()).unwrap()
}

fn draft(sent: &Value) -> Result<ViewDraft, ViewFault> {
    ViewDraft::read(fields(sent), Columns::by_id(&schema()))
}

fn view(sent: &Value) -> View {
    draft(sent).unwrap().made(ViewId::EXAMPLE, DatabaseId::EXAMPLE, Position::after(None), THEN)
}

fn change(view: &View, sent: &Value) -> Result<Option<View>, ViewFault> {
    view.changed(fields(sent), Columns::by_id(&schema()), NOW)
}

/// The status, and the issues with the fields that they name.
fn flaws<T: std::fmt::Debug>(read: Result<T, ViewFault>) -> (u16, Vec<(&'static str, String)>) {
    match read.unwrap_err() {
        ViewFault::Invalid(violations) => {
            (400, violations.into_iter().map(|flaw| (flaw.issue.name(), flaw.field)).collect())
        }
        ViewFault::Refused(refusals) => {
            let field = |refusal: &super::ViewRefusal| match refusal {
                super::ViewRefusal::Query(refusal) => refusal.path.clone(),
                other => other.field().unwrap_or_default().to_owned(),
            };
            (422, refusals.iter().map(|refusal| (refusal.name(), field(refusal))).collect())
        }
        ViewFault::Locked => (409, Vec::new()),
        ViewFault::LimitReached { .. } => (409, vec![("limit_reached", String::new())]),
    }
}

fn one(status: u16, issue: &'static str, field: &str) -> (u16, Vec<(&'static str, String)>) {
    (status, vec![(issue, field.to_owned())])
}

#[allow(clippy::needless_pass_by_value, reason = "callers build the value in place")]
fn with_config(kind: &str, config: Value) -> Value {
    json!({ "name": "V", "type": kind, "config": config })
}

fn grouped(kind: &str, groups: &[PropertyType]) -> Value {
    let groups: Vec<_> = groups.iter().map(|kind| json!({ "propertyId": id_of(*kind), "direction": "asc" })).collect();
    json!({ "name": "V", "type": kind, "group": groups, "config": { "startDatePropertyId": id_of(PropertyType::Date) } })
}
