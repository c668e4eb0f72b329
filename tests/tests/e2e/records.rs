//! Records of databases.

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, Person, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_record_shows_everything_that_was_sent,
    values_of_every_type_come_back_in_their_form,
    all_flaws_of_values_are_listed,
    columns_of_the_record_itself_cannot_be_written,
    a_record_is_visible_where_its_database_is,
    single_properties_are_changed_and_others_stay,
    a_change_can_be_based_on_a_version,
    nothing_changes_if_nothing_is_different,
    archived_records_are_left_out_and_come_back,
    a_record_is_deleted_once_it_is_confirmed,
    removed_options_are_cleared_everywhere,
    writes_of_records_are_reported_with_their_values,
}

pub(crate) const UNKNOWN: &str = "rpt_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

/// A database and the ids of its properties by name.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) path: String,
    properties: Value,
}

impl Table {
    pub(crate) fn create(office: &Office, body: &Value) -> Self {
        Self::from(&office.post(&office.owner, "/databases", body).data(201))
    }

    /// The database that an answer describes.
    pub(crate) fn from(shown: &Value) -> Self {
        let id = shown["id"].as_str().unwrap().to_owned();
        Self { path: format!("/databases/{id}"), id, properties: shown["properties"].clone() }
    }

    pub(crate) fn of(office: &Office, parent: Option<&str>, properties: &[Value]) -> Self {
        let title = json!({ "name": "Name", "type": "title" });
        let properties: Vec<_> = [title].into_iter().chain(properties.iter().cloned()).collect();
        Self::create(office, &json!({ "title": "Tasks", "parentId": parent, "properties": properties }))
    }

    pub(crate) fn property(&self, name: &str) -> &str {
        let all = self.properties.as_array().unwrap();
        all.iter().find(|property| property["name"] == name).unwrap()["id"].as_str().unwrap()
    }

    /// Values by the names of properties, as the API takes them.
    pub(crate) fn values(&self, values: &[(&str, Value)]) -> Value {
        values.iter().map(|(name, value)| (self.property(name).to_owned(), value.clone())).collect()
    }

    pub(crate) fn send(&self, office: &Office, by: &Person, values: &[(&str, Value)]) -> Answer {
        office.post(by, &format!("{}/records", self.path), &json!({ "properties": self.values(values) }))
    }

    pub(crate) fn put(&self, office: &Office, title: &str) -> Value {
        self.send(office, &office.owner, &[("Name", json!({ "text": title }))]).data(201)
    }

    pub(crate) fn titles(&self, office: &Office, by: &Person, query: &str) -> Vec<String> {
        let list = office.get(by, &format!("{}/records{query}", self.path)).body_of(200);
        let name = self.property("Name");
        let title = |record: &Value| record["properties"][name]["text"].as_str().unwrap().to_owned();
        list["data"].as_array().unwrap().iter().map(title).collect()
    }
}

pub(crate) fn path_of(record: &Value) -> String {
    format!("/records/{}", record["id"].as_str().unwrap())
}

fn a_record_shows_everything_that_was_sent(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let body = json!({
        "properties": table.values(&[("Name", json!({ "text": "Chair" })), ("Price", json!({ "value": 9.5 }))]),
        "icon": "\u{1fa91}",
        "coverUrl": "https://example.com/chair.png",
    });
    let answer = office.post(&office.owner, &format!("{}/records", table.path), &body);
    let made = answer.data(201);
    let id = made["id"].as_str().unwrap();
    assert!(id.starts_with("rpt_"));
    assert_eq!(made["pageId"].as_str().unwrap(), id.replace("rpt_", "pg_"));
    assert_eq!(answer.header("location"), Some(format!("/api/v1{}", path_of(&made)).as_str()));
    assert_eq!((&made["databaseId"], &made["icon"]), (&json!(table.id), &body["icon"]));
    assert_eq!((&made["coverUrl"], &made["archivedAt"]), (&body["coverUrl"], &Value::Null));
    assert_eq!((&made["version"], &made["position"]), (&json!(1), &json!("a0")));
    assert_eq!((&made["isSubItem"], &made["subItemCount"]), (&json!(false), &json!(0)));
    assert_eq!((&made["createdBy"], &made["lastEditedBy"]), (&json!(office.owner.id), &json!(office.owner.id)));
    assert_eq!(made["properties"][table.property("Price")], json!({ "value": 9.5 }));
    assert_eq!(made["properties"][table.property("Name")], json!({ "text": "Chair", "marks": [] }));
    assert_eq!(office.get(&office.member, &path_of(&made)).data(200), made);
    let selected = office.get(&office.member, &format!("{}?select={}", path_of(&made), table.property("Price")));
    assert_eq!(selected.data(200)["properties"], json!({ table.property("Price"): { "value": 9.5 } }));
    let unknown = format!("{}?select=prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3", path_of(&made));
    office.get(&office.member, &unknown).refuses(400, "VALIDATION_ERROR").of("select", "unknown_field");
    // Ids of submissions have another prefix, and name the same record.
    let same = office.get(&office.member, &path_of(&made).replace("rpt_", "rec_")).data(200);
    assert_eq!(same["id"], made["id"]);
    let count = office.get(&office.member, &table.path).data(200)["recordCount"].clone();
    assert_eq!(count, 1);
}

/// A database with a property of each type that takes or shows values, named like its type.
fn table_of_every_type(office: &Office) -> Table {
    let options = json!({ "options": [{ "name": "To do" }, { "name": "Done" }] });
    let types = [
        "text",
        "rich_text",
        "number",
        "select",
        "multi_select",
        "status",
        "date",
        "date_range",
        "person",
        "email",
        "phone",
        "url",
        "checkbox",
        "created_time",
        "created_by",
        "last_edited_time",
        "last_edited_by",
        "unique_id",
    ];
    let configured = |kind: &&str| match *kind {
        "select" | "multi_select" | "status" => json!({ "name": kind, "type": kind, "config": options }),
        "unique_id" => json!({ "name": kind, "type": kind, "config": { "prefix": "T" } }),
        kind => json!({ "name": kind, "type": kind }),
    };
    Table::of(office, None, &types.iter().map(configured).collect::<Vec<_>>())
}

fn values_of_every_type_come_back_in_their_form(engine: Engine) {
    let office = office(engine);
    let table = table_of_every_type(&office);
    let sent = [
        ("Name", json!({ "text": "All", "marks": [] })),
        ("text", json!({ "text": "plain", "marks": [] })),
        ("rich_text", json!({ "text": "bold", "marks": [{ "type": "bold", "from": 0, "to": 4 }] })),
        ("number", json!({ "value": -3 })),
        ("select", json!({ "optionId": "opt-done" })),
        ("multi_select", json!({ "optionIds": ["opt-to-do", "opt-done"] })),
        ("status", json!({ "optionId": "opt-to-do" })),
        ("date", json!({ "start": "2026-03-01", "end": null, "dateTimeTimezone": null })),
        ("date_range", json!({ "start": "2026-03-01", "end": "2026-03-05" })),
        ("person", json!({ "userIds": [office.member.id] })),
        ("email", json!({ "value": "ada@example.com" })),
        ("phone", json!({ "value": "+493012345678" })),
        ("url", json!({ "value": "https://example.com/", "title": "Example" })),
        ("checkbox", json!({ "value": true })),
    ];
    let made = table.send(&office, &office.owner, &sent).data(201);
    for (name, value) in &sent {
        assert_eq!(&made["properties"][table.property(name)], value, "{name}");
    }
    let shown = |name: &str| made["properties"][table.property(name)].clone();
    assert_eq!(shown("created_time"), json!({ "value": made["createdTime"] }));
    assert_eq!(shown("last_edited_by"), json!({ "userId": office.owner.id }));
    assert_eq!(shown("unique_id"), json!({ "value": "T-0001" }));
    // An option can be named, and is shown with its id.
    let named = table.send(
        &office,
        &office.owner,
        &[("Name", json!({ "text": "B" })), ("select", json!({ "optionId": "to DO" }))],
    );
    assert_eq!(named.data(201)["properties"][table.property("select")], json!({ "optionId": "opt-to-do" }));
    let empty = table.put(&office, "Empty");
    assert_eq!(empty["properties"][table.property("number")], Value::Null);
    assert_eq!(empty["properties"][table.property("checkbox")], json!({ "value": false }));
}

fn all_flaws_of_values_are_listed(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "Price", "type": "number", "required": true }),
            json!({ "name": "Mail", "type": "email" }),
            json!({ "name": "Who", "type": "person" }),
        ],
    );
    let of = |name: &str| format!("properties.{}", table.property(name));
    let refused =
        table.send(&office, &office.owner, &[("Price", json!({ "value": "x" })), ("Mail", json!({ "value": "no" }))]);
    let refused = refused.refuses(400, "VALIDATION_ERROR");
    refused.of(&of("Name"), "required").of(&of("Price"), "invalid_type").of(&of("Mail"), "invalid_format");
    let records = format!("{}/records", table.path);
    office.post(&office.owner, &records, &json!({})).refuses(400, "VALIDATION_ERROR").of("properties", "required");
    let unknown = json!({ "properties": { "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3": null } });
    let refused = office.post(&office.owner, &records, &unknown).refuses(400, "VALIDATION_ERROR");
    refused.of("properties.prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "unknown_field");
    let cleared = [("Name", json!({ "text": "" })), ("Price", Value::Null)];
    table.send(&office, &office.owner, &cleared).refuses(400, "VALIDATION_ERROR").of(&of("Price"), "required");
    let long = [("Name", json!({ "text": "x".repeat(301) })), ("Price", json!({ "value": 1 }))];
    table.send(&office, &office.owner, &long).refuses(400, "VALIDATION_ERROR").of(&of("Name"), "too_long");
    let stranger = [
        ("Name", json!({ "text": "A" })),
        ("Price", json!({ "value": 1 })),
        ("Who", json!({ "userIds": ["usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] })),
    ];
    let refused = table.send(&office, &office.owner, &stranger).refuses(422, "UNPROCESSABLE_ENTITY");
    refused.of(&of("Who"), "unknown_principal");
    let made = table.send(&office, &office.owner, &[("Name", json!({ "text": "" })), ("Price", json!({ "value": 1 }))]);
    let made = made.data(201);
    let change = json!({ "properties": table.values(&[("Name", Value::Null), ("Price", Value::Null)]) });
    let refused = office.patch(&office.owner, &path_of(&made), &change).refuses(400, "VALIDATION_ERROR");
    refused.of(&of("Price"), "required");
    assert_eq!(table.titles(&office, &office.owner, ""), [""]);
}

fn columns_of_the_record_itself_cannot_be_written(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "No", "type": "unique_id" }),
            json!({ "name": "Go", "type": "button", "config": { "actions": [] } }),
        ],
    );
    for (name, value) in [("No", json!({ "value": "7" })), ("Go", Value::Null)] {
        let refused = table.send(&office, &office.owner, &[("Name", json!({ "text": "A" })), (name, value)]);
        let refused = refused.refuses(422, "UNPROCESSABLE_ENTITY");
        refused.issue("read_only_property");
        assert_eq!(refused.detail()["property"], table.property(name));
    }
    // A refused creation uses no number.
    let made = table.put(&office, "A");
    assert_eq!(made["properties"][table.property("No")], json!({ "value": "0001" }));
}

fn a_record_is_visible_where_its_database_is(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[]);
    let made = table.put(&office, "Secret");
    let path = path_of(&made);
    office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
    office.get(&office.owner, &format!("/records/{UNKNOWN}")).refuses(404, "NOT_FOUND");
    office.get(&office.owner, "/records/nonsense").refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.guest.id, "VIEW"), ("user", &office.member.id, "NONE")]);
    office.get(&office.guest, &path).is(200);
    office.patch(&office.guest, &path, &json!({ "icon": 7 })).refuses(403, "FORBIDDEN").because("requires_EDIT");
    let records = format!("{}/records", table.path);
    office.post(&office.guest, &records, &json!({})).refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.delete(&office.guest, &path).refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.post(&office.guest, &format!("{path}/archive"), &Value::Null).refuses(403, "FORBIDDEN");
    office.get(&office.member, &path).refuses(404, "NOT_FOUND");
    office.get(&office.member, &records).refuses(404, "NOT_FOUND");
    assert_eq!(table.titles(&office, &office.guest, ""), ["Secret"]);
    // The page of a record can be given away or hidden by itself.
    let other = table.put(&office, "Open");
    let of_page = format!("/pages/{}/permissions", made["pageId"].as_str().unwrap());
    let hide = json!({ "inherit": false });
    office.call(&office.owner, "PUT", &of_page, &hide).is(200);
    office.get(&office.guest, &path).refuses(404, "NOT_FOUND");
    assert_eq!(table.titles(&office, &office.guest, ""), ["Open"]);
    assert_eq!(table.titles(&office, &office.owner, ""), ["Secret", "Open"]);
    let grants = json!({ "inherit": false, "grants": [{ "principalType": "user", "principalId": office.guest.id, "level": "EDIT" }] });
    office.call(&office.owner, "PUT", &of_page, &grants).is(200);
    office.patch(&office.guest, &path, &json!({ "icon": "\u{1f600}" })).is(200);
    office.patch(&office.guest, &path_of(&other), &json!({ "icon": "\u{1f600}" })).refuses(403, "FORBIDDEN");
    assert_eq!(table.titles(&office, &office.guest, ""), ["Secret", "Open"]);
}

fn single_properties_are_changed_and_others_stay(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[json!({ "name": "Price", "type": "number" }), json!({ "name": "Note", "type": "text" })],
    );
    let made = table.send(
        &office,
        &office.owner,
        &[("Name", json!({ "text": "A" })), ("Price", json!({ "value": 1 })), ("Note", json!({ "text": "n" }))],
    );
    let made = made.data(201);
    let path = path_of(&made);
    let changed = office.patch(
        &office.member,
        &path,
        &json!({ "properties": table.values(&[("Price", json!({ "value": 2 }))]) }),
    );
    let changed = changed.data(200);
    assert_eq!(changed["properties"][table.property("Price")], json!({ "value": 2 }));
    assert_eq!(changed["properties"][table.property("Note")]["text"], "n");
    assert_eq!((&changed["version"], &changed["lastEditedBy"]), (&json!(2), &json!(office.member.id)));
    let cleared = office.patch(
        &office.owner,
        &path,
        &json!({ "properties": table.values(&[("Note", Value::Null)]), "icon": "\u{1f680}" }),
    );
    let cleared = cleared.data(200);
    assert_eq!((&cleared["properties"][table.property("Note")], &cleared["icon"]), (&Value::Null, &json!("\u{1f680}")));
    let moved = office.patch(&office.owner, &path, &json!({ "position": "Zz", "icon": null })).data(200);
    assert_eq!((&moved["position"], &moved["icon"], &moved["version"]), (&json!("Zz"), &Value::Null, &json!(4)));
    office
        .patch(&office.owner, &path, &json!({ "position": "-" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("position", "invalid_position");
    office
        .patch(&office.owner, &path, &json!({ "properties": [] }))
        .refuses(400, "VALIDATION_ERROR")
        .of("properties", "invalid_type");
    assert_eq!(office.get(&office.owner, &path).data(200), moved);
}

fn a_change_can_be_based_on_a_version(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "A");
    let path = path_of(&made);
    let change = |text: &str, version: i64| json!({ "properties": table.values(&[("Name", json!({ "text": text }))]), "version": version });
    office.patch(&office.owner, &path, &change("B", 1)).is(200);
    let refused = office.patch(&office.owner, &path, &change("C", 1)).refuses(409, "CONFLICT");
    refused.issue("version_mismatch");
    assert_eq!(refused.detail()["expected"], 2);
    let by_header = |version: &str| {
        let body = json!({ "icon": "\u{1f680}" });
        office.owner.patch(&path, &body).header("X-Service-Workspace", &office.id).header("If-Match", version).send()
    };
    by_header("1").refuses(409, "CONFLICT");
    by_header("2").is(200);
    let both = office.get(&office.owner, &path);
    assert_eq!(both.data(200)["version"], 3);
    let again = office
        .owner
        .get(&path)
        .header("X-Service-Workspace", &office.id)
        .header("If-None-Match", both.named("etag"))
        .send();
    again.is(304);
}

fn nothing_changes_if_nothing_is_different(engine: Engine) {
    let office = office(engine);
    let table = Table::of(
        &office,
        None,
        &[json!({ "name": "Tags", "type": "multi_select", "config": { "options": [{ "name": "x" }] } })],
    );
    let made = table.put(&office, "A");
    let same = json!({
        "properties": table.values(&[("Name", json!({ "text": "A" })), ("Tags", json!({ "optionIds": [] }))]),
        "icon": null, "position": made["position"], "parentRecordId": null,
    });
    assert_eq!(office.patch(&office.member, &path_of(&made), &same).data(200), made);
}

fn archived_records_are_left_out_and_come_back(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let (first, _second) = (table.put(&office, "First"), table.put(&office, "Second"));
    let archive = format!("{}/archive", path_of(&first));
    let archived = office.post(&office.member, &archive, &Value::Null).data(200);
    assert!(archived["archivedAt"].is_string());
    assert_eq!(archived["version"], 2);
    assert_eq!(office.post(&office.member, &archive, &Value::Null).data(200), archived);
    assert_eq!(table.titles(&office, &office.member, ""), ["Second"]);
    assert_eq!(table.titles(&office, &office.member, "?includeArchived=true"), ["First", "Second"]);
    assert_eq!(office.get(&office.member, &table.path).data(200)["recordCount"], 1);
    // It can still be read and changed.
    let change = json!({ "properties": table.values(&[("Name", json!({ "text": "1st" }))]) });
    assert!(office.patch(&office.member, &path_of(&first), &change).data(200)["archivedAt"].is_string());
    let back = office.post(&office.member, &format!("{}/unarchive", path_of(&first)), &Value::Null).data(200);
    assert_eq!(back["archivedAt"], Value::Null);
    assert_eq!(table.titles(&office, &office.member, ""), ["1st", "Second"]);
    assert_eq!(office.get(&office.member, &table.path).data(200)["recordCount"], 2);
}

fn a_record_is_deleted_once_it_is_confirmed(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let made = table.put(&office, "A");
    let path = path_of(&made);
    let page = format!("/pages/{}", made["pageId"].as_str().unwrap());
    let block = json!({ "pageId": made["pageId"], "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": { "text": "x" } } }] });
    office.post(&office.owner, "/blocks/batch", &block).is(201);
    let below = office.page(&office.owner, &json!({ "title": "Below", "parentId": made["pageId"] }));
    let wrong = office.call(&office.member, "DELETE", &path, &json!({ "confirm": UNKNOWN }));
    assert_eq!(wrong.refuses(422, "CONFIRM_REQUIRED").detail()["rules"], json!(["the id of the record"]));
    office.call(&office.member, "DELETE", &path, &Value::Null).refuses(422, "CONFIRM_REQUIRED");
    let stale = json!({ "confirm": made["id"], "version": 7 });
    office.call(&office.member, "DELETE", &path, &stale).refuses(409, "CONFLICT");
    let gone = office.call(&office.member, "DELETE", &path, &json!({ "confirm": made["id"] })).data(202);
    assert_eq!(gone, json!({ "id": made["id"], "status": "deleting", "pageId": made["pageId"] }));
    office.get(&office.owner, &path).refuses(404, "NOT_FOUND");
    office.get(&office.owner, &page).refuses(404, "NOT_FOUND");
    office.get(&office.owner, &format!("/pages/{below}")).refuses(404, "NOT_FOUND");
    assert_eq!(office.get(&office.owner, &table.path).data(200)["recordCount"], 0);
    // A record whose page nobody has used goes in the same way.
    let other = table.put(&office, "B");
    office.call(&office.member, "DELETE", &path_of(&other), &json!({ "confirm": other["id"] })).is(202);
    assert!(table.titles(&office, &office.owner, "?includeArchived=true").is_empty());
}

fn removed_options_are_cleared_everywhere(engine: Engine) {
    let office = office(engine);
    let options = json!([{ "name": "Old" }, { "name": "New" }]);
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "Stage", "type": "select", "config": { "options": options } }),
            json!({ "name": "Tags", "type": "multi_select", "config": { "options": options } }),
        ],
    );
    let sent = [
        ("Name", json!({ "text": "A" })),
        ("Stage", json!({ "optionId": "opt-old" })),
        ("Tags", json!({ "optionIds": ["opt-old", "opt-new"] })),
    ];
    let made = table.send(&office, &office.owner, &sent).data(201);
    table.put(&office, "B");
    for name in ["Stage", "Tags"] {
        let path = format!("{}/properties/{}", table.path, table.property(name));
        let reduced =
            office.patch(&office.owner, &path, &json!({ "config": { "options": [{ "name": "New" }] } })).data(200);
        assert_eq!(reduced["affectedRecords"], 1);
        // A new option with the same id is not in any record.
        office
            .patch(&office.owner, &path, &json!({ "config": { "options": [{ "name": "New" }, { "name": "Old" }] } }))
            .is(200);
    }
    let left = office.get(&office.owner, &path_of(&made)).data(200);
    assert_eq!(left["properties"][table.property("Stage")], Value::Null);
    assert_eq!(left["properties"][table.property("Tags")], json!({ "optionIds": ["opt-new"] }));
}

fn writes_of_records_are_reported_with_their_values(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[json!({ "name": "Price", "type": "number" })]);
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    let made =
        table.send(&office, &office.owner, &[("Name", json!({ "text": "A" })), ("Price", json!({ "value": 1 }))]);
    let made = made.data(201);
    let path = path_of(&made);
    let change = json!({ "properties": table.values(&[("Price", json!({ "value": 2 }))]), "icon": "\u{1f680}" });
    office.patch(&office.owner, &path, &change).is(200);
    office.post(&office.owner, &format!("{path}/archive"), &Value::Null).is(200);
    office.post(&office.owner, &format!("{path}/unarchive"), &Value::Null).is(200);
    let events = |by: &Person, count| office.events(by, "record.*", count);
    let seen = events(&office.other, 4);
    let first: Vec<_> = seen.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(first, ["record.created", "record.updated", "record.archived", "record.unarchived"]);
    let price = table.property("Price");
    assert_eq!(seen[0]["data"]["properties"][price], json!({ "value": 1 }));
    assert_eq!(seen[0]["data"]["databaseId"], json!(table.id));
    let updated = &seen[1]["data"];
    assert_eq!((&updated["changedPropertyIds"], &updated["changedFields"]), (&json!([price]), &json!(["icon"])));
    assert_eq!((&updated["before"][price], &updated["after"][price]), (&json!({ "value": 1 }), &json!({ "value": 2 })));
    assert_eq!((&updated["before"]["icon"], &updated["after"]["icon"]), (&Value::Null, &json!("\u{1f680}")));
    assert!(events(&office.member, 0).is_empty());
    // The page of a record can have grants of its own. Once it is gone, others learn only that it was deleted.
    office.call(&office.owner, "DELETE", &path, &json!({ "confirm": made["id"] })).is(202);
    assert_eq!(events(&office.owner, 5).len(), 5);
    let left: Vec<_> = events(&office.other, 1).iter().map(|event| event["type"].clone()).collect();
    assert_eq!(left, ["record.deleted"]);
    assert!(events(&office.member, 0).is_empty());
    let audit =
        office.get(&office.owner, &format!("/workspaces/{}/audit?action=record.deleted", office.id)).body_of(200);
    assert_eq!(audit["data"][0]["target"]["id"], made["id"]);
}
