//! Adding the rows of tables to databases that exist.

#![allow(
    clippy::format_push_string,
    clippy::manual_is_multiple_of,
    clippy::from_iter_instead_of_collect,
    reason = "tables are short to write"
)]

use crate::{
    csv_imports::{database_of, import, records_of, types_of},
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Engine, OwnServer, Reason, Server, both_engines, poll};
use serde_json::{Value, json};
use std::thread;

both_engines! {
    columns_belong_to_properties_by_name_or_mapping,
    options_people_and_links_are_found_by_name,
    a_target_is_linked_from_one_row_if_the_relation_says_so,
    a_mapping_adds_properties,
    whoever_may_edit_the_database_may_add_to_it,
    a_required_property_rejects_rows_without_it,
    a_property_that_is_deleted_meanwhile_is_left_out,
    an_import_stops_when_the_right_is_taken_away,
    a_killed_import_keeps_whole_portions,
    two_imports_do_not_disturb_each_other,
}

fn add(office: &Office, table: &Table, content: &str, more: &Value) -> Value {
    let mut body = json!({ "content": content, "databaseId": table.id });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    import(office, &office.owner, &body).data(201)
}

fn columns_belong_to_properties_by_name_or_mapping(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "CRM");
    let properties = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Added", "type": "created_time" }),
        json!({ "name": "No", "type": "unique_id", "config": { "prefix": "T" } }),
    ];
    let table = Table::of(&office, Some(&parent), &properties);
    table.put(&office, "Old");
    let content = "NAME,cost,Added,City,No\nA,1,2020-01-01,Rome,7\nB,2.5,,,\n";
    let done = add(&office, &table, content, &json!({ "mapping": { "Cost": table.property("Price") } }));
    assert_eq!((&done["databaseId"], &done["pageId"]), (&json!(table.id), &json!(parent)));
    assert_eq!((&done["importedRecords"], &done["rejectedRows"]), (&json!(2), &json!([])));
    let warnings: Vec<_> =
        done["warnings"].as_array().unwrap().iter().map(|warning| warning.as_str().unwrap()).collect();
    let named = ["\"Added\"", "\"City\"", "\"No\""];
    assert!(warnings.len() == 3 && named.iter().zip(&warnings).all(|(name, text)| text.contains(name)), "{warnings:?}");
    let records = records_of(&office, &database_of(&office, &done));
    let column = |name: &str| records.iter().map(|record| record[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("Name"), [json!("Old"), json!("A"), json!("B")]);
    assert_eq!(column("Price"), [Value::Null, json!(1), json!(2.5)]);
    assert_eq!(column("No"), [json!("T-0001"), json!("T-0002"), json!("T-0003")]);
    let untitled = add(&office, &table, "Price\n9\n", &json!({}));
    assert_eq!((&untitled["importedRecords"], &untitled["rejectedRows"]), (&json!(1), &json!([])));
}

fn options_people_and_links_are_found_by_name(engine: Engine) {
    let office = office(engine);
    let companies = Table::of(&office, None, &[]);
    let acme = companies.put(&office, "Acme");
    companies.put(&office, "Twin");
    companies.put(&office, "Twin");
    let relation = json!({ "targetDatabaseId": companies.id, "cardinality": "many_to_many", "bidirectional": true, "reverseName": "People" });
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "Stage", "type": "select", "config": { "options": [{ "name": "New" }] } }),
            json!({ "name": "Owner", "type": "person" }),
            json!({ "name": "Company", "type": "relation", "config": relation }),
        ],
    );
    let content = "Name,Stage,Owner,Company\n\
        A,new,bob@example.com,Acme\n\
        B,Late,Eve,\n\
        C,Late,nobody@example.com,\n\
        D,,,Nowhere\n\
        E,,,Twin\n";
    let done = add(&office, &table, content, &json!({}));
    assert_eq!(done["importedRecords"], 2, "{done}");
    assert_eq!(
        done["rejectedRows"],
        json!([
            { "row": 4, "column": "Owner", "issue": "unknown_principal" },
            { "row": 5, "column": "Company", "issue": "relation_integrity" },
            { "row": 6, "column": "Company", "issue": "ambiguous_match" },
        ])
    );
    let records = records_of(&office, &database_of(&office, &done));
    assert_eq!((&records[0]["Stage"], &records[1]["Stage"]), (&json!("New"), &json!("Late")));
    assert_eq!(records[0]["Owner"]["userIds"], json!([office.member.id]));
    assert_eq!(records[1]["Owner"]["userIds"], json!([office.other.id]));
    assert_eq!(records[0]["Company"]["recordIds"], json!([acme["id"]]));
    let changed = office.get(&office.owner, &path_of(&acme)).data(200);
    assert_eq!(changed["version"], 2, "the other side shows the link");
}

fn a_target_is_linked_from_one_row_if_the_relation_says_so(engine: Engine) {
    let office = office(engine);
    let desks = Table::of(&office, None, &[]);
    let made = ["One", "Two", "Three"].map(|title| desks.put(&office, title));
    let config = |cardinality: &str| json!({ "targetDatabaseId": desks.id, "cardinality": cardinality });
    let table = Table::of(
        &office,
        None,
        &[
            json!({ "name": "Desk", "type": "relation", "config": config("one_to_one") }),
            json!({ "name": "Keys", "type": "relation", "config": config("many_to_many") }),
        ],
    );
    add(&office, &table, "Name,Desk\nOld,One\n", &json!({}));
    let content = "Name,Desk,Keys\n\
        A,One,\n\
        B,Two,\"One, Two\"\n\
        C,Two,\n\
        D,\"Two, Three\",\n\
        E,Three,Two\n";
    let done = add(&office, &table, content, &json!({}));
    let refused = [2, 4, 5].map(|row| json!({ "row": row, "column": "Desk", "issue": "cardinality_violation" }));
    assert_eq!((&done["importedRecords"], &done["rejectedRows"]), (&json!(2), &json!(refused)));
    let records = records_of(&office, &database_of(&office, &done));
    let links = |row: usize, name: &str| records[row][name]["recordIds"].clone();
    assert_eq!(records.iter().map(|record| record["Name"].clone()).collect::<Vec<_>>(), ["Old", "B", "E"]);
    assert_eq!((links(1, "Desk"), links(2, "Desk")), (json!([made[1]["id"]]), json!([made[2]["id"]])));
    assert_eq!((links(1, "Keys"), links(2, "Keys")), (json!([made[0]["id"], made[1]["id"]]), json!([made[1]["id"]])));
}

fn a_mapping_adds_properties(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let mapping =
        json!({ "Cost": { "name": "price", "type": "number" }, "City": { "name": "Town", "type": "select" } });
    let done = add(&office, &table, "Name,Cost,City\nA,1,Rome\nB,2,Oslo\n", &json!({ "mapping": mapping }));
    assert_eq!((&done["importedRecords"], &done["warnings"]), (&json!(2), &json!([])));
    let database = database_of(&office, &done);
    assert_eq!(types_of(&database).last().unwrap(), &("Town".to_owned(), "select".to_owned()));
    let records = records_of(&office, &database);
    assert_eq!((&records[1]["Price"], &records[1]["Town"]), (&json!(2), &json!("Oslo")));
    let body = json!({ "content": "Name\nA", "databaseId": table.id, "mapping": { "Name": { "name": "Price", "type": "text" } } });
    let refused = import(&office, &office.owner, &body).refuses(409, "CONFLICT");
    assert_eq!(refused.detail()["field"], "mapping.Name.name");
}

fn whoever_may_edit_the_database_may_add_to_it(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let table = Table::of(&office, Some(&parent), &[]);
    let flawed = json!({ "content": 5, "databaseId": table.id });
    let good = json!({ "content": "Name\nA", "databaseId": table.id });
    office.grant(&parent, &[("user", &office.member.id, "VIEW"), ("user", &office.guest.id, "EDIT")]);
    import(&office, &office.member, &flawed).refuses(403, "FORBIDDEN").because("requires_EDIT");
    assert_eq!(import(&office, &office.guest, &good).data(201)["importedRecords"], 1);
    let missing = json!({ "content": "Name\nA", "databaseId": "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    let refused = import(&office, &office.owner, &missing).refuses(404, "NOT_FOUND");
    assert_eq!(refused.detail()["field"], "databaseId");
    let malformed = json!({ "content": "Name\nA", "databaseId": "x" });
    import(&office, &office.owner, &malformed).refuses(400, "VALIDATION_ERROR").of("databaseId", "invalid_id");
    let both = json!({ "content": "Name\nA", "databaseId": table.id, "parentId": parent });
    import(&office, &office.owner, &both).refuses(400, "VALIDATION_ERROR").of("parentId", "invalid_value");
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    import(&office, &office.owner, &good).refuses(409, "CONFLICT").issue("database_archived");
}

fn a_required_property_rejects_rows_without_it(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Code", "type": "text", "required": true })]);
    let done = add(&office, &table, "Name,Code\nA,1\nB,\n", &json!({}));
    assert_eq!(done["importedRecords"], 1);
    assert_eq!(done["rejectedRows"], json!([{ "row": 3, "column": "Code", "issue": "required" }]));
}

/// A table that takes long to import.
fn long_table(rows: usize) -> String {
    let mut content = "Name,Price,Note\n".to_owned();
    for number in 0..rows {
        content += &format!("Row {number},{number},note {number}\n");
    }
    content
}

fn count(office: &Office, table: &Table) -> u64 {
    office.get(&office.owner, &table.path).data(200)["recordCount"].as_u64().unwrap()
}

fn begun(office: &Office, table: &Table) {
    poll::eventually("the first rows", || (count(office, table) > 0).then_some(()));
}

fn a_property_that_is_deleted_meanwhile_is_left_out(engine: Engine) {
    let office = office(engine);
    let properties = [json!({ "name": "Price", "type": "number" }), json!({ "name": "Note", "type": "text" })];
    let table = Table::of(&office, None, &properties);
    let content = long_table(6_000);
    let done = thread::scope(|scope| {
        let import = scope.spawn(|| add(&office, &table, &content, &json!({})));
        begun(&office, &table);
        office.delete(&office.owner, &format!("{}/properties/{}", table.path, table.property("Note"))).is(200);
        import.join().unwrap()
    });
    assert_eq!((&done["importedRecords"], &done["rejectedRows"]), (&json!(6_000), &json!([])));
    let warnings = done["warnings"].as_array().unwrap();
    assert!(warnings.len() == 1 && warnings[0].as_str().unwrap().contains("\"Note\""), "{warnings:?}");
    assert_eq!(count(&office, &table), 6_000);
}

fn an_import_stops_when_the_right_is_taken_away(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    office.grant(&parent, &[("user", &office.guest.id, "EDIT")]);
    let table = Table::of(&office, Some(&parent), &[json!({ "name": "Price", "type": "number" })]);
    let body = json!({ "content": long_table(6_000), "databaseId": table.id });
    let answer = thread::scope(|scope| {
        let import = scope.spawn(|| import(&office, &office.guest, &body));
        begun(&office, &table);
        office.grant(&parent, &[("user", &office.guest.id, "VIEW")]);
        import.join().unwrap()
    });
    let refused = answer.refuses(403, "FORBIDDEN");
    let detail = refused.because("requires_EDIT").detail();
    let kept = count(&office, &table);
    assert!((500..6_000).contains(&kept) && kept % 500 == 0, "{kept}");
    assert_eq!((&detail["importedRecords"], &detail["databaseId"]), (&json!(kept), &json!(table.id)));
    assert_eq!(detail["row"], kept + 2);
    assert!(
        office.get(&office.owner, "/events?types=page.imported").body_of(200)["data"].as_array().unwrap().is_empty()
    );
}

fn a_killed_import_keeps_whole_portions(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let ada = server.person("Ada");
    let properties = json!([{ "name": "Name", "type": "title" }, { "name": "Price", "type": "number" }]);
    let made = ada.post("/databases", &json!({ "title": "Tasks", "properties": properties })).send().data(201);
    let path = format!("/databases/{}", made["id"].as_str().unwrap());
    let body = json!({ "format": "csv", "content": long_table(10_000), "databaseId": made["id"] });
    let deployment = thread::scope(|scope| {
        let request = ada.post("/pages/import", &body);
        let import = scope.spawn(move || request.try_send().map(|answer| answer.status));
        poll::eventually("the first rows", || {
            (ada.get(&path).send().data(200)["recordCount"].as_u64().unwrap() > 0).then_some(())
        });
        let deployment = OwnServer::kill(server);
        assert!(import.join().unwrap().is_err(), "the import was not finished");
        deployment
    });
    let server = deployment.serve();
    let again = server.post("/auth/login", &json!({ "email": ada.email, "password": ada.password })).send().data(200);
    let token = again["accessToken"].as_str().unwrap();
    let shown = server.get(&path).bearer(token).send().data(200);
    let kept = shown["recordCount"].as_u64().unwrap();
    assert!((500..10_000).contains(&kept) && kept % 500 == 0, "{kept}");
    let mut listed = 0;
    let mut cursor = String::new();
    loop {
        let page = server.get(&format!("{path}/records?pageSize=200{cursor}")).bearer(token).send().body_of(200);
        listed += page["data"].as_array().unwrap().len() as u64;
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(listed, kept);
}

fn two_imports_do_not_disturb_each_other(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Stage", "type": "select" })]);
    let content = |from: usize| {
        let mut content = "Name,Stage\n".to_owned();
        for number in from..from + 1_200 {
            content += &format!("{number},Stage {}\n", number % 30);
        }
        content
    };
    let both = [(&office.owner, content(0)), (&office.member, content(1_200))];
    let done = octavo_tests::at_once::at_once(2, |index| {
        let (by, content) = &both[index];
        import(&office, by, &json!({ "content": content, "databaseId": table.id })).data(201)
    });
    assert!(done.iter().all(|done| done["importedRecords"] == 1_200 && done["rejectedRows"] == json!([])), "{done:?}");
    let database = database_of(&office, &done[0]);
    assert_eq!(database["recordCount"], 2_400);
    assert_eq!(database["properties"][1]["config"]["options"].as_array().unwrap().len(), 30);
    let records = records_of(&office, &database);
    let mut names: Vec<_> =
        records.iter().map(|record| record["Name"].as_str().unwrap().parse::<u32>().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, Vec::from_iter(0..2_400));
}
