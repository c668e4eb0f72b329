//! The content of each type of block.

use crate::{blocks::UNKNOWN, pages::office};
use octavo_tests::{Engine, both_engines, description::Description, shape};
use serde_json::{Value, json};

both_engines! {
    every_type_reads_back_what_it_holds,
    every_type_is_shown_as_described,
    every_type_refuses_what_it_does_not_hold,
    every_mark_reads_back,
    named_things_have_to_exist,
    a_pointer_moves_no_page,
}

/// Type, content, properties, and the keys that content always has.
#[expect(clippy::too_many_lines, reason = "a table with a row for each type of block")]
fn whole() -> Vec<(&'static str, Value, Value, &'static [&'static str])> {
    const TEXT: &[&str] = &["text", "marks"];
    vec![
        ("paragraph", json!({ "text": "a" }), json!({ "align": "center", "color": "#ff0000" }), TEXT),
        ("heading_1", json!({ "text": "a" }), json!({ "align": "left", "showDivider": true }), TEXT),
        ("heading_2", json!({ "text": "a" }), json!({ "align": "right" }), TEXT),
        ("heading_3", json!({ "text": "a" }), json!({ "align": "center" }), TEXT),
        (
            "quote",
            json!({ "text": "a", "citation": "Ada" }),
            json!({ "align": "left" }),
            &["text", "marks", "citation"],
        ),
        (
            "callout",
            json!({ "text": "a" }),
            json!({ "emoji": "\u{1F4A1}", "backgroundColor": "yellow", "textColor": "#000" }),
            TEXT,
        ),
        ("bulleted_list", json!({ "text": "a" }), json!({}), TEXT),
        ("numbered_list", json!({ "text": "a", "start": 3 }), json!({}), &["text", "marks", "start"]),
        ("todo", json!({ "text": "a" }), json!({ "checked": true }), TEXT),
        ("toggle", json!({ "text": "a" }), json!({ "collapsed": true }), TEXT),
        (
            "image",
            json!({ "caption": "A picture" }),
            json!({ "align": "left", "widthPct": 10, "display": "pageWidth" }),
            &["fileId", "caption"],
        ),
        (
            "video",
            json!({ "url": "https://example.com/a.mp4", "caption": "A film" }),
            json!({ "align": "left", "widthPct": 100 }),
            &["fileId", "url", "caption"],
        ),
        ("audio", json!({ "url": "https://example.com/a.mp3" }), json!({}), &["fileId", "url"]),
        (
            "file",
            json!({ "name": "a.pdf", "size": 12, "mimeType": "application/pdf" }),
            json!({ "caption": "A file" }),
            &["fileId", "name", "size", "mimeType"],
        ),
        (
            "bookmark",
            json!({ "url": "https://example.com", "title": "A", "description": "B" }),
            json!({}),
            &["url", "title", "description"],
        ),
        ("embed", json!({ "url": "https://example.com" }), json!({ "heightPx": 800 }), &["url"]),
        (
            "code",
            json!({ "code": "let a = 1;", "language": "rust" }),
            json!({ "showLineNumbers": true, "wrap": false }),
            &["code", "language"],
        ),
        ("equation", json!({ "latex": "x^2" }), json!({ "align": "center" }), &["latex"]),
        ("column", json!({ "text": null }), json!({ "widthPct": 20 }), &["text"]),
        ("column_list", json!({ "text": null }), json!({ "background": "gray", "padding": 8 }), &["text"]),
        ("divider", json!({}), json!({}), &[]),
        ("spacer", json!({ "heightPx": 200 }), json!({}), &["heightPx"]),
        ("database", json!({}), json!({}), &["databaseId"]),
        ("linked_database", json!({}), json!({}), &["databaseId", "viewId"]),
        (
            "table",
            json!({ "rows": [[{ "text": "a", "marks": [] }, { "text": "b", "marks": [] }]], "headerRow": true }),
            json!({ "columnWidths": [120, 80], "align": "left" }),
            &["rows", "headerRow"],
        ),
        ("chart", json!({}), json!({ "widthPct": 50 }), &["chartId", "databaseId"]),
        ("form", json!({}), json!({}), &["formId", "databaseId"]),
        ("child_page", json!({}), json!({}), &["pageId"]),
        ("child_database", json!({ "title": "Tasks" }), json!({}), &["databaseId", "title"]),
    ]
}

fn every_type_reads_back_what_it_holds(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    // The thirtieth is an instance, which has tests of its own.
    assert_eq!(whole().len(), 29);
    for (kind, content, properties, keys) in whole() {
        let body = json!({ "type": kind, "content": content, "properties": properties });
        let made = office.add(&page, &body).data(201);
        shape::exactly(&made["content"], keys);
        for (key, value) in content.as_object().unwrap() {
            assert_eq!(made["content"][key], *value, "{kind} {key}");
        }
        assert_eq!((&made["type"], &made["properties"]), (&json!(kind), &properties));
        let read = office.read_block(made["id"].as_str().unwrap());
        assert_eq!((&read["content"], &read["properties"]), (&made["content"], &made["properties"]), "{kind}");
        let bare = office.add(&page, &json!({ "type": kind })).data(201);
        shape::exactly(&bare["content"], keys);
        assert_eq!(bare["properties"], json!({}), "{kind}");
        let unheard = json!({ "type": kind, "content": { "unheard": 1 }, "properties": { "unheard": 1 } });
        assert_eq!(
            office.add(&page, &unheard).data(201)["content"],
            bare["content"],
            "{kind} drops what it does not know"
        );
    }
    for (kind, short, key) in [("quote", "said", "text"), ("code", "let a", "code"), ("equation", "x^2", "latex")] {
        let made = office.add(&page, &json!({ "type": kind, "content": short })).data(201);
        assert_eq!(made["content"][key], short, "{kind} in short");
    }
}

fn every_type_is_shown_as_described(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let description = Description::parse(&office.server.origin("GET", "/docs/openapi.yaml").send().is(200).text());
    let [sent, shown] =
        ["NewBlockBody", "BlockReply"].map(|name| json!({ "$ref": format!("#/components/schemas/{name}") }));
    let flaws = |schema: &Value, value: &Value| description.flaws(schema, value, "$", 0);
    for (kind, content, properties, _) in whole() {
        let body = json!({ "type": kind, "content": content, "properties": properties });
        for body in [body, json!({ "type": kind })] {
            assert_eq!(flaws(&sent, &body), Vec::<String>::new(), "{kind}");
            let made = office.add(&page, &body).data(201);
            assert_eq!(flaws(&shown, &made), Vec::<String>::new(), "{kind}");
            let mut other = made;
            other["type"] = json!(if kind == "quote" { "paragraph" } else { "quote" });
            other["content"] = json!({ "latex": 7 });
            assert_ne!(flaws(&shown, &other), Vec::<String>::new(), "{kind}");
        }
    }
    assert_ne!(flaws(&sent, &json!({ "type": "paragraf" })), Vec::<String>::new());
}

fn every_type_refuses_what_it_does_not_hold(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let rows = |rows: usize, cells: usize| json!({ "rows": vec![vec!["x"; cells]; rows] });
    for (kind, part, wrong, field, issue) in [
        ("paragraph", "properties", json!({ "color": "no colour" }), "color", "invalid_format"),
        ("heading_1", "properties", json!({ "showDivider": 1 }), "showDivider", "invalid_type"),
        ("heading_2", "content", json!({ "marks": {} }), "marks", "invalid_type"),
        ("heading_3", "content", json!({ "text": [] }), "text", "invalid_type"),
        ("quote", "content", json!({ "citation": 5 }), "citation", "invalid_type"),
        ("callout", "properties", json!({ "emoji": "two" }), "emoji", "invalid_format"),
        ("bulleted_list", "content", json!({ "text": true }), "text", "invalid_type"),
        ("numbered_list", "content", json!({ "start": -1 }), "start", "too_small"),
        ("todo", "properties", json!({ "checked": "yes" }), "checked", "invalid_type"),
        ("toggle", "properties", json!({ "collapsed": 0 }), "collapsed", "invalid_type"),
        ("image", "properties", json!({ "display": "huge" }), "display", "invalid_value"),
        ("image", "properties", json!({ "widthPct": 9 }), "widthPct", "too_small"),
        ("image", "content", json!({ "fileId": "x" }), "fileId", "invalid_id"),
        ("video", "content", json!({ "url": "javascript:alert(1)" }), "url", "invalid_format"),
        ("video", "properties", json!({ "widthPct": 101 }), "widthPct", "too_large"),
        ("audio", "content", json!({ "url": 5 }), "url", "invalid_type"),
        ("file", "content", json!({ "size": -1 }), "size", "too_small"),
        ("bookmark", "content", json!({ "url": format!("https://{}", "x".repeat(2048)) }), "url", "too_long"),
        ("embed", "properties", json!({ "heightPx": 119 }), "heightPx", "too_small"),
        ("embed", "properties", json!({ "heightPx": 801 }), "heightPx", "too_large"),
        ("code", "content", json!({ "code": "x".repeat(100_001) }), "code", "too_long"),
        ("equation", "content", json!({ "latex": "x".repeat(100_001) }), "latex", "too_long"),
        ("column", "content", json!({ "text": "x" }), "text", "invalid_type"),
        ("column", "properties", json!({ "widthPct": 19 }), "widthPct", "too_small"),
        ("column_list", "properties", json!({ "padding": "wide" }), "padding", "invalid_type"),
        ("spacer", "content", json!({ "heightPx": 7 }), "heightPx", "too_small"),
        ("spacer", "content", json!({ "heightPx": 201 }), "heightPx", "too_large"),
        ("database", "content", json!({ "databaseId": "pg_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }), "databaseId", "invalid_id"),
        ("linked_database", "content", json!({ "viewId": 5 }), "viewId", "invalid_type"),
        ("table", "content", rows(501, 1), "rows", "too_long"),
        ("table", "content", rows(1, 51), "rows.0", "too_long"),
        ("table", "content", json!({ "rows": [["a"], ["b", "c"]] }), "rows.1", "invalid_value"),
        ("table", "content", json!({ "rows": [["a", 5]] }), "rows.0.1", "invalid_type"),
        ("table", "properties", json!({ "columnWidths": [1.5] }), "columnWidths", "invalid_value"),
        ("chart", "content", json!({ "chartId": "x" }), "chartId", "invalid_id"),
        ("form", "content", json!({ "formId": "x" }), "formId", "invalid_id"),
        ("synced_block", "content", json!({ "sourceBlockId": "x" }), "sourceBlockId", "invalid_id"),
        ("child_page", "content", json!({ "pageId": "x" }), "pageId", "invalid_id"),
        ("child_database", "content", json!({ "title": 5 }), "title", "invalid_type"),
    ] {
        let block = json!({ "type": kind, part: wrong });
        let path = format!("{part}.{field}");
        office.add(&page, &block).refuses(400, "VALIDATION_ERROR").of(&path, issue);
        let batch = office.batch(&page, &json!([{ "op": "upsert", "block": block }]));
        let refusal = batch.refuses(400, "VALIDATION_ERROR");
        assert_eq!(refusal.of(&format!("block.{path}"), issue).detail()["op"], 0, "{kind}");
    }
    office
        .add(&page, &json!({ "type": "divider", "content": "text" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("content", "invalid_type");
    assert_eq!(office.page_version(&page), 1);
}

fn every_mark_reads_back(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let team = office.team("Crew", true);
    let mut marks: Vec<_> = ["bold", "italic", "underline", "strikethrough", "code", "highlight", "equation"]
        .iter()
        .map(|kind| json!({ "type": kind, "from": 0, "to": 2 }))
        .collect();
    marks.push(json!({ "type": "link", "from": 0, "to": 2, "attrs": { "url": "https://example.com" } }));
    for (kind, id) in [("user", &office.guest.id), ("team", &team), ("page", &page)] {
        marks.push(json!({ "type": "mention", "from": 2, "to": 3, "attrs": { "mentionId": id, "mentionType": kind } }));
    }
    let content = json!({ "text": "\u{1F600}a", "marks": marks });
    let made = office.add(&page, &json!({ "type": "paragraph", "content": content })).data(201);
    let read = made["content"]["marks"].as_array().unwrap();
    assert_eq!(read.len(), marks.len());
    for mark in &marks {
        assert!(read.contains(mark), "{mark} is kept");
    }
    for wrong in [
        json!({ "type": "shout", "from": 0, "to": 2 }),
        json!({ "type": "bold", "from": -1, "to": 2 }),
        json!({ "type": "bold", "from": 2 }),
        json!({ "type": "link", "from": 0, "to": 2 }),
        json!({ "type": "link", "from": 0, "to": 2, "attrs": { "url": "javascript:alert(1)" } }),
        json!({ "type": "mention", "from": 0, "to": 2, "attrs": { "mentionId": page, "mentionType": "user" } }),
    ] {
        let content = json!({ "text": "\u{1F600}a", "marks": [marks[0], wrong] });
        let answer = office.add(&page, &json!({ "type": "paragraph", "content": content }));
        let refusal = answer.refuses(400, "VALIDATION_ERROR");
        refusal.of("content.marks.1", "invalid_mark");
        let detail = refusal.detail();
        assert!(detail["rules"].as_array().is_some_and(|rules| rules.len() >= 3), "{detail}");
        assert_eq!(detail["allowed"].is_array(), wrong["type"] == "shout", "{detail}");
    }
}

fn named_things_have_to_exist(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.member, &json!({ "title": "Plan" }));
    let hidden = office.page(&office.owner, &json!({ "title": "Hidden", "inherit": false }));
    let secret = office.team("Secret", true);
    let zoe = office.server.person("Zoe");
    let foreign = shape::text(&zoe.post("/pages", &json!({ "title": "Theirs" })).send().data(201)["id"]);
    let mention = |kind: &str, id: &str| {
        let attrs = json!({ "mentionType": kind, "mentionId": id });
        json!({ "type": "paragraph", "content": { "text": "@you", "marks": [{ "type": "mention", "from": 0, "to": 4, "attrs": attrs }] } })
    };
    let of = |prefix: &str| UNKNOWN.replace("blk_", prefix);
    let named = |kind: &str, key: &str, id: &str| json!({ "type": kind, "content": { key: id } });
    let path = format!("/pages/{page}/blocks");
    let add = |body: &Value| office.post(&office.member, &path, body);
    let unknown = |body: &Value, field: &str| {
        let answer = add(body);
        answer.refuses(404, "NOT_FOUND").of(field, "not_found").because("not_found");
        answer
    };
    let unknown_user = unknown(&mention("user", &of("usr_")), "content.marks");
    let unknown_page = unknown(&named("child_page", "pageId", &of("pg_")), "content.pageId");
    for (body, like) in [
        (mention("user", &zoe.id), &unknown_user),
        (mention("team", &secret), &unknown_user),
        (mention("team", &of("tm_")), &unknown_user),
        (mention("page", &hidden), &unknown_user),
        (mention("page", &foreign), &unknown_user),
        (mention("database", &of("db_")), &unknown_user),
        (named("child_page", "pageId", &hidden), &unknown_page),
        (named("child_page", "pageId", &foreign), &unknown_page),
    ] {
        add(&body).is_like(like);
    }
    unknown(&named("image", "fileId", &of("fil_")), "content.fileId");
    unknown(&named("database", "databaseId", &of("db_")), "content.databaseId");
    unknown(&named("chart", "chartId", &of("cht_")), "content.chartId");
    let batch = json!({ "pageId": page, "ops": [{ "op": "upsert", "block": mention("user", &zoe.id) }] });
    let refusal = office.post(&office.member, "/blocks", &batch).refuses(404, "NOT_FOUND");
    assert_eq!(refusal.of("block.content.marks", "not_found").detail()["op"], 0);
    assert_eq!(office.page_version(&page), 1, "nothing is stored");
    // Existing references do not prevent other changes.
    let body = mention("user", &office.other.id);
    let block = shape::text(&add(&body).data(201)["id"]);
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.other.id)).send().is(204);
    let block = format!("/blocks/{block}");
    office.patch(&office.member, &block, &json!({ "type": "todo", "properties": { "checked": true } })).is(200);
    office.post(&office.member, &format!("{block}/duplicate"), &json!({})).is(201);
    add(&body).is_like(&unknown_user);
}

fn a_pointer_moves_no_page(engine: Engine) {
    let office = office(engine);
    let (page, target) = (office.below(None, "Plan"), office.below(None, "Target"));
    let before = office.get(&office.owner, &format!("/pages/{target}")).data(200);
    let body = json!({ "type": "child_page", "content": { "pageId": target } });
    let pointer = office.block(&page, &body);
    let holder = office.line(&page, None, "holder");
    office.post(&office.owner, &format!("/blocks/{pointer}/move"), &json!({ "parentId": holder })).is(200);
    office.delete(&office.owner, &format!("/blocks/{pointer}")).is(200);
    assert_eq!(office.get(&office.owner, &format!("/pages/{target}")).data(200), before);
}
