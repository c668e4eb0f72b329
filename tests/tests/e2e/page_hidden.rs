//! A page that a person saw once but no longer sees looks as if it had never existed, even to a replay of an earlier
//! answer.

use crate::{
    pages::{Office, office},
    share_links::link,
};
use octavo_tests::{Engine, Person, Request, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_link_of_a_page_that_is_hidden_since_is_not_replayed,
    a_page_made_in_a_place_that_is_hidden_since_is_not_replayed,
    a_page_put_in_a_place_that_is_hidden_since_is_not_replayed,
    a_copy_of_a_page_that_is_hidden_since_is_not_replayed,
    a_copy_in_a_workspace_one_left_is_not_replayed,
    a_key_copies_to_no_other_workspace_whether_or_not_it_exists,
    a_hidden_sibling_is_no_anchor,
}

const UNKNOWN: &str = "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3";

/// Calls of one person, each with its own idempotency key, that succeeded while the person saw what they name.
struct Answered<'a> {
    office: &'a Office,
    by: &'a Person,
    calls: Vec<(Request, Request)>,
}

impl<'a> Answered<'a> {
    fn to(office: &'a Office, by: &'a Person) -> Self {
        Self { office, by, calls: Vec::new() }
    }

    fn request(&self, (method, path, body): (&str, &str, &Value)) -> Request {
        self.by.request(method, path).header("X-Service-Workspace", &self.office.id).json(body)
    }

    /// Makes a call twice. `unknown` is the same call for something that never existed.
    fn call(&mut self, seen: (&str, &str, &Value), unknown: (&str, &str, &Value)) {
        let request = self.request(seen).key(&format!("call-{}", self.calls.len()));
        let first = request.send();
        assert!(first.status < 300, "{}", first.text());
        let again = request.send();
        assert_eq!((again.header("Idempotency-Replayed"), again.text()), (Some("true"), first.text()));
        self.calls.push((request, self.request(unknown)));
    }

    /// Repeats the calls, now that what they name is hidden.
    fn are_refused(&self) {
        for (request, unknown) in &self.calls {
            let hidden = request.send();
            hidden.refuses(404, "NOT_FOUND");
            assert_eq!(hidden.header("Idempotency-Replayed"), None);
            hidden.is_like(&unknown.send());
        }
    }
}

fn a_link_of_a_page_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.grant(&page, &[("user", &office.member.id, "FULL_ACCESS")]);
    let [changed, revoked] = [(), ()].map(|()| shape::text(&link(&office, &office.owner, &page, &json!({}))["id"]));
    let mut answered = Answered::to(&office, &office.member);
    let (new, rotate) = (json!({}), json!({ "rotateToken": true }));
    let no_link = "/share-links/shr_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    answered.call(
        ("POST", &format!("/pages/{page}/share-links"), &new),
        ("POST", &format!("/pages/{UNKNOWN}/share-links"), &new),
    );
    answered.call(("PATCH", &format!("/share-links/{changed}"), &rotate), ("PATCH", no_link, &rotate));
    answered.call(("DELETE", &format!("/share-links/{revoked}"), &new), ("DELETE", no_link, &new));
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    answered.are_refused();
}

fn a_page_made_in_a_place_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let (parent, team) = (office.below(None, "Parent"), office.team("Secret", true));
    office.join(&team, &office.member, "MEMBER");
    let mut answered = Answered::to(&office, &office.member);
    let unknown_team = format!("{}ZZZZ", &team[..team.len() - 4]);
    for (field, hidden, unknown) in [("parentId", &parent, UNKNOWN), ("teamId", &team, unknown_team.as_str())] {
        let [home, nowhere] = [hidden.as_str(), unknown].map(|place| json!({ "title": "New", field: place }));
        answered.call(("POST", "/pages", &home), ("POST", "/pages", &nowhere));
    }
    office.grant(&parent, &[("user", &office.member.id, "NONE")]);
    let place = format!("/workspaces/{}/teams/{team}/members/{}", office.id, office.member.id);
    office.owner.delete(&place).send().is(204);
    answered.are_refused();
}

fn a_page_put_in_a_place_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let [parent, moved, copied, restored] = ["Parent", "A", "B", "C"].map(|title| office.below(None, title));
    let (home, nowhere) = (json!({ "parentId": parent }), json!({ "parentId": UNKNOWN }));
    office.delete(&office.owner, &format!("/pages/{restored}")).is(200);
    let mut answered = Answered::to(&office, &office.member);
    for (page, verb) in [(&moved, "move"), (&copied, "duplicate"), (&restored, "restore")] {
        let path = format!("/pages/{page}/{verb}");
        answered.call(("POST", &path, &home), ("POST", &path, &nowhere));
    }
    for page in [&moved, &restored] {
        office.post(&office.owner, &format!("/pages/{page}/move"), &json!({ "parentId": null })).is(200);
    }
    office.delete(&office.owner, &format!("/pages/{restored}")).is(200);
    office.grant(&parent, &[("user", &office.member.id, "NONE")]);
    answered.are_refused();
}

fn a_copy_of_a_page_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let mut answered = Answered::to(&office, &office.member);
    let body = json!({});
    for (method, path) in [("POST", "/pages/{}/duplicate"), ("PUT", "/favorites/{}")] {
        answered.call((method, &path.replace("{}", &page), &body), (method, &path.replace("{}", UNKNOWN), &body));
    }
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    answered.are_refused();
}

fn a_copy_in_a_workspace_one_left_is_not_replayed(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let branch = shape::text(&office.owner.post("/workspaces", &json!({ "name": "Branch" })).send().data(201)["id"]);
    let body = json!({ "userId": office.member.id, "role": "MEMBER" });
    office.owner.post(&format!("/workspaces/{branch}/members"), &body).send().is(201);
    let mut answered = Answered::to(&office, &office.member);
    let path = format!("/pages/{page}/duplicate");
    let (there, nowhere) =
        (json!({ "workspaceId": branch }), json!({ "workspaceId": "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }));
    answered.call(("POST", &path, &there), ("POST", &path, &nowhere));
    office.owner.delete(&format!("/workspaces/{branch}/members/{}", office.member.id)).send().is(204);
    answered.are_refused();
}

fn a_key_copies_to_no_other_workspace_whether_or_not_it_exists(engine: Engine) {
    let office = office(engine);
    let (page, key) = (office.below(None, "Plan"), office.key("ADMIN"));
    let copy = |workspace: &str| {
        let body = json!({ "workspaceId": workspace });
        office.server.request("POST", &format!("/pages/{page}/duplicate")).bearer(&key).json(&body).send()
    };
    let there = copy(&office.owner.workspace);
    there.refuses(403, "FORBIDDEN").because("requires_user_credentials");
    there.is_like(&copy("wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3"));
    copy(&office.id).is(201);
}

fn a_hidden_sibling_is_no_anchor(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "Parent");
    let seen = office.below(Some(&parent), "Seen");
    let hidden = office.page(&office.owner, &json!({ "parentId": parent, "inherit": false }));
    let own = office.page(&office.member, &json!({ "parentId": parent }));
    let of_member = [
        ("/pages".to_owned(), json!({ "parentId": parent })),
        (format!("/pages/{own}/move"), json!({})),
        (format!("/pages/{own}/duplicate"), json!({})),
    ];
    for (path, body) in of_member {
        for field in ["afterPageId", "beforePageId"] {
            let beside = |page: &str| {
                let mut body = body.clone();
                body[field] = json!(page);
                office.post(&office.member, &path, &body)
            };
            for nobody in [&*hidden, UNKNOWN] {
                beside(nobody).refuses(400, "VALIDATION_ERROR").of(field, "anchor_not_sibling");
            }
            assert!(beside(&seen).status < 300);
        }
    }
    office.post(&office.owner, "/pages", &json!({ "parentId": parent, "afterPageId": hidden })).is(201);
}
