//! Random databases, records and queries.

use crate::{
    dice::Dice,
    sample::{Computed, Record, computed_properties, file, id_of, record_id, schema_with, user},
};
use chrono_tz::Tz;
use octavo_blocks_tree::RichText;
use octavo_core_model::id::{RecordId, UserId};
use octavo_databases::{
    Property, PropertyType, Schema, Values,
    options::OptionId,
    query::{AggregateFunction, Columns, Filter, Query, operators_of},
    types::Operator,
    value::{Date, DateRange, Moment, Number, PropertyValue, WebLink},
};
use octavo_query_engine::Item;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

pub(crate) static SCHEMAS: LazyLock<[Schema; 4]> = LazyLock::new(|| {
    [
        schema_with(&["Open", "Doing", "Done"]),
        schema_with(&["Done", "Open", "Doing", "Late", "Gone"]),
        schema_with(&["Doing"]),
        schema_with(&[]),
    ]
});

pub(crate) const ZONES: [Tz; 6] = [
    Tz::UTC,
    Tz::Europe__Berlin,
    Tz::America__St_Johns,
    Tz::Pacific__Apia,
    Tz::Asia__Kathmandu,
    Tz::America__Sao_Paulo,
];

/// 29 March 2026, 00:30 UTC: the day on which the clocks change in Berlin.
pub(crate) const NOW: i64 = 1_774_744_200_000;

const TEXTS: [&str; 22] = [
    "",
    "",
    "a",
    "A",
    "b",
    "Ab",
    "ab",
    "aB c",
    "\u{e4}",
    "\u{c4}",
    "a\u{308}",
    "stra\u{df}e",
    "STRASSE",
    "\u{17f}",
    "100%",
    "a_b",
    "zebra",
    "a longer text that has more than sixteen bytes",
    "a longer text that has MORE than sixteen bytes",
    "\u{130}i",
    "\u{1f600} smile",
    "bb",
];

const NUMBERS: [f64; 14] = [-1.0, 0.0, -0.0, 1.0, 1.5, 0.1, 0.2, 0.3, 1e15, -1e15, 2.5, 1e-3, 7.0, 1.000_000_1];

const OPTIONS: [&str; 8] = ["opt-open", "opt-doing", "opt-done", "opt-late", "opt-unknown", "Open", "done", "opt-gone"];

const MOMENTS: [&str; 20] = [
    "2026-03-27",
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
    "2026-04-01",
    "2026-03-23",
    "2026-03-01",
    "2026-03-29T00:30:00Z",
    "2026-03-28T22:59:59.999Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T10:00:00Z",
    "2026-03-29T22:00:00Z",
    "2026-03-31T12:00:00Z",
    "2025-12-31T23:59:59Z",
    "2018-11-04",
    "2018-11-04T03:00:00Z",
    "2011-12-30",
    "2006-10-29T02:31:30Z",
    "0000-01-01",
    "9999-12-31",
];

fn moment(dice: &mut Dice) -> Moment {
    Moment::parse(MOMENTS[dice.below(MOMENTS.len())]).unwrap()
}

fn users() -> Vec<UserId> {
    (0..4).map(user).collect()
}

/// The records that relations lead to.
pub(crate) fn targets() -> Vec<RecordId> {
    (200..206).map(record_id).collect()
}

fn unique<T: PartialEq>(list: Vec<T>) -> Vec<T> {
    let mut each = Vec::new();
    for thing in list {
        if !each.contains(&thing) {
            each.push(thing);
        }
    }
    each
}

fn value(dice: &mut Dice, kind: PropertyType) -> Option<PropertyValue> {
    let text = |dice: &mut Dice| (*dice.of(&TEXTS)).to_owned();
    let option = |id: &&str| OptionId::from_stored(id);
    Some(match kind {
        PropertyType::Title | PropertyType::Text | PropertyType::RichText => {
            PropertyValue::RichText(RichText::plain(text(dice)))
        }
        PropertyType::Email | PropertyType::Phone => PropertyValue::Text(text(dice)),
        PropertyType::Url => {
            PropertyValue::Link(WebLink { url: text(dice), title: dice.once_in(2).then(|| "Title".to_owned()) })
        }
        PropertyType::Number => PropertyValue::Number(Number::new(*dice.of(&NUMBERS))?),
        PropertyType::Select | PropertyType::Status => PropertyValue::Option(option(dice.of(&OPTIONS))),
        PropertyType::MultiSelect => {
            PropertyValue::Options(unique(dice.some(&OPTIONS, 3)).iter().map(option).collect())
        }
        PropertyType::Date => {
            let (start, end) = (moment(dice), dice.once_in(3).then(|| moment(dice)));
            PropertyValue::Date(Date { start, end, time_zone: None })
        }
        PropertyType::DateRange => {
            PropertyValue::Range(DateRange { start: moment(dice), end: dice.once_in(2).then(|| moment(dice)) })
        }
        PropertyType::Person => PropertyValue::Persons(unique(dice.some(&users(), 3))),
        PropertyType::Files => PropertyValue::Files(unique(dice.some(&[file(1), file(2), file(3)], 3))),
        PropertyType::Checkbox => PropertyValue::Checkbox(dice.once_in(2)),
        _ => return None,
    })
}

fn item(dice: &mut Dice) -> Item {
    match dice.below(5) {
        0 => Item::Number(*dice.of(&[1.0, 0.0, 2.5])),
        1 => Item::Boolean(dice.once_in(2)),
        2 => Item::Date(moment(dice)),
        _ => Item::Text((*dice.of(&TEXTS[2..])).into()),
    }
}

fn computed(dice: &mut Dice, is_number: bool) -> Computed {
    match dice.below(if is_number { 4 } else { 10 }) {
        0 => Computed::Null,
        1..=3 => Computed::Number(*dice.of(&[0.0, 1.0, 1.5, 0.1, -3.0])),
        4 => Computed::Error("division_by_zero"),
        5 => Computed::Boolean(dice.once_in(2)),
        6 => Computed::Date(moment(dice)),
        7 => Computed::List(unique((0..dice.below(4)).map(|_| item(dice)).collect())),
        _ => Computed::Text((*dice.of(&TEXTS)).to_owned()),
    }
}

/// Records with different ids, in no particular order.
pub(crate) fn records(dice: &mut Dice, schema: &Schema, count: usize) -> Vec<Record> {
    let mut ids: Vec<u8> = (1..=u8::try_from(count).unwrap()).collect();
    dice.shuffle(&mut ids);
    ids.into_iter().map(|id| record(dice, schema, id)).collect()
}

pub(crate) fn record(dice: &mut Dice, schema: &Schema, id: u8) -> Record {
    let mut record = Record::new(id);
    (*dice.of(&["a0", "a1", "a2", "a", "a0V", "b"])).clone_into(&mut record.position);
    record.parent = dice.once_in(4).then(|| record_id(250));
    record.is_archived = dice.once_in(6);
    record.number = (!dice.once_in(6)).then(|| u64::from(id % 7));
    let time = |dice: &mut Dice| NOW - 86_400_000 + i64::try_from(dice.below(6)).unwrap() * 10 * 3_600_000;
    record.created_at = time(dice);
    record.edited_at = time(dice);
    let somebody = |dice: &mut Dice| (!dice.once_in(5)).then(|| *dice.of(&users()));
    record.created_by = somebody(dice);
    record.edited_by = somebody(dice);
    let mut values = Values::default();
    for property in schema.properties() {
        if !dice.once_in(3) {
            values.set(property.slot, value(dice, property.kind()));
        }
    }
    record.set(&values);
    if dice.once_in(2) {
        record.links = vec![(id_of(PropertyType::Relation), unique(dice.some(&targets(), 4)))];
    }
    let [formula, number, largest] = computed_properties();
    record.computed.insert(formula, computed(dice, false));
    record.computed.insert(number, computed(dice, true));
    record.computed.insert(largest, computed(dice, false));
    record
}

fn property<'s>(dice: &mut Dice, schema: &'s Schema) -> &'s Property {
    dice.of(schema.properties())
}

/// An operand that the operator may take for the property.
fn operand(dice: &mut Dice, kind: PropertyType, operator: Operator) -> Value {
    let moment = |dice: &mut Dice| *dice.of(&MOMENTS);
    match operator {
        Operator::WithinNextDays => json!(dice.below(5)),
        Operator::Before | Operator::After | Operator::OnOrBefore | Operator::OnOrAfter => json!(moment(dice)),
        Operator::Between => json!({ "start": moment(dice), "end": moment(dice) }),
        Operator::GreaterThan | Operator::LessThan | Operator::GreaterOrEqual | Operator::LessOrEqual => {
            json!(dice.of(&NUMBERS))
        }
        Operator::Contains | Operator::DoesNotContain | Operator::StartsWith | Operator::EndsWith => {
            json!({ "text": dice.of(&TEXTS) })
        }
        _ => match kind {
            PropertyType::Number => json!(dice.of(&NUMBERS)),
            PropertyType::Select | PropertyType::Status | PropertyType::MultiSelect => {
                if dice.once_in(2) {
                    json!({ "optionId": dice.of(&OPTIONS) })
                } else {
                    json!({ "optionIds": dice.some(&OPTIONS, 3) })
                }
            }
            PropertyType::Date | PropertyType::DateRange | PropertyType::CreatedTime | PropertyType::LastEditedTime => {
                if dice.once_in(2) {
                    json!(moment(dice))
                } else {
                    json!({ "start": moment(dice), "end": moment(dice) })
                }
            }
            PropertyType::Checkbox => json!(dice.once_in(2)),
            PropertyType::Person | PropertyType::CreatedBy | PropertyType::LastEditedBy => {
                json!({ "userIds": dice.some(&users(), 3) })
            }
            PropertyType::Relation => json!({ "recordIds": dice.some(&targets(), 3) }),
            PropertyType::Files => json!({ "fileIds": dice.some(&[file(1), file(2), file(4)], 3) }),
            PropertyType::UniqueId => json!(dice.of(&["TASK-0003", "3", "task-0001", "OTHER-1", "0"])),
            PropertyType::Formula | PropertyType::Rollup => match dice.below(4) {
                0 => json!(dice.of(&NUMBERS)),
                1 => json!(dice.once_in(2)),
                2 => json!(moment(dice)),
                _ => json!(dice.of(&TEXTS)),
            },
            _ => json!({ "text": dice.of(&TEXTS) }),
        },
    }
}

fn leaf(dice: &mut Dice, schema: &Schema) -> Value {
    loop {
        let property = property(dice, schema);
        let operators: Vec<_> = operators_of(&property.config).collect();
        let operator = *dice.of(&operators);
        let value = operand(dice, property.kind(), operator);
        let leaf = json!({ "propertyId": property.id, "op": operator, "value": value });
        if Filter::read(&leaf, Columns::by_id(schema)).is_ok() {
            return leaf;
        }
    }
}

fn tree(dice: &mut Dice, schema: &Schema, depth: usize) -> Value {
    if depth == 0 || dice.once_in(2) {
        return leaf(dice, schema);
    }
    let count = if dice.once_in(4) { 1 } else { 1 + dice.below(3) };
    let conditions: Vec<_> = (0..count).map(|_| tree(dice, schema, depth - 1)).collect();
    match dice.below(5) {
        0 => json!({ "op": "not", "conditions": [conditions[0]] }),
        1 | 2 => json!({ "op": "or", "conditions": conditions }),
        _ => json!({ "op": "and", "conditions": conditions }),
    }
}

fn keys(dice: &mut Dice, schema: &Schema, most: usize, fits: impl Fn(&Property) -> bool) -> Value {
    let count = dice.below(most + 1);
    let mut keys = Vec::new();
    for _ in 0..count {
        let property = property(dice, schema);
        if fits(property) {
            keys.push(json!({ "propertyId": property.id, "direction": dice.of(&["asc", "desc"]) }));
        }
    }
    json!(keys)
}

fn aggregates(dice: &mut Dice, schema: &Schema) -> Value {
    let mut list = Vec::new();
    for _ in 0..dice.below(4) {
        let aggregate = if dice.once_in(5) {
            json!({ "propertyId": "*", "fn": "COUNT" })
        } else {
            json!({ "propertyId": property(dice, schema).id, "fn": dice.of(AggregateFunction::ALL) })
        };
        let query = json!({ "aggregate": [aggregate] });
        if let Value::Object(query) = query
            && Query::read(query, Columns::by_id(schema)).is_ok()
        {
            list.push(aggregate);
        }
    }
    json!(list)
}

/// A query that fits the schema.
pub(crate) fn query(dice: &mut Dice, schema: &Schema, depth: usize) -> Query {
    let filter = if dice.once_in(4) { Value::Null } else { tree(dice, schema, depth) };
    let group = if dice.once_in(2) {
        keys(dice, schema, 3, |property| property.kind().facts().can_group())
    } else {
        Value::Null
    };
    let sent = json!({
        "filter": filter,
        "sort": keys(dice, schema, 3, |property| property.kind().facts().sort.is_some()),
        "group": group,
        "aggregate": aggregates(dice, schema),
        "perGroup": dice.once_in(2),
        "includeArchived": dice.once_in(3),
        "pageSize": 1 + dice.below(5),
    });
    crate::sample::query(schema, sent)
}

/// What random queries know.
pub(crate) struct World {
    pub(crate) persons: BTreeMap<UserId, String>,
    pub(crate) titles: BTreeMap<RecordId, String>,
    pub(crate) hidden_targets: BTreeSet<RecordId>,
    pub(crate) hidden: BTreeSet<RecordId>,
    pub(crate) caller: Option<UserId>,
    pub(crate) zone: Tz,
    pub(crate) persons_by_name: bool,
    pub(crate) parent: Option<RecordId>,
    pub(crate) with_empty_groups: bool,
}

pub(crate) fn world(dice: &mut Dice) -> World {
    let name = |dice: &mut Dice| (*dice.of(&["Ada", "ada", "Bob", "", "Zo\u{eb}"])).to_owned();
    World {
        persons: users().into_iter().take(3).map(|user| (user, name(dice))).collect(),
        titles: targets().into_iter().skip(1).map(|id| (id, (*dice.of(&TEXTS)).to_owned())).collect(),
        hidden_targets: dice.some(&targets(), 2).into_iter().collect(),
        hidden: if dice.once_in(3) {
            (0..3).map(|_| record_id(u8::try_from(dice.below(20)).unwrap())).collect()
        } else {
            BTreeSet::new()
        },
        caller: (!dice.once_in(4)).then(|| *dice.of(&users())),
        zone: *dice.of(&ZONES),
        persons_by_name: dice.once_in(5),
        parent: dice.once_in(8).then(|| record_id(250)),
        with_empty_groups: dice.once_in(4),
    }
}
