//! Requesting a higher level on a page, and deciding requests.

use crate::{
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, Person, Request, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_request_reveals_nothing_about_the_page,
    a_request_is_shown_to_those_who_decide,
    approving_grants_what_was_asked_for_or_something_else,
    a_denied_request_may_be_made_again,
    invalid_requests_are_refused_for_any_page,
    one_person_asks_ten_times_an_hour,
    of_twenty_concurrent_requests_by_one_person_one_remains,
    of_concurrent_decisions_one_succeeds,
    a_guest_asks_and_gets_at_most_edit,
    only_people_ask_and_keys_with_all_rights_decide,
    a_decision_is_replayed_only_to_callers_who_still_may_decide,
    events_of_requests_are_read_by_those_who_read_the_grants,
    requests_are_listed_page_by_page,
    the_page_of_a_record_can_be_asked_for_before_anybody_used_it,
}

const UNKNOWN: &str = "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

impl Office {
    fn asking(&self, by: &Person, page: &str, body: &Value) -> Request {
        by.post(&format!("/pages/{page}/access-requests"), body).header("X-Service-Workspace", &self.id)
    }

    #[track_caller]
    fn ask(&self, by: &Person, page: &str, body: &Value) {
        assert_eq!(self.asking(by, page, body).send().body_of(202), json!({ "data": { "requested": true } }));
    }

    /// The requests that a user sees with this query.
    fn requests(&self, by: &Person, query: &str) -> Vec<Value> {
        self.get(by, &format!("/access-requests{query}")).body_of(200)["data"].as_array().unwrap().clone()
    }

    /// The id of the only open request.
    #[track_caller]
    fn waiting(&self) -> String {
        let found = self.requests(&self.owner, "");
        assert_eq!(found.len(), 1, "{found:?}");
        shape::text(&found[0]["id"])
    }

    fn approve(&self, by: &Person, request: &str, body: &Value) -> Answer {
        self.post(by, &format!("/access-requests/{request}/approve"), body)
    }

    fn deny(&self, by: &Person, request: &str) -> Answer {
        self.post(by, &format!("/access-requests/{request}/deny"), &Value::Null)
    }

    /// A page that only owners and admins may see.
    fn secret(&self, title: &str) -> String {
        self.page(&self.owner, &json!({ "title": title, "inherit": false }))
    }
}

fn a_request_reveals_nothing_about_the_page(engine: Engine) {
    let office = office(engine);
    let (secret, open, trashed) = (office.secret("Pay"), office.below(None, "Open"), office.secret("Old"));
    office.delete(&office.owner, &format!("/pages/{trashed}")).is(200);
    let stranger = office.server.person("Zoe");
    let theirs = shape::text(&stranger.post("/pages", &json!({ "title": "Theirs" })).send().data(201)["id"]);
    let body = json!({ "level": "EDIT", "message": "Please" });
    let first = office.asking(&office.member, &secret, &body).send();
    assert_eq!(first.body_of(202), json!({ "data": { "requested": true } }));
    for page in [UNKNOWN, "pg_x", &theirs, &trashed, &open, &secret] {
        first.is_like(&office.asking(&office.member, page, &body).send());
    }
    first.is_like(&office.asking(&office.owner, &secret, &json!({ "level": "FULL_ACCESS" })).send());
    // In the caller's own workspace the page does not exist.
    for page in [&*secret, UNKNOWN] {
        first.is_like(&stranger.post(&format!("/pages/{page}/access-requests"), &body).send());
        office.asking(&stranger, page, &body).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
    }
    for status in ["PENDING", "APPROVED", "DENIED", "EXPIRED"] {
        let expected = usize::from(status == "PENDING");
        assert_eq!(office.requests(&office.owner, &format!("?status={status}")).len(), expected, "{status}");
        let elsewhere = stranger.get(&format!("/access-requests?status={status}")).send().body_of(200);
        assert_eq!(elsewhere["data"], json!([]));
    }
    office.post(&office.owner, &format!("/pages/{trashed}/restore"), &json!({})).is(200);
    assert_eq!(office.requests(&office.owner, &format!("?resourceId={trashed}")), [] as [Value; 0]);
    assert_eq!(office.requests(&office.owner, "")[0]["resourceId"], json!(secret));
}

fn a_request_is_shown_to_those_who_decide(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    office.ask(&office.member, &page, &json!({ "message": "For the audit.\nThanks" }));
    let shown = office.requests(&office.owner, "").remove(0);
    let fields =
        ["id", "resourceId", "user", "level", "message", "status", "decidedBy", "decidedAt", "createdAt", "expiresAt"];
    shape::exactly(&shown, &fields);
    shape::id(&shown["id"], "acr_");
    assert_eq!(shown["user"], json!({ "id": office.member.id, "name": "Bob", "avatarUrl": null }));
    for (field, value) in [
        ("resourceId", json!(page)),
        ("level", json!("VIEW")),
        ("message", json!("For the audit.\nThanks")),
        ("status", json!("PENDING")),
        ("decidedBy", json!(null)),
        ("decidedAt", json!(null)),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }
    let month = 30 * 24 * 3_600_000;
    assert_eq!(shape::millis(&shown["expiresAt"]) - shape::millis(&shown["createdAt"]), month);
    for other in [&office.member, &office.other, &office.guest] {
        assert_eq!(office.requests(other, ""), [] as [Value; 0]);
    }
    let request = shape::text(&shown["id"]);
    let path = |verb: &str| format!("/access-requests/{request}/{verb}");
    for verb in ["approve", "deny"] {
        // Hidden requests are treated like missing ones, even for the requester.
        for id in [&*request, "acr_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "acr_x"] {
            for by in [&office.member, &office.other] {
                let answer = office.post(by, &format!("/access-requests/{id}/{verb}"), &json!({}));
                answer.refuses(404, "NOT_FOUND");
            }
        }
    }
    let to_other = |level: &str| office.grant(&page, &[("user", &office.other.id, level)]);
    to_other("EDIT");
    assert_eq!(office.requests(&office.other, ""), [] as [Value; 0]);
    for verb in ["approve", "deny"] {
        office.post(&office.other, &path(verb), &json!({})).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    }
    to_other("FULL_ACCESS");
    assert_eq!(office.requests(&office.other, ""), std::slice::from_ref(&shown));
    // Asking again changes the open request.
    office.ask(&office.member, &page, &json!({ "level": "COMMENT", "message": null }));
    let again = office.requests(&office.owner, "").remove(0);
    assert_eq!((&again["level"], &again["message"]), (&json!("COMMENT"), &json!(null)));
    for field in ["id", "createdAt", "expiresAt"] {
        assert_eq!(again[field], shown[field], "{field}");
    }
}

fn approving_grants_what_was_asked_for_or_something_else(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    office.ask(&office.member, &page, &json!({ "level": "EDIT" }));
    office.ask(&office.other, &page, &json!({ "level": "EDIT" }));
    let requests = office.requests(&office.owner, "");
    let of = |person: &Person| {
        let own = requests.iter().find(|request| request["user"]["id"] == person.id).unwrap();
        shape::text(&own["id"])
    };
    let (bobs, eves) = (of(&office.member), of(&office.other));
    let approved = office.approve(&office.owner, &bobs, &Value::Null).data(200);
    for (field, value) in [
        ("id", json!(bobs)),
        ("status", json!("APPROVED")),
        ("level", json!("EDIT")),
        ("decidedBy", json!(office.owner.id)),
    ] {
        assert_eq!(approved[field], value, "{field}");
    }
    shape::millis(&approved["decidedAt"]);
    let other_level = json!({ "level": "COMMENT" });
    assert_eq!(office.approve(&office.owner, &eves, &other_level).data(200)["level"], "COMMENT");
    assert_eq!([&office.member, &office.other].map(|by| office.level(by, &page)), ["EDIT", "COMMENT"]);
    let grants = office.get(&office.owner, &format!("/pages/{page}/permissions")).data(200)["grants"].clone();
    for (person, level) in [(&office.member, "EDIT"), (&office.other, "COMMENT")] {
        let own = grants.as_array().unwrap().iter().find(|grant| grant["principalId"] == person.id).unwrap();
        let facts = ["principalType", "level", "createdBy", "expiresAt"].map(|name| own[name].clone());
        assert_eq!(facts, [json!("user"), json!(level), json!(office.owner.id), json!(null)]);
    }
    for request in [&bobs, &eves] {
        office.approve(&office.owner, request, &json!({})).refuses(409, "CONFLICT").issue("already_decided");
        office.deny(&office.owner, request).refuses(409, "CONFLICT").issue("already_decided");
    }
    assert_eq!(office.requests(&office.owner, ""), [] as [Value; 0]);
    assert_eq!(office.requests(&office.owner, "?status=APPROVED").len(), 2);
    // Members already have the level, and a grant by name would lower it.
    let open = office.below(None, "Open");
    office.grant(&open, &[("user", &office.member.id, "NONE")]);
    office.ask(&office.member, &open, &json!({}));
    let waiting = office.waiting();
    office.grant(&open, &[]);
    assert_eq!(office.level(&office.member, &open), "EDIT");
    office.approve(&office.owner, &waiting, &json!({})).is(200);
    assert_eq!(office.level(&office.member, &open), "EDIT");
    let audited = office.owner.get(&format!("/workspaces/{}/audit?action=permission.changed", office.id)).send();
    let entry = audited.body_of(200)["data"].as_array().unwrap().iter().any(|entry| entry["target"]["id"] == page);
    assert!(entry, "a grant is on record");
}

fn a_denied_request_may_be_made_again(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    office.ask(&office.member, &page, &json!({}));
    let first = office.waiting();
    let denied = office.deny(&office.owner, &first).data(200);
    assert_eq!((&denied["status"], &denied["decidedBy"]), (&json!("DENIED"), &json!(office.owner.id)));
    assert_eq!(office.level(&office.member, &page), "404");
    for answer in [office.deny(&office.owner, &first), office.approve(&office.owner, &first, &json!({}))] {
        answer.refuses(409, "CONFLICT").issue("already_decided");
    }
    office.ask(&office.member, &page, &json!({}));
    let second = office.waiting();
    assert_ne!(first, second);
    office.approve(&office.owner, &second, &json!({})).is(200);
    let ids = |status: &str| {
        let found = office.requests(&office.owner, &format!("?status={status}&resourceId={page}"));
        found.iter().map(|request| shape::text(&request["id"])).collect::<Vec<_>>()
    };
    assert_eq!((ids("DENIED"), ids("APPROVED")), (vec![first], vec![second]));
}

fn invalid_requests_are_refused_for_any_page(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    for (body, field, issue) in [
        (json!({ "level": "NONE" }), "level", "invalid_value"),
        (json!({ "level": "view" }), "level", "invalid_value"),
        (json!({ "level": 7 }), "level", "invalid_type"),
        (json!({ "level": null }), "level", "invalid_type"),
        (json!({ "message": "x".repeat(501) }), "message", "too_long"),
        (json!({ "message": 7 }), "message", "invalid_type"),
    ] {
        let known = office.asking(&office.member, &page, &body).send();
        known.refuses(400, "VALIDATION_ERROR").of(field, issue);
        known.is_like(&office.asking(&office.guest, UNKNOWN, &body).send());
    }
    office.ask(&office.other, &page, &json!({ "message": "\u{1F600}".repeat(500) }));
    let waiting = office.waiting();
    for body in [json!({ "level": "NONE" }), json!({ "level": 7 })] {
        office.approve(&office.member, &waiting, &body).refuses(404, "NOT_FOUND");
        office.approve(&office.owner, &waiting, &body).refuses(400, "VALIDATION_ERROR").names("level");
    }
    for query in ["?status=OPEN", "?resourceId=pg_x", "?limit=0", "?cursor=x"] {
        office.get(&office.owner, &format!("/access-requests{query}")).refuses(400, "VALIDATION_ERROR");
    }
}

fn one_person_asks_ten_times_an_hour(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    for _ in 0..5 {
        office.ask(&office.member, &page, &json!({}));
        office.ask(&office.member.login(), UNKNOWN, &json!({}));
    }
    for page in [&*page, UNKNOWN] {
        let answer = office.asking(&office.member, page, &json!({})).send();
        answer.refuses(429, "RATE_LIMITED");
        assert_eq!(answer.named("X-RateLimit-Bucket"), "access_request");
        assert!((3500..=3600).contains(&answer.number("Retry-After")));
    }
    office.ask(&office.other, &page, &json!({}));
    assert_eq!(office.requests(&office.owner, "").len(), 2);
}

fn of_twenty_concurrent_requests_by_one_person_one_remains(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    let answers = at_once(20, |_| office.asking(&office.member, &page, &json!({})).send().status);
    assert_eq!(answers.iter().filter(|status| **status == 202).count(), 10, "{answers:?}");
    office.waiting();
}

fn of_concurrent_decisions_one_succeeds(engine: Engine) {
    let office = office(engine);
    for round in 0..3 {
        let page = office.secret("Pay");
        office.grant(&page, &[("user", &office.other.id, "FULL_ACCESS")]);
        office.ask(&office.member, &page, &json!({}));
        let request = shape::text(&office.requests(&office.owner, &format!("?resourceId={page}"))[0]["id"]);
        let answers = at_once(8, |number| {
            let by = if number % 2 == 0 { &office.owner } else { &office.other };
            if number < 4 { office.approve(by, &request, &json!({})) } else { office.deny(by, &request) }
        });
        let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!(won.len(), 1, "round {round}");
        for answer in lost {
            answer.refuses(409, "CONFLICT").issue("already_decided");
        }
        let status = shape::text(&won[0].data(200)["status"]);
        let expected = if status == "APPROVED" { "VIEW" } else { "404" };
        assert_eq!(office.level(&office.member, &page), expected);
        assert_eq!(office.requests(&office.owner, &format!("?status={status}&resourceId={page}")).len(), 1);
    }
}

fn a_guest_asks_and_gets_at_most_edit(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    office.ask(&office.guest, &page, &json!({ "level": "FULL_ACCESS" }));
    assert_eq!(office.requests(&office.member, ""), [] as [Value; 0], "members edit it and decide nothing");
    let request = office.waiting();
    office.approve(&office.member, &request, &json!({})).refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    office.approve(&office.owner, &request, &json!({})).is(200);
    assert_eq!(office.level(&office.guest, &page), "EDIT");
    assert_eq!(office.requests(&office.guest, "?status=APPROVED"), [] as [Value; 0]);
}

fn only_people_ask_and_keys_with_all_rights_decide(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    let [read, write, admin] = ["READ", "WRITE", "ADMIN"].map(|scope| office.key(scope));
    let site = office.server.site();
    let asking = |key: &str| site.post(&format!("/pages/{page}/access-requests"), &json!({})).bearer(key).send();
    for key in [&read, &write, &admin] {
        asking(key).refuses(403, "FORBIDDEN").because("requires_user_credentials");
    }
    site.post(&format!("/pages/{page}/access-requests"), &json!({})).send().refuses(401, "UNAUTHORIZED");
    office.ask(&office.member, &page, &json!({}));
    let path = format!("/access-requests/{}/approve", office.waiting());
    for key in [&read, &write] {
        site.get("/access-requests").bearer(key).send().refuses(403, "FORBIDDEN").because("api_key_scope_admin");
        site.post(&path, &json!({})).bearer(key).send().refuses(403, "FORBIDDEN").because("api_key_scope_admin");
    }
    assert_eq!(site.get("/access-requests").bearer(&admin).send().body_of(200)["data"].as_array().unwrap().len(), 1);
    let approved = site.post(&path, &json!({})).bearer(&admin).send().data(200);
    assert_eq!((&approved["status"], &approved["decidedBy"]), (&json!("APPROVED"), &json!(office.owner.id)));
    assert_eq!(office.level(&office.member, &page), "VIEW");
}

fn a_decision_is_replayed_only_to_callers_who_still_may_decide(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    office.grant(&page, &[("user", &office.other.id, "FULL_ACCESS")]);
    let asking = office.asking(&office.member, &page, &json!({ "level": "EDIT" })).key("ask");
    asking.send().is(202);
    assert_eq!(asking.send().is(202).header("Idempotency-Replayed"), Some("true"));
    office
        .asking(&office.member, &page, &json!({ "level": "VIEW" }))
        .key("ask")
        .send()
        .refuses(422, "UNPROCESSABLE_ENTITY")
        .issue("idempotency_key_reused");
    let approving = office
        .other
        .post(&format!("/access-requests/{}/approve", office.waiting()), &json!({}))
        .header("X-Service-Workspace", &office.id)
        .key("approve");
    let first = approving.send();
    first.is(200);
    let again = approving.send();
    assert_eq!((again.header("Idempotency-Replayed"), again.text()), (Some("true"), first.text()));
    office.grant(&page, &[("user", &office.other.id, "EDIT")]);
    approving.send().refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    office.grant(&page, &[]);
    let hidden = approving.send();
    hidden.refuses(404, "NOT_FOUND");
    assert_eq!(hidden.header("Idempotency-Replayed"), None);
}

fn events_of_requests_are_read_by_those_who_read_the_grants(engine: Engine) {
    let office = office(engine);
    let page = office.secret("Pay");
    office.ask(&office.member, &page, &json!({ "level": "EDIT", "message": "between us" }));
    let first = office.waiting();
    office.deny(&office.owner, &first).is(200);
    office.ask(&office.member, &page, &json!({ "level": "EDIT" }));
    let second = office.waiting();
    office.approve(&office.owner, &second, &json!({ "level": "VIEW" })).is(200);
    let seen = |by: &Person| {
        let found = office.get(by, "/events?types=access_request.*").body_of(200)["data"].clone();
        found.as_array().unwrap().clone()
    };
    let all = octavo_tests::poll::eventually("all events", || Some(seen(&office.owner)).filter(|all| all.len() == 4));
    let kinds = |events: &[Value]| events.iter().map(|event| shape::text(&event["type"])).collect::<Vec<_>>();
    let expected =
        ["access_request.created", "access_request.denied", "access_request.created", "access_request.approved"];
    assert_eq!(kinds(&all), expected);
    for (event, (id, actor, level)) in all.iter().zip([
        (&first, &office.member, "EDIT"),
        (&first, &office.owner, "EDIT"),
        (&second, &office.member, "EDIT"),
        (&second, &office.owner, "VIEW"),
    ]) {
        assert_eq!(event["resource"], json!({ "type": "access_request", "id": id }));
        assert_eq!((&event["actor"]["id"], &event["pageId"]), (&json!(actor.id), &json!(page)));
        let data =
            json!({ "resourceId": page, "pageId": page, "teamId": null, "userId": office.member.id, "level": level });
        assert_eq!(event["data"], data);
    }
    let of_grants = office.get(&office.owner, &format!("/events?types=permission.changed&resourceId={page}"));
    let granted = of_grants.body_of(200)["data"].as_array().unwrap().iter().any(|event| {
        let after = event["data"]["after"]["grants"].as_array().unwrap();
        after.iter().any(|grant| grant["principalId"] == office.member.id && grant["level"] == "VIEW")
    });
    assert!(granted, "the grant has an event of its own");
    // Users with `VIEW` may not read the grants, users with `EDIT` may.
    assert_eq!(kinds(&seen(&office.member)), [] as [&str; 0]);
    assert_eq!(kinds(&seen(&office.other)), [] as [&str; 0]);
    office.grant(&page, &[("user", &office.other.id, "EDIT")]);
    assert_eq!(kinds(&seen(&office.other)), expected);
}

fn requests_are_listed_page_by_page(engine: Engine) {
    let office = office(engine);
    let pages: Vec<_> = (0..3).map(|number| office.secret(&number.to_string())).collect();
    for page in &pages {
        office.ask(&office.member, page, &json!({}));
        office.ask(&office.guest, page, &json!({}));
    }
    office.grant(&pages[2], &[("user", &office.other.id, "FULL_ACCESS")]);
    for (by, expected) in [(&office.owner, [2, 2, 1, 1, 0, 0].as_slice()), (&office.other, &[2, 2])] {
        let (mut walked, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = office.get(by, &format!("/access-requests?limit=1{cursor}")).body_of(200);
            walked.extend(page["data"].as_array().unwrap().clone());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let of: Vec<_> = walked.iter().map(|request| shape::text(&request["resourceId"])).collect();
        assert_eq!(of, expected.iter().map(|number| pages[*number].clone()).collect::<Vec<_>>());
        assert_eq!(walked, office.requests(by, ""));
    }
    assert_eq!(office.requests(&office.owner, &format!("?resourceId={}", pages[1])).len(), 2);
    office.delete(&office.owner, &format!("/pages/{}", pages[1])).is(200);
    assert_eq!(office.requests(&office.owner, "").len(), 4, "what is in the trash is left out");
    let confirm = json!({ "confirm": pages[1] });
    office.call(&office.owner, "DELETE", &format!("/pages/{}?permanent=true", pages[1]), &confirm).is(202);
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.guest.id)).send().is(204);
    assert_eq!(office.requests(&office.owner, "").len(), 2, "requests go with who asked");
}

fn the_page_of_a_record_can_be_asked_for_before_anybody_used_it(engine: Engine) {
    let office = office(engine);
    let home = office.secret("Home");
    let table = Table::of(&office, Some(&home), &[]);
    let [first, second] = ["First", "Second"].map(|title| shape::text(&table.put(&office, title)["pageId"]));
    office.ask(&office.owner, &second, &json!({}));
    assert!(office.requests(&office.owner, "").is_empty(), "who has access asks for nothing");
    for page in [&first, &first, UNKNOWN] {
        office.ask(&office.member, page, &json!({ "level": "VIEW" }));
    }
    let request = office.waiting();
    assert_eq!(office.requests(&office.owner, "")[0]["resourceId"], json!(first));
    office.approve(&office.owner, &request, &json!({})).is(200);
    assert_eq!(office.level(&office.member, &first), "VIEW");
    assert_eq!(office.level(&office.member, &second), "404");
    office.get(&office.member, &first.replace("pg_", "/records/rpt_")).is(200);
    office.get(&office.member, &table.path).refuses(404, "NOT_FOUND");
}
