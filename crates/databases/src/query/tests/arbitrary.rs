//! Random filters and random JSON.

use crate::{
    query::{
        Columns, Filter, Query,
        sample::{id_of, schema, unknown_id},
    },
    types::{Operator, PropertyType},
};
use proptest::{prelude::*, sample::select};
use serde_json::{Map, Value, json};

const KEYS: [&str; 14] = [
    "op",
    "conditions",
    "propertyId",
    "value",
    "text",
    "start",
    "end",
    "days",
    "optionId",
    "optionIds",
    "userIds",
    "sort",
    "filter",
    "direction",
];

/// Any JSON, rich in words that mean something.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let word = select(vec!["and", "or", "not", "is", "asc", "*", "COUNT", "table", "2024-05-01", "opt-done", "Title"]);
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
        select(PropertyType::ALL).prop_map(|kind| json!(id_of(kind))),
        ".{0,8}".prop_map(Value::from),
    ];
    plain.prop_recursive(6, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((select(&KEYS[..]), inner), 0..6).prop_map(|fields| {
                fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            }),
        ]
    })
}

/// A condition that may fit its property.
fn condition() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        any::<f64>().prop_map(Value::from),
        (0..40_000).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        ".{0,5}".prop_map(|text| json!({ "text": text })),
        select(vec!["opt-done", "gone", "2024-05-01", "2024-05-01T12:00:00+02:00", "TASK-7"]).prop_map(Value::from),
        Just(json!({ "start": "2024-05-01", "end": "2024-05-02T00:00:00Z" })),
        Just(json!({ "userIds": ["usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] })),
        Just(json!(["rec_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"])),
        Just(json!(["opt-open", "gone"])),
        Just(Value::Null),
    ];
    (select(PropertyType::ALL), select(Operator::ALL), value)
        .prop_map(|(kind, operator, value)| json!({ "propertyId": id_of(kind), "op": operator, "value": value }))
}

fn tree() -> impl Strategy<Value = Value> {
    condition().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            (select(vec!["and", "or"]), prop::collection::vec(inner.clone(), 1..6))
                .prop_map(|(op, conditions)| json!({ "op": op, "conditions": conditions })),
            inner.prop_map(|condition| json!({ "op": "not", "conditions": [condition] })),
        ]
    })
}

/// The part of a tree that fits the schema.
fn fitting(sent: &Value) -> Option<Filter> {
    Filter::read(sent, Columns::stored(&schema())).unwrap()
}

proptest! {
    #[test]
    fn no_json_makes_the_reader_panic(sent in any_json()) {
        let schema = schema();
        let _ = Filter::read(&sent, Columns::by_id(&schema));
        let _ = Filter::read(&sent, Columns::by_id_or_name(&schema));
        prop_assert!(Filter::read(&sent, Columns::stored(&schema)).is_ok(), "the store is never refused");
        if let Value::Object(fields) = sent {
            let _ = Query::read(fields, Columns::by_id(&schema));
        }
    }

    #[test]
    fn a_written_filter_reads_back_equal(sent in tree()) {
        if let Some(filter) = fitting(&sent) {
            let (schema, written) = (schema(), filter.to_json());
            prop_assert_eq!(Filter::read(&written, Columns::by_id(&schema)), Ok(Some(filter.clone())));
            prop_assert_eq!(fitting(&written), Some(filter));
        }
    }

    #[test]
    fn what_is_left_without_a_property_is_a_valid_tree(sent in tree(), kind in select(PropertyType::ALL)) {
        if let Some(filter) = fitting(&sent) {
            prop_assert_eq!(filter.without_property(unknown_id()), Some(filter.clone()));
            let left = filter.without_property(id_of(kind));
            let kept = filter.leaves().filter(|(_, leaf)| leaf.property != id_of(kind)).count();
            prop_assert_eq!(left.as_ref().map_or(0, |left| left.leaves().count()), kept);
            if let Some(left) = left {
                prop_assert_eq!(Filter::read(&left.to_json(), Columns::by_id(&schema())), Ok(Some(left)));
            }
        }
    }
}
