//! Synced blocks: blocks that show other blocks.

use crate::{blocks::UNKNOWN, pages::office};
use octavo_tests::{Engine, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    an_instance_shows_what_its_source_says,
    an_instance_is_changed_through_its_source,
    no_instance_shows_itself,
    instances_go_with_their_source,
    instances_on_other_pages_go_with_their_source,
    an_instance_of_a_hidden_source_shows_nothing,
}

fn instance(source: &str) -> Value {
    json!({ "type": "synced_block", "content": { "sourceBlockId": source } })
}

fn an_instance_shows_what_its_source_says(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    let source = office.line(&page, None, "said");
    for place in [&page, &other] {
        let made = office.add(place, &instance(&source)).data(201);
        assert_eq!((&made["isSynced"], &made["syncedSourceId"]), (&json!(true), &json!(source)));
        assert_eq!((&made["content"]["text"], &made["properties"]), (&json!("said"), &json!({ "sourceSynced": true })));
    }
    let content = json!({ "text": "changed", "marks": [{ "type": "bold", "from": 0, "to": 3 }] });
    office.patch(&office.owner, &format!("/blocks/{source}"), &json!({ "content": content })).is(200);
    for place in [&page, &other] {
        let body = office.get(&office.member, &format!("/pages/{place}/blocks")).body_of(200);
        let shown = body["data"].as_array().unwrap().last().unwrap();
        assert_eq!((&shown["content"]["text"], &shown["content"]["marks"]), (&content["text"], &content["marks"]));
        let id = shape::text(&shown["id"]);
        assert_eq!(office.read_block(&id)["content"], shown["content"]);
        assert_eq!(shown["version"], 1, "it is the source that changed");
    }
    // The same batch may create the source.
    let id = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2S1";
    let ops = json!([
        { "op": "upsert", "block": { "type": "quote", "id": id, "content": "new" } },
        { "op": "upsert", "block": instance(id) },
    ]);
    let ids = office.batch(&page, &ops).body_of(201)["blockIds"].clone();
    assert_eq!(office.read_block(ids[1].as_str().unwrap())["content"]["text"], "new");
}

fn an_instance_is_changed_through_its_source(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let source = office.line(&page, None, "said");
    let shown = office.block(&page, &instance(&source));
    let readonly = json!({ "field": "blockId", "issue": "synced_block_readonly", "sourceBlockId": source });
    for body in [json!({ "content": "mine" }), json!({ "type": "paragraph" }), json!({ "properties": {} })] {
        let refusal =
            office.patch(&office.owner, &format!("/blocks/{shown}"), &body).refuses(422, "UNPROCESSABLE_ENTITY");
        assert_eq!(refusal.details(), std::slice::from_ref(&readonly));
        let batch = office.batch(&page, &json!([{ "op": "update", "blockId": shown, "patch": body }]));
        assert_eq!(batch.refuses(422, "UNPROCESSABLE_ENTITY").issue("synced_block_readonly").detail()["op"], 0);
    }
    let inside = json!({ "type": "divider", "parentId": shown });
    office.add(&page, &inside).refuses(422, "UNPROCESSABLE_ENTITY").issue("invalid_nesting");
    office.post(&office.owner, &format!("/blocks/{shown}/move"), &json!({ "beforeBlockId": source })).is(200);
    office.delete(&office.owner, &format!("/blocks/{shown}")).is(200);
    assert_eq!(office.outline(&page), ["said"], "the source stays");
}

fn no_instance_shows_itself(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let source = office.line(&page, None, "said");
    let shown = office.block(&page, &instance(&source));
    let id = "blk_01J8Z3K4M5N6P7Q8R9S0T1V2S1";
    let mut itself = instance(id);
    itself["id"] = id.into();
    let mut within = instance(&source);
    within["parentId"] = json!(source);
    for body in [itself, instance(&shown), within] {
        office.add(&page, &body).refuses(422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    }
    let moving = office.post(&office.owner, &format!("/blocks/{shown}/move"), &json!({ "parentId": source }));
    moving.refuses(422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    // Nor inside another block.
    let holder = office.line(&page, None, "holder");
    let mut held = instance(&source);
    held["parentId"] = json!(holder);
    let held = office.block(&page, &held);
    let into_source = json!({ "parentId": source });
    let moving = office.post(&office.owner, &format!("/blocks/{holder}/move"), &into_source);
    moving.refuses(422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    let op = json!([{ "op": "move", "blockId": holder, "move": into_source }]);
    office.batch(&page, &op).refuses(422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    office.delete(&office.owner, &format!("/blocks/{held}")).is(200);
    office.post(&office.owner, &format!("/blocks/{holder}/move"), &into_source).is(200);
    for body in
        [json!({ "type": "synced_block" }), json!({ "type": "synced_block", "content": { "sourceBlockId": null } })]
    {
        office.add(&page, &body).refuses(400, "VALIDATION_ERROR").of("content.sourceBlockId", "required");
    }
    let unknown = office.add(&page, &instance(UNKNOWN));
    unknown.refuses(404, "NOT_FOUND").of("content.sourceBlockId", "not_found");
    let zoe = office.server.person("Zoe");
    let theirs = shape::text(&zoe.post("/pages", &json!({})).send().data(201)["id"]);
    let path = format!("/pages/{theirs}/blocks");
    let foreign = shape::text(&zoe.post(&path, &json!({ "type": "divider" })).send().data(201)["id"]);
    office.add(&page, &instance(&foreign)).is_like(&unknown);
    office.delete(&office.owner, &format!("/blocks/{shown}")).is(200);
    let gone = office.line(&page, None, "gone");
    office.delete(&office.owner, &format!("/blocks/{gone}")).is(200);
    office.add(&page, &instance(&gone)).is_like(&unknown);
}

fn instances_go_with_their_source(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let holder = office.line(&page, None, "holder");
    let source = office.line(&page, Some(&holder), "said");
    let shown = office.block(&page, &instance(&source));
    let version = office.page_version(&page);
    let gone = office.delete(&office.owner, &format!("/blocks/{holder}")).body_of(200);
    assert_eq!(gone["pageVersion"], json!(version + 1));
    office.get(&office.owner, &format!("/blocks/{shown}")).refuses(404, "NOT_FOUND");
    assert_eq!(office.outline(&page), [""; 0]);
    // An instance cannot be restored while its source is deleted.
    let back = json!({ "archived": false });
    let refusal = office.patch(&office.owner, &format!("/blocks/{shown}"), &back).refuses(404, "NOT_FOUND");
    refusal.of("content.sourceBlockId", "not_found");
    office.patch(&office.owner, &format!("/blocks/{holder}"), &json!({ "archived": false })).is(200);
    office.patch(&office.owner, &format!("/blocks/{shown}"), &json!({ "archived": false })).is(200);
    assert_eq!(office.outline(&page), ["holder", "-said", "said"]);
    // Also an instance that the same batch creates.
    let ops = json!([{ "op": "upsert", "block": instance(&source) }, { "op": "delete", "blockId": source }]);
    let ids = office.batch(&page, &ops).body_of(201)["blockIds"].clone();
    office.get(&office.owner, &format!("/blocks/{}", ids[0].as_str().unwrap())).refuses(404, "NOT_FOUND");
    assert_eq!(office.outline(&page), ["holder"]);
}

fn instances_on_other_pages_go_with_their_source(engine: Engine) {
    let office = office(engine);
    let (page, other, locked) = (office.below(None, "Plan"), office.below(None, "Other"), office.below(None, "Locked"));
    let source = office.line(&page, None, "said");
    let shown: Vec<_> = [&other, &other, &locked].iter().map(|page| office.block(page, &instance(&source))).collect();
    let kept = office.line(&other, None, "kept");
    office.patch(&office.owner, &format!("/pages/{locked}"), &json!({ "isLocked": true })).is(200);
    let (before, of_locked) = (office.page_version(&other), office.page_version(&locked));
    office.delete(&office.owner, &format!("/blocks/{source}")).is(200);
    for shown in &shown {
        office.get(&office.owner, &format!("/blocks/{shown}")).refuses(404, "NOT_FOUND");
    }
    assert_eq!(office.read_block(&kept)["version"], 1);
    assert_eq!((office.page_version(&other), office.page_version(&locked)), (before + 1, of_locked + 1));
    let events_of = |page: &str, version: i64| {
        poll::eventually("both events of the deletion", || {
            let list = office.get(&office.owner, &format!("/events?resourceId={page}")).body_of(200);
            let of_version = |event: &&Value| event["version"] == version;
            let events: Vec<_> = list["data"].as_array().unwrap().iter().filter(of_version).cloned().collect();
            (events.len() == 2).then_some(events)
        })
    };
    for (page, version, gone) in [(&page, 3, vec![&source]), (&other, before + 1, shown[..2].iter().collect())] {
        let mut types = Vec::new();
        for event in events_of(page, version) {
            types.push(shape::text(&event["type"]));
            if event["type"] == "page.updated" {
                assert_eq!(event["data"]["changedFields"], json!(["blocks"]));
                continue;
            }
            let mut ids: Vec<_> = event["data"]["changes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|change| shape::text(&change["blockId"]))
                .collect();
            ids.sort_unstable();
            let mut expected = gone.clone();
            expected.sort_unstable();
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected);
            assert!(
                event["data"]["changes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|change| change["op"] == "delete" && change["pageId"] == json!(page))
            );
        }
        types.sort_unstable();
        assert_eq!(types, ["blocks.changed", "page.updated"]);
    }
}

fn an_instance_of_a_hidden_source_shows_nothing(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let hidden = office.page(&office.owner, &json!({ "title": "Hidden", "inherit": false }));
    let source = office.line(&hidden, None, "secret");
    let shown = office.block(&page, &instance(&source));
    let path = format!("/blocks/{shown}");
    assert_eq!(office.read_block(&shown)["content"]["text"], "secret");
    let read = office.get(&office.member, &path).data(200);
    assert_eq!((&read["content"]["text"], &read["content"]["marks"]), (&json!(""), &json!([])));
    assert_eq!((&read["properties"]["sourceSynced"], &read["syncedSourceId"]), (&json!(false), &json!(source)));
    let list = office.get(&office.member, &format!("/pages/{page}/blocks?flat=true"));
    assert!(!list.is(200).text().contains("secret"));
    let create = |source: &str| office.post(&office.member, &format!("/pages/{page}/blocks"), &instance(source));
    create(&source).is_like(&create(UNKNOWN));
    // A hidden source looks like one that does not exist, even if it is an instance itself or the call has another
    // fault.
    let chained = office.block(&hidden, &instance(&source));
    create(&chained).is_like(&create(UNKNOWN));
    let batch = |source: &str| {
        let broken = json!({ "op": "delete", "blockId": UNKNOWN });
        let ops = json!([{ "op": "upsert", "block": instance(source) }, broken]);
        office.post(&office.member, "/blocks", &json!({ "pageId": page, "ops": ops }))
    };
    for source in [&source, &chained] {
        batch(source).is_like(&batch(UNKNOWN));
    }
    let copying = office.post(&office.member, &format!("{path}/duplicate"), &json!({}));
    copying.refuses(404, "NOT_FOUND").of("content.sourceBlockId", "not_found");
    office.grant(&hidden, &[("user", &office.member.id, "VIEW")]);
    assert_eq!(office.get(&office.member, &path).data(200)["content"]["text"], "secret");
    create(&source).is(201);
    create(&chained).refuses(422, "UNPROCESSABLE_ENTITY").issue("sync_cycle");
    // A page in the trash exists only for those who could restore it.
    office.delete(&office.owner, &format!("/pages/{hidden}")).is(200);
    assert_eq!(office.get(&office.member, &path).data(200)["properties"]["sourceSynced"], false);
    create(&source).is_like(&create(UNKNOWN));
}
