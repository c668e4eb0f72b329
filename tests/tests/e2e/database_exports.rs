//! Exporting the records of databases.

use crate::{
    csv_imports::{database_of, import, records_of},
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Answer, Engine, Person, both_engines, browser::encoded};
use serde_json::{Value, json};

both_engines! {
    a_table_has_a_cell_for_values_of_every_type,
    texts_that_spreadsheets_would_run_are_guarded_unless_raw,
    a_view_and_parameters_say_what_is_exported,
    what_the_caller_may_not_see_is_left_out,
    json_comes_back_unchanged_when_it_is_sent_again,
    a_table_comes_back_when_it_is_imported,
    the_content_of_pages_is_added_as_markdown,
    many_records_are_exported_in_their_order,
    an_export_shows_one_moment,
    exports_that_make_no_sense_are_refused,
}

fn export(office: &Office, by: &Person, table: &Table, query: &str) -> Answer {
    office.get(by, &format!("{}/export{query}", table.path))
}

fn text(office: &Office, table: &Table, query: &str) -> String {
    let answer = export(office, &office.owner, table, query);
    String::from_utf8(answer.is(200).body.clone()).unwrap()
}

/// The titles in a table that has no other column.
fn rows(csv: &str) -> Vec<&str> {
    csv.trim_start_matches('\u{feff}').lines().skip(1).collect()
}

fn a_table_has_a_cell_for_values_of_every_type(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let (ada, grace) = (people.put(&office, "Ada"), people.put(&office, "Grace, \"H\""));
    let options = json!({ "options": [{ "name": "To do" }, { "name": "Done" }] });
    let relation = json!({ "targetDatabaseId": people.id, "cardinality": "many_to_many", "bidirectional": false });
    let columns = [
        json!({ "name": "Text", "type": "text" }),
        json!({ "name": "Rich", "type": "rich_text" }),
        json!({ "name": "Number", "type": "number" }),
        json!({ "name": "Select", "type": "select", "config": options }),
        json!({ "name": "Multi", "type": "multi_select", "config": options }),
        json!({ "name": "Status", "type": "status", "config": options }),
        json!({ "name": "Date", "type": "date" }),
        json!({ "name": "Range", "type": "date_range" }),
        json!({ "name": "Person", "type": "person" }),
        json!({ "name": "Check", "type": "checkbox" }),
        json!({ "name": "Url", "type": "url" }),
        json!({ "name": "Email", "type": "email" }),
        json!({ "name": "Phone", "type": "phone" }),
        json!({ "name": "Link", "type": "relation", "config": relation }),
        json!({ "name": "By", "type": "created_by" }),
        json!({ "name": "No", "type": "unique_id", "config": { "prefix": "T" } }),
    ];
    let table = Table::of(&office, None, &columns);
    let (owner, member) = (&office.owner, &office.member);
    let made = table.send(
        &office,
        owner,
        &[
            ("Name", json!({ "text": "Chair" })),
            ("Text", json!({ "text": "two\nlines" })),
            ("Rich", json!({ "text": "bold", "marks": [{ "type": "bold", "from": 0, "to": 4 }] })),
            ("Number", json!({ "value": -9.5 })),
            ("Select", json!({ "optionId": "To do" })),
            ("Multi", json!({ "optionIds": ["To do", "Done"] })),
            ("Status", json!({ "optionId": "Done" })),
            ("Date", json!({ "start": "2026-03-01" })),
            ("Range", json!({ "start": "2026-03-01", "end": "2026-03-05" })),
            ("Person", json!({ "userIds": [owner.id, member.id] })),
            ("Check", json!({ "value": true })),
            ("Url", json!({ "value": "https://example.com/a,b", "title": "A" })),
            ("Email", json!({ "value": "ada@example.com" })),
            ("Phone", json!({ "value": "+493012345" })),
            ("Link", json!({ "recordIds": [grace["id"], ada["id"]] })),
        ],
    );
    made.is(201);
    table.put(&office, "");
    let (owner_name, member_name) = (name_of(owner), name_of(member));
    let answer = export(&office, member, &table, "");
    let expected = format!(
        "\u{feff}Name,Text,Rich,Number,Select,Multi,Status,Date,Range,Person,Check,Url,Email,Phone,Link,By,No\r\n\
         Chair,\"two\nlines\",bold,-9.5,To do,\"To do, Done\",Done,2026-03-01,2026-03-01/2026-03-05,\
         \"{owner_name}, {member_name}\",true,\"https://example.com/a,b\",ada@example.com,'+493012345,\
         \"Grace, \"\"H\"\", Ada\",{owner_name},T-0001\r\n\
         ,,,,,,,,,,false,,,,,{owner_name},T-0002\r\n"
    );
    assert_eq!(answer.is(200).text(), expected);
    assert_eq!(answer.named("Content-Type"), "text/csv; charset=utf-8");
    assert!(answer.named("Content-Disposition").starts_with("attachment; filename=\"Tasks.csv\""), "{answer:?}");
}

fn name_of(person: &Person) -> String {
    person.me()["name"].as_str().unwrap().to_owned()
}

fn texts_that_spreadsheets_would_run_are_guarded_unless_raw(engine: Engine) {
    let office = office(engine);
    let columns = [json!({ "name": "=Sum", "type": "number" }), json!({ "name": "Note", "type": "rich_text" })];
    let table = Table::of(&office, None, &columns);
    for (title, note) in [("=1+1", "\tx"), ("+1", "@b"), ("-1", "="), ("@a", "a=b"), ("'=1", "''"), ("1=1", "-")] {
        let values =
            [("Name", json!({ "text": title })), ("=Sum", json!({ "value": -1 })), ("Note", json!({ "text": note }))];
        table.send(&office, &office.owner, &values).is(201);
    }
    let guarded = "\u{feff}Name,'=Sum,Note\r\n'=1+1,-1,\"'\tx\"\r\n'+1,-1,'@b\r\n'-1,-1,'=\r\n'@a,-1,a=b\r\n\
                   ''=1,-1,''\r\n1=1,-1,'-\r\n";
    assert_eq!(text(&office, &table, ""), guarded);
    let raw = "Name,=Sum,Note\r\n=1+1,-1,\"\tx\"\r\n+1,-1,@b\r\n-1,-1,=\r\n@a,-1,a=b\r\n'=1,-1,''\r\n1=1,-1,-\r\n";
    assert_eq!(text(&office, &table, "?raw=true"), raw);
}

fn a_view_and_parameters_say_what_is_exported(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    for (title, price) in [("A", 1), ("B", 2), ("C", 3)] {
        let values = [("Name", json!({ "text": title })), ("Price", json!({ "value": price }))];
        table.send(&office, &office.owner, &values).is(201);
    }
    let archived = table.put(&office, "Old");
    office.post(&office.owner, &format!("{}/archive", path_of(&archived)), &json!({})).is(200);
    let (name, price) = (table.property("Name"), table.property("Price"));
    let from_two = json!({ "propertyId": price, "op": "greater_or_equal", "value": { "value": 2 } });
    let sort = json!([{ "propertyId": price, "direction": "desc" }]);
    let view = json!({
        "name": "Dear", "type": "table", "filter": from_two, "sort": sort,
        "group": [{ "propertyId": price }], "config": { "visibleProperties": [price, name] },
    });
    let view = office.post(&office.owner, &format!("{}/views", table.path), &view).data(201);
    let view = view["id"].as_str().unwrap();
    assert_eq!(text(&office, &table, &format!("?raw=true&viewId={view}")), "Price,Name\r\n3,C\r\n2,B\r\n");
    let only = format!("?raw=true&viewId={view}&properties={name}");
    assert_eq!(text(&office, &table, &only), "Name\r\nC\r\nB\r\n");
    let below = encoded(&json!({ "propertyId": price, "op": "less_than", "value": { "value": 3 } }).to_string());
    let replaced = text(&office, &table, &format!("?raw=true&viewId={view}&filter={below}&properties={name}"));
    assert_eq!(rows(&replaced), ["B", "A"]);
    let sorted = text(&office, &table, &format!("?raw=true&sort={}&properties={name}", encoded(&sort.to_string())));
    assert_eq!(rows(&sorted), ["C", "B", "A"]);
    let all = text(&office, &table, &format!("?raw=true&includeArchived=true&properties={name}"));
    assert_eq!(rows(&all), ["A", "B", "C", "Old"]);
    assert_eq!(text(&office, &table, "?raw=true"), "Name,Price\r\nA,1\r\nB,2\r\nC,3\r\n");
}

fn what_the_caller_may_not_see_is_left_out(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let (ada, grace) = (people.put(&office, "Ada"), people.put(&office, "Grace"));
    let config = json!({ "targetDatabaseId": people.id, "cardinality": "many_to_many", "bidirectional": false });
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[json!({ "name": "Owner", "type": "relation", "config": config })]);
    let owners = json!({ "recordIds": [ada["id"], grace["id"]] });
    table.send(&office, &office.owner, &[("Name", json!({ "text": "Chair" })), ("Owner", owners)]).is(201);
    let secret = table.put(&office, "Secret");
    for hidden in [&ada, &secret] {
        office.grant(hidden["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    }
    let seen = |by: &Person| export(&office, by, &table, "?raw=true").is(200).text();
    assert_eq!(seen(&office.member), "Name,Owner\r\nChair,Grace\r\n");
    assert_eq!(seen(&office.owner), "Name,Owner\r\nChair,\"Ada, Grace\"\r\nSecret,\r\n");
    let records = export(&office, &office.member, &table, "?format=json").body_of(200);
    assert_eq!(records[0]["properties"][table.property("Owner")], json!({ "recordIds": [grace["id"]] }));
    assert_eq!(records.as_array().unwrap().len(), 1);
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    export(&office, &office.member, &table, "").refuses(404, "NOT_FOUND");
}

fn json_comes_back_unchanged_when_it_is_sent_again(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let ada = people.put(&office, "Ada");
    let relation = json!({ "targetDatabaseId": people.id, "cardinality": "many_to_many", "bidirectional": true });
    let columns = [
        json!({ "name": "Rich", "type": "rich_text" }),
        json!({ "name": "Number", "type": "number" }),
        json!({ "name": "Kind", "type": "multi_select", "config": { "options": [{ "name": "A, B" }] } }),
        json!({ "name": "Date", "type": "date", "config": { "includeTime": true } }),
        json!({ "name": "Person", "type": "person" }),
        json!({ "name": "Check", "type": "checkbox" }),
        json!({ "name": "Url", "type": "url" }),
        json!({ "name": "Link", "type": "relation", "config": relation }),
        json!({ "name": "Press", "type": "button" }),
    ];
    let table = Table::of(&office, None, &columns);
    let values = [
        ("Name", json!({ "text": "=1+1" })),
        ("Rich", json!({ "text": "bold", "marks": [{ "type": "bold", "from": 0, "to": 4 }] })),
        ("Number", json!({ "value": 0.1 })),
        ("Kind", json!({ "optionIds": ["A, B"] })),
        ("Date", json!({ "start": "2026-03-01T10:00:00Z", "dateTimeTimezone": "Europe/Berlin" })),
        ("Person", json!({ "userIds": [office.member.id] })),
        ("Check", json!({ "value": true })),
        ("Url", json!({ "value": "https://example.com/", "title": "Home" })),
        ("Link", json!({ "recordIds": [ada["id"]] })),
    ];
    let made = table.send(&office, &office.owner, &values).data(201);
    table.put(&office, "Empty");
    let answer = export(&office, &office.owner, &table, "?format=json");
    let records = answer.body_of(200);
    assert_eq!(answer.named("Content-Type"), "application/json");
    assert!(answer.named("Content-Disposition").contains("Tasks.json"));
    let mut shown = office.get(&office.owner, &path_of(&made)).data(200);
    let button = shown["properties"].as_object_mut().unwrap().remove(table.property("Press"));
    assert_eq!((&records[0], button), (&shown, Some(Value::Null)), "a record as it is listed, without buttons");
    let lines = export(&office, &office.owner, &table, "?format=ndjson");
    assert_eq!(lines.is(200).named("Content-Type"), "application/x-ndjson");
    let by_line: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(by_line), records);
    let create = |record: &Value| json!({ "op": "create", "properties": record["properties"] });
    let operations: Vec<_> = by_line.iter().map(create).collect();
    office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": operations })).is(200);
    let again = export(&office, &office.owner, &table, "?format=json").body_of(200);
    for at in 0..2 {
        assert_eq!(again[at + 2]["properties"], records[at]["properties"]);
        assert_ne!(again[at + 2]["id"], records[at]["id"]);
    }
}

fn a_table_comes_back_when_it_is_imported(engine: Engine) {
    let office = office(engine);
    let columns = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Due", "type": "date" }),
        json!({ "name": "Done", "type": "checkbox" }),
        json!({ "name": "Note", "type": "text" }),
    ];
    let table = Table::of(&office, None, &columns);
    for (title, note) in [("=1+1", "a;b"), ("Chair", "\"quoted\", and\nmore"), ("'=x", "plain")] {
        let values = [
            ("Name", json!({ "text": title })),
            ("Price", json!({ "value": -2.5 })),
            ("Due", json!({ "start": "2026-03-01" })),
            ("Done", json!({ "value": true })),
            ("Note", json!({ "text": note })),
        ];
        table.send(&office, &office.owner, &values).is(201);
    }
    let csv = text(&office, &table, "");
    let done = import(&office, &office.owner, &json!({ "content": csv, "title": "Again" })).data(201);
    assert_eq!((&done["importedRecords"], &done["rejectedRows"]), (&json!(3), &json!([])));
    let database = |id: &str| office.get(&office.owner, &format!("/databases/{id}")).data(200);
    assert_eq!(records_of(&office, &database_of(&office, &done)), records_of(&office, &database(&table.id)));
}

fn the_content_of_pages_is_added_as_markdown(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let (chair, _) = (table.put(&office, "Chair"), table.put(&office, "Table"));
    let page = chair["pageId"].as_str().unwrap();
    let block = json!({ "type": "paragraph", "content": { "text": "It is **old**." } });
    office.post(&office.owner, &format!("/pages/{page}/blocks"), &block).is(201);
    let records = export(&office, &office.owner, &table, "?format=json&content=markdown").body_of(200);
    assert_eq!(records[0]["content"].as_str().unwrap().trim(), "It is \\*\\*old\\*\\*.");
    assert_eq!(records[1]["content"], "");
    let without = export(&office, &office.owner, &table, "?format=json&content=none").body_of(200);
    assert_eq!(without[0].get("content"), None);
}

fn fill(office: &Office, table: &Table, count: usize) {
    let numbers: Vec<_> = (0..count).collect();
    for numbers in numbers.chunks(500) {
        let create = |number: &usize| {
            let values = [("Name", json!({ "text": format!("R{number:05}") })), ("Price", json!({ "value": number }))];
            json!({ "op": "create", "properties": table.values(&values) })
        };
        let body = json!({ "ops": numbers.iter().map(create).collect::<Vec<_>>() });
        office.post(&office.owner, &format!("{}/records/bulk", table.path), &body).is(200);
    }
}

fn many_records_are_exported_in_their_order(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    fill(&office, &table, 10_000);
    let expected: Vec<_> = (0..10_000).map(|number| format!("R{number:05},{number}")).collect();
    assert_eq!(rows(&text(&office, &table, "")), expected);
    let sort = json!([{ "propertyId": table.property("Price"), "direction": "desc" }]);
    let lines = text(&office, &table, &format!("?format=ndjson&sort={}", encoded(&sort.to_string())));
    let number = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["properties"][table.property("Price")]["value"].as_u64()
    };
    let numbers: Vec<_> = lines.lines().filter_map(number).collect();
    assert_eq!(numbers, (0..10_000).rev().collect::<Vec<_>>());
}

/// Writers keep changing two records together; no export shows one of them changed and the other not.
fn an_export_shows_one_moment(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    fill(&office, &table, 2_000);
    let records = export(&office, &office.owner, &table, "?format=json").body_of(200);
    let ends = [&records[0]["id"], &records[1_999]["id"]];
    let change = |round: u32| {
        let update = |id: &&Value| json!({ "op": "update", "recordId": id, "properties": table.values(&[("Price", json!({ "value": 10_000 + round }))]) });
        let body = json!({ "ops": ends.iter().map(update).collect::<Vec<_>>() });
        office.post(&office.owner, &format!("{}/records/bulk", table.path), &body).is(200);
    };
    change(0);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| (1..40).for_each(change));
        let mut seen = Vec::new();
        while !writer.is_finished() && seen.len() < 15 {
            let csv =
                export(&office, &office.member, &table, &format!("?raw=true&properties={}", table.property("Price")));
            let csv = csv.is(200).text();
            let prices = rows(&csv);
            assert_eq!((prices.len(), prices[0]), (2_000, prices[1_999]));
            seen.push(prices[0].to_owned());
        }
        writer.join().unwrap();
        assert!(seen.iter().any(|price| *price != seen[0]), "something changed between exports: {seen:?}");
    });
}

fn exports_that_make_no_sense_are_refused(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let refused = |query: &str, field: &str, issue: &str| {
        export(&office, &office.owner, &table, query).refuses(400, "VALIDATION_ERROR").of(field, issue);
    };
    refused("?format=xml", "format", "invalid_value");
    refused("?content=markdown", "content", "invalid_value");
    refused("?content=html&format=json", "content", "invalid_value");
    refused("?filter=%7B", "filter", "invalid_format");
    refused("?properties=prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "properties", "unknown_field");
    let filter =
        encoded(&json!({ "propertyId": table.property("Name"), "op": "greater_than", "value": 1 }).to_string());
    export(&office, &office.owner, &table, &format!("?filter={filter}")).is(422);
    export(&office, &office.owner, &table, "?viewId=view_01J8Z3K4M5N6P7Q8R9S0T1V2W3").refuses(404, "NOT_FOUND");
    let guest = office.get(&office.owner, "/databases/db_01J8Z3K4M5N6P7Q8R9S0T1V2W3/export");
    guest.refuses(404, "NOT_FOUND");
}
