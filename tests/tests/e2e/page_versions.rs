//! Versions of pages: keeping, labelling, listing, reading and comparing them.

use crate::pages::{Office, office};
use octavo_tests::{Engine, Person, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_version_is_kept_by_hand,
    labels_are_given_and_taken,
    versions_are_listed_in_pages_newest_first,
    a_version_shows_the_blocks_of_its_time,
    differences_to_a_version_are_listed,
    two_versions_are_compared,
    versions_are_for_those_who_edit,
    the_versions_of_other_pages_name_nothing,
    a_page_in_the_trash_shows_its_versions_and_takes_no_more,
    automatic_versions_are_kept_before_the_change,
    the_first_version_names_who_made_the_page,
}

/// A page whose versions are tested.
pub(crate) struct Paper {
    pub(crate) office: Office,
    pub(crate) id: String,
}

pub(crate) fn paper(engine: Engine) -> Paper {
    let office = office(engine);
    let id = office.below(None, "Plan");
    Paper { office, id }
}

impl Paper {
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/pages/{}{rest}", self.id)
    }

    /// Creates a block in the page, inside another block or at the top.
    pub(crate) fn block(&self, parent: Option<&str>, text: &str) -> String {
        let body = json!({ "type": "paragraph", "content": text, "parentId": parent });
        shape::text(&self.office.post(&self.office.owner, &self.path("/blocks"), &body).data(201)["id"])
    }

    pub(crate) fn says(&self, block: &str, text: &str) {
        self.office.patch(&self.office.owner, &format!("/blocks/{block}"), &json!({ "content": text })).is(200);
    }

    pub(crate) fn moves(&self, block: &str, target: &Value) {
        self.office.post(&self.office.owner, &format!("/blocks/{block}/move"), target).is(200);
    }

    pub(crate) fn deletes(&self, block: &str) {
        self.office.delete(&self.office.owner, &format!("/blocks/{block}")).is(200);
    }

    pub(crate) fn page(&self) -> Value {
        self.office.get(&self.office.owner, &self.path("")).data(200)
    }

    pub(crate) fn keep(&self, label: &Value) -> String {
        let made = self.office.post(&self.office.owner, &self.path("/versions"), &json!({ "label": label }));
        shape::text(&made.data(201)["id"])
    }

    pub(crate) fn version(&self, id: &str) -> Value {
        self.office.get(&self.office.owner, &self.path(&format!("/versions/{id}"))).data(200)
    }

    pub(crate) fn versions(&self) -> Vec<Value> {
        let list = self.office.get(&self.office.owner, &self.path("/versions?limit=100")).body_of(200);
        list["data"].as_array().unwrap().clone()
    }

    pub(crate) fn diff(&self, id: &str, query: &str) -> Value {
        self.office.get(&self.office.owner, &self.path(&format!("/versions/{id}/diff{query}"))).data(200)
    }

    /// An outline of the page's blocks.
    pub(crate) fn outline(&self) -> Value {
        let list = self.office.get(&self.office.owner, &self.path("/blocks?limit=500")).body_of(200);
        outline(&list["data"])
    }
}

/// An outline of a tree of blocks: the text of each and its children.
pub(crate) fn outline(blocks: &Value) -> Value {
    let lines = blocks.as_array().unwrap().iter().map(|block| {
        let text = block["content"]["text"].clone();
        match outline(&block["children"]) {
            Value::Array(inside) if !inside.is_empty() => json!([text, inside]),
            _ => text,
        }
    });
    lines.collect()
}

pub(crate) fn ids(list: &Value, key: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|entry| shape::text(&entry[key])).collect()
}

fn a_version_is_kept_by_hand(engine: Engine) {
    let paper = paper(engine);
    let (office, path) = (&paper.office, paper.path("/versions"));
    paper.block(None, "One");
    let before = paper.page();
    let made = office.post(&office.member, &path, &json!({ "label": "Before the launch" })).data(201);
    shape::id(&made["id"], "pgv_");
    for (field, value) in [
        ("pageId", json!(paper.id)),
        ("pageVersion", before["version"].clone()),
        ("kind", json!("manual")),
        ("label", json!("Before the launch")),
        ("title", json!("Plan")),
        ("icon", json!(null)),
        ("coverUrl", json!(null)),
        ("blockCount", json!(1)),
        ("editorIds", json!([office.owner.id])),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    shape::millis(&made["createdAt"]);
    assert_eq!(made.get("blocks"), None, "blocks are shown where one version is asked for");
    assert_eq!(paper.page(), before, "the page is as it was, its version too");
    let event = octavo_tests::poll::eventually("the event", || {
        let list = office.get(&office.owner, "/events?types=page.version_created").body_of(200);
        list["data"].as_array().unwrap().first().cloned()
    });
    assert_eq!(event["data"]["pageId"], json!(paper.id));
    assert_eq!(event["data"]["versionId"], made["id"]);
    let list = office.get(&office.owner, "/events?types=page.version_created").body_of(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "a version that is saved automatically has no event");
    for (body, label) in [
        (json!({}), json!(null)),
        (json!({ "label": null }), json!(null)),
        (json!({ "label": "" }), json!(null)),
        (json!({ "label": "x".repeat(100) }), json!("x".repeat(100))),
    ] {
        assert_eq!(office.post(&office.owner, &path, &body).data(201)["label"], label);
    }
    office
        .post(&office.owner, &path, &json!({ "label": "x".repeat(101) }))
        .refuses(400, "VALIDATION_ERROR")
        .of("label", "too_long");
    office
        .post(&office.owner, &path, &json!({ "label": 7 }))
        .refuses(400, "VALIDATION_ERROR")
        .of("label", "invalid_type");
    let stale = office.post(&office.owner, &path, &json!({ "version": 1 })).refuses(409, "CONFLICT");
    assert_eq!(
        stale.detail(),
        &json!({ "field": "version", "issue": "version_mismatch", "expected": before["version"], "received": 1 })
    );
    let request = office.owner.post(&path, &json!({})).header("X-Service-Workspace", &office.id);
    request.header("If-Match", "1").send().refuses(409, "CONFLICT").issue("version_mismatch");
    let once = || office.owner.post(&path, &json!({})).header("X-Service-Workspace", &office.id).key("once").send();
    assert_eq!(once().data(201), once().data(201));
}

fn labels_are_given_and_taken(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    paper.block(None, "One");
    let id = shape::text(&paper.versions()[0]["id"]);
    let path = paper.path(&format!("/versions/{id}"));
    let before = paper.page();
    let label = |body: &Value| office.patch(&office.owner, &path, body).data(200);
    let labelled = label(&json!({ "label": "Start" }));
    assert_eq!((&labelled["label"], &labelled["kind"]), (&json!("Start"), &json!("auto")));
    assert_eq!(label(&json!({}))["label"], "Start", "what is left out stays");
    assert_eq!(paper.version(&id)["label"], "Start");
    assert_eq!(label(&json!({ "label": null }))["label"], json!(null));
    label(&json!({ "label": "Again" }));
    assert_eq!(label(&json!({ "label": "" }))["label"], json!(null));
    assert_eq!(paper.page(), before);
    let stale = json!({ "label": "Late", "version": 1 });
    office.patch(&office.owner, &path, &stale).refuses(409, "CONFLICT").issue("version_mismatch");
    office.patch(&office.owner, &path, &json!({ "label": "x".repeat(101) })).refuses(400, "VALIDATION_ERROR");
    for _ in 0..100 {
        paper.keep(&json!("Full"));
    }
    let full = office.patch(&office.owner, &path, &json!({ "label": "One more" })).refuses(409, "CONFLICT");
    assert_eq!(full.detail(), &json!({ "issue": "limit_reached", "limit": 100 }));
    let full = office.post(&office.owner, &paper.path("/versions"), &json!({ "label": "One more" }));
    full.refuses(409, "CONFLICT").issue("limit_reached");
    office.post(&office.owner, &paper.path("/versions"), &json!({})).is(201);
}

fn versions_are_listed_in_pages_newest_first(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    assert_eq!(paper.versions(), [] as [Value; 0]);
    let block = paper.block(None, "One");
    let mut made = Vec::new();
    for number in 0..24 {
        paper.says(&block, &number.to_string());
        made.push(paper.keep(&json!(null)));
    }
    let path = |query: &str| paper.path(&format!("/versions{query}"));
    let first = office.get(&office.owner, &path("")).body_of(200);
    assert_eq!(ids(&first["data"], "id"), made.iter().rev().take(20).cloned().collect::<Vec<_>>());
    let cursor = shape::text(&first["nextCursor"]);
    let rest = office.get(&office.owner, &path(&format!("?cursor={cursor}"))).body_of(200);
    let found = ids(&rest["data"], "id");
    assert_eq!(found[..4], made.iter().rev().skip(20).cloned().collect::<Vec<_>>());
    assert_eq!((found.len(), &rest["nextCursor"]), (5, &json!(null)), "the oldest was kept before the first block");
    assert_eq!(rest["data"][4]["kind"], "auto");
    let kinds =
        |kind: &str| office.get(&office.owner, &path(&format!("?kind={kind}&limit=1000"))).body_of(200)["data"].clone();
    assert_eq!(ids(&kinds("manual"), "id").len(), 24);
    assert_eq!(ids(&kinds("auto"), "id"), found[4..]);
    office.get(&office.owner, &path("?kind=other")).refuses(400, "VALIDATION_ERROR").of("kind", "invalid_value");
    office.get(&office.owner, &path("?limit=0")).refuses(400, "VALIDATION_ERROR");
    office.get(&office.owner, &path("?cursor=x")).refuses(400, "VALIDATION_ERROR");
}

fn a_version_shows_the_blocks_of_its_time(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let (one, two) = (paper.block(None, "One"), paper.block(None, "Two"));
    let inside = paper.block(Some(&one), "Inside");
    let content = json!({ "type": "synced_block", "content": { "sourceBlockId": two } });
    office.post(&office.owner, &paper.path("/blocks"), &content).is(201);
    let kept = paper.keep(&json!("Kept"));
    let before = paper.version(&kept);
    assert_eq!(outline(&before["blocks"]), json!([["One", ["Inside"]], "Two", "Two"]));
    let list = office.get(&office.owner, &paper.path("/blocks")).body_of(200);
    assert_eq!(before["blocks"], list["data"], "blocks are shown as the routes of blocks show them");
    paper.says(&two, "Changed");
    paper.moves(&inside, &json!({ "parentId": two }));
    paper.deletes(&one);
    let change = json!({ "title": "Other", "icon": "\u{1F680}" });
    office.patch(&office.owner, &paper.path(""), &change).is(200);
    let after = paper.version(&kept);
    assert_eq!(after["title"], "Plan");
    assert_eq!(outline(&after["blocks"]), outline(&before["blocks"]));
    assert_eq!(paper.outline(), json!([["Changed", ["Inside"]], "Changed"]));
    let now = paper.version(&paper.keep(&json!(null)));
    assert_eq!(outline(&now["blocks"]), paper.outline());
    assert_eq!((&now["title"], &now["icon"], &now["blockCount"]), (&json!("Other"), &json!("\u{1F680}"), &json!(3)));
}

fn differences_to_a_version_are_listed(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let [one, two, three] = ["One", "Two", "Three"].map(|text| paper.block(None, text));
    let inside = paper.block(Some(&two), "Inside");
    let kept = paper.keep(&json!(null));
    let nothing = json!({ "fields": {}, "added": [], "removed": [], "changed": [], "moved": [] });
    assert_eq!(paper.diff(&kept, ""), nothing);
    let before = paper.version(&kept)["blocks"].clone();
    paper.says(&one, "Changed");
    paper.moves(&three, &json!({ "beforeBlockId": one }));
    let new = paper.block(None, "New");
    let newer = paper.block(Some(&new), "Newer");
    paper.deletes(&two);
    let change = json!({ "title": "Other", "icon": "\u{1F680}", "coverUrl": "https://example.com/a.png" });
    office.patch(&office.owner, &paper.path(""), &change).is(200);
    let found = paper.diff(&kept, "");
    assert_eq!(
        found["fields"],
        json!({
            "title": { "before": "Plan", "after": "Other" },
            "icon": { "before": null, "after": "\u{1F680}" },
            "coverUrl": { "before": null, "after": "https://example.com/a.png" },
        })
    );
    assert_eq!(ids(&found["added"], "id"), [new, newer]);
    assert_eq!(ids(&found["removed"], "id"), [two, inside]);
    assert_eq!(found["removed"][0]["content"]["text"], "Two");
    assert_eq!(ids(&found["changed"], "blockId"), std::slice::from_ref(&one));
    let said = |side: &str| found["changed"][0][side]["content"]["text"].clone();
    assert_eq!((said("before"), said("after")), (json!("One"), json!("Changed")));
    assert_eq!(ids(&found["moved"], "blockId"), [three]);
    let moved = &found["moved"][0];
    assert_eq!(moved["from"], json!({ "parentId": null, "position": before[2]["position"] }));
    let now = office.get(&office.owner, &paper.path("/blocks")).body_of(200);
    assert_eq!(moved["to"], json!({ "parentId": null, "position": now["data"][0]["position"] }));
}

fn two_versions_are_compared(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let one = paper.block(None, "One");
    let first = paper.keep(&json!(null));
    let two = paper.block(None, "Two");
    paper.says(&one, "Changed");
    let second = paper.keep(&json!(null));
    paper.deletes(&one);
    let found = paper.diff(&first, &format!("?to={second}"));
    assert_eq!((ids(&found["added"], "id"), ids(&found["changed"], "blockId")), (vec![two.clone()], vec![one.clone()]));
    assert_eq!(found["removed"], json!([]));
    let back = paper.diff(&second, &format!("?to={first}"));
    assert_eq!((ids(&back["removed"], "id"), &back["added"]), (vec![two], &json!([])));
    assert_eq!(back["changed"][0]["after"]["content"]["text"], "One");
    assert_eq!(paper.diff(&second, &format!("?to={second}"))["added"], json!([]));
    let path = |query: &str| paper.path(&format!("/versions/{first}/diff{query}"));
    office.get(&office.owner, &path("?to=pgv_x")).refuses(400, "VALIDATION_ERROR").of("to", "invalid_id");
    office.get(&office.owner, &path("?to=pgv_01J8Z3K4M5N6P7Q8R9S0T1V2W3")).refuses(404, "NOT_FOUND");
}

/// The routes of versions, each with a body it accepts.
fn routes(version: &str) -> [(&'static str, String, Value); 6] {
    [
        ("GET", "/versions".to_owned(), Value::Null),
        ("GET", format!("/versions/{version}"), Value::Null),
        ("GET", format!("/versions/{version}/diff"), Value::Null),
        ("POST", "/versions".to_owned(), json!({})),
        ("PATCH", format!("/versions/{version}"), json!({ "label": "Mine" })),
        ("POST", format!("/versions/{version}/restore"), json!({})),
    ]
}

fn versions_are_for_those_who_edit(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let version = paper.keep(&json!(null));
    office.grant(&paper.id, &[("user", &office.other.id, "COMMENT"), ("user", &office.member.id, "EDIT")]);
    let stranger = office.server.person("Zoe");
    let [read, write] = ["READ", "WRITE"].map(|scope| office.key(scope));
    for (method, rest, body) in routes(&version) {
        let path = paper.path(&rest);
        let call = |by: &Person| office.call(by, method, &path, &body);
        call(&office.other).refuses(403, "FORBIDDEN").because("requires_EDIT");
        call(&office.guest).refuses(404, "NOT_FOUND");
        let outside = stranger.request(method, &path);
        let outside = if body.is_null() { outside.send() } else { outside.json(&body).send() };
        outside.refuses(404, "NOT_FOUND");
        let by_key = |key: &str| {
            let request = office.server.request(method, &path).bearer(key);
            if body.is_null() { request.send() } else { request.json(&body).send() }
        };
        by_key(&read).refuses(403, "FORBIDDEN").because("api_key_scope_write");
        assert!([200, 201].contains(&by_key(&write).status), "{method} {rest}");
        assert!([200, 201].contains(&call(&office.member).status), "{method} {rest}");
    }
}

fn the_versions_of_other_pages_name_nothing(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    paper.keep(&json!(null));
    let other = office.below(None, "Other");
    let theirs =
        shape::text(&office.post(&office.owner, &format!("/pages/{other}/versions"), &json!({})).data(201)["id"]);
    for name in [&*theirs, "pgv_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "pgv_x", "x"] {
        for (method, rest, body) in routes(name).into_iter().filter(|(_, rest, _)| rest != "/versions") {
            office.call(&office.owner, method, &paper.path(&rest), &body).refuses(404, "NOT_FOUND");
        }
    }
    let path = paper.path(&format!("/versions/{}/diff?to={theirs}", shape::text(&paper.versions()[0]["id"])));
    office.get(&office.owner, &path).refuses(404, "NOT_FOUND");
}

fn a_page_in_the_trash_shows_its_versions_and_takes_no_more(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let version = paper.keep(&json!(null));
    office.patch(&office.owner, &paper.path(""), &json!({ "isLocked": true })).is(200);
    office.post(&office.owner, &paper.path("/versions"), &json!({})).is(201);
    let label = paper.path(&format!("/versions/{version}"));
    office.patch(&office.owner, &label, &json!({ "label": "Locked" })).is(200);
    let locked = office.post(&office.owner, &format!("{label}/restore"), &json!({})).refuses(409, "CONFLICT");
    assert_eq!(locked.detail(), &json!({ "issue": "page_locked", "lockedBy": office.owner.id }));
    office.patch(&office.owner, &paper.path(""), &json!({ "isLocked": false })).is(200);
    office.delete(&office.owner, &paper.path("")).is(200);
    for (method, rest, body) in routes(&version) {
        let answer = office.call(&office.owner, method, &paper.path(&rest), &body);
        if method == "GET" {
            answer.is(200);
        } else {
            answer.refuses(409, "CONFLICT").issue("page_trashed");
        }
    }
    let confirm = json!({ "confirm": paper.id });
    office.call(&office.owner, "DELETE", &paper.path("?permanent=true"), &confirm).is(202);
    office.get(&office.owner, &paper.path("/versions")).refuses(404, "NOT_FOUND");
}

fn automatic_versions_are_kept_before_the_change(engine: Engine) {
    let paper = paper(engine);
    let one = paper.block(None, "One");
    paper.block(None, "Two");
    paper.deletes(&one);
    let kept = paper.versions();
    assert_eq!(kept.iter().map(|version| version["pageVersion"].clone()).collect::<Vec<_>>(), [3, 1]);
    assert!(kept.iter().all(|version| version["kind"] == "auto" && version["label"] == json!(null)));
    assert_eq!((&kept[0]["blockCount"], &kept[1]["blockCount"]), (&json!(2), &json!(0)));
    let shown = |index: usize| outline(&paper.version(&shape::text(&kept[index]["id"]))["blocks"]);
    assert_eq!((shown(0), shown(1)), (json!(["One", "Two"]), json!([])));
}

fn the_first_version_names_who_made_the_page(engine: Engine) {
    let office = office(engine);
    let line = json!([{ "type": "paragraph", "content": "a" }]);
    let bare = office.page(&office.owner, &json!({ "title": "Bare" }));
    let full = office.page(&office.owner, &json!({ "title": "Full", "blocks": line }));
    let copied = office.post(&office.member, &format!("/pages/{full}/duplicate"), &json!({})).body_of(201);
    let copy = shape::text(&copied["idMap"][&full]);
    for (page, maker) in [(&bare, &office.owner), (&full, &office.owner), (&copy, &office.member)] {
        // The change keeps a version of the previous state.
        office.patch(maker, &format!("/pages/{page}"), &json!({ "title": "Other" })).is(200);
        let kept = office.get(maker, &format!("/pages/{page}/versions")).body_of(200)["data"][0].clone();
        assert_eq!([&kept["pageVersion"], &kept["editorIds"]], [&json!(1), &json!([maker.id])]);
    }
}
