//! Moving and copying pages, deleting and restoring them.

use crate::{
    pages::{Office, office, titles},
    share_links::link,
};
use octavo_tests::{Engine, at_once::at_once, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_page_moves_with_all_below_it,
    a_move_tells_whether_a_link_shows_the_page,
    a_page_never_stands_under_itself,
    of_two_moves_that_make_a_circle_one_succeeds,
    pages_lie_fifty_deep_at_most,
    a_move_that_changes_access_takes_full_access,
    a_page_comes_back_where_it_stood,
    a_page_comes_back_elsewhere,
    trashed_pages_are_visible_with_edit_only,
    the_trash_is_listed_and_emptied,
    a_favorite_in_the_trash_is_still_one,
    a_copy_holds_what_one_sees,
    a_copy_goes_to_another_workspace,
    a_team_that_goes_leaves_its_pages,
    a_leaving_member_leaves_no_grant,
}

fn parent(office: &Office, page: &str) -> Value {
    office.get(&office.owner, &format!("/pages/{page}")).data(200)["parentId"].clone()
}

fn a_page_moves_with_all_below_it(engine: Engine) {
    let office = office(engine);
    let team = office.team("Open", false);
    let [a, b] = ["A", "B"].map(|title| office.below(None, title));
    let c = office.below(Some(&a), "C");
    let below = office.below(Some(&c), "D");
    let go = |page: &str, body: Value| office.post(&office.owner, &format!("/pages/{page}/move"), &body).data(200);
    let moved = go(&c, json!({ "parentId": b }));
    assert_eq!((&moved["parentId"], &moved["version"], &moved["childCount"]), (&json!(b), &json!(2), &json!(1)));
    assert_eq!(go(&c, json!({ "parentId": b }))["version"], 2, "it is there already");
    assert_eq!(go(&c, json!({}))["version"], 2);
    let ancestors = &office.get(&office.member, &format!("/pages/{below}")).data(200)["ancestors"];
    assert_eq!(ancestors.as_array().unwrap().iter().map(|page| page["title"].clone()).collect::<Vec<_>>(), ["B", "C"]);
    let moved = go(&b, json!({ "teamId": team }));
    assert_eq!((&moved["teamId"], &moved["parentType"]), (&json!(team), &json!("workspace")));
    let shown = office.get(&office.member, &format!("/pages/{below}")).data(200);
    assert_eq!((&shown["teamId"], &shown["accessLevel"], &shown["version"]), (&json!(team), &json!("VIEW"), &json!(1)));
    assert_eq!(go(&c, json!({ "parentId": null }))["teamId"], json!(team), "the root of the same team");
    assert_eq!(go(&c, json!({ "parentId": null, "teamId": null }))["teamId"], json!(null));
    assert_eq!(office.get(&office.member, &format!("/pages/{below}")).data(200)["accessLevel"], "EDIT");
    let last = office.below(None, "E");
    go(&last, json!({ "beforePageId": a }));
    go(&c, json!({ "afterPageId": last }));
    assert_eq!(
        titles(&office.get(&office.owner, "/pages?parentId=root&sort=position").body_of(200)),
        ["E", "C", "A", "B"]
    );
    let wrong = office.post(&office.owner, &format!("/pages/{c}/move"), &json!({ "afterPageId": below }));
    wrong.refuses(400, "VALIDATION_ERROR").of("afterPageId", "anchor_not_sibling");
    let wrong = office.post(&office.owner, &format!("/pages/{below}/move"), &json!({ "teamId": team }));
    wrong.refuses(400, "VALIDATION_ERROR").of("teamId", "invalid_value");
    let wrong = office.post(&office.owner, &format!("/pages/{below}/move"), &json!({ "databaseId": "x" }));
    wrong.refuses(400, "VALIDATION_ERROR").of("databaseId", "invalid_id");
}

fn a_move_tells_whether_a_link_shows_the_page(engine: Engine) {
    let office = office(engine);
    let [linked, page] = ["Linked", "Page"].map(|title| office.below(None, title));
    let sibling = office.below(Some(&linked), "Sibling");
    link(&office, &office.owner, &linked, &json!({}));
    let after = |path: &str, body: Value| office.post(&office.owner, &format!("/pages/{page}/{path}"), &body).data(200);
    for (body, public) in [
        (json!({ "parentId": linked }), "inherited"),
        (json!({ "beforePageId": sibling }), "inherited"),
        (json!({}), "inherited"),
        (json!({ "parentId": null }), "none"),
    ] {
        assert_eq!(after("move", body.clone())["publicAccess"], public, "{body}");
        assert_eq!(office.get(&office.owner, &format!("/pages/{page}")).data(200)["publicAccess"], public);
    }
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    assert_eq!(after("restore", json!({ "parentId": linked }))["publicAccess"], "inherited");
}

fn a_favorite_in_the_trash_is_still_one(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Page");
    office.call(&office.member, "PUT", &format!("/favorites/{page}"), &json!({})).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    for (by, is_favorite) in [(&office.member, true), (&office.other, false)] {
        assert_eq!(office.get(by, "/pages/trash").body_of(200)["data"][0]["isFavorite"], is_favorite);
    }
}

fn a_page_never_stands_under_itself(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    let c = office.below(Some(&b), "C");
    for (page, target) in [(&a, &a), (&a, &b), (&a, &c), (&b, &c)] {
        let answer = office.post(&office.owner, &format!("/pages/{page}/move"), &json!({ "parentId": target }));
        answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("cycle_detected");
    }
    assert_eq!((parent(&office, &b), parent(&office, &c)), (json!(a), json!(b)));
}

fn of_two_moves_that_make_a_circle_one_succeeds(engine: Engine) {
    let office = office(engine);
    for _ in 0..5 {
        let pages = ["A", "B"].map(|title| office.below(None, title));
        let answers = at_once(2, |number| {
            let (page, target) = (&pages[number], &pages[1 - number]);
            office.post(&office.owner, &format!("/pages/{page}/move"), &json!({ "parentId": target })).status
        });
        let mut answers = answers.clone();
        answers.sort_unstable();
        assert_eq!(answers, [200, 422]);
    }
}

fn pages_lie_fifty_deep_at_most(engine: Engine) {
    let office = office(engine);
    let chain = |length: usize| {
        let mut pages = vec![office.below(None, "root")];
        while pages.len() < length {
            let deeper = office.below(pages.last().map(String::as_str), "deeper");
            pages.push(deeper);
        }
        pages
    };
    let (long, short) = (chain(48), chain(3));
    let go =
        |target: &str| office.post(&office.owner, &format!("/pages/{}/move", short[0]), &json!({ "parentId": target }));
    go(&long[47]).refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
    office.delete(&office.owner, &format!("/pages/{}", short[2])).is(200);
    go(&long[47]).is(200);
    let answer = office.post(&office.owner, &format!("/pages/{}/restore", short[2]), &json!({}));
    answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("max_depth");
    let restored = office.post(&office.owner, &format!("/pages/{}/restore", short[2]), &json!({ "parentId": null }));
    assert_eq!(restored.body_of(200)["relocated"], true);
}

fn a_move_that_changes_access_takes_full_access(engine: Engine) {
    let office = office(engine);
    let team = office.team("Open", false);
    office.join(&team, &office.member, "MEMBER");
    let needs_full = |page: &str, body: Value| {
        let answer = office.post(&office.member, &format!("/pages/{page}/move"), &body);
        answer.refuses(403, "FORBIDDEN").because("requires_FULL_ACCESS");
    };
    let plain = office.below(None, "plain");
    needs_full(&plain, json!({ "teamId": team }));
    // Moving a page out from under one that does not inherit access.
    let cut = office.below(None, "cut");
    let body = json!({ "inherit": false, "grants": [{ "principalType": "user", "principalId": office.member.id, "level": "EDIT" }] });
    office.call(&office.owner, "PUT", &format!("/pages/{cut}/permissions"), &body).is(200);
    let kept = office.below(Some(&cut), "kept");
    needs_full(&kept, json!({ "parentId": plain }));
    office.post(&office.member, &format!("/pages/{kept}/move"), &json!({ "position": "a9" })).is(200);
    // Moving a page to where the mover would get a higher level.
    let high = office.below(None, "high");
    office.grant(&high, &[("user", &office.member.id, "FULL_ACCESS")]);
    let low = office.below(None, "low");
    needs_full(&low, json!({ "parentId": high }));
    // Also where the mover's level would rise only on a page below: a grant there lowers the level of everybody, but
    // not of a person whom the new parent grants access by name.
    let outer = office.below(None, "outer");
    let inner = office.below(Some(&outer), "inner");
    office.grant(&inner, &[("workspace", &office.id, "VIEW")]);
    let named = office.below(None, "named");
    office.grant(&named, &[("user", &office.member.id, "EDIT")]);
    assert_eq!(
        (office.level(&office.member, &inner), office.level(&office.member, &outer)),
        ("VIEW".to_owned(), "EDIT".to_owned())
    );
    needs_full(&outer, json!({ "parentId": named }));
    office.post(&office.other, &format!("/pages/{outer}/move"), &json!({ "parentId": named })).is(200);
    let own = office.page(&office.member, &json!({ "title": "own" }));
    let moved = office.post(&office.member, &format!("/pages/{own}/move"), &json!({ "teamId": team })).data(200);
    assert_eq!((&moved["teamId"], &moved["accessLevel"]), (&json!(team), &json!("FULL_ACCESS")));
    let hidden = office.page(&office.owner, &json!({ "title": "hidden", "inherit": false }));
    let answer = office.post(&office.member, &format!("/pages/{plain}/move"), &json!({ "parentId": hidden }));
    answer.refuses(404, "NOT_FOUND");
    office.grant(&hidden, &[("user", &office.member.id, "VIEW")]);
    let answer = office.post(&office.member, &format!("/pages/{plain}/move"), &json!({ "parentId": hidden }));
    answer.refuses(403, "FORBIDDEN").because("requires_EDIT");
}

fn a_page_comes_back_where_it_stood(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let [b, _] = ["B", "C"].map(|title| office.below(Some(&a), title));
    let d = office.below(Some(&b), "D");
    office.delete(&office.member, &format!("/pages/{d}")).is(200);
    let e = office.below(Some(&b), "E");
    assert_eq!(office.delete(&office.member, &format!("/pages/{b}")).data(200)["trashedCount"], 2);
    for gone in [&b, &e, &d] {
        let shown = office.get(&office.member, &format!("/pages/{gone}")).data(200);
        assert_eq!((&shown["state"], &shown["trashedBy"]), (&json!("trashed"), &json!(office.member.id)));
        let root = if *gone == d { &d } else { &b };
        assert_eq!(shown["trashRootId"], json!(root));
        let days = (shape::millis(&shown["purgeAt"]) - shape::millis(&shown["trashedAt"])) / 86_400_000;
        assert_eq!(days, 30);
    }
    assert_eq!(titles(&office.get(&office.member, &format!("/pages?parentId={a}")).body_of(200)), ["C"]);
    let answer = office.post(&office.member, &format!("/pages/{b}/restore"), &json!({})).body_of(200);
    assert_eq!((&answer["relocated"], &answer["data"]["state"]), (&json!(false), &json!("active")));
    assert_eq!((&answer["data"]["childCount"], &answer["data"]["version"]), (&json!(1), &json!(3)));
    assert_eq!(titles(&office.get(&office.member, &format!("/pages?parentId={a}")).body_of(200)), ["B", "C"]);
    assert_eq!(office.get(&office.member, &format!("/pages/{d}")).data(200)["state"], "trashed");
    let again = office.post(&office.member, &format!("/pages/{b}/restore"), &json!({})).body_of(200);
    assert_eq!((&again["relocated"], &again["data"]["version"]), (&json!(false), &json!(3)));
}

fn a_page_comes_back_elsewhere(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    let c = office.below(Some(&b), "C");
    let d = office.below(Some(&c), "D");
    office.delete(&office.owner, &format!("/pages/{b}")).is(200);
    let restore = |page: &str, body: Value| office.post(&office.owner, &format!("/pages/{page}/restore"), &body);
    let answer = restore(&c, json!({})).body_of(200);
    assert_eq!((&answer["relocated"], &answer["data"]["parentId"]), (&json!(true), &json!(a)));
    assert_eq!(
        office.get(&office.owner, &format!("/pages/{d}")).data(200)["state"],
        "active",
        "its own subtree comes too"
    );
    restore(&b, json!({ "parentId": b })).refuses(409, "CONFLICT").issue("page_trashed");
    office.delete(&office.owner, &format!("/pages/{a}")).is(200);
    restore(&d, json!({ "parentId": a })).refuses(409, "CONFLICT").issue("page_trashed");
    let answer = restore(&d, json!({})).body_of(200);
    assert_eq!((&answer["relocated"], &answer["data"]["parentId"]), (&json!(true), &json!(null)));
    let team = office.team("Open", false);
    let answer = restore(&b, json!({ "teamId": team })).body_of(200);
    assert_eq!((&answer["relocated"], &answer["data"]["teamId"]), (&json!(true), &json!(team)));
    let active = json!({ "parentId": d });
    assert_eq!(restore(&b, active).body_of(200)["data"]["teamId"], json!(team), "what is not in the trash stays");
}

fn trashed_pages_are_visible_with_edit_only(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    office.grant(&a, &[("user", &office.other.id, "VIEW"), ("user", &office.member.id, "EDIT")]);
    office.delete(&office.member, &format!("/pages/{a}")).is(200);
    for page in [&a, &b] {
        office.get(&office.other, &format!("/pages/{page}")).refuses(403, "FORBIDDEN").because("requires_EDIT");
        office.get(&office.guest, &format!("/pages/{page}")).refuses(404, "NOT_FOUND");
        office.get(&office.member, &format!("/pages/{page}")).is(200);
        office
            .patch(&office.member, &format!("/pages/{page}"), &json!({ "title": "X" }))
            .refuses(409, "CONFLICT")
            .issue("page_trashed");
        office
            .post(&office.member, "/pages", &json!({ "parentId": page }))
            .refuses(409, "CONFLICT")
            .issue("page_trashed");
        let moving = office.post(&office.member, &format!("/pages/{page}/move"), &json!({ "position": "a9" }));
        moving.refuses(409, "CONFLICT").issue("page_trashed");
        let copying = office.post(&office.member, &format!("/pages/{page}/duplicate"), &json!({ "parentId": null }));
        copying.refuses(409, "CONFLICT").issue("page_trashed");
        let granting =
            office.call(&office.owner, "PUT", &format!("/pages/{page}/permissions"), &json!({ "inherit": false }));
        granting.refuses(409, "CONFLICT").issue("page_trashed");
    }
    assert_eq!(office.get(&office.member, "/pages").body_of(200)["data"], json!([]));
    assert_eq!(office.get(&office.member, "/pages/tree").body_of(200)["data"], json!([]));
    let active = office.below(None, "Active");
    let confirm = json!({ "confirm": active });
    let answer = office.call(&office.owner, "DELETE", &format!("/pages/{active}?permanent=true"), &confirm);
    answer.refuses(409, "CONFLICT").issue("not_trashed");
}

fn the_trash_is_listed_and_emptied(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    let hidden = office.page(&office.owner, &json!({ "title": "Hidden", "inherit": false }));
    office.delete(&office.member, &format!("/pages/{a}")).is(200);
    office.delete(&office.owner, &format!("/pages/{hidden}")).is(200);
    let list = |by, query: &str| office.get(by, &format!("/pages/trash{query}")).body_of(200);
    let all = list(&office.owner, "");
    assert_eq!(titles(&all), ["Hidden", "A"]);
    assert_eq!((&all["data"][0]["descendantCount"], &all["data"][1]["descendantCount"]), (&json!(0), &json!(1)));
    assert_eq!(titles(&list(&office.member, "")), ["A"]);
    assert_eq!(titles(&list(&office.guest, "")), [""; 0]);
    assert_eq!(titles(&list(&office.owner, &format!("?trashedBy={}", office.member.id))), ["A"]);
    let mut along = titles(&list(&office.owner, &format!("?rootId={a}")));
    along.sort_unstable();
    assert_eq!(along, ["A", "B"]);
    let first = list(&office.owner, "?limit=1");
    let cursor = shape::text(&first["nextCursor"]);
    assert_eq!(titles(&list(&office.owner, &format!("?limit=1&cursor={cursor}"))), ["A"]);
    let confirm = json!({ "confirm": office.id });
    let empty = |by, body: &Value| office.call(by, "DELETE", "/pages/trash", body);
    empty(&office.member, &confirm).refuses(403, "FORBIDDEN").because("requires_ADMIN");
    empty(&office.owner, &json!({ "confirm": a })).refuses(422, "CONFIRM_REQUIRED");
    assert_eq!(empty(&office.owner, &confirm).data(202), json!({ "status": "deleting", "rootCount": 2 }));
    for gone in [&a, &b, &hidden] {
        office.get(&office.owner, &format!("/pages/{gone}")).refuses(404, "NOT_FOUND");
    }
    assert_eq!(empty(&office.owner, &confirm).data(202)["rootCount"], 0);
    let deleted = octavo_tests::poll::eventually("the events of the removals", || {
        let found = office.get(&office.owner, "/events?types=page.deleted").body_of(200)["data"].clone();
        (found.as_array().unwrap().len() == 2).then_some(found)
    });
    assert_eq!(deleted[0]["data"]["via"], "empty_trash");
    let audited = office.owner.get(&format!("/workspaces/{}/audit?action=page.deleted", office.id)).send().body_of(200);
    assert_eq!(audited["data"].as_array().unwrap().len(), 2);
}

fn a_copy_holds_what_one_sees(engine: Engine) {
    let office = office(engine);
    let a = office.page(&office.owner, &json!({ "title": "A", "icon": "\u{1F680}" }));
    let b = office.below(Some(&a), "B");
    office.below(Some(&b), "C");
    office.page(&office.owner, &json!({ "title": "H", "parentId": a, "inherit": false }));
    office.patch(&office.owner, &format!("/pages/{a}"), &json!({ "isLocked": true })).is(200);
    let copy = |by, body: Value| office.post(by, &format!("/pages/{a}/duplicate"), &body);
    let made = copy(&office.member, json!({})).body_of(201);
    let data = &made["data"];
    assert_eq!(
        (&data["title"], &data["icon"], &data["isLocked"]),
        (&json!("A (copy)"), &json!("\u{1F680}"), &json!(false))
    );
    assert_eq!(
        (&data["createdBy"], &data["version"], &data["childCount"]),
        (&json!(office.member.id), &json!(1), &json!(1))
    );
    let ids = made["idMap"].as_object().unwrap();
    assert_eq!((ids.len(), &ids[&a]), (3, &data["id"]));
    let below = office.get(&office.other, &format!("/pages?parentId={}", shape::text(&ids[&b]))).body_of(200);
    assert_eq!(titles(&below), ["C"]);
    let alone = copy(&office.owner, json!({ "parentId": b, "title": "Alone", "includeChildren": false })).body_of(201);
    assert_eq!((&alone["data"]["parentId"], alone["idMap"].as_object().unwrap().len()), (&json!(b), 1));
    office.grant(&a, &[("user", &office.guest.id, "VIEW")]);
    copy(&office.guest, json!({})).refuses(403, "FORBIDDEN").because("requires_EDIT");
    let whole = copy(&office.owner, json!({ "title": "Whole" })).body_of(201);
    assert_eq!(whole["idMap"].as_object().unwrap().len(), 5, "the copy that stands in it is copied too");
    let grants =
        office.get(&office.owner, &format!("/pages/{}/permissions", shape::text(&whole["data"]["id"]))).data(200);
    assert_eq!((&grants["grants"], &grants["inherit"]), (&json!([]), &json!(true)));
}

fn a_copy_goes_to_another_workspace(engine: Engine) {
    let office = office(engine);
    let a = office.below(None, "A");
    let b = office.below(Some(&a), "B");
    let copy = |by, body: Value| office.post(by, &format!("/pages/{a}/duplicate"), &body);
    let made = copy(&office.member, json!({ "workspaceId": office.member.workspace })).body_of(201);
    assert_eq!(
        (&made["data"]["workspaceId"], &made["data"]["parentId"]),
        (&json!(office.member.workspace), &json!(null))
    );
    let there = office.member.get(&format!("/pages/{}", shape::text(&made["idMap"][&b]))).send().data(200);
    assert_eq!(there["parentId"], made["data"]["id"]);
    for workspace in [&office.other.workspace, "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] {
        copy(&office.member, json!({ "workspaceId": workspace })).refuses(404, "NOT_FOUND");
    }
    copy(&office.member, json!({ "workspaceId": office.member.workspace, "parentId": a })).refuses(404, "NOT_FOUND");
    let key = office.key("ADMIN");
    let body = json!({ "workspaceId": office.owner.workspace });
    let answer = office.server.post(&format!("/pages/{a}/duplicate"), &body).bearer(&key).send();
    answer.refuses(403, "FORBIDDEN").because("requires_user_credentials");
}

fn a_team_that_goes_leaves_its_pages(engine: Engine) {
    let office = office(engine);
    let (open, secret) = (office.team("Open", false), office.team("Secret", true));
    let make = |team: &str| {
        let root = office.page(&office.owner, &json!({ "title": "R", "teamId": team }));
        let below = office.below(Some(&root), "B");
        (root, below)
    };
    let ((open_root, open_below), (root, below)) = (make(&open), make(&secret));
    let named = office.below(Some(&below), "N");
    office.grant(&named, &[("team", &open, "EDIT"), ("user", &office.other.id, "VIEW")]);
    let remove = |team: &str| {
        let path = format!("/workspaces/{}/teams/{team}", office.id);
        office.owner.delete(&path).send().data(202)["unassignedPageCount"].clone()
    };
    assert_eq!(
        (office.level(&office.member, &open_below), office.level(&office.member, &below)),
        ("VIEW".to_owned(), "404".to_owned())
    );
    assert_eq!((remove(&open), remove(&secret)), (json!(2), json!(3)));
    assert_eq!(office.level(&office.member, &open_root), "EDIT");
    assert_eq!(office.level(&office.member, &open_below), "EDIT");
    assert_eq!(office.level(&office.member, &below), "404", "nobody gains access");
    assert_eq!(office.level(&office.other, &named), "VIEW");
    let shown = office.get(&office.owner, &format!("/pages/{root}")).data(200);
    assert_eq!(
        (&shown["teamId"], &shown["inherit"], &shown["parentType"]),
        (&json!(null), &json!(false), &json!("workspace"))
    );
    assert_eq!(office.get(&office.owner, &format!("/pages/{below}")).data(200)["teamId"], json!(null));
    let grants = office.get(&office.owner, &format!("/pages/{named}/permissions")).data(200);
    assert_eq!(grants["grants"].as_array().unwrap().len(), 1, "what named the team is gone");
}

fn a_leaving_member_leaves_no_grant(engine: Engine) {
    let office = office(engine);
    let own = office.page(&office.member, &json!({ "title": "Own", "inherit": false }));
    assert_eq!(office.level(&office.member, &own), "FULL_ACCESS");
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.member.id)).send().is(204);
    let body = json!({ "userId": office.member.id, "role": "MEMBER" });
    office.owner.post(&format!("/workspaces/{}/members", office.id), &body).send().is(201);
    assert_eq!(office.level(&office.member, &own), "404", "coming back is no way into old pages");
    assert_eq!(office.level(&office.owner, &own), "FULL_ACCESS");
    let demoted = json!({ "role": "GUEST" });
    let plain = office.below(None, "Plain");
    assert_eq!(office.level(&office.other, &plain), "EDIT");
    office.owner.patch(&format!("/workspaces/{}/members/{}", office.id, office.other.id), &demoted).send().is(200);
    assert_eq!(office.level(&office.other, &plain), "404", "a role counts from the next call on");
}
