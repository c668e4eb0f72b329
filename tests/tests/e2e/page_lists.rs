//! Lists of pages: filtered, as a tree, recently visited, favourites.

use crate::pages::{office, titles};
use octavo_tests::{Engine, Person, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    lists_show_what_is_asked_for,
    the_tree_shows_what_one_sees,
    visits_are_remembered,
    favorites_have_an_order,
}

fn lists_show_what_is_asked_for(engine: Engine) {
    let office = office(engine);
    let team = office.team("Open", false);
    let root = office.below(None, "b");
    let child = office.below(Some(&root), "C");
    office.page(&office.member, &json!({ "title": "a" }));
    office.page(&office.owner, &json!({ "title": "team", "teamId": team }));
    office.grant(&child, &[("user", &office.guest.id, "VIEW")]);
    let list = |by: &Person, query: &str| titles(&office.get(by, &format!("/pages{query}")).body_of(200));
    assert_eq!(list(&office.owner, ""), ["team", "a", "C", "b"]);
    assert_eq!(list(&office.owner, "?sort=title"), ["a", "b", "C", "team"]);
    assert_eq!(list(&office.owner, "?sort=-createdAt&limit=2"), ["team", "a"]);
    assert_eq!(list(&office.owner, "?parentId=root"), ["b", "team", "a"]);
    assert_eq!(list(&office.owner, &format!("?parentId={root}")), ["C"]);
    assert_eq!(list(&office.owner, &format!("?teamId={team}")), ["team"]);
    assert_eq!(list(&office.owner, &format!("?parentId=root&teamId={team}")), ["team"]);
    assert_eq!(list(&office.owner, &format!("?createdBy={}", office.member.id)), ["a"]);
    assert_eq!(list(&office.owner, "?publicAccess=direct"), [""; 0]);
    assert_eq!(list(&office.owner, "?publicAccess=none&includeRecordPages=true").len(), 4);
    assert_eq!(list(&office.owner, "?updatedAfter=2100-01-01T00:00:00Z"), [""; 0]);
    assert_eq!(list(&office.other, "").len(), 4);
    assert_eq!(list(&office.guest, ""), ["C"]);
    assert_eq!(list(&office.guest, &format!("?parentId={root}")), ["C"]);
    let mut walked = Vec::new();
    let mut next = "/pages?sort=title&limit=1".to_owned();
    loop {
        let page = office.get(&office.other, &next).body_of(200);
        walked.extend(titles(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        next = format!("/pages?sort=title&limit=1&cursor={cursor}");
    }
    assert_eq!(walked, ["a", "b", "C", "team"]);
    for wrong in
        ["?parentId=x", "?sort=name", "?teamId=x", "?updatedAfter=x", "?publicAccess=x", "?cursor=x", "?limit=0"]
    {
        office.get(&office.owner, &format!("/pages{wrong}")).refuses(400, "VALIDATION_ERROR");
    }
    let shown = office.get(&office.guest, &format!("/pages/{child}")).data(200);
    assert_eq!((&shown["ancestors"], &shown["accessLevel"]), (&json!([]), &json!("VIEW")));
    assert_eq!(office.get(&office.owner, &format!("/pages/{root}")).data(200)["childCount"], 1);
    let ancestors = &office.get(&office.other, &format!("/pages/{child}")).data(200)["ancestors"];
    assert_eq!(ancestors, &json!([{ "id": root, "type": "page", "title": "b", "icon": null }]));
}

/// The titles of this part of the tree; brackets hold the children.
fn drawn(nodes: &Value) -> String {
    let node = |node: &Value| {
        let below = drawn(&node["children"]);
        let title = shape::text(&node["title"]);
        if below.is_empty() { title } else { format!("{title}({below})") }
    };
    nodes.as_array().unwrap().iter().map(node).collect::<Vec<_>>().join(" ")
}

fn the_tree_shows_what_one_sees(engine: Engine) {
    let office = office(engine);
    let (open, secret) = (office.team("Open", false), office.team("Secret", true));
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    let c = office.below(Some(&b), "C");
    office.below(Some(&c), "D");
    let hidden = office.page(&office.owner, &json!({ "title": "H", "parentId": a, "inherit": false }));
    let shared = office.below(Some(&hidden), "S");
    office.page(&office.owner, &json!({ "title": "T", "teamId": open }));
    let private = office.page(&office.owner, &json!({ "title": "P", "teamId": secret }));
    office.grant(&shared, &[("user", &office.member.id, "VIEW"), ("user", &office.guest.id, "EDIT")]);
    office.grant(&private, &[("user", &office.guest.id, "VIEW")]);
    let tree = |by: &Person, query: &str| drawn(&office.get(by, &format!("/pages/tree{query}")).body_of(200)["data"]);
    assert_eq!(tree(&office.owner, ""), "A(B H)");
    assert_eq!(tree(&office.owner, "?depth=5"), "A(B(C(D)) H(S))");
    assert_eq!(tree(&office.owner, "?depth=1"), "A");
    assert_eq!(tree(&office.member, "?depth=5"), "A(B(C(D)))");
    assert_eq!(tree(&office.guest, "?depth=5"), "");
    assert_eq!(tree(&office.member, "?root=shared"), "S");
    assert_eq!(tree(&office.guest, "?root=shared"), "S P");
    assert_eq!(tree(&office.owner, "?root=shared"), "");
    assert_eq!(tree(&office.member, &format!("?root={b}")), "C(D)");
    assert_eq!(tree(&office.member, &format!("?root={open}")), "T");
    assert_eq!(tree(&office.owner, &format!("?root={secret}")), "P");
    for (by, root) in [(&office.member, &secret), (&office.member, &hidden), (&office.guest, &a)] {
        office.get(by, &format!("/pages/tree?root={root}")).refuses(404, "NOT_FOUND");
    }
    let nodes = office.get(&office.member, "/pages/tree?depth=1").body_of(200)["data"].clone();
    assert_eq!(
        (&nodes[0]["childCount"], &nodes[0]["type"], &nodes[0]["accessLevel"]),
        (&json!(1), &json!("page"), &json!("EDIT"))
    );
    assert_eq!(office.get(&office.owner, "/pages/tree?depth=1").body_of(200)["data"][0]["childCount"], 2);
    assert_eq!(office.get(&office.member, &format!("/pages/{a}")).data(200)["childCount"], 1);
    let first = office.get(&office.owner, &format!("/pages/tree?root={a}&limit=1")).body_of(200);
    assert_eq!(drawn(&first["data"]), "B(C)");
    let cursor = shape::text(&first["nextCursor"]);
    let second = office.get(&office.owner, &format!("/pages/tree?root={a}&limit=1&cursor={cursor}")).body_of(200);
    assert_eq!((drawn(&second["data"]), &second["nextCursor"]), ("H(S)".to_owned(), &json!(null)));
    for wrong in ["?depth=0", "?depth=6", "?root=x", "?root=pg_1"] {
        office.get(&office.owner, &format!("/pages/tree{wrong}")).refuses(400, "VALIDATION_ERROR");
    }
}

fn visits_are_remembered(engine: Engine) {
    let office = office(engine);
    let [a, b] = ["A", "B"].map(|title| office.below(None, title));
    let recent = |by: &Person| office.get(by, "/pages/recent").body_of(200);
    assert_eq!(recent(&office.member)["data"], json!([]));
    for page in [&a, &b, &a] {
        office.get(&office.member, &format!("/pages/{page}")).is(200);
    }
    // Another call to the shared server may be storing these visits right now.
    let found = poll::eventually("both visits", || {
        let found = recent(&office.member);
        (titles(&found) == ["A", "B"]).then_some(found)
    });
    assert!(found["data"][0]["lastVisitedAt"].as_str() >= found["data"][1]["lastVisitedAt"].as_str());
    assert_eq!(recent(&office.other)["data"], json!([]));
    office.delete(&office.owner, &format!("/pages/{a}")).is(200);
    assert_eq!(titles(&recent(&office.member)), ["B"]);
    let cut = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("/pages/{b}/permissions"), &cut).is(200);
    assert_eq!(recent(&office.member)["data"], json!([]));
    let key = office.key("ADMIN");
    let answer = office.server.get("/pages/recent").bearer(&key).send();
    answer.refuses(403, "FORBIDDEN").because("requires_user_credentials");
}

fn favorites_have_an_order(engine: Engine) {
    let office = office(engine);
    let [a, b, c] = ["A", "B", "C"].map(|title| office.below(None, title));
    let keep = |page: &str, body: Value| office.call(&office.member, "PUT", &format!("/favorites/{page}"), &body);
    let list = |by: &Person| titles(&office.get(by, "/favorites").body_of(200));
    for page in [&a, &b, &c] {
        keep(page, json!({})).is(200);
    }
    assert_eq!(list(&office.member), ["A", "B", "C"]);
    assert_eq!(
        keep(&a, json!({})).data(200),
        json!({ "resourceId": a, "position": "a0" }),
        "once more changes nothing"
    );
    keep(&c, json!({ "beforeId": b })).is(200);
    assert_eq!(list(&office.member), ["A", "C", "B"]);
    keep(&a, json!({ "afterId": b })).is(200);
    assert_eq!(list(&office.member), ["C", "B", "A"]);
    assert_eq!(list(&office.other), [""; 0]);
    assert_eq!(office.get(&office.member, &format!("/pages/{a}")).data(200)["isFavorite"], true);
    assert_eq!(office.get(&office.other, &format!("/pages/{a}")).data(200)["isFavorite"], false);
    keep(&a, json!({ "afterId": a })).refuses(400, "VALIDATION_ERROR").of("afterId", "anchor_not_sibling");
    keep(&a, json!({ "afterId": b, "beforeId": c })).refuses(400, "VALIDATION_ERROR").of("beforeId", "invalid_value");
    for _ in 0..2 {
        office.delete(&office.member, &format!("/favorites/{b}")).is(204);
    }
    assert_eq!(list(&office.member), ["C", "A"]);
    office.delete(&office.owner, &format!("/pages/{c}")).is(200);
    assert_eq!(list(&office.member), ["A"]);
    keep(&c, json!({})).refuses(409, "CONFLICT").issue("page_trashed");
    let cut = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("/pages/{a}/permissions"), &cut).is(200);
    assert_eq!(list(&office.member), [""; 0]);
    keep(&a, json!({})).refuses(404, "NOT_FOUND");
    keep("db_01J8Z3K4M5N6P7Q8R9S0T1V2W3", json!({})).refuses(404, "NOT_FOUND");
}
