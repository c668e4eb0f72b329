//! Queries through share links.

#![allow(clippy::needless_pass_by_value, reason = "values are written where they are passed")]

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
    shared_databases::{query, share_database, titles},
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    records_are_filtered_sorted_and_grouped_through_a_link,
    groups_of_people_show_their_names_only,
    links_to_what_a_link_does_not_show_count_as_none,
    summaries_of_hidden_records_are_withheld_from_links,
    who_wrote_a_record_cannot_be_asked,
    queries_through_a_link_have_cursors_of_their_own,
}

fn priced(office: &Office) -> Table {
    let kinds = json!({ "options": [{ "name": "Chair" }, { "name": "Table" }] });
    let columns = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Kind", "type": "select", "config": kinds }),
        json!({ "name": "By", "type": "created_by" }),
    ];
    let table = Table::of(office, None, &columns);
    for (title, price, kind) in [("A", 3, "opt-chair"), ("B", 1, "opt-table"), ("C", 2, "opt-chair")] {
        let values = [
            ("Name", json!({ "text": title })),
            ("Price", json!({ "value": price })),
            ("Kind", json!({ "optionId": kind })),
        ];
        table.send(office, &office.owner, &values).is(201);
    }
    table
}

fn records_are_filtered_sorted_and_grouped_through_a_link(engine: Engine) {
    let office = office(engine);
    let table = priced(&office);
    let token = share_database(&office, &table, &json!({}));
    let price = table.property("Price");
    let found = query(
        &office,
        &token,
        &table.id,
        &json!({
            "filter": { "propertyId": price, "op": "greater_than", "value": { "value": 1 } },
            "sort": [{ "propertyId": price, "direction": "asc" }],
            "aggregate": [{ "propertyId": price, "fn": "SUM" }],
        }),
    )
    .body_of(200);
    assert_eq!(titles(&found, &table), ["C", "A"]);
    assert_eq!(found["aggregates"], json!([{ "propertyId": price, "fn": "SUM", "value": 5 }]));
    let body = json!({
        "group": [{ "propertyId": table.property("Kind"), "direction": "asc" }],
        "aggregate": [{ "propertyId": "*", "fn": "COUNT" }],
        "perGroup": true,
    });
    let groups = query(&office, &token, &table.id, &body).data(200);
    let shown = |group: &Value| (group["key"]["label"].clone(), group["count"].clone());
    let shown: Vec<_> = groups["groups"].as_array().unwrap().iter().map(shown).collect();
    assert_eq!(shown, [(json!("Chair"), json!(2)), (json!("Table"), json!(1))]);
    assert_eq!((&groups["totalCount"], &groups["groups"][0]["aggregates"][0]["value"]), (&json!(3), &json!(2)));
    let record = &groups["groups"][0]["records"][0];
    assert_eq!((record.get("createdBy"), &record["properties"][price]), (None, &json!({ "value": 3 })));
    let unfit = json!({ "filter": { "propertyId": price, "op": "contains", "value": { "text": "x" } } });
    query(&office, &token, &table.id, &unfit).refuses(422, "UNPROCESSABLE_ENTITY");
    // A link that includes nothing below shows no records, whatever the query asks for.
    let alone = share_database(&office, &table, &json!({ "includeChildren": false }));
    let nothing = query(&office, &alone, &table.id, &body).data(200);
    assert_eq!((&nothing["totalCount"], &nothing["groups"]), (&json!(0), &json!([])));
}

fn groups_of_people_show_their_names_only(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Who", "type": "person" })]);
    for (title, person) in [("A", &office.member), ("B", &office.owner), ("C", &office.member)] {
        let who = json!({ "userIds": [person.id] });
        table.send(&office, &office.owner, &[("Name", json!({ "text": title })), ("Who", who)]).is(201);
    }
    let token = share_database(&office, &table, &json!({}));
    let by_person = [json!({ "propertyId": table.property("Who"), "direction": "asc" })];
    let groups = query(&office, &token, &table.id, &json!({ "group": by_person })).data(200);
    let key = |group: &Value| (group["key"]["value"].clone(), group["key"]["label"].clone(), group["count"].clone());
    let keys: Vec<_> = groups["groups"].as_array().unwrap().iter().map(key).collect();
    assert_eq!(keys, [(json!("Ada"), json!("Ada"), json!(1)), (json!("Bob"), json!("Bob"), json!(2))]);
    assert!(!groups.to_string().contains("usr_"));
    let of_one = json!({ "propertyId": table.property("Who"), "op": "contains_any", "value": [office.member.id] });
    for (filter, path) in
        [(of_one.clone(), "propertyId"), (json!({ "op": "and", "conditions": [of_one] }), "conditions.0.propertyId")]
    {
        let refused = query(&office, &token, &table.id, &json!({ "filter": filter }));
        let refused = refused.refuses(422, "UNPROCESSABLE_ENTITY");
        assert_eq!(refused.issue("invalid_filter").detail()["path"], path);
    }
    let sorted = query(&office, &token, &table.id, &json!({ "sort": by_person })).body_of(200);
    assert_eq!(titles(&sorted, &table), ["B", "A", "C"]);
}

fn links_to_what_a_link_does_not_show_count_as_none(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let [inside, outside] = [Some(page.as_str()), None].map(|parent| Table::of(&office, parent, &[]));
    let relation = |name: &str, target: &Table| json!({ "name": name, "type": "relation", "config": { "targetDatabaseId": target.id } });
    let table = Table::of(&office, Some(&page), &[relation("In", &inside), relation("Out", &outside)]);
    let [active, archived] = ["Active", "Archived"].map(|title| inside.put(&office, title));
    let hidden = outside.put(&office, "Hidden");
    for (title, property, target) in [("A", "In", &active), ("B", "In", &archived), ("C", "Out", &hidden)] {
        let links = json!({ "recordIds": [target["id"]] });
        table.send(&office, &office.owner, &[("Name", json!({ "text": title })), (property, links)]).is(201);
    }
    office.post(&office.owner, &format!("{}/archive", path_of(&archived)), &json!({})).is(200);
    let shared = office.post(&office.owner, &format!("/pages/{page}/share-links"), &json!({})).data(201);
    let token = crate::share_links::token(&shared);
    let linked = |property: &str| {
        let filter = json!({ "propertyId": table.property(property), "op": "is_not_empty" });
        titles(&query(&office, &token, &table.id, &json!({ "filter": filter })).body_of(200), &table)
    };
    assert_eq!((linked("In"), linked("Out")), (vec!["A".to_owned()], vec![]));
    let by_target = json!({ "group": [{ "propertyId": table.property("In") }] });
    let groups = query(&office, &token, &table.id, &by_target).data(200);
    let labels: Vec<_> = groups["groups"].as_array().unwrap().iter().map(|group| &group["key"]["label"]).collect();
    assert_eq!(labels, ["Active", "Empty"]);
}

fn summaries_of_hidden_records_are_withheld_from_links(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let people = Table::of(&office, Some(&page), &[json!({ "name": "Pay", "type": "number" })]);
    let relation = json!({ "name": "In", "type": "relation", "config": { "targetDatabaseId": people.id } });
    let table = Table::of(&office, Some(&page), &[relation]);
    let ann = people
        .send(&office, &office.owner, &[("Name", json!({ "text": "Ann" })), ("Pay", json!({ "value": 90_210 }))])
        .data(201);
    let links = json!({ "recordIds": [ann["id"]] });
    table.send(&office, &office.owner, &[("Name", json!({ "text": "A" })), ("In", links)]).is(201);
    let add = |name: &str, kind: &str, config: Value| {
        let body = json!({ "name": name, "type": kind, "config": config });
        let added = office.post(&office.owner, &format!("{}/properties", table.path), &body).data(201);
        shape::text(&added["id"])
    };
    let mine = json!({ "propertyId": people.property("Pay"), "op": "is_not_empty" });
    let sum = json!({ "relationPropertyId": table.property("In"), "targetPropertyId": people.property("Pay"),
        "aggregate": "SUM", "filter": mine });
    let (sum, titles) = (add("Sum", "rollup", sum), add("Titles", "formula", json!({ "expression": "prop(\"In\")" })));
    let shared = office.post(&office.owner, &format!("/pages/{page}/share-links"), &json!({})).data(201);
    let token = crate::share_links::token(&shared);
    let shown = || query(&office, &token, &table.id, &json!({})).body_of(200)["data"][0]["properties"].clone();
    let sees = |value: Value| json!({ "value": value });
    assert_eq!(shown()[&sum], sees(json!(90_210)));
    assert_eq!(shown()[&titles]["value"], Value::Null, "linked records may be archived");
    let path = format!("/pages/{}/permissions", shape::text(&ann["pageId"]));
    office.call(&office.owner, "PUT", &path, &json!({ "inherit": false, "grants": [] })).is(200);
    assert_eq!(shown()[&sum], sees(Value::Null));
    let filter = json!({ "propertyId": sum, "op": "greater_than", "value": { "value": 1 } });
    let found = query(&office, &token, &table.id, &json!({ "filter": filter })).body_of(200);
    assert_eq!(found["data"], json!([]));
    let site = office.server.site();
    let database = site.get(&format!("/public/shares/{token}/databases/{}", table.id)).send().data(200);
    assert!(!database.to_string().contains("is_not_empty"), "the filter of a rollup can name people");
}

fn who_wrote_a_record_cannot_be_asked(engine: Engine) {
    let office = office(engine);
    let table = priced(&office);
    let token = share_database(&office, &table, &json!({}));
    let by = table.property("By");
    for body in [
        json!({ "filter": { "propertyId": by, "op": "contains", "value": { "userIds": [office.owner.id] } } }),
        json!({ "sort": [{ "propertyId": by }] }),
        json!({ "group": [{ "propertyId": by }] }),
        json!({ "select": [by] }),
    ] {
        let refused = query(&office, &token, &table.id, &body);
        assert!(refused.status == 400 || refused.status == 422, "{body}: {refused:?}");
    }
    assert!(!query(&office, &token, &table.id, &json!({})).body_of(200).to_string().contains(by));
}

fn queries_through_a_link_have_cursors_of_their_own(engine: Engine) {
    let office = office(engine);
    let table = priced(&office);
    let token = share_database(&office, &table, &json!({}));
    let sorted = |direction: &str, cursor: Option<&Value>| {
        let sort = json!([{ "propertyId": table.property("Price"), "direction": direction }]);
        let mut body = json!({ "sort": sort, "pageSize": 2 });
        if let Some(cursor) = cursor {
            body["cursor"] = cursor.clone();
        }
        query(&office, &token, &table.id, &body)
    };
    let first = sorted("desc", None).body_of(200);
    let second = sorted("desc", Some(&first["nextCursor"])).body_of(200);
    assert_eq!((titles(&first, &table), titles(&second, &table)), (vec!["A".into(), "C".into()], vec!["B".into()]));
    assert_eq!(second["nextCursor"], Value::Null);
    sorted("asc", Some(&first["nextCursor"])).refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
    let member = office.post(
        &office.member,
        &format!("{}/query", table.path),
        &json!({ "pageSize": 2, "cursor": shape::text(&first["nextCursor"]) }),
    );
    member.refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
}
