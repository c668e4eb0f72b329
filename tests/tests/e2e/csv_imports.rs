//! Importing tables as new databases.

#![allow(clippy::format_push_string, clippy::format_collect, reason = "tables are short to write")]

use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, Person, both_engines};
use serde_json::{Value, json};

both_engines! {
    a_table_becomes_a_database_with_guessed_types,
    a_mapping_names_and_types_new_properties,
    bad_rows_are_listed_and_the_others_kept,
    one_bad_row_rejects_all_if_that_is_wanted,
    many_rows_keep_their_order,
    a_table_goes_where_its_importer_may_put_databases,
    an_import_is_reported_and_repeated_with_its_key,
    tables_that_cannot_be_read_are_refused,
    odd_tables_are_read_as_far_as_possible,
    fields_for_tables_are_refused_for_documents,
}

pub(crate) fn import(office: &Office, by: &Person, body: &Value) -> Answer {
    let mut whole = json!({ "format": "csv" });
    whole.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    office.post(by, "/pages/import", &whole)
}

/// A database as the owner sees it.
pub(crate) fn database_of(office: &Office, imported: &Value) -> Value {
    office.get(&office.owner, &format!("/databases/{}", imported["databaseId"].as_str().unwrap())).data(200)
}

/// The values of all records of a database, with the names of properties as keys. Options are shown by name.
pub(crate) fn records_of(office: &Office, database: &Value) -> Vec<Value> {
    let path = format!("/databases/{}/records?pageSize=200", database["id"].as_str().unwrap());
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let at = cursor.as_str().map_or_else(|| path.clone(), |cursor| format!("{path}&cursor={cursor}"));
        let list = office.get(&office.owner, &at).body_of(200);
        found.extend(list["data"].as_array().unwrap().iter().map(|record| named_values(database, record)));
        cursor = list["nextCursor"].clone();
        if cursor.is_null() {
            return found;
        }
    }
}

fn named_values(database: &Value, record: &Value) -> Value {
    let properties = database["properties"].as_array().unwrap();
    let shown = properties.iter().map(|property| {
        let value = &record["properties"][property["id"].as_str().unwrap()];
        let name = property["name"].as_str().unwrap().to_owned();
        let plain = ["text", "value", "start", "optionId"].into_iter().find_map(|key| value.get(key));
        let plain = plain.cloned().unwrap_or_else(|| value.clone());
        (name, option_name(property, &plain).unwrap_or(plain))
    });
    shown.collect()
}

fn option_name(property: &Value, id: &Value) -> Option<Value> {
    let options = property["config"]["options"].as_array()?;
    options.iter().find(|option| option["id"] == *id).map(|option| option["name"].clone())
}

pub(crate) fn types_of(database: &Value) -> Vec<(String, String)> {
    let properties = database["properties"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    properties.iter().map(|property| (text(&property["name"]), text(&property["type"]))).collect()
}

const CONTACTS: &str = "\u{feff}Name;Active;Age;Born;Mail;Site;Stage;Note\r\n\
    Ada;true;36;1815-12-10;ada@example.com;https://example.com/ada;New;first\r\n\
    \"Grace; \"\"H\"\"\";no;85;1906-12-09;grace@example.com;https://example.com/grace;new;\"two\nlines\"\r\n\
    ;checked;;;;;Done;'=1+1\r\n\
    Alan;unchecked;41.5;1912-06-23 10:30;alan@example.com;https://example.com/alan;Done;-\r\n";

fn a_table_becomes_a_database_with_guessed_types(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "CRM");
    let body = json!({ "content": CONTACTS, "parentId": parent, "title": "Contacts" });
    let answer = import(&office, &office.member, &body);
    let done = answer.data(201);
    assert_eq!((&done["pageId"], &done["importedRecords"]), (&json!(parent), &json!(4)));
    assert_eq!((&done["rejectedRows"], &done["warnings"]), (&json!([]), &json!([])));
    let database = database_of(&office, &done);
    assert_eq!(
        answer.header("location"),
        Some(format!("/api/v1/databases/{}", database["id"].as_str().unwrap()).as_str())
    );
    assert_eq!((&database["title"], &database["pageId"]), (&json!("Contacts"), &json!(parent)));
    assert_eq!((&database["recordCount"], &database["createdBy"]), (&json!(4), &json!(office.member.id)));
    let expected = [
        ("Name", "title"),
        ("Active", "checkbox"),
        ("Age", "number"),
        ("Born", "date"),
        ("Mail", "email"),
        ("Site", "url"),
        ("Stage", "select"),
        ("Note", "text"),
    ];
    assert_eq!(types_of(&database), expected.map(|(name, kind)| (name.to_owned(), kind.to_owned())));
    let records = records_of(&office, &database);
    let column = |name: &str| records.iter().map(|record| record[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("Name"), [json!("Ada"), json!("Grace; \"H\""), json!(""), json!("Alan")]);
    assert_eq!(column("Active"), [json!(true), json!(false), json!(true), json!(false)]);
    assert_eq!(column("Age"), [json!(36), json!(85), Value::Null, json!(41.5)]);
    assert_eq!(column("Born")[3], "1912-06-23T10:30:00.000Z");
    assert_eq!(column("Stage"), [json!("New"), json!("New"), json!("Done"), json!("Done")]);
    assert_eq!(column("Note"), [json!("first"), json!("two\nlines"), json!("=1+1"), json!("-")]);
}

fn a_mapping_names_and_types_new_properties(engine: Engine) {
    let office = office(engine);
    let content = "Id,Full name,Tags,Secret,Stage\n1,Ada,\"red, blue\",x,New\n2,Grace,blue,y,\n";
    let mapping = json!({
        "full NAME": { "name": "Name", "type": "title" },
        "Tags": { "name": "Labels", "type": "multi_select", "config": { "options": [{ "name": "Blue", "color": "blue" }] } },
        "Secret": null,
        "Stage": { "type": "status" },
    });
    let done = import(&office, &office.owner, &json!({ "content": content, "mapping": mapping })).data(201);
    assert_eq!((&done["pageId"], &done["importedRecords"]), (&Value::Null, &json!(2)));
    let database = database_of(&office, &done);
    let types = [("Id", "text"), ("Name", "title"), ("Labels", "multi_select"), ("Stage", "status")];
    assert_eq!(types_of(&database), types.map(|(name, kind)| (name.to_owned(), kind.to_owned())));
    let records = records_of(&office, &database);
    assert_eq!((&records[0]["Id"], &records[1]["Name"]), (&json!("1"), &json!("Grace")));
    assert_eq!(records[0]["Labels"]["optionIds"].as_array().unwrap().len(), 2);
    let names: Vec<_> =
        database["properties"][2]["config"]["options"].as_array().unwrap().iter().map(|o| o["name"].clone()).collect();
    assert_eq!(names, [json!("Blue"), json!("red")]);
    for (mapping, field, issue) in [
        (json!({ "Nobody": null }), "mapping.Nobody", "unknown_field"),
        (json!({ "Id": "x" }), "mapping.Id", "invalid_id"),
        (json!({ "Id": 5 }), "mapping.Id", "invalid_type"),
        (json!({ "Id": { "name": "Id", "type": "scroll" } }), "mapping.Id.type", "invalid_value"),
        (json!({ "Id": { "name": "Id", "type": "created_time" } }), "mapping.Id.type", "invalid_value"),
        (json!({ "Id": "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "mapping.Id", "invalid_value"),
    ] {
        let body = json!({ "content": content, "mapping": mapping });
        import(&office, &office.owner, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let taken = json!({ "content": content, "mapping": { "Id": { "name": "tags", "type": "text" } } });
    let refused = import(&office, &office.owner, &taken).refuses(409, "CONFLICT");
    assert_eq!(
        (&refused.detail()["field"], &refused.detail()["issue"]),
        (&json!("mapping.Tags.name"), &json!("already_exists"))
    );
}

fn bad_rows_are_listed_and_the_others_kept(engine: Engine) {
    let office = office(engine);
    let content = "Name,Price,Mail\n\
        A,1,a@example.com\n\
        B,much,b@example.com\n\
        C,3,nobody\n\
        \"D,4\n\
        E,5,e@example.com,extra\n\
        F,6,\n"
        .to_owned()
        + &format!("{},7,\n", "x".repeat(301));
    let mapping = json!({ "Price": { "type": "number" }, "Mail": { "type": "email" } });
    let done = import(&office, &office.owner, &json!({ "content": content, "mapping": mapping })).data(201);
    assert_eq!(done["importedRecords"], 2);
    let rejected = json!([
        { "row": 3, "column": "Price", "issue": "invalid_format" },
        { "row": 4, "column": "Mail", "issue": "invalid_format" },
        { "row": 5, "column": "Name", "issue": "unclosed_quote" },
        { "row": 6, "column": null, "issue": "too_many_cells" },
        { "row": 8, "column": "Name", "issue": "too_long" },
    ]);
    assert_eq!(done["rejectedRows"], rejected);
    let names: Vec<_> =
        records_of(&office, &database_of(&office, &done)).iter().map(|record| record["Name"].clone()).collect();
    assert_eq!(names, [json!("A"), json!("F")]);
}

fn databases(office: &Office) -> usize {
    office.get(&office.owner, "/databases").body_of(200)["data"].as_array().unwrap().len()
}

fn one_bad_row_rejects_all_if_that_is_wanted(engine: Engine) {
    let office = office(engine);
    let mut content = "Name,Price\n".to_owned();
    for number in 0..1_200 {
        content += &format!("Row {number},{number}\n");
    }
    let mapping = json!({ "Price": { "type": "number" } });
    let bad = content.replace("Row 700,700", "Row 700,many").replace("Row 1100,1100", "\"Row 1100,1100");
    let body = json!({ "content": bad, "mapping": mapping, "atomic": true });
    let refused = import(&office, &office.owner, &body).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(
        refused.details(),
        [
            json!({ "row": 702, "column": "Price", "issue": "invalid_format" }),
            json!({ "row": 1102, "column": "Name", "issue": "unclosed_quote" }),
        ]
    );
    assert_eq!(databases(&office), 0);
    let good = json!({ "content": content, "mapping": mapping, "atomic": true });
    let done = import(&office, &office.owner, &good).data(201);
    assert_eq!((&done["importedRecords"], &database_of(&office, &done)["recordCount"]), (&json!(1_200), &json!(1_200)));
}

fn many_rows_keep_their_order(engine: Engine) {
    let office = office(engine);
    let mut content = "Name,Price\n".to_owned();
    for number in 0..1_600 {
        content += &format!("Row {number},{}\n", if number == 900 { "x".to_owned() } else { number.to_string() });
    }
    let mapping = json!({ "Price": { "type": "number" } });
    let done = import(&office, &office.owner, &json!({ "content": content, "mapping": mapping })).data(201);
    assert_eq!(done["importedRecords"], 1_599);
    assert_eq!(done["rejectedRows"], json!([{ "row": 902, "column": "Price", "issue": "invalid_format" }]));
    let database = database_of(&office, &done);
    assert_eq!(database["recordCount"], 1_599);
    let prices: Vec<_> =
        records_of(&office, &database).iter().map(|record| record["Price"].as_u64().unwrap()).collect();
    assert_eq!(prices, (0..1_600).filter(|number| *number != 900).collect::<Vec<_>>());
}

fn a_table_goes_where_its_importer_may_put_databases(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    office.grant(&parent, &[("user", &office.member.id, "VIEW")]);
    let flawed = json!({ "content": 7, "parentId": parent });
    import(&office, &office.member, &flawed).refuses(403, "FORBIDDEN").because("requires_EDIT");
    import(&office, &office.guest, &json!({ "content": "A\n1" })).refuses(403, "FORBIDDEN").because("requires_EDIT");
    let hidden = office.page(&office.owner, &json!({ "inherit": false }));
    import(&office, &office.member, &json!({ "content": "A\n1", "parentId": hidden })).refuses(404, "NOT_FOUND");
    let team = office.team("Sales", false);
    office.join(&team, &office.other, "MEMBER");
    let done = import(&office, &office.other, &json!({ "content": "A\n1", "teamId": team })).data(201);
    assert_eq!(database_of(&office, &done)["teamId"], json!(team));
    import(&office, &office.member, &json!({ "content": "A\n1", "teamId": team })).refuses(403, "FORBIDDEN");
}

fn an_import_is_reported_and_repeated_with_its_key(engine: Engine) {
    let office = office(engine);
    let content = format!("Name\n{}", (0..1_100).map(|number| format!("{number}\n")).collect::<String>());
    let body = json!({ "format": "csv", "content": content, "title": "Numbers" });
    let send = || {
        let request = office.owner.request("POST", "/pages/import").header("X-Service-Workspace", &office.id);
        request.key("import").json(&body).send()
    };
    let (first, again) = (send().data(201), send());
    assert_eq!(again.named("Idempotency-Replayed"), "true");
    assert_eq!((again.data(201), databases(&office)), (first.clone(), 1));
    let imported = office.events(&office.owner, "page.imported", 1);
    assert_eq!(imported.len(), 1);
    assert_eq!((&imported[0]["data"]["format"], &imported[0]["data"]["title"]), (&json!("csv"), &json!("Numbers")));
    assert_eq!(imported[0]["databaseId"], first["databaseId"], "{}", imported[0]);
    office.events(&office.owner, "database.created", 1);
    let created = office.events(&office.owner, "record.created", 1);
    assert_eq!(created[0]["data"]["databaseId"], first["databaseId"]);
}

fn tables_that_cannot_be_read_are_refused(engine: Engine) {
    let office = office(engine);
    let invalid = |content: Value, issue: &str| {
        let refused = import(&office, &office.owner, &json!({ "content": content })).refuses(400, "VALIDATION_ERROR");
        refused.of("content", issue);
    };
    invalid(json!(""), "invalid_format");
    invalid(json!("\n\r\n"), "invalid_format");
    invalid(json!("\"open\na,b"), "invalid_format");
    invalid(json!(5), "invalid_type");
    let rows = format!("Name\n{}", "x\n".repeat(20_001));
    let refused = import(&office, &office.owner, &json!({ "content": rows })).refuses(413, "PAYLOAD_TOO_LARGE");
    assert_eq!((&refused.detail()["limit"], &refused.detail()["unit"]), (&json!(20_000), &json!("rows")));
    let long = format!("Name\n{}", "x".repeat(5 << 20));
    import(&office, &office.owner, &json!({ "content": long })).refuses(413, "PAYLOAD_TOO_LARGE");
    let refused = |body: Value, field: &str, issue: &str| {
        import(&office, &office.owner, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    };
    refused(json!({ "content": "A\n1", "delimiter": "ab" }), "delimiter", "invalid_value");
    refused(json!({ "content": "A\n1", "title": "x".repeat(201) }), "title", "too_long");
    refused(json!({ "content": "A\n1", "mapping": [] }), "mapping", "invalid_type");
    refused(json!({ "content": "A\n1", "atomic": "yes" }), "atomic", "invalid_type");
    refused(json!({ "content": "A\n1", "fileId": "fil_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "fileId", "unsupported");
    assert_eq!(databases(&office), 0);
}

fn odd_tables_are_read_as_far_as_possible(engine: Engine) {
    let office = office(engine);
    let read = |content: &str, more: &Value| {
        let mut body = json!({ "content": content });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let done = import(&office, &office.owner, &body).data(201);
        let database = database_of(&office, &done);
        (done, database)
    };
    let (done, database) = read("Name,name,,Name\n1,2,3,4\n", &json!({}));
    let names: Vec<_> = types_of(&database).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Name", "name 2", "Column 3", "Name 3"]);
    assert_eq!(done["warnings"].as_array().unwrap().len(), 3);
    let wide = (0..100_000).map(|number| format!("c{number}")).collect::<Vec<_>>().join(",");
    let (done, database) = read(&format!("{wide}\n1,2\n"), &json!({}));
    assert_eq!((types_of(&database).len(), &done["importedRecords"]), (200, &json!(1)));
    assert!(done["warnings"][0].as_str().unwrap().contains("99800 columns too many"), "{}", done["warnings"]);
    let huge = format!("Name,Note\nA,{}\nB,ok\n", "x".repeat(1 << 20));
    let (done, _) = read(&huge, &json!({}));
    assert_eq!(done["rejectedRows"], json!([{ "row": 2, "column": "Note", "issue": "cell_too_long" }]));
    let (_, database) = read("a|b\n1|2\n", &json!({ "delimiter": "|" }));
    assert_eq!(types_of(&database).len(), 2);
    let (done, database) = read("Only", &json!({}));
    assert_eq!((&done["importedRecords"], types_of(&database).len()), (&json!(0), 1));
}

fn fields_for_tables_are_refused_for_documents(engine: Engine) {
    let office = office(engine);
    for (field, value) in [
        ("databaseId", json!("db_01J8Z3K4M5N6P7Q8R9S0T1V2W3")),
        ("mapping", json!({ "A": null })),
        ("delimiter", json!(";")),
        ("atomic", json!(true)),
    ] {
        let mut body = json!({ "format": "markdown", "content": "text" });
        body[field] = value;
        office.post(&office.owner, "/pages/import", &body).refuses(400, "VALIDATION_ERROR").of(field, "invalid_value");
    }
}
