//! Changes of schemas.

use super::sample::{NOW, create, database, id, id_of, object, schemas, with_inputs};
use crate::{
    PropertyConfig, PropertyType, Schema, Schemas,
    fault::{Refusal, SchemaFault},
    schema::{Effect, Effects, PropertyDraft, read_drafts},
    types::{Cardinality, ConfigInputs},
};
use octavo_core_model::{
    fault::Issue,
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn draft(sent: Value) -> Result<PropertyDraft, Vec<(String, Issue)>> {
    with_inputs(150, |inputs| PropertyDraft::read(object(sent), "", inputs))
        .map_err(|flaws| flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect())
}

fn add(schemas: &mut Schemas, number: u8, sent: Value) -> Result<Effects, SchemaFault> {
    let draft = draft(sent).unwrap_or_else(|flaws| panic!("{flaws:?}"));
    schemas.add(database(1), id(number), draft, NOW)
}

fn change(schemas: &mut Schemas, id: PropertyId, sent: Value) -> Result<Effects, SchemaFault> {
    with_inputs(160, |inputs| schemas.change(database(1), id, object(sent), inputs, NOW))
}

fn issues<T: std::fmt::Debug>(result: Result<T, SchemaFault>) -> Vec<(String, Issue)> {
    match result {
        Err(SchemaFault::Invalid(flaws)) => flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect(),
        other => panic!("{other:?}"),
    }
}

fn held(schemas: &Schemas, number: u8) -> &Schema {
    schemas.get(database(number)).unwrap_or_else(|| panic!("there is a database {number}"))
}

fn effects(result: Result<Effects, SchemaFault>) -> Vec<(DatabaseId, Effect)> {
    let effects = result.unwrap_or_else(|fault| panic!("{fault:?}"));
    effects.iter().map(|(database, effect)| (database, effect.clone())).collect()
}

#[test]
fn a_database_has_one_title_and_up_to_200_properties() {
    let issues = |sent: Value| {
        let read = with_inputs(200, |inputs| read_drafts(Some(sent), inputs));
        read.map(|_| ()).map_err(|flaws| flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect::<Vec<_>>())
    };
    let one = |field: &str, issue| Err(vec![(field.to_owned(), issue)]);
    assert_eq!(issues(json!([])), one("properties", Issue::TooShort));
    assert_eq!(issues(json!([{ "name": "A", "type": "text" }])), one("properties", Issue::Required));
    let title = json!({ "name": "A", "type": "title" });
    assert_eq!(issues(json!([title, { "name": "B", "type": "title" }])), one("properties.1.type", Issue::InvalidValue));
    let many: Value = (0..201).map(|number| json!({ "name": number.to_string(), "type": "text" })).collect();
    assert_eq!(issues(many), one("properties", Issue::TooLong));
    let wrong = json!([title, { "name": "", "type": "rich" }, 5]);
    let expected = [
        ("properties.1.name".to_owned(), Issue::TooShort),
        ("properties.1.type".to_owned(), Issue::InvalidValue),
        ("properties.2".to_owned(), Issue::InvalidType),
    ];
    assert_eq!(issues(wrong), Err(expected.to_vec()));
    let mut schemas = Schemas::default();
    create(&mut schemas, 3, 0, Value::Null);
    let only = &held(&schemas, 3).properties()[0];
    assert_eq!((only.name.as_str(), only.kind(), only.position.as_str()), ("Name", PropertyType::Title, "a0"));
    assert_eq!(held(&schemas, 3).version(), 1);
}

#[test]
fn names_are_unique_whatever_their_case() {
    let mut schemas = schemas();
    let duplicate = |field: &str| SchemaFault::DuplicateName { field: field.to_owned(), database: database(1) };
    let added = add(&mut schemas, 50, json!({ "name": " NUMBER ", "type": "text" }));
    assert_eq!(added, Err(duplicate("name")));
    let renamed = change(&mut schemas, id_of(PropertyType::Text), json!({ "name": "Number" }));
    assert_eq!(renamed, Err(duplicate("name")));
    assert!(change(&mut schemas, id_of(PropertyType::Number), json!({ "name": "NUMBER" })).is_ok());
    let drafts =
        super::sample::drafts(json!([{ "name": "\u{c4}", "type": "title" }, { "name": "a\u{308}", "type": "text" }]));
    let mut number = 0;
    let mut draw = || {
        number += 1;
        id(number)
    };
    let created = Schemas::default().create(database(1), drafts, NOW, &mut draw);
    assert_eq!(created, Err(duplicate("properties.1.name")));
}

#[test]
fn a_full_database_takes_no_more() {
    let mut all = Schemas::default();
    let list = (0..200_u8)
        .map(|number| json!({ "name": number.to_string(), "type": if number == 0 { "title" } else { "text" } }));
    create(&mut all, 1, 0, list.collect());
    let more = add(&mut all, 250, json!({ "name": "more", "type": "text" }));
    assert_eq!(more, Err(SchemaFault::LimitReached { limit: 200, database: database(1) }));
}

#[test]
fn what_cannot_change_is_refused() {
    let mut schemas = schemas();
    let number = id_of(PropertyType::Number);
    let sent =
        json!({ "type": "text", "isTitle": true, "name": null, "position": "a-", "config": { "precision": 99 } });
    let expected = [
        ("type", Issue::Immutable),
        ("isTitle", Issue::Immutable),
        ("name", Issue::InvalidType),
        ("position", Issue::InvalidPosition),
        ("config.precision", Issue::TooLarge),
    ];
    let expected = expected.map(|(field, issue)| (field.to_owned(), issue));
    assert_eq!(issues(change(&mut schemas, number, sent)), expected);
    let moved =
        change(&mut schemas, id_of(PropertyType::Relation), json!({ "config": { "targetDatabaseId": database(9) } }));
    assert_eq!(issues(moved), [("config.targetDatabaseId".to_owned(), Issue::Immutable)]);
    let required = change(&mut schemas, id_of(PropertyType::Formula), json!({ "required": true }));
    assert_eq!(issues(required), [("required".to_owned(), Issue::InvalidValue)]);
    let same = json!({ "type": "number", "isTitle": false, "name": "number" });
    let version = held(&schemas, 1).version();
    assert_eq!(change(&mut schemas, number, same), Ok(Effects::default()));
    assert_eq!(held(&schemas, 1).version(), version);
    assert_eq!(change(&mut schemas, id(99), json!({})), Err(SchemaFault::UnknownProperty));
}

#[test]
fn a_change_merges_into_what_is_there() {
    let mut schemas = schemas();
    let number = id_of(PropertyType::Number);
    let config = json!({ "format": "currency", "currency": "EUR", "precision": 2 });
    let sent = json!({ "config": config, "default": { "value": 5 }, "position": "a0V" });
    assert_eq!(effects(change(&mut schemas, number, sent)), [(database(1), Effect::Updated(number))]);
    assert_eq!(held(&schemas, 1).version(), 2);
    change(&mut schemas, number, json!({ "config": { "precision": null } }))
        .unwrap_or_else(|fault| panic!("{fault:?}"));
    let schema = held(&schemas, 1);
    let Some(property) = schema.property(number) else { panic!("it is there") };
    let shown = schema.property_json(property);
    assert_eq!(shown["config"], json!({ "format": "currency", "currency": "EUR", "precision": null }));
    assert_eq!(
        (&shown["default"], &shown["position"], &shown["isTitle"]),
        (&json!({ "value": 5 }), &json!("a0V"), &json!(false))
    );
    assert_eq!(schema.properties()[1].id, number, "it moved");
}

#[test]
fn removed_options_leave_values_defaults_and_groups() {
    let mut schemas = schemas();
    let status = id_of(PropertyType::Status);
    let groups = json!([{ "name": "Open", "optionIds": ["to do", "opt-later-maybe"] }, { "name": "Closed", "optionIds": ["Done"] }]);
    let sent = json!({ "config": { "groups": groups }, "default": { "optionId": "Done" } });
    change(&mut schemas, status, sent).unwrap_or_else(|fault| panic!("{fault:?}"));
    let kept = json!({ "config": { "options": [{ "name": "To do" }, { "name": "New" }] } });
    let found = effects(change(&mut schemas, status, kept));
    let Some((_, Effect::OptionsRemoved { property, slot, options })) = found.get(1) else { panic!("{found:?}") };
    assert_eq!((*property, *slot), (status, held(&schemas, 1).property(status).map_or(0, |property| property.slot)));
    assert_eq!(options.iter().map(ToString::to_string).collect::<Vec<_>>(), ["opt-done", "opt-later-maybe"]);
    let Some(property) = held(&schemas, 1).property(status) else { panic!("it is there") };
    assert_eq!(property.default, None);
    let PropertyConfig::Status(config) = &property.config else { panic!("it is a status") };
    let members: Vec<_> = config.groups.iter().map(|group| group.options.len()).collect();
    assert_eq!(members, [1, 0]);
    let twice = json!({ "config": { "groups": [{ "name": "A", "optionIds": ["New"] }, { "name": "B", "optionIds": ["New", "x"] }] } });
    assert_eq!(
        issues(change(&mut schemas, status, twice)),
        [("config.groups.1.optionIds".to_owned(), Issue::Duplicate)]
    );
}

#[test]
fn a_relation_is_changed_on_both_sides() {
    let mut schemas = schemas();
    let config = json!({ "targetDatabaseId": database(2), "bidirectional": true, "cardinality": "one_to_many" });
    let made = effects(add(&mut schemas, 60, json!({ "name": "Company", "type": "relation", "config": config })));
    assert_eq!(made, [(database(1), Effect::Added(id(60))), (database(2), Effect::Added(id(150)))]);
    let Some(relation) = held(&schemas, 2).property(id(150)).and_then(|property| property.config.relation()) else {
        panic!("it has another side")
    };
    assert_eq!((relation.target, relation.links_one(), relation.is_linked_once()), (database(1), true, false));
    assert_eq!(held(&schemas, 2).by_name("deals").map(|property| property.id), Some(id(150)));
    // Both sides follow each other's names.
    let renamed = json!({ "name": "Customer", "config": { "reverseName": "Orders", "cardinality": "one_to_one" } });
    let found = effects(change(&mut schemas, id(60), renamed));
    assert_eq!(
        found,
        [
            (database(1), Effect::CardinalityNarrowed(id(60))),
            (database(2), Effect::Updated(id(150))),
            (database(1), Effect::Updated(id(60))),
        ]
    );
    let Some(other) = held(&schemas, 2).property(id(150)) else { panic!("it is there") };
    let reverse = other.config.relation().and_then(|relation| relation.reverse.clone());
    assert_eq!(
        (other.name.as_str(), reverse.map(|reverse| reverse.name.to_string()).as_deref()),
        ("Orders", Some("Customer"))
    );
    assert_eq!(other.config.relation().map(|relation| relation.cardinality), Some(Cardinality::OneToOne));
    let taken = change(&mut schemas, id(60), json!({ "config": { "reverseName": "worth" } }));
    let duplicate = SchemaFault::DuplicateName { field: "config.reverseName".to_owned(), database: database(2) };
    assert_eq!(taken, Err(duplicate));
    // The other side can go alone, and comes back.
    let found = effects(change(&mut schemas, id(60), json!({ "config": { "bidirectional": false } })));
    assert!(matches!(&found[0], (held, Effect::Removed(gone)) if *held == database(2) && gone.id == id(150)));
    let found = effects(change(&mut schemas, id(60), json!({ "config": { "bidirectional": true } })));
    assert_eq!(found[0], (database(2), Effect::Added(id(160))));
    let (deleted, _) = schemas.delete(database(1), id(60), false).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(deleted.relations, [id(160)]);
    assert!(held(&schemas, 2).property(id(160)).is_none());
}

#[test]
fn a_suggested_name_of_the_other_side_gets_a_number_if_it_is_taken() {
    let long = "n".repeat(100);
    let first_of = |names: [&str; 2], wanted: &str| {
        let mut schemas = schemas();
        for (number, name) in (60..).zip(names) {
            effects(add(&mut schemas, number, json!({ "name": name, "type": "text" })));
        }
        let config = json!({ "targetDatabaseId": database(1), "bidirectional": true });
        let sent = object(json!({ "name": wanted, "type": "relation", "config": config }));
        let suggested = PropertyName::from_stored(wanted.to_owned());
        let mut draw = || id(150);
        let mut inputs = ConfigInputs { draw: &mut draw, reverse_name: &suggested };
        let draft = PropertyDraft::read(sent, "", &mut inputs).unwrap_or_else(|flaws| panic!("{flaws:?}"));
        effects(schemas.add(database(1), id(70), draft, NOW));
        let names = [id(150), id(70)].map(|id| held(&schemas, 1).property(id).cloned());
        let [Some(other), Some(own)] = names else { panic!("both sides are there") };
        let reverse = own.config.relation().and_then(|relation| relation.reverse.as_ref());
        assert_eq!(reverse.map(|reverse| &reverse.name), Some(&other.name), "both sides know the name");
        other.name.to_string()
    };
    // The relation itself has the name too.
    assert_eq!(first_of(["A", "B"], "Peers"), "Peers 2");
    assert_eq!(first_of(["peers 2", "PEERS 3"], "Peers"), "Peers 4");
    assert_eq!(first_of(["A", "B"], &long), format!("{} 2", "n".repeat(98)));
}

#[test]
fn a_relation_of_a_database_with_itself_has_two_properties() {
    let mut schemas = schemas();
    let config = json!({ "targetDatabaseId": database(1), "bidirectional": true, "reverseName": "Children" });
    let found = effects(add(&mut schemas, 60, json!({ "name": "Parent", "type": "relation", "config": config })));
    assert_eq!(found, [(database(1), Effect::Added(id(60))), (database(1), Effect::Added(id(150)))]);
    assert_eq!(held(&schemas, 1).version(), 2);
    let (deleted, _) = schemas.delete(database(1), id(150), false).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(deleted.relations, [id(60)]);
}

#[test]
fn what_others_use_is_deleted_only_with_them() {
    let mut schemas = schemas();
    let (relation, rollup) = (id_of(PropertyType::Relation), id_of(PropertyType::Rollup));
    add(
        &mut schemas,
        60,
        json!({ "name": "Twice", "type": "formula", "config": { "expression": "prop(\"rollup\") * 2" } }),
    )
    .unwrap_or_else(|fault| panic!("{fault:?}"));
    let refused = |ids: &[PropertyId]| SchemaFault::Refused(Refusal::HasDependents(ids.to_vec()));
    assert_eq!(schemas.delete(database(1), relation, false), Err(refused(&[rollup])));
    assert_eq!(schemas.delete(database(2), id(101), false), Err(refused(&[rollup])), "from the other database");
    let title = id_of(PropertyType::Title);
    let kept = SchemaFault::Refused(Refusal::CannotDeleteTitleProperty);
    assert_eq!(schemas.delete(database(1), title, true), Err(kept));
    let (deleted, effects) = schemas.delete(database(1), relation, true).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!((deleted.rollups, deleted.formulas), (vec![rollup], vec![id(60)]));
    assert_eq!(effects.iter().count(), 3);
    assert!(schemas.delete(database(2), id(101), false).is_ok());
}

#[test]
fn a_formula_follows_the_names_of_properties() {
    let mut schemas = schemas();
    let formula = id_of(PropertyType::Formula);
    let shown = |schemas: &Schemas| {
        let schema = held(schemas, 1);
        let property = schema.property(formula).unwrap_or_else(|| panic!("it is there"));
        schema.config_json(property)["expression"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(shown(&schemas), "prop(\"number\") * 2");
    change(&mut schemas, id_of(PropertyType::Number), json!({ "name": "Say \"hi\"" }))
        .unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(shown(&schemas), "prop(\"Say \\\"hi\\\"\") * 2");
    let same = json!({ "config": { "expression": shown(&schemas) } });
    assert_eq!(change(&mut schemas, formula, same), Ok(Effects::default()));
    let text = format!("concat('prop(\"none\")', prop ( 'TEXT' ), {})", id_of(PropertyType::Url));
    change(&mut schemas, formula, json!({ "config": { "expression": text } }))
        .unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(shown(&schemas), "concat('prop(\"none\")', prop(\"text\"), prop(\"url\"))");
    assert_eq!(schemas.dependents(database(1), id_of(PropertyType::Url)), [formula]);
    assert_eq!(schemas.dependents(database(1), id_of(PropertyType::Text)), [formula]);
    let unknown = change(&mut schemas, formula, json!({ "config": { "expression": "1 + prop(\"none\")" } }));
    assert_eq!(issues(unknown), [("config.expression".to_owned(), Issue::FormulaParseError)]);
}

#[test]
fn a_rollup_summarizes_what_it_can() {
    let mut schemas = schemas();
    let relation = id_of(PropertyType::Relation);
    let rollup = |relation: PropertyId, target: PropertyId, aggregate: &str| {
        let config = json!({ "relationPropertyId": relation, "targetPropertyId": target, "aggregate": aggregate });
        json!({ "name": "Sum", "type": "rollup", "config": config })
    };
    let wrong = |field: &str| vec![(format!("config.{field}"), Issue::InvalidValue)];
    let number = id_of(PropertyType::Number);
    assert_eq!(issues(add(&mut schemas, 60, rollup(number, id(101), "SUM"))), wrong("relationPropertyId"));
    assert_eq!(issues(add(&mut schemas, 60, rollup(relation, number, "SUM"))), wrong("targetPropertyId"));
    assert_eq!(issues(add(&mut schemas, 60, rollup(relation, id(100), "AVERAGE"))), wrong("aggregate"));
    assert!(add(&mut schemas, 60, rollup(relation, id(100), "UNIQUE")).is_ok());
    let missing = draft(json!({ "name": "Sum", "type": "rollup" }));
    let expected = ["relationPropertyId", "targetPropertyId", "aggregate"];
    assert_eq!(missing, Err(expected.map(|field| (format!("config.{field}"), Issue::Required)).to_vec()));
}

#[test]
fn another_text_can_become_the_title() {
    let mut schemas = schemas();
    let (title, text) = (id_of(PropertyType::Title), id_of(PropertyType::RichText));
    let slot = held(&schemas, 1).property(text).map(|property| property.slot);
    let (moved, effects) = schemas.set_title(database(1), text).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!((moved.title, moved.previous, effects.iter().count()), (text, title, 2));
    let schema = held(&schemas, 1);
    assert_eq!(schema.title().map(|property| (property.id, Some(property.slot))), Some((text, slot)));
    assert_eq!(schema.property(title).map(crate::Property::kind), Some(PropertyType::Text));
    let (same, effects) = schemas.set_title(database(1), text).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert!(same.title == same.previous && effects.is_empty());
    let refused = schemas.set_title(database(1), id_of(PropertyType::Email));
    assert_eq!(refused, Err(SchemaFault::Refused(Refusal::NotTextCompatible)));
}

#[derive(Clone, Debug)]
enum Step {
    Add(PropertyType, &'static str, bool),
    Rename(usize, &'static str),
    Delete(usize, bool),
    Title(usize),
    Link(usize, bool),
}

fn step() -> impl Strategy<Value = Step> {
    let name = || select(vec!["A", "a", "b", "Name", "\u{c4}", "number"]);
    prop_oneof![
        3 => (select(PropertyType::ALL), name(), any::<bool>()).prop_map(|(kind, name, both)| Step::Add(kind, name, both)),
        2 => (0..40_usize, name()).prop_map(|(at, name)| Step::Rename(at, name)),
        2 => (0..40_usize, any::<bool>()).prop_map(|(at, cascade)| Step::Delete(at, cascade)),
        1 => (0..40_usize).prop_map(Step::Title),
        1 => (0..40_usize, any::<bool>()).prop_map(|(at, both)| Step::Link(at, both)),
    ]
}

fn take(schemas: &mut Schemas, step: &Step, number: &mut u8) {
    let nth = |schemas: &Schemas, at: usize| {
        let list = held(schemas, 1).properties();
        list[at % list.len()].id
    };
    // Whatever is refused must leave everything as it was, which the invariants show.
    *number = number.wrapping_add(2);
    let first = *number;
    match step {
        Step::Add(kind, name, both) => {
            let target = database(if *both { 1 } else { 2 });
            let config = json!({ "targetDatabaseId": target, "bidirectional": both, "reverseName": format!("of {name}"),
                "expression": "prop(\"Name\")", "relationPropertyId": id(19), "targetPropertyId": id(101), "aggregate": "COUNT" });
            let sent = object(json!({ "name": name, "type": kind, "config": config }));
            if let Ok(draft) = with_inputs(first + 1, |inputs| PropertyDraft::read(sent, "", inputs)) {
                let _ = schemas.add(database(1), id(first), draft, NOW);
            }
        }
        Step::Rename(at, name) => {
            let id = nth(schemas, *at);
            let _ = change(schemas, id, json!({ "name": name }));
        }
        Step::Delete(at, cascade) => drop(schemas.delete(database(1), nth(schemas, *at), *cascade)),
        Step::Title(at) => drop(schemas.set_title(database(1), nth(schemas, *at))),
        Step::Link(at, both) => {
            let (id, sent) = (nth(schemas, *at), object(json!({ "config": { "bidirectional": both } })));
            let _ = with_inputs(first + 1, |inputs| schemas.change(database(1), id, sent, inputs, NOW));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_schema_keeps_its_rules(steps in vec(step(), 1..40)) {
        let (mut schemas, mut number) = (schemas(), 160);
        let mut slots_ever: BTreeSet<_> = held(&schemas, 1).properties().iter().map(|property| (property.slot, property.id)).collect();
        for step in &steps {
            take(&mut schemas, step, &mut number);
            if number > 248 {
                break;
            }
            for schema in schemas.iter() {
                let all = schema.properties();
                prop_assert_eq!(all.iter().filter(|property| property.is_title()).count(), 1);
                let names: BTreeSet<_> = all.iter().map(|property| crate::text::folded_line(property.name.as_str())).collect();
                let slots: BTreeSet<_> = all.iter().map(|property| property.slot).collect();
                prop_assert_eq!((names.len(), slots.len()), (all.len(), all.len()));
                prop_assert!(slots.iter().all(|slot| *slot < schema.next_slot()));
                prop_assert!(all.windows(2).all(|pair| (&pair[0].position, pair[0].id) < (&pair[1].position, pair[1].id)));
                for relation in all.iter().filter_map(|property| Some((property.id, property.config.relation()?))) {
                    let Some(reverse) = &relation.1.reverse else { continue };
                    let other = schemas.get(relation.1.target).and_then(|schema| schema.property(reverse.property));
                    let back = other.and_then(|other| other.config.relation()?.reverse.clone());
                    prop_assert_eq!(back.map(|back| back.property), Some(relation.0));
                }
            }
            slots_ever.extend(held(&schemas, 1).properties().iter().map(|property| (property.slot, property.id)));
        }
        let slots: BTreeSet<_> = slots_ever.iter().map(|(slot, _)| slot).collect();
        prop_assert_eq!(slots.len(), slots_ever.len(), "no slot had two properties");
    }
}
