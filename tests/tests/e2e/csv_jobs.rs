//! Importing large tables as jobs.

#![allow(clippy::format_push_string, reason = "tables are short to write")]

use crate::{
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, OwnServer, Person, Reason, Server, both_engines, browser::encoded, poll, shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;

both_engines! {
    a_table_is_imported_by_a_job_that_names_bad_rows,
    the_file_is_read_as_its_sender_says,
    a_database_gets_one_import_at_a_time,
    an_import_ends_when_the_right_is_taken_away,
    an_import_ends_when_the_database_is_thrown_away,
    only_those_who_may_edit_the_database_start_an_import,
    odd_requests_are_refused,
    a_file_that_is_no_table_fails_the_job,
    a_person_sends_ten_files_at_once,
    a_killed_import_goes_on_and_writes_each_row_once,
}

pub(crate) fn send(office: &Office, by: &Person, table: &Table, query: &str, file: impl Into<Vec<u8>>) -> Answer {
    let request = by.request("POST", &format!("{}/imports{query}", table.path));
    request.header("X-Service-Workspace", &office.id).body("text/csv", file).send()
}

fn look(office: &Office, by: &Person, job: &Value) -> Value {
    let request = by.request("GET", &format!("/jobs/{}", job["id"].as_str().unwrap()));
    request.header("X-Service-Workspace", &office.id).header("Prefer", "wait=5").send().data(200)
}

/// The job once it has ended.
pub(crate) fn ended(office: &Office, by: &Person, job: &Value) -> Value {
    poll::eventually("the end of an import", || {
        let job = look(office, by, job);
        job["finishedAt"].is_string().then_some(job)
    })
}

fn import(office: &Office, table: &Table, query: &str, file: impl Into<Vec<u8>>) -> Value {
    let started = send(office, &office.owner, table, query, file).data(202);
    let job = ended(office, &office.owner, &started);
    assert_eq!(job["status"], "SUCCEEDED", "{job}");
    job
}

fn count(office: &Office, table: &Table) -> u64 {
    office.get(&office.owner, &table.path).data(200)["recordCount"].as_u64().unwrap()
}

/// A table that takes long to import.
fn long_table(rows: u32) -> String {
    (0..rows).fold("Name,Price,Stage\n".to_owned(), |file, row| file + &format!("Row {row},{row},Stage {}\n", row % 7))
}

fn table_of_prices(office: &Office, parent: Option<&str>) -> Table {
    let properties = [json!({ "name": "Price", "type": "number" }), json!({ "name": "Stage", "type": "select" })];
    Table::of(office, parent, &properties)
}

fn a_table_is_imported_by_a_job_that_names_bad_rows(engine: Engine) {
    let office = office(engine);
    let table = table_of_prices(&office, None);
    let mut file = long_table(3_000);
    file += "\"open,1,x\nBad,many,Stage 1\nWide,1,2,3\nLast,7,Stage 1\n";
    let started = send(&office, &office.owner, &table, "", file).data(202);
    shape::id(&started["id"], "job_");
    for (field, value) in [
        ("workspaceId", json!(office.id)),
        ("type", json!("database_import")),
        ("status", json!("QUEUED")),
        ("progress", json!({ "done": 0, "total": null })),
        ("result", Value::Null),
        ("createdById", json!(office.owner.id)),
    ] {
        assert_eq!(started[field], value, "{field}");
    }
    let job = ended(&office, &office.owner, &started);
    assert_eq!((&job["status"], &job["error"], &job["stage"]), (&json!("SUCCEEDED"), &Value::Null, &Value::Null));
    assert_eq!(job["progress"], json!({ "done": 3_004, "total": 3_004 }));
    let result = &job["result"];
    assert_eq!((&result["databaseId"], &result["importedRecords"]), (&json!(table.id), &json!(3_001)));
    assert_eq!((&result["rejectedRowCount"], &result["warnings"]), (&json!(3), &json!([])));
    assert_eq!(
        result["rejectedRows"],
        json!([
            { "row": 3_002, "column": "Name", "issue": "unclosed_quote" },
            { "row": 3_003, "column": "Price", "issue": "invalid_format" },
            { "row": 3_004, "column": null, "issue": "too_many_cells" },
        ])
    );
    assert_eq!(count(&office, &table), 3_001);
    let first = table.titles(&office, &office.owner, "?pageSize=3");
    assert_eq!(first, ["Row 0", "Row 1", "Row 2"], "in their order");
    let property = office.get(&office.owner, &table.path).data(200)["properties"][2].clone();
    assert_eq!(property["config"]["options"].as_array().unwrap().len(), 7);
    let imported = office.events(&office.owner, "page.imported", 1);
    assert_eq!((imported.len(), &imported[0]["resource"]), (1, &json!({ "type": "database", "id": table.id })));
    assert_eq!((&imported[0]["data"]["databaseId"], &imported[0]["data"]["format"]), (&json!(table.id), &json!("csv")));
    assert_eq!(imported[0]["data"].get("pageId"), None, "a database is no page");
    assert_eq!(imported[0]["actor"]["id"], json!(office.owner.id));
    let succeeded = office.events(&office.owner, "job.succeeded", 1);
    assert_eq!(succeeded[0]["data"], json!({ "type": "database_import" }));
}

fn the_file_is_read_as_its_sender_says(engine: Engine) {
    let office = office(engine);
    let table = table_of_prices(&office, None);
    let cost = table.property("Price");
    let mapping = json!({ "Cost": cost, "Town": { "name": "City", "type": "text" }, "Secret": null }).to_string();
    let query = format!("?delimiter=%7C&mapping={}", encoded(&mapping));
    let latin = b"Name|Cost|Town|Secret|Nothing\nA|1.5|M\xfcnchen|x|\nB|2|Oslo|y|z\n";
    let job = import(&office, &table, &query, *latin);
    let warnings = job["result"]["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2, "the encoding and a column without property: {warnings:?}");
    let database = office.get(&office.owner, &table.path).data(200);
    let city = database["properties"].as_array().unwrap().iter().find(|property| property["name"] == "City").unwrap();
    let list = office.get(&office.owner, &format!("{}/records", table.path)).body_of(200);
    let first = &list["data"][0]["properties"];
    assert_eq!(
        (&first[cost]["value"], first[city["id"].as_str().unwrap()]["text"].as_str()),
        (&json!(1.5), Some("M\u{fc}nchen"))
    );
    let empty = import(&office, &table, "", "Name,Price\n");
    assert_eq!((&empty["result"]["importedRecords"], &empty["progress"]["total"]), (&json!(0), &json!(0)));
}

fn a_database_gets_one_import_at_a_time(engine: Engine) {
    let office = office(engine);
    let (table, other) = (table_of_prices(&office, None), table_of_prices(&office, None));
    let first = send(&office, &office.owner, &table, "", long_table(20_000)).data(202);
    send(&office, &office.member, &table, "", "Name\nA\n").refuses(409, "CONFLICT").issue("job_running");
    import(&office, &other, "", "Name\nA\n");
    poll::eventually("the first rows", || (count(&office, &table) > 0).then_some(()));
    let cancelled =
        office.post(&office.owner, &format!("/jobs/{}/cancel", first["id"].as_str().unwrap()), &Value::Null);
    assert_eq!(cancelled.data(200)["status"], "CANCELLED");
    let kept = count(&office, &table);
    assert!(kept > 0 && kept < 20_000 && kept.is_multiple_of(200), "whole portions only: {kept}");
    import(&office, &table, "", "Name\nA\n");
    assert_eq!(count(&office, &table), kept + 1, "nothing is written after the cancellation");
}

fn an_import_ends_when_the_right_is_taken_away(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    office.grant(&parent, &[("user", &office.guest.id, "EDIT")]);
    let table = table_of_prices(&office, Some(&parent));
    let started = send(&office, &office.guest, &table, "", long_table(20_000)).data(202);
    poll::eventually("the first rows", || (count(&office, &table) > 0).then_some(()));
    office.grant(&parent, &[("user", &office.guest.id, "VIEW")]);
    let job = ended(&office, &office.guest, &started);
    assert_eq!((&job["status"], &job["error"]["code"]), (&json!("FAILED"), &json!("FORBIDDEN")), "{job}");
    let (detail, kept) = (&job["error"]["details"][0], count(&office, &table));
    assert!(kept < 20_000 && kept.is_multiple_of(200), "{kept}");
    assert_eq!((&detail["reason"], &detail["databaseId"]), (&json!("requires_EDIT"), &json!(table.id)));
    assert_eq!((&detail["importedRecords"], &detail["row"]), (&json!(kept), &json!(kept + 2)));
    let failed = office.events(&office.guest, "job.failed", 1);
    assert_eq!(failed[0]["data"], json!({ "type": "database_import" }));
}

fn an_import_ends_when_the_database_is_thrown_away(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let table = table_of_prices(&office, Some(&parent));
    let started = send(&office, &office.owner, &table, "", long_table(20_000)).data(202);
    poll::eventually("the first rows", || (count(&office, &table) > 0).then_some(()));
    office.delete(&office.owner, &format!("/pages/{parent}")).is(200);
    let job = ended(&office, &office.owner, &started);
    assert_eq!((&job["status"], &job["error"]["code"]), (&json!("FAILED"), &json!("CONFLICT")), "{job}");
    assert_eq!(job["error"]["details"][0]["issue"], "page_trashed");
}

fn only_those_who_may_edit_the_database_start_an_import(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let table = table_of_prices(&office, Some(&parent));
    office.grant(&parent, &[("user", &office.member.id, "VIEW")]);
    send(&office, &office.member, &table, "?delimiter=xy", "").refuses(403, "FORBIDDEN").because("requires_EDIT");
    send(&office, &office.guest, &table, "", "Name\nA\n").refuses(404, "NOT_FOUND");
    let path = format!("{}/imports", table.path);
    let by_key = |scope: &str| {
        let request = office.server.request("POST", &path).bearer(&office.key(scope));
        request.body("text/csv", "Name\nA\n").send()
    };
    by_key("READ").refuses(403, "FORBIDDEN").because("api_key_scope_write");
    let started = by_key("WRITE").data(202);
    assert_eq!(started["createdById"], json!(office.owner.id));
    assert_eq!(ended(&office, &office.owner, &started)["status"], "SUCCEEDED");
    assert_eq!(count(&office, &table), 1);
}

fn odd_requests_are_refused(engine: Engine) {
    let office = office(engine);
    let table = table_of_prices(&office, None);
    let refused = |query: &str, field: &str, issue: &str| {
        send(&office, &office.owner, &table, query, "Name\nA\n").refuses(400, "VALIDATION_ERROR").of(field, issue);
    };
    refused("?delimiter=xy", "delimiter", "invalid_value");
    refused("?mapping=7", "mapping", "invalid_type");
    refused("?mapping=x", "mapping", "invalid_format");
    refused("?mapping=%7B%22A%22:5%7D", "mapping.A", "invalid_type");
    refused("?atomic=true", "atomic", "invalid_value");
    let post =
        || office.owner.request("POST", &format!("{}/imports", table.path)).header("X-Service-Workspace", &office.id);
    post().send().refuses(400, "VALIDATION_ERROR").of("body", "required");
    post().body("multipart/form-data; boundary=x", "--x\r\n").send().refuses(415, "UNSUPPORTED_MEDIA_TYPE");
    post().body("application/json", "{}").send().refuses(415, "UNSUPPORTED_MEDIA_TYPE");
    let too_long = post().header("Content-Length", "104857601").body("text/csv", "").send();
    assert_eq!(too_long.status, 413);
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    send(&office, &office.owner, &table, "", "Name\nA\n").refuses(409, "CONFLICT").issue("database_archived");
    let jobs = office.get(&office.owner, "/jobs?type=database_import").body_of(200);
    assert_eq!(jobs["data"], json!([]), "none of them is a job");
}

fn a_file_that_is_no_table_fails_the_job(engine: Engine) {
    let office = office(engine);
    let table = table_of_prices(&office, None);
    for (query, file, field) in [("", "\n\n", "body"), ("?mapping=%7B%22Town%22:null%7D", "Name\nA\n", "mapping.Town")]
    {
        let started = send(&office, &office.owner, &table, query, file).data(202);
        let job = ended(&office, &office.owner, &started);
        assert_eq!((&job["status"], &job["error"]["code"]), (&json!("FAILED"), &json!("VALIDATION_ERROR")), "{job}");
        assert_eq!(job["error"]["details"][0]["field"], field, "{job}");
    }
    assert_eq!(count(&office, &table), 0);
}

fn a_person_sends_ten_files_at_once(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let [table, other] = [(); 2].map(|()| table_of_prices(&office, Some(&parent)));
    let member = &office.member;
    office.grant(&parent, &[("user", &member.id, "EDIT")]);
    let mut arriving: Vec<_> = (0..10)
        .map(|_| {
            let request = office.owner.request("POST", &format!("{}/imports", table.path));
            let request = request.header("X-Service-Workspace", &office.id).header("Expect", "100-continue");
            let mut bytes = request.body("text/csv", "Name\nLater\n").bytes();
            let rest = bytes.split_off(bytes.len() - 6);
            let mut wire = office.server.wire();
            wire.send(bytes).unwrap();
            assert!(wire.is_asked_for_body().unwrap());
            (wire, rest)
        })
        .collect();
    // A body is asked for a little before the file counts.
    let refused = poll::eventually("all files to count", || {
        let answer = send(&office, &office.owner, &other, "", "Name\n");
        (answer.status == 503).then_some(answer)
    });
    refused.refuses(503, "SERVICE_UNAVAILABLE");
    // Others are not affected, and there is room again as soon as a file has arrived.
    let job = poll::eventually("the import of somebody else", || {
        let answer = send(&office, member, &other, "", "Name\nOf somebody else\n");
        (answer.status == 202).then(|| answer.data(202))
    });
    ended(&office, member, &job);
    let (mut wire, rest) = arriving.pop().unwrap();
    wire.send(rest).unwrap();
    let job = wire.receive("POST").unwrap().data(202);
    ended(&office, &office.owner, &job);
    import(&office, &other, "", "Name\nOne more\n");
    assert_eq!((count(&office, &table), count(&office, &other)), (1, 2));
}

fn a_killed_import_goes_on_and_writes_each_row_once(engine: Engine) {
    const ROWS: u32 = 10_000;
    let server = Server::own(engine, Reason::Lifecycle);
    let ada = server.person("Ada");
    let properties = json!([{ "name": "Name", "type": "title" }, { "name": "Price", "type": "number" }]);
    let made = ada.post("/databases", &json!({ "title": "Tasks", "properties": properties })).send().data(201);
    let path = format!("/databases/{}", made["id"].as_str().unwrap());
    let file = long_table(ROWS);
    let job = ada.request("POST", &format!("{path}/imports")).body("text/csv", file).send().data(202);
    let job = format!("/jobs/{}", job["id"].as_str().unwrap());
    poll::eventually("the first rows", || {
        (ada.get(&path).send().data(200)["recordCount"].as_u64().unwrap() > 0).then_some(())
    });
    let server = OwnServer::kill(server).serve();
    let again = server.post("/auth/login", &json!({ "email": ada.email, "password": ada.password })).send().data(200);
    let token = again["accessToken"].as_str().unwrap();
    let kept = server.get(&path).bearer(token).send().data(200)["recordCount"].as_u64().unwrap();
    assert!(kept < u64::from(ROWS), "it was not finished before");
    let ended = poll::eventually("the end of an import", || {
        let job = server.get(&job).bearer(token).send().data(200);
        job["finishedAt"].is_string().then_some(job)
    });
    assert_eq!((&ended["status"], &ended["result"]["importedRecords"]), (&json!("SUCCEEDED"), &json!(ROWS)), "{ended}");
    assert_eq!(server.get(&path).bearer(token).send().data(200)["recordCount"], json!(ROWS));
    let (mut titles, mut listed, mut cursor) = (BTreeSet::new(), 0, String::new());
    let title = made["properties"][0]["id"].as_str().unwrap();
    loop {
        let page = server.get(&format!("{path}/records?pageSize=200{cursor}")).bearer(token).send().body_of(200);
        for record in page["data"].as_array().unwrap() {
            titles.insert(record["properties"][title]["text"].as_str().unwrap().to_owned());
            listed += 1;
        }
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!((listed, u32::try_from(titles.len()).unwrap()), (ROWS, ROWS), "each row once");
    let folder = server.deployment().data_folder().join("files").join("jobs");
    poll::eventually("the removal of the file", || (files_below(&folder) == 0).then_some(()));
}

fn files_below(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
}
