//! Restoring a version of a page: the whole page, or only deleted blocks.

use crate::page_versions::{Paper, ids, outline, paper};
use octavo_tests::{Engine, both_engines, poll::eventually, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_goes_back_as_a_whole,
    going_back_is_reported,
    going_back_is_one_change_and_can_be_undone,
    going_back_to_what_is_there_changes_nothing,
    going_back_rests_on_a_version_of_the_page,
    deleted_blocks_return_where_they_stood,
    a_block_returns_at_the_end_where_its_parent_is_gone,
    only_deleted_blocks_of_the_version_return,
    instances_follow_their_source,
    a_source_that_goes_takes_its_instances_on_other_pages_along,
    a_retry_goes_back_once,
}

impl Paper {
    fn restore(&self, version: &str, body: &Value) -> Value {
        let path = self.path(&format!("/versions/{version}/restore"));
        self.office.post(&self.office.owner, &path, body).body_of(200)
    }

    fn events(&self, kind: &str) -> Vec<Value> {
        let path = format!("/events?types={kind}&resourceId={}", self.id);
        self.office.get(&self.office.owner, &path).body_of(200)["data"].as_array().unwrap().clone()
    }

    fn instance_of(&self, source: &str) -> String {
        let body = json!({ "type": "synced_block", "content": { "sourceBlockId": source } });
        shape::text(&self.office.post(&self.office.owner, &self.path("/blocks"), &body).data(201)["id"])
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(shape::text).collect()
}

/// A page that was changed in every way since one of its versions was kept, and that version.
fn changed(paper: &Paper) -> (String, [String; 5]) {
    let office = &paper.office;
    let [one, two, three] = ["One", "Two", "Three"].map(|text| paper.block(None, text));
    let inside = paper.block(Some(&two), "Inside");
    let version = paper.keep(&json!(null));
    paper.says(&one, "Changed");
    paper.moves(&three, &json!({ "beforeBlockId": one }));
    let new = paper.block(None, "New");
    paper.block(Some(&new), "Newer");
    paper.deletes(&two);
    let change = json!({ "title": "Other", "icon": "\u{1F680}", "coverUrl": "https://example.com/a.png" });
    office.patch(&office.owner, &paper.path(""), &change).is(200);
    (version, [one, two, three, inside, new])
}

fn a_page_goes_back_as_a_whole(engine: Engine) {
    let paper = paper(engine);
    let (version, [one, two, three, inside, new]) = changed(&paper);
    let before = paper.page();
    let block = |id: &str| paper.office.get(&paper.office.owner, &format!("/blocks/{id}")).data(200);
    let version_of_one = block(&one)["version"].as_i64().unwrap();
    let back = paper.restore(&version, &json!({}));
    assert_eq!(texts(&back["restoredBlockIds"]), [&one, &two, &inside, &three].map(Clone::clone));
    let removed = texts(&back["removedBlockIds"]);
    assert_eq!((removed.len(), &removed[0]), (2, &new));
    let page = &back["data"];
    assert_eq!((&page["title"], &page["icon"], &page["coverUrl"]), (&json!("Plan"), &json!(null), &json!(null)));
    assert_eq!(page["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
    assert_eq!(paper.outline(), json!(["One", ["Two", ["Inside"]], "Three"]));
    assert_eq!(
        paper.diff(&version, ""),
        json!({ "fields": {}, "added": [], "removed": [], "changed": [], "moved": [] })
    );
    assert_eq!(block(&one)["version"], version_of_one + 1, "a block that went back was changed");
    let again = paper.restore(&version, &Value::Null);
    assert_eq!(again["restoredBlockIds"], json!([]), "without a body too the whole page goes back");
}

fn going_back_is_reported(engine: Engine) {
    let paper = paper(engine);
    let (version, [one, two, three, inside, new]) = changed(&paper);
    let back = paper.restore(&version, &json!({}));
    let event = eventually("the event", || paper.events("page.version_restored").first().cloned());
    let details = &event["data"];
    assert_eq!((&details["pageId"], &details["versionId"]), (&json!(paper.id), &json!(version)));
    assert_eq!(details["version"], back["data"]["version"]);
    for list in ["restoredBlockIds", "removedBlockIds"] {
        assert_eq!(details[list], back[list], "{list}");
    }
    let last = |kind: &str| {
        let events = paper.events(kind);
        events.into_iter().find(|event| event["data"]["version"] == back["data"]["version"]).expect(kind)
    };
    let changes = last("blocks.changed")["data"]["changes"].clone();
    let found = |op: &str| {
        let entries = changes.as_array().unwrap().iter().filter(|change| change["op"] == op);
        entries.map(|change| shape::text(&change["blockId"])).collect::<Vec<_>>()
    };
    assert_eq!(found("delete"), [new]);
    assert_eq!(found("insert"), [two, inside]);
    assert_eq!(found("update"), [one]);
    assert_eq!(found("move"), [three]);
    let updated = last("page.updated")["data"].clone();
    assert_eq!(updated["changedFields"], json!(["title", "icon", "coverUrl", "blocks"]));
    assert_eq!((&updated["before"]["title"], &updated["after"]["title"]), (&json!("Other"), &json!("Plan")));
}

fn going_back_is_one_change_and_can_be_undone(engine: Engine) {
    let paper = paper(engine);
    let (version, _) = changed(&paper);
    let (before, outline_before) = (paper.page(), paper.outline());
    paper.restore(&version, &json!({}));
    let kept = paper.versions();
    assert_eq!(kept[0]["pageVersion"], before["version"], "the page is kept as it was before");
    assert_eq!(kept[0]["title"], "Other");
    let undone = paper.restore(&shape::text(&kept[0]["id"]), &json!({}));
    assert_eq!((&undone["data"]["title"], paper.outline()), (&json!("Other"), outline_before));
    let count = paper.version(&paper.keep(&json!(null)))["blockCount"].clone();
    assert_eq!(count, 4, "blocks are counted right after they went and came");
}

fn going_back_to_what_is_there_changes_nothing(engine: Engine) {
    let paper = paper(engine);
    paper.block(None, "One");
    let version = paper.keep(&json!(null));
    let (before, kept) = (paper.page(), paper.versions().len());
    let back = paper.restore(&version, &json!({}));
    assert_eq!((&back["restoredBlockIds"], &back["removedBlockIds"]), (&json!([]), &json!([])));
    assert_eq!((paper.page(), paper.versions().len()), (before, kept));
}

fn going_back_rests_on_a_version_of_the_page(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let (version, _) = changed(&paper);
    let path = paper.path(&format!("/versions/{version}/restore"));
    let outline = paper.outline();
    let stale = office.post(&office.owner, &path, &json!({ "version": 1 })).refuses(409, "CONFLICT");
    assert_eq!(stale.detail()["expected"], paper.page()["version"]);
    let send = |value: &str, body: &Value| {
        office.owner.post(&path, body).header("X-Service-Workspace", &office.id).header("If-Match", value).send()
    };
    send("1", &json!({})).refuses(409, "CONFLICT").issue("version_mismatch");
    send("1", &json!({ "version": 2 })).refuses(400, "VALIDATION_ERROR");
    send("x", &json!({})).refuses(400, "VALIDATION_ERROR");
    for (body, field, issue) in [
        (json!({ "blockIds": [] }), "blockIds", "too_short"),
        (json!({ "blockIds": vec!["blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3"; 201] }), "blockIds", "too_long"),
        (json!({ "blockIds": ["x"] }), "blockIds.0", "invalid_id"),
        (json!({ "blockIds": "x" }), "blockIds", "invalid_type"),
    ] {
        office.post(&office.owner, &path, &body).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    assert_eq!(paper.outline(), outline);
    send(&paper.page()["version"].to_string(), &json!({})).is(200);
}

fn deleted_blocks_return_where_they_stood(engine: Engine) {
    let paper = paper(engine);
    let [one, two, three] = ["One", "Two", "Three"].map(|text| paper.block(None, text));
    let inside = paper.block(Some(&two), "Inside");
    let version = paper.keep(&json!(null));
    paper.says(&one, "Changed");
    paper.says(&two, "Changed before it went");
    paper.deletes(&two);
    paper.deletes(&three);
    let before = paper.page();
    let back = paper.restore(&version, &json!({ "blockIds": [two] }));
    assert_eq!(texts(&back["restoredBlockIds"]), [two.clone(), inside.clone()]);
    assert_eq!(back["removedBlockIds"], json!([]));
    assert_eq!(back["data"]["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
    assert_eq!(paper.outline(), json!(["Changed", ["Two", ["Inside"]]]), "as the version shows them, and nothing else");
    paper.restore(&version, &json!({ "blockIds": [three, three] }));
    assert_eq!(paper.outline(), json!(["Changed", ["Two", ["Inside"]], "Three"]));
    let seen = eventually("the events", || Some(paper.events("page.version_restored")).filter(|seen| seen.len() == 2));
    let lists: Vec<_> = seen.iter().map(|event| texts(&event["data"]["restoredBlockIds"])).collect();
    assert!(lists.contains(&vec![two, inside]) && lists.contains(&vec![three]), "{lists:?}");
    let count = paper.version(&paper.keep(&json!(null)))["blockCount"].clone();
    assert_eq!(count, 4);
}

fn a_block_returns_at_the_end_where_its_parent_is_gone(engine: Engine) {
    let paper = paper(engine);
    let (one, two) = (paper.block(None, "One"), paper.block(None, "Two"));
    let inside = paper.block(Some(&one), "Inside");
    paper.block(Some(&inside), "Deeper");
    let version = paper.keep(&json!(null));
    paper.deletes(&one);
    paper.restore(&version, &json!({ "blockIds": [inside] }));
    assert_eq!(paper.outline(), json!(["Two", ["Inside", ["Deeper"]]]));
    let place = paper.office.get(&paper.office.owner, &format!("/blocks/{two}")).data(200)["position"].clone();
    paper.deletes(&two);
    let body = json!({ "type": "paragraph", "content": "In its place", "position": place });
    paper.office.post(&paper.office.owner, &paper.path("/blocks"), &body).is(201);
    paper.restore(&version, &json!({ "blockIds": [two] }));
    assert_eq!(paper.outline(), json!(["In its place", "Two", ["Inside", ["Deeper"]]]));
}

fn only_deleted_blocks_of_the_version_return(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let one = paper.block(None, "One");
    let version = paper.keep(&json!(null));
    let later = paper.block(None, "Later");
    paper.deletes(&later);
    let unknown = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
    let path = paper.path(&format!("/versions/{version}/restore"));
    let before = paper.page();
    let refused = office.post(&office.owner, &path, &json!({ "blockIds": [one, later, unknown] }));
    let refused = refused.refuses(422, "UNPROCESSABLE_ENTITY");
    refused.issue("block_not_in_version");
    let mut named: Vec<_> = refused.details().iter().map(|detail| shape::text(&detail["received"])).collect();
    named.sort();
    let mut expected = vec![later, unknown.to_owned()];
    expected.sort();
    assert_eq!(named, expected);
    paper.says(&one, "Changed");
    let kept = paper.restore(&version, &json!({ "blockIds": [one] }));
    assert_eq!(kept["restoredBlockIds"], json!([]), "one that is there stays as it is");
    assert_eq!(paper.outline(), json!(["Changed"]));
    assert_eq!(paper.page()["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
}

fn instances_follow_their_source(engine: Engine) {
    let paper = paper(engine);
    let source = paper.block(None, "Source");
    let instance = paper.instance_of(&source);
    let version = paper.keep(&json!(null));
    paper.deletes(&source);
    assert_eq!(paper.outline(), json!([]));
    let alone = paper.restore(&version, &json!({ "blockIds": [instance] }));
    assert_eq!(alone["restoredBlockIds"], json!([]), "an instance does not come back without its source");
    let both = paper.restore(&version, &json!({}));
    assert_eq!(texts(&both["restoredBlockIds"]), [source, instance]);
    assert_eq!(paper.outline(), json!(["Source", "Source"]));
}

fn a_source_that_goes_takes_its_instances_on_other_pages_along(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let version = paper.keep(&json!(null));
    let source = paper.block(None, "Source");
    let other = office.below(None, "Other");
    let body = json!({ "type": "synced_block", "content": { "sourceBlockId": source } });
    office.post(&office.owner, &format!("/pages/{other}/blocks"), &body).is(201);
    let blocks = || office.get(&office.owner, &format!("/pages/{other}/blocks")).body_of(200)["data"].clone();
    assert_eq!(outline(&blocks()), json!(["Source"]));
    let before = office.get(&office.owner, &format!("/pages/{other}")).data(200)["version"].as_i64().unwrap();
    let back = paper.restore(&version, &json!({}));
    assert_eq!(texts(&back["removedBlockIds"]), [source]);
    assert_eq!(blocks(), json!([]));
    let page = office.get(&office.owner, &format!("/pages/{other}")).data(200);
    assert_eq!(page["version"], before + 1);
    let kept = office.get(&office.owner, &format!("/pages/{other}/versions")).body_of(200);
    assert_eq!(kept["data"][0]["pageVersion"], before, "the other page is kept as it was, too");
    let id = &ids(&kept["data"], "id")[0];
    let path = format!("/pages/{other}/versions/{id}/restore");
    let alone = office.post(&office.owner, &path, &json!({})).body_of(200);
    assert_eq!((&alone["restoredBlockIds"], blocks()), (&json!([]), json!([])));
}

fn a_retry_goes_back_once(engine: Engine) {
    let paper = paper(engine);
    let office = &paper.office;
    let (version, _) = changed(&paper);
    let path = paper.path(&format!("/versions/{version}/restore"));
    let send =
        |body: &Value| office.member.post(&path, body).header("X-Service-Workspace", &office.id).key("back").send();
    let first = send(&json!({}));
    first.is(200);
    let page = paper.page();
    paper.block(None, "Since");
    let again = send(&json!({}));
    assert_eq!((again.header("Idempotency-Replayed"), again.text()), (Some("true"), first.text()));
    assert_eq!(paper.page()["version"].as_i64(), page["version"].as_i64().map(|version| version + 1));
    send(&json!({ "blockIds": ["blk_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] }))
        .refuses(422, "UNPROCESSABLE_ENTITY")
        .issue("idempotency_key_reused");
    office.grant(&paper.id, &[("user", &office.member.id, "NONE")]);
    send(&json!({})).refuses(404, "NOT_FOUND");
}
