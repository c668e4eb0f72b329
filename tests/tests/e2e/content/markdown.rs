//! Reading and editing pages as Markdown.

use super::{block, each, instance, paragraph, texts, types, with_children, with_id};
use crate::pages::{Office, office};
use octavo_tests::{Answer, Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    edits_are_made_in_their_order,
    an_edit_without_exactly_one_match_is_reported,
    blocks_that_stay_keep_ids_and_versions,
    an_instance_goes_with_its_source,
    replacing_all_keeps_a_version_before,
    an_edit_is_reported_like_a_batch,
    things_named_in_the_text_have_to_exist,
}

pub(super) fn edit(office: &Office, page: &str, edits: &Value) -> Answer {
    office.patch(&office.member, &format!("/pages/{page}/markdown"), &json!({ "edits": edits }))
}

fn text(office: &Office, page: &str) -> String {
    shape::text(&office.get(&office.member, &format!("/pages/{page}/markdown")).data(200)["markdown"])
}

fn edits_are_made_in_their_order(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[with_id(1, paragraph("one")), with_id(2, paragraph("two two"))]);
    let shown = office.get(&office.member, &format!("/pages/{page}/markdown")).data(200);
    assert_eq!(shown, json!({ "markdown": "one\n\ntwo two\n", "version": 1 }));
    let answer = edit(
        &office,
        &page,
        &json!([
            { "op": "append", "markdown": "- last" },
            { "op": "prepend", "markdown": "# First" },
            { "op": "insert_after", "blockId": block(1), "markdown": "behind one" },
            { "op": "insert_after", "find": "behind one", "markdown": "behind that" },
            { "op": "find_replace", "find": "two", "markdown": "2", "all": true },
            { "op": "find_replace", "find": "one\n\nbehind one", "markdown": "**one**\n\nbehind one" },
        ]),
    )
    .data(200);
    shape::exactly(&answer, &["version", "blockIds", "deletedBlockIds"]);
    assert_eq!((&answer["version"], &answer["deletedBlockIds"]), (&json!(2), &json!([])));
    let blocks = office.blocks(&office.member, &page);
    assert_eq!(texts(&blocks), ["First", "one", "behind one", "behind that", "2 2", "last"]);
    assert_eq!(answer["blockIds"], json!(each(&blocks, "id")));
    assert_eq!((&blocks[1]["id"], &blocks[4]["id"]), (&json!(block(1)), &json!(block(2))));
    assert_eq!(blocks[1]["content"]["marks"][0]["type"], "bold");
    let whole = edit(&office, &page, &json!([{ "op": "replace_all", "markdown": "two\n\n> said" }])).data(200);
    assert_eq!((&whole["version"], text(&office, &page).as_str()), (&json!(3), "two\n\n> said\n"));
    let deleted = whole["deletedBlockIds"].as_array().unwrap().len();
    let before = answer["blockIds"].as_array().unwrap();
    let kept = whole["blockIds"].as_array().unwrap().iter().filter(|id| before.contains(id)).count();
    assert_eq!(deleted + kept, 6, "each block stayed or went");
    let nothing = edit(&office, &page, &json!([{ "op": "append", "markdown": "" }])).data(200);
    assert_eq!((&nothing["version"], &nothing["blockIds"]), (&json!(3), &whole["blockIds"]));
}

fn an_edit_without_exactly_one_match_is_reported(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("a b a"), with_id(1, paragraph("c"))]);
    let other = office.page_of("Other", &[with_id(2, paragraph("d"))]);
    let good = json!({ "op": "append", "markdown": "good" });
    let replace = |find: &str| json!({ "op": "find_replace", "find": find, "markdown": "x" });
    let after = |find: &str| json!({ "op": "insert_after", "find": find, "markdown": "x" });
    for (wrong, issue, matches) in [
        (replace("z"), "find_not_found", 0),
        (after("z"), "find_not_found", 0),
        (replace("a"), "find_not_unique", 2),
        (after("a"), "find_not_unique", 2),
    ] {
        let refusal = edit(&office, &page, &json!([good, wrong])).refuses(422, "UNPROCESSABLE_ENTITY");
        assert_eq!(refusal.detail(), &json!({ "issue": issue, "index": 1, "matches": matches }));
    }
    let not_here = json!([{ "op": "insert_after", "blockId": block(2), "markdown": "x" }]);
    edit(&office, &page, &not_here).refuses(400, "VALIDATION_ERROR").of("blockId", "unknown_block");
    let long = json!([{ "op": "append", "markdown": " ".repeat((1 << 20) + 1) }]);
    edit(&office, &page, &long).refuses(413, "PAYLOAD_TOO_LARGE");
    let list = with_children(json!({ "type": "column_list" }), &[with_id(3, json!({ "type": "column" }))]);
    let columns = office.page_of("Columns", &[list]);
    let column = json!([good, { "op": "insert_after", "blockId": block(3), "markdown": "x" }]);
    edit(&office, &columns, &column).refuses(422, "UNPROCESSABLE_ENTITY").issue("invalid_nesting");
    for (page, left) in [(&page, "a b a\n\nc\n"), (&other, "d\n")] {
        assert_eq!(
            office.get(&office.member, &format!("/pages/{page}/markdown")).data(200),
            json!({ "markdown": left, "version": 1 })
        );
    }
    edit(&office, &page, &json!([{ "op": "find_replace", "find": "a", "markdown": "x", "all": true }])).is(200);
    assert_eq!(text(&office, &page), "x b x\n\nc\n");
}

fn blocks_that_stay_keep_ids_and_versions(engine: Engine) {
    let office = office(engine);
    let page = office.page_of(
        "Plan",
        &[
            with_id(1, paragraph("one")),
            with_children(
                with_id(2, json!({ "type": "toggle", "content": "two", "properties": { "collapsed": true } })),
                &[with_id(3, paragraph("in two"))],
            ),
            with_id(4, json!({ "type": "callout", "content": "four", "properties": { "emoji": "\u{1F680}" } })),
            with_id(5, paragraph("five")),
        ],
    );
    let answer = edit(
        &office,
        &page,
        &json!([
            { "op": "find_replace", "find": "in two", "markdown": "in 2" },
            { "op": "find_replace", "find": "five", "markdown": "" },
        ]),
    )
    .data(200);
    let left = [1, 2, 3, 4].map(block);
    assert_eq!(answer, json!({ "version": 2, "blockIds": left, "deletedBlockIds": [block(5)] }));
    let blocks = office.blocks(&office.owner, &page);
    let versions = |blocks: &Value| {
        [&blocks[0], &blocks[1], &blocks[1]["children"][0], &blocks[2]].map(|block| block["version"].as_i64().unwrap())
    };
    assert_eq!(versions(&blocks), [1, 1, 2, 1]);
    assert_eq!(
        (&blocks[1]["children"][0]["content"]["text"], &blocks[1]["children"][0]["updatedBy"]),
        (&json!("in 2"), &json!(office.member.id))
    );
    assert_eq!(
        (&blocks[0]["updatedBy"], &blocks[2]["properties"]["emoji"]),
        (&json!(office.owner.id), &json!("\u{1F680}"))
    );
    assert_eq!(office.counted(&page), 4);
    let same = text(&office, &page);
    let again = edit(&office, &page, &json!([{ "op": "replace_all", "markdown": same }])).data(200);
    assert_eq!(
        (&again["version"], &again["blockIds"]),
        (&json!(2), &answer["blockIds"]),
        "the same text changes nothing"
    );
    assert_eq!(versions(&office.blocks(&office.owner, &page)), [1, 1, 2, 1]);
}

fn an_instance_goes_with_its_source(engine: Engine) {
    let office = office(engine);
    let page = office.page_of(
        "Plan",
        &[with_id(1, paragraph("source")), with_id(2, paragraph("stays")), with_id(3, instance(&block(1)))],
    );
    let other = office.page_of("Other", &[with_id(4, instance(&block(1)))]);
    let answer =
        edit(&office, &page, &json!([{ "op": "find_replace", "find": "source\n\nstays", "markdown": "stays" }]))
            .data(200);
    assert_eq!(answer["blockIds"], json!([block(2)]));
    let mut gone = answer["deletedBlockIds"].as_array().unwrap().clone();
    gone.sort_by_key(ToString::to_string);
    assert_eq!(gone, [json!(block(1)), json!(block(3))]);
    assert_eq!(texts(&office.blocks(&office.member, &page)), ["stays"]);
    assert_eq!(office.blocks(&office.member, &other), json!([]));
    assert_eq!((office.counted(&page), office.counted(&other)), (json!(1), json!(0)));
}

fn replacing_all_keeps_a_version_before(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[paragraph("one")]);
    for (number, kept) in [(2, 1), (3, 1)] {
        edit(&office, &page, &json!([{ "op": "append", "markdown": format!("{number}") }])).is(200);
        assert_eq!(office.kept(&page), kept, "one in ten minutes");
    }
    edit(&office, &page, &json!([{ "op": "replace_all", "markdown": "one\n\n2\n\n3\n\n4" }])).is(200);
    assert_eq!(office.kept(&page), 2, "though no block goes");
    edit(&office, &page, &json!([{ "op": "find_replace", "find": "2\n\n", "markdown": "" }])).is(200);
    assert_eq!(office.kept(&page), 3, "a block goes");
    let versions = office.get(&office.owner, &format!("/pages/{page}/versions")).body_of(200)["data"].clone();
    let numbers: Vec<_> =
        versions.as_array().unwrap().iter().map(|kept| kept["pageVersion"].as_i64().unwrap()).collect();
    assert_eq!(numbers, [4, 3, 1]);
}

fn an_edit_is_reported_like_a_batch(engine: Engine) {
    let office = office(engine);
    let page = office.page_of("Plan", &[with_id(1, paragraph("one")), with_id(2, paragraph("two"))]);
    let edits = json!([
        { "op": "find_replace", "find": "one", "markdown": "eins" },
        { "op": "find_replace", "find": "two", "markdown": "" },
        { "op": "append", "markdown": "# three" },
    ]);
    let answer = edit(&office, &page, &edits).data(200);
    edit(&office, &page, &json!([{ "op": "append", "markdown": "\n" }])).is(200);
    let events = office.events_about(&page);
    assert_eq!(types(&events), ["page.created", "blocks.changed", "page.updated"]);
    let data = &events[1]["data"];
    assert_eq!(
        (&data["pageId"], &data["actor"], &data["workspaceId"]),
        (&json!(page), &json!(office.member.id), &json!(office.id))
    );
    let mut changes = data["changes"].as_array().unwrap().clone();
    changes.sort_by_key(|change| change["op"].to_string());
    let change = |op: &str, id: &Value, kind: &str| json!({ "op": op, "blockId": id, "pageId": page, "type": kind });
    assert_eq!(
        changes,
        [
            change("delete", &json!(block(2)), "paragraph"),
            change("insert", &answer["blockIds"][1], "heading_1"),
            change("update", &json!(block(1)), "paragraph"),
        ]
    );
    assert_eq!((&events[2]["data"]["changedFields"], &events[2]["version"]), (&json!(["blocks"]), &json!(2)));
}

fn things_named_in_the_text_have_to_exist(engine: Engine) {
    let office = office(engine);
    let hidden = office.page(&office.owner, &json!({ "inherit": false, "blocks": [with_id(1, paragraph("secret"))] }));
    let page = office.page_of("Plan", &[super::pointer(&hidden)]);
    let directive = |kind: &str, key: &str, id: &str| format!(":::{kind} {{\"{key}\":\"{id}\"}}\n:::");
    for markdown in [
        format!("[@it](mention:{hidden})"),
        directive("child_page", "pageId", &hidden.replace("pg_0", "pg_1")),
        directive("synced_block", "sourceBlockId", &block(1)),
        directive("synced_block", "sourceBlockId", &block(9)),
    ] {
        edit(&office, &page, &json!([{ "op": "append", "markdown": markdown }])).refuses(404, "NOT_FOUND");
    }
    let mentioned = format!("[@Bob](mention:{})", office.other.id);
    edit(&office, &page, &json!([{ "op": "append", "markdown": mentioned }])).is(200);
    let blocks = office.blocks(&office.member, &page);
    assert_eq!(each(&blocks, "type"), ["child_page", "paragraph"], "what named it before goes on naming it");
    assert_eq!(blocks[1]["content"]["marks"][0]["attrs"]["mentionId"], json!(office.other.id));
}
