//! Exporting pages as documents, and importing documents as pages.

use super::{block, instance, marked, mentioning, paragraph, texts, with_children, with_id};
use crate::pages::{Office, office};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_exported_as_json_comes_back_with_icon_and_cover,
    an_import_with_a_title_of_its_own_keeps_the_heading,
    an_import_keeps_the_mentions_of_members_beside_one_of_a_stranger,
    an_import_warns_of_what_it_left_out,
    an_instance_of_code_is_exported_as_code,
}

fn export(office: &Office, page: &str, format: &str) -> String {
    office.get(&office.member, &format!("/pages/{page}/export?format={format}")).is(200).text()
}

/// Imports a document; returns the answer and the page it created.
fn import(office: &Office, body: &Value) -> (Value, Value) {
    let answer = office.post(&office.member, "/pages/import", body).data(201);
    let page = shape::text(&answer["pageId"]);
    (answer, office.get(&office.member, &format!("/pages/{page}?include=blocks")).data(200))
}

fn a_page_exported_as_json_comes_back_with_icon_and_cover(engine: Engine) {
    let office = office(engine);
    let cover = "https://example.com/cover.png";
    let blocks = [with_children(with_id(1, json!({ "type": "toggle", "content": "a" })), &[paragraph("in it")])];
    let page = office
        .page(&office.owner, &json!({ "title": "Plan", "icon": "\u{1F680}", "coverUrl": cover, "blocks": blocks }));
    let content = export(&office, &page, "json");
    let (answer, made) = import(&office, &json!({ "format": "json", "content": content }));
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!(
        [&made["title"], &made["icon"], &made["coverUrl"]],
        [&json!("Plan"), &json!("\u{1F680}"), &json!(cover)]
    );
    let original = office.blocks(&office.member, &page);
    assert_eq!(super::without_ids(&made["blocks"]), super::without_ids(&original));
    let titled = json!({ "format": "json", "content": content, "title": "Other" });
    let (_, made) = import(&office, &titled);
    assert_eq!([&made["title"], &made["icon"]], [&json!("Other"), &json!("\u{1F680}")]);
}

fn an_import_with_a_title_of_its_own_keeps_the_heading(engine: Engine) {
    let office = office(engine);
    for (format, content) in [
        ("markdown", "# Plan\n\ntext"),
        ("html", "<title>Plan</title><h1>Plan</h1><p>text</p>"),
        ("html", "<h1>Plan</h1><p>text</p>"),
    ] {
        let (_, made) = import(&office, &json!({ "format": format, "content": content, "title": "X" }));
        assert_eq!((&made["title"], texts(&made["blocks"])), (&json!("X"), vec!["Plan", "text"]), "{content}");
        assert_eq!(made["blocks"][0]["type"], "heading_1");
        let (_, made) = import(&office, &json!({ "format": format, "content": content }));
        assert_eq!((&made["title"], texts(&made["blocks"])), (&json!("Plan"), vec!["text"]), "{content}");
    }
}

fn an_import_keeps_the_mentions_of_members_beside_one_of_a_stranger(engine: Engine) {
    let office = office(engine);
    let stranger = office.server.person("Zoe");
    let named = office.below(None, "Named");
    let line = format!("[@Bob](mention:{}) [@Zoe](mention:{}) [Named](mention:{named})", office.member.id, stranger.id);
    let (answer, made) = import(&office, &json!({ "format": "markdown", "content": line }));
    let content = &made["blocks"][0]["content"];
    assert_eq!(content["text"], "@Bob @Zoe Named");
    let mentioned: Vec<_> =
        content["marks"].as_array().unwrap().iter().map(|mark| shape::text(&mark["attrs"]["mentionId"])).collect();
    assert_eq!(mentioned, [office.member.id.clone(), named]);
    assert_eq!(answer["warnings"], json!(["Mentions of things that do not exist for you became plain text: 1."]));
}

fn an_import_warns_of_what_it_left_out(engine: Engine) {
    let office = office(engine);
    let hidden = office.page(&office.owner, &json!({ "inherit": false, "blocks": [with_id(1, paragraph("secret"))] }));
    let document = json!({
        "page": { "title": "x".repeat(301), "icon": "fil_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "coverUrl": "javascript:1" },
        "blocks": [
            mentioning("Page", "page", &hidden),
            { "type": "child_page", "content": { "pageId": hidden } },
            instance(&block(1)),
            marked("bold", (0, 4), "bold", &json!({})),
        ],
    });
    let (answer, made) = import(&office, &json!({ "format": "json", "content": document.to_string() }));
    let warnings: Vec<_> = answer["warnings"].as_array().unwrap().iter().map(shape::text).collect();
    let begins: Vec<_> =
        warnings.iter().map(|warning| warning.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(begins, ["The title", "The icon", "The cover", "Mentions of", "Links of", "Synced blocks"]);
    assert_eq!((&made["icon"], &made["coverUrl"]), (&Value::Null, &Value::Null));
    assert_eq!(made["title"], "x".repeat(300));
    let blocks = made["blocks"].as_array().unwrap();
    assert_eq!((blocks.len(), &blocks[1]["content"]["pageId"]), (3, &Value::Null));
    assert_eq!(blocks[2]["content"]["marks"][0]["type"], "bold");
}

fn an_instance_of_code_is_exported_as_code(engine: Engine) {
    let office = office(engine);
    let source = with_id(1, json!({ "type": "code", "content": { "code": "let a = 1;", "language": "rust" } }));
    office.page_of("Sources", &[source]);
    let page = office.page_of("Page", &[instance(&block(1))]);
    let html = export(&office, &page, "html");
    assert!(html.contains("let a = 1;") && html.contains("<pre"), "{html}");
}
