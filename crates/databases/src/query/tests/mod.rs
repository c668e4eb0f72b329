//! What queries can say, and how they are refused.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod arbitrary;
mod described;
mod operators;
mod requests;
mod trees;

use super::{
    Columns, Filter, QueryFault,
    sample::{id_of, schema},
};
use crate::types::PropertyType;
use serde_json::{Value, json};

#[allow(clippy::needless_pass_by_value, reason = "callers build the value in place")]
fn leaf(kind: PropertyType, op: &str, value: Value) -> Value {
    json!({ "propertyId": id_of(kind), "op": op, "value": value })
}

fn read(sent: &Value) -> Result<Option<Filter>, QueryFault> {
    Filter::read(sent, Columns::by_id(&schema()))
}

/// The paths of what is wrong with a filter.
fn paths(sent: &Value) -> Vec<String> {
    match read(sent) {
        Err(QueryFault::Refused(refusals)) => {
            assert!(refusals.iter().all(|refusal| refusal.issue.name() == "invalid_filter"));
            refusals.into_iter().map(|refusal| refusal.path).collect()
        }
        other => panic!("{sent} is not refused: {other:?}"),
    }
}
