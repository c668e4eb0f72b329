//! All types of properties with all operators.

use super::{leaf, paths, read};
use crate::types::{Operator, PropertyType};
use serde_json::{Value, json};

const USER: &str = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const RECORD: &str = "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const FILE: &str = "fil_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

/// For each type the operators that it allows besides `is_empty` and `is_not_empty`, with the operand that it needs.
fn table(kind: PropertyType) -> Vec<(&'static [&'static str], Value)> {
    const SAME: &[&str] = &["is", "is_not", "equals", "not_equals"];
    const TEXT: &[&str] =
        &["is", "is_not", "equals", "not_equals", "contains", "does_not_contain", "starts_with", "ends_with"];
    const NUMBER: &[&str] =
        &["is", "is_not", "equals", "not_equals", "greater_than", "less_than", "greater_or_equal", "less_or_equal"];
    const SETS: &[&str] = &["is", "is_not", "equals", "not_equals", "contains_any", "contains_all"];
    const LISTS: &[&str] = &["contains_any", "contains_all"];
    const POINTS: &[&str] = &["equals", "not_equals", "before", "after", "on_or_before", "on_or_after"];
    const RELATIVE: &[&str] = &["is_this_week", "is_this_month", "is_past", "is_future"];
    let text = || (TEXT, json!({ "text": "ab" }));
    let dates = || {
        vec![
            (&["is", "is_not"][..], json!({ "start": "2024-05-01", "end": null })),
            (POINTS, json!({ "value": "2024-05-01T12:00:00.000Z" })),
            (&["between"][..], json!({ "start": "2024-05-01", "end": "2024-05-31" })),
            (&["within_next_days"][..], json!({ "days": 7 })),
            (RELATIVE, Value::Null),
        ]
    };
    let persons = || vec![(SETS, json!({ "userIds": [USER] })), (&["is_current_user"][..], Value::Null)];
    match kind {
        PropertyType::Title
        | PropertyType::Text
        | PropertyType::RichText
        | PropertyType::Email
        | PropertyType::Phone
        | PropertyType::Url => vec![text()],
        PropertyType::Number | PropertyType::Rollup => vec![(NUMBER, json!({ "value": 1.5 }))],
        PropertyType::Select | PropertyType::Status | PropertyType::MultiSelect => {
            vec![(SAME, json!({ "optionId": "opt-done" })), (LISTS, json!({ "optionIds": ["opt-done", "opt-open"] }))]
        }
        PropertyType::Date | PropertyType::DateRange | PropertyType::CreatedTime | PropertyType::LastEditedTime => {
            dates()
        }
        PropertyType::Person | PropertyType::CreatedBy | PropertyType::LastEditedBy => persons(),
        PropertyType::Checkbox => vec![(SAME, json!({ "value": true }))],
        PropertyType::Files => vec![(SAME, json!({ "fileIds": [FILE] }))],
        PropertyType::Relation => vec![(SETS, json!({ "recordIds": [RECORD] }))],
        PropertyType::Formula => {
            let mut all = dates().split_off(2);
            all.push((SAME, json!({ "value": 2 })));
            all.push((&POINTS[2..], json!({ "value": "2024-05-01" })));
            all.push((&NUMBER[4..], json!({ "value": 2 })));
            all.push((&TEXT[4..], json!({ "text": "ab" })));
            all
        }
        PropertyType::Button => Vec::new(),
        PropertyType::UniqueId => vec![(SAME, json!({ "value": "TASK-0012" }))],
    }
}

/// The operand of an operator; `None` if the type does not allow it.
fn operand(kind: PropertyType, operator: Operator) -> Option<Value> {
    if matches!(operator, Operator::IsEmpty | Operator::IsNotEmpty) {
        return Some(Value::Null);
    }
    table(kind).into_iter().find(|(names, _)| names.contains(&operator.name())).map(|(_, operand)| operand)
}

#[test]
fn each_type_allows_its_operators_and_no_others() {
    for kind in PropertyType::ALL {
        for operator in Operator::ALL {
            let value = operand(*kind, *operator);
            let sent = leaf(*kind, operator.name(), value.clone().unwrap_or_else(|| json!("x")));
            match value {
                None => assert_eq!(paths(&sent), ["op"], "{kind} {operator}"),
                Some(value) => {
                    let filter = read(&sent).unwrap_or_else(|fault| panic!("{kind} {operator}: {fault:?}")).unwrap();
                    let mut written = sent.clone();
                    if value.is_null() {
                        written.as_object_mut().unwrap().remove("value");
                    }
                    assert_eq!(filter.to_json(), written, "{kind} {operator} is written as it was sent");
                }
            }
        }
    }
}

#[test]
fn an_operator_that_needs_an_operand_refuses_null_empty_lists_and_other_kinds() {
    for kind in PropertyType::ALL {
        for operator in Operator::ALL {
            if operand(*kind, *operator).is_none_or(|operand| operand.is_null()) {
                continue;
            }
            for wrong in [Value::Null, json!({}), json!([]), json!({ "other": 1 }), json!({ "optionIds": [] })] {
                assert_eq!(paths(&leaf(*kind, operator.name(), wrong.clone())), ["value"], "{kind} {operator} {wrong}");
            }
        }
    }
}

#[test]
fn the_inner_value_can_stand_alone() {
    let alone = |kind, op: &str, bare: Value, whole: Value| {
        let read = |value| read(&leaf(kind, op, value)).unwrap();
        assert_eq!(read(bare), read(whole), "{kind} {op}");
    };
    alone(PropertyType::Title, "contains", json!("ab"), json!({ "text": "ab" }));
    alone(PropertyType::Email, "is", json!("a@b.io"), json!({ "value": "a@b.io" }));
    alone(PropertyType::Url, "is", json!("https://b.io"), json!({ "url": "https://b.io" }));
    alone(PropertyType::Number, "less_than", json!(3), json!({ "value": 3.0 }));
    alone(PropertyType::Checkbox, "is", json!(false), json!({ "value": false }));
    alone(PropertyType::Select, "is", json!("opt-done"), json!({ "optionId": "opt-done" }));
    alone(PropertyType::Select, "contains_any", json!("opt-done"), json!({ "optionIds": ["opt-done"] }));
    alone(PropertyType::MultiSelect, "is", json!(["opt-done"]), json!({ "optionIds": ["opt-done", "opt-done"] }));
    alone(PropertyType::Date, "equals", json!("2024-05-01"), json!({ "start": "2024-05-01" }));
    alone(PropertyType::Date, "is", json!("2024-05-01"), json!({ "start": "2024-05-01", "end": null }));
    alone(PropertyType::Date, "within_next_days", json!(3), json!({ "days": 3 }));
    alone(PropertyType::Person, "contains_any", json!([USER]), json!({ "userIds": [USER] }));
    alone(PropertyType::CreatedBy, "is", json!(USER), json!({ "userId": USER }));
    alone(PropertyType::Relation, "contains_all", json!(["rec_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"]), json!([RECORD]));
    alone(PropertyType::Formula, "is", json!("ab"), json!({ "text": "ab" }));
}

#[test]
fn an_option_can_be_named_and_an_unknown_one_is_no_fault() {
    let written = |value| read(&leaf(PropertyType::Status, "is", value)).unwrap().unwrap().to_json()["value"].clone();
    assert_eq!(written(json!(" done ")), json!({ "optionId": "opt-done" }));
    assert_eq!(written(json!("opt-gone")), json!({ "optionId": "opt-gone" }));
}

#[test]
fn operands_that_cannot_be_compared_are_refused() {
    for (kind, op, wrong) in [
        (PropertyType::Number, "is", json!("5")),
        (PropertyType::Checkbox, "is", json!(1)),
        (PropertyType::Date, "before", json!("2023-02-29")),
        (PropertyType::Date, "between", json!({ "start": "2024-05-01" })),
        (PropertyType::Date, "between", json!({ "start": "2024-05-02", "end": "2024-05-01" })),
        (PropertyType::Date, "between", json!("2024-05-02")),
        (PropertyType::Date, "within_next_days", json!(-1)),
        (PropertyType::Date, "within_next_days", json!(1.5)),
        (PropertyType::Person, "contains_any", json!(["me"])),
        (PropertyType::Relation, "contains_any", json!([USER])),
        (PropertyType::Select, "is", json!(7)),
        (PropertyType::Text, "contains", json!("x".repeat(100_001))),
        (PropertyType::Person, "contains_any", json!(vec![USER; 501])),
    ] {
        assert_eq!(paths(&leaf(kind, op, wrong.clone())), ["value"], "{kind} {op}");
    }
}

#[test]
fn a_unique_id_is_read_with_and_without_its_prefix() {
    use crate::query::{Comparison, Filter};
    let number = |value| match read(&leaf(PropertyType::UniqueId, "is", value)).unwrap() {
        Some(Filter::Leaf(leaf)) => match leaf.comparison {
            Comparison::UniqueId(_, id) => id.number,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(number(json!("TASK-0012")), Some(12));
    assert_eq!(number(json!("task-0012")), Some(12));
    assert_eq!(number(json!(12)), Some(12));
    assert_eq!(number(json!("0012")), Some(12));
    assert_eq!(number(json!("BUG-0012")), None, "no record has this id");
}
