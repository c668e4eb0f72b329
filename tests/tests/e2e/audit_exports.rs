//! Exporting an audit trail: the job and its file.

use octavo_tests::{Answer, Deployment, Engine, Person, Reason, Server, both_engines, poll, shape};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

both_engines! {
    an_export_is_the_trail_and_has_a_checksum,
    a_table_holds_no_formula,
    filters_narrow_an_export,
    parts_of_a_file_are_sent,
    an_altered_address_leads_nowhere,
    owners_and_admins_export_the_trail,
    odd_exports_are_refused,
    a_trail_is_exported_a_few_times_an_hour,
    refused_callers_use_up_none_of_the_exports,
    jobs_are_listed_and_cancelled,
    a_retry_starts_no_second_job,
    an_export_outlives_its_server,
}

fn create_workspace(person: &Person, name: &str) -> String {
    let workspace = person.post("/workspaces", &json!({ "name": name })).send().data(201);
    shape::text(&workspace["id"])
}

fn key(person: &Person, workspace: &str, name: &str, scope: &str) -> String {
    let body = json!({ "name": name, "scopes": [scope] });
    shape::text(&person.post(&format!("/workspaces/{workspace}/api-keys"), &body).send().data(201)["key"])
}

fn live_on(person: &Person, workspace: &str, entries: usize) {
    for number in 0..entries {
        let body = json!({ "shareLinks": { "allowed": number % 2 == 1 } });
        person.patch(&format!("/workspaces/{workspace}/settings"), &body).send().is(200);
    }
}

fn ask(person: &Person, workspace: &str, body: &Value) -> Answer {
    person.post(&format!("/workspaces/{workspace}/audit/exports"), body).send()
}

fn look(person: &Person, workspace: &str, job: &Value) -> Value {
    let call = person.get(&format!("/jobs/{}", job["id"].as_str().unwrap()));
    call.header("X-Service-Workspace", workspace).header("Prefer", "wait=5").send().data(200)
}

/// The job once it has succeeded.
#[track_caller]
fn done(person: &Person, workspace: &str, job: &Value) -> Value {
    poll::eventually("the end of a job", || {
        let job = look(person, workspace, job);
        assert_ne!(job["status"], "FAILED", "{job}");
        (job["status"] == "SUCCEEDED").then_some(job)
    })
}

fn export(person: &Person, workspace: &str, body: &Value) -> Value {
    let job = ask(person, workspace, body).data(202);
    done(person, workspace, &job)
}

fn target(server: &Server, job: &Value) -> String {
    let url = shape::text(&job["result"]["downloadUrl"]);
    url.strip_prefix(&server.public_origin()).unwrap_or_else(|| panic!("{url} is elsewhere")).to_owned()
}

fn fetch(server: &Server, job: &Value) -> Answer {
    server.origin("GET", &target(server, job)).send()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

fn has_headers_of_a_file(file: &Answer, job: &Value) {
    for (name, value) in [
        ("Accept-Ranges", "bytes"),
        ("ETag", format!("\"{}\"", job["result"]["sha256"].as_str().unwrap()).as_str()),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
        ("Access-Control-Allow-Origin", "*"),
        (
            "Content-Security-Policy",
            "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
        ),
        ("X-RateLimit-Limit", "1000000"),
    ] {
        assert_eq!(file.named(name), value, "{name}");
    }
    assert!(file.named("Content-Disposition").starts_with("attachment; filename=\"audit-"));
    let cache = file.named("Cache-Control");
    let left = cache.strip_prefix("private, max-age=").and_then(|rest| rest.strip_suffix(", immutable"));
    assert!(left.unwrap().parse::<u64>().unwrap() <= 900, "{cache}");
}

fn an_export_is_the_trail_and_has_a_checksum(engine: Engine) {
    let server = Server::own(engine, Reason::Output);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 3);
    let asked = ask(&ada, &acme, &json!({ "format": "ndjson" })).data(202);
    shape::id(&asked["id"], "job_");
    for (field, value) in [
        ("workspaceId", json!(acme)),
        ("type", json!("audit_export")),
        ("status", json!("QUEUED")),
        ("stage", Value::Null),
        ("progress", json!({ "done": 0, "total": null })),
        ("result", Value::Null),
        ("error", Value::Null),
        ("warnings", json!([])),
        ("warningCount", json!(0)),
        ("createdById", json!(ada.id)),
        ("startedAt", Value::Null),
        ("finishedAt", Value::Null),
    ] {
        assert_eq!(asked[field], value, "{field}");
    }
    let job = done(&ada, &acme, &asked);
    assert!(!job["startedAt"].is_null() && !job["finishedAt"].is_null() && job["error"].is_null());
    assert!(job["progress"]["done"].as_u64() > Some(0) && job["progress"]["done"] == job["progress"]["total"]);
    let file = fetch(&server, &job);
    assert_eq!(file.status, 200);
    assert_eq!(job["result"]["sha256"], hex(digest(&SHA256, &file.body).as_ref()));
    let lines: Vec<Value> = file.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(job["result"]["rows"], lines.len());
    let listed = ada.get(&format!("/workspaces/{acme}/audit?order=asc&limit=200")).send().data(200);
    assert_eq!(json!(lines), listed, "line by line what the list shows");
    assert_eq!(lines.last().unwrap()["action"], "audit.exported");
    let changes = &lines.last().unwrap()["pii"]["changes"];
    assert_eq!(*changes, json!([{ "field": "format", "from": null, "to": "ndjson" }]));
    has_headers_of_a_file(&file, &job);
    let again = look(&ada, &acme, &asked);
    assert_ne!(again["result"]["downloadUrl"], job["result"]["downloadUrl"], "new on each reading");
    let log = server.log().text();
    assert!(!log.contains(target(&server, &job).rsplit('/').next().unwrap()), "no address is logged");
    let events = poll::eventually("the event of the job", || {
        let data = ada.get("/events?types=job.*").header("X-Service-Workspace", &acme).send().data(200);
        data.as_array().filter(|events| !events.is_empty()).cloned()
    });
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0]["type"], &events[0]["data"]), (&json!("job.succeeded"), &json!({ "type": "audit_export" })));
    assert_eq!(events[0]["resource"], json!({ "type": "job", "id": asked["id"] }));
}

fn a_table_holds_no_formula(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    key(&ada, &ada.workspace, "=1+1", "READ");
    key(&ada, &ada.workspace, "a \"quoted\", name", "READ");
    let job = export(&ada, &ada.workspace, &json!({ "format": "csv" }));
    let file = fetch(&server, &job);
    assert_eq!(file.named("Content-Type"), "text/plain; charset=utf-8");
    let text = file.text();
    let rows: Vec<_> = text.split("\r\n").collect();
    assert!(rows[0].starts_with("id,at,chain,seq,prevHash,hash,action,actorType,actorId,"), "{}", rows[0]);
    assert_eq!(job["result"]["rows"], 3);
    assert!(rows[1].contains(",'=1+1,") && !text.contains(",=1+1"), "{text}");
    assert!(rows[2].contains(",\"a \"\"quoted\"\", name\","), "{text}");
}

fn filters_narrow_an_export(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 3);
    for (filters, rows) in [
        (json!({ "action": "permission.*" }), 3),
        (json!({ "action": "permission.changed", "outcome": "FAILURE" }), 0),
        (json!({ "afterSeq": 1, "action": "permission.*", "actorId": ada.id, "from": "2020-01-01T00:00:00Z" }), 2),
        (json!({ "to": "2020-01-01T00:00:00Z", "ip": null }), 0),
    ] {
        let mut body = filters.clone();
        body["format"] = json!("ndjson");
        let job = export(&ada, &acme, &body);
        assert_eq!(job["result"]["rows"], rows, "{filters}");
        assert_eq!(fetch(&server, &job).text().lines().count(), rows, "{filters}");
    }
}

fn parts_of_a_file_are_sent(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let job = export(&ada, &ada.workspace, &json!({ "format": "csv" }));
    let target = target(&server, &job);
    let whole = server.origin("GET", &target).send();
    let (size, tag) = (whole.body.len(), whole.named("ETag").to_owned());
    let get = |headers: &[(&str, &str)]| {
        headers.iter().fold(server.origin("GET", &target), |call, (name, value)| call.header(name, value)).send()
    };
    for (range, from, to) in [("bytes=0-", 0, size), ("bytes=3-7", 3, 8), ("bytes=-5", size - 5, size)] {
        let part = get(&[("Range", range)]);
        assert_eq!((part.status, part.body.as_slice()), (206, &whole.body[from..to]), "{range}");
        assert_eq!(part.named("Content-Range"), format!("bytes {from}-{}/{size}", to - 1));
        assert_eq!(part.number("Content-Length"), u64::try_from(to - from).unwrap());
    }
    for range in ["bytes=0-1,3-4", "bytes=x-", "lines=1-2"] {
        let all = get(&[("Range", range)]);
        assert_eq!((all.status, &all.body), (200, &whole.body), "{range}");
    }
    let beyond = get(&[("Range", &format!("bytes={size}-"))]);
    beyond.refuses(416, "RANGE_NOT_SATISFIABLE");
    assert_eq!(beyond.named("Content-Range"), format!("bytes */{size}"));
    assert_eq!(get(&[("Range", "bytes=0-1"), ("If-Range", &tag)]).status, 206);
    assert_eq!(get(&[("Range", "bytes=0-1"), ("If-Range", "\"other\"")]).status, 200);
    let unchanged = get(&[("If-None-Match", &tag)]);
    assert_eq!((unchanged.status, unchanged.body.len(), unchanged.named("ETag")), (304, 0, tag.as_str()));
    let head = server.origin("HEAD", &target).send();
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.number("Content-Length"), u64::try_from(size).unwrap());
}

fn an_altered_address_leads_nowhere(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let job = export(&ada, &ada.workspace, &json!({ "format": "csv" }));
    let target = target(&server, &job);
    let begin = target.rfind('/').unwrap() + 1;
    for at in [begin, begin + 20, begin + 60, target.len() - 1] {
        let mut altered = target.clone().into_bytes();
        altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
        let answer = server.origin("GET", &String::from_utf8(altered).unwrap()).send();
        answer.refuses(403, "FORBIDDEN").because("signature_invalid");
    }
    server.get("/files/blob/x").send().refuses(403, "FORBIDDEN").because("signature_invalid");
}

fn owners_and_admins_export_the_trail(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob, eve) = (server.person("Ada"), server.person("Bob"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    ada.post(&format!("/workspaces/{acme}/members"), &json!({ "userId": bob.id, "role": "MEMBER" })).send().is(201);
    let body = json!({ "format": "csv" });
    ask(&bob, &acme, &body).refuses(403, "FORBIDDEN").because("requires_ADMIN");
    ask(&eve, &acme, &body).refuses(403, "FORBIDDEN").because("workspace_mismatch");
    let (write, admin) = (key(&ada, &acme, "Write", "WRITE"), key(&ada, &acme, "Admin", "ADMIN"));
    let path = format!("/workspaces/{acme}/audit/exports");
    server.post(&path, &body).bearer(&write).send().refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    let job = server.post(&path, &body).bearer(&admin).send().data(202);
    assert_eq!(job["createdById"], ada.id);
    let of_key = poll::eventually("the end of the job", || {
        let job = server.get(&format!("/jobs/{}", job["id"].as_str().unwrap())).bearer(&admin).send().data(200);
        (job["status"] == "SUCCEEDED").then_some(job)
    });
    assert_eq!(fetch(&server, &of_key).status, 200);
    let path = format!("/jobs/{}", job["id"].as_str().unwrap());
    ada.get(&path).header("X-Service-Workspace", &acme).send().is(200);
    bob.get(&path).header("X-Service-Workspace", &acme).send().refuses(404, "NOT_FOUND");
    eve.get(&path).send().refuses(404, "NOT_FOUND");
    eve.get(&path).header("X-Service-Workspace", &acme).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
    server.get(&path).bearer(&write).send().refuses(404, "NOT_FOUND");
    server.get(&path).send().refuses(401, "UNAUTHORIZED");
}

fn odd_exports_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (body, field, issue) in [
        (json!({}), "format", "required"),
        (json!({ "format": "xlsx" }), "format", "invalid_value"),
        (json!({ "format": "csv", "action": "*.x" }), "action", "invalid_format"),
        (json!({ "format": "csv", "outcome": "MAYBE" }), "outcome", "invalid_value"),
        (json!({ "format": "csv", "afterSeq": -1 }), "afterSeq", "too_small"),
    ] {
        ask(&ada, &ada.workspace, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    for (query, field, issue) in [
        ("type=tea", "type", "invalid_value"),
        ("status=DONE", "status", "invalid_value"),
        ("cursor=x", "cursor", "invalid_value"),
    ] {
        ada.get(&format!("/jobs?{query}")).send().refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    for path in ["/jobs/job_1", "/jobs/job_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] {
        ada.get(path).send().refuses(404, "NOT_FOUND");
        ada.post(&format!("{path}/cancel"), &json!({})).send().refuses(404, "NOT_FOUND");
    }
}

fn a_trail_is_exported_a_few_times_an_hour(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_AUDIT_EXPORT", "2")]);
    let ada = server.person("Ada");
    let (acme, other) = (create_workspace(&ada, "Acme"), create_workspace(&ada, "Other"));
    let body = json!({ "format": "csv" });
    for _ in 0..2 {
        ask(&ada, &acme, &body).is(202);
    }
    let refused = ask(&ada, &acme, &body);
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "audit_export");
    ask(&ada, &other, &body).is(202);
}

fn refused_callers_use_up_none_of_the_exports(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_RATE_LIMIT_AUDIT_EXPORT", "2")]);
    let (ada, bob, eve) = (server.person("Ada"), server.person("Bob"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    let member = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{acme}/members"), &member).send().is(201);
    let body = json!({ "format": "csv" });
    for other in [&bob, &eve] {
        for _ in 0..2 {
            ask(other, &acme, &body).refuses(403, "FORBIDDEN");
        }
        ask(other, &acme, &body).refuses(429, "RATE_LIMITED");
    }
    ask(&ada, &acme, &body).is(202);
}

fn jobs_are_listed_and_cancelled(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let jobs: Vec<Value> = (0..3).map(|_| export(&ada, &ada.workspace, &json!({ "format": "csv" }))).collect();
    let ids = |query: &str| -> Vec<String> {
        let data = ada.get(&format!("/jobs{query}")).send().data(200);
        data.as_array().unwrap().iter().map(|job| shape::text(&job["id"])).collect()
    };
    let newest_first: Vec<_> = jobs.iter().rev().map(|job| shape::text(&job["id"])).collect();
    assert_eq!(ids(""), newest_first);
    assert_eq!(ids("?type=audit_export&status=SUCCEEDED"), newest_first);
    assert_eq!(ids("?type=workspace_export"), Vec::<String>::new());
    assert_eq!(ids("?status=QUEUED"), Vec::<String>::new());
    let page = ada.get("/jobs?limit=2").send().body_of(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    assert_eq!(ids(&format!("?limit=2&cursor={cursor}")), newest_first[2..]);
    let cancel = |id: &str| ada.post(&format!("/jobs/{id}/cancel"), &json!({})).send();
    cancel(&newest_first[0]).refuses(409, "CONFLICT").issue("job_finished");
    // Either can come first: the commit decides.
    let job = ask(&ada, &ada.workspace, &json!({ "format": "csv" })).data(202);
    let id = shape::text(&job["id"]);
    let answer = cancel(&id);
    let status = ada.get(&format!("/jobs/{id}")).send().data(200)["status"].clone();
    if answer.status == 200 {
        assert_eq!((&answer.data(200)["status"], &status), (&json!("CANCELLED"), &json!("CANCELLED")));
    } else {
        answer.refuses(409, "CONFLICT").issue("job_finished");
        assert_eq!(status, "SUCCEEDED");
    }
    cancel(&id).refuses(409, "CONFLICT").issue("job_finished");
}

fn a_retry_starts_no_second_job(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let path = format!("/workspaces/{}/audit/exports", ada.workspace);
    let call = ada.post(&path, &json!({ "format": "csv" })).key("once");
    let (first, second) = (call.send(), call.send());
    assert_eq!(second.named("Idempotency-Replayed"), "true");
    assert_eq!(first.data(202), second.data(202));
    assert_eq!(ada.get("/jobs").send().data(200).as_array().unwrap().len(), 1);
}

fn an_export_outlives_its_server(engine: Engine) {
    let server = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_PUBLIC_URL", "http://octavo.test")]).serve();
    let ada = server.person("Ada");
    let jobs: Vec<Value> =
        (0..4).map(|_| ask(&ada, &ada.workspace, &json!({ "format": "ndjson" })).data(202)).collect();
    let (ended, deployment) = server.stop();
    assert_eq!(ended.exit, Some(0));
    let server = deployment.serve();
    let ada = Person { site: *server.site(), ..ada };
    for job in &jobs {
        let job = done(&ada, &ada.workspace, job);
        let url = shape::text(&job["result"]["downloadUrl"]);
        let target = url.strip_prefix("http://octavo.test").unwrap();
        assert_eq!(server.origin("GET", target).send().status, 200);
    }
}
