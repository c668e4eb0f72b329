//! Narrowing a search.

use super::{eventually, eventually_all, find, ids};
use crate::{
    comments::begin,
    pages::office,
    records::{Table, path_of},
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::json;

both_engines! {
    a_search_is_narrowed_to_types_and_fields,
    a_search_is_narrowed_to_a_part_of_the_workspace,
    a_search_is_narrowed_to_people_and_times,
    the_archive_is_found_on_request_and_the_trash_never,
}

fn a_search_is_narrowed_to_types_and_fields(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Marmot");
    let thread = shape::text(&begin(&office, &office.owner, &json!({ "pageId": page, "body": "marmot" }))["id"]);
    let table = Table::create(&office, &json!({ "title": "Marmot table" }));
    let record = shape::text(&table.put(&office, "Marmot record")["id"]);
    let written = office.below(None, "Other");
    office.line(&written, None, "marmot");
    eventually_all(&office, &office.owner, "marmot", "", &[&page, &thread, &table.id, &record, &written]);
    for (more, expected) in [
        ("&types=page", vec![&page, &written]),
        ("&types=record", vec![&record]),
        ("&types=database,comment", vec![&table.id, &thread]),
        ("&fields=title", vec![&page, &table.id, &record]),
        ("&fields=text", vec![&written]),
        ("&fields=comment", vec![&thread]),
        ("&fields=property", vec![]),
        ("&fields=title,text&types=page", vec![&page, &written]),
    ] {
        let mut found = ids(&find(&office, &office.owner, "marmot", more));
        let mut expected: Vec<_> = expected.into_iter().cloned().collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{more}");
    }
}

fn a_search_is_narrowed_to_a_part_of_the_workspace(engine: Engine) {
    let office = office(engine);
    let team = office.team("Design", false);
    let of_team = office.page(&office.owner, &json!({ "title": "Lynx team", "teamId": team }));
    let top = office.below(None, "Lynx top");
    let inner = office.below(Some(&top), "Lynx inner");
    let leaf = office.below(Some(&inner), "Lynx leaf");
    let table = Table::create(&office, &json!({ "title": "Lynx table", "parentId": inner }));
    let record = table.put(&office, "Lynx record");
    let (id, home) = (shape::text(&record["id"]), shape::text(&record["pageId"]));
    let thread = shape::text(&begin(&office, &office.owner, &json!({ "recordId": id, "body": "lynx" }))["id"]);
    eventually_all(&office, &office.owner, "lynx", "", &[&of_team, &top, &inner, &leaf, &table.id, &id, &thread]);
    for (more, expected) in [
        (format!("&teamId={team}"), vec![&of_team]),
        (format!("&parentId={inner}"), vec![&inner, &leaf, &table.id, &id, &thread]),
        (format!("&parentId={leaf}"), vec![&leaf]),
        (format!("&parentId={home}"), vec![&id, &thread]),
        (format!("&databaseId={}", table.id), vec![&table.id, &id, &thread]),
        (format!("&databaseId={}&types=record", table.id), vec![&id]),
    ] {
        eventually_all(
            &office,
            &office.owner,
            "lynx",
            &more,
            &expected.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
        );
    }
    // A move counts at once.
    office.post(&office.owner, &format!("/pages/{leaf}/move"), &json!({ "parentId": null })).is(200);
    let more = format!("&parentId={inner}");
    let mut found = ids(&find(&office, &office.owner, "lynx", &more));
    found.sort();
    let mut expected = [inner.clone(), table.id.clone(), id.clone(), thread];
    expected.sort();
    assert_eq!(found, expected);
    // What the caller may not view is no part to search.
    let secret = office.below(None, "Secret");
    office.grant(&secret, &[("workspace", &office.id, "NONE")]);
    let hidden = office.team("Hidden", true);
    for (field, id) in [("parentId", &secret), ("teamId", &hidden)] {
        let refused = find(&office, &office.member, "lynx", &format!("&{field}={id}"));
        refused.refuses(404, "NOT_FOUND").names(field);
        let unknown = format!("{}ZZZZ", &id[..id.len() - 4]);
        refused.is_like(&find(&office, &office.member, "lynx", &format!("&{field}={unknown}")));
    }
    find(&office, &office.member, "lynx", "&databaseId=db_01J8Z3K4M5N6P7Q8R9S0T1V2W3").refuses(404, "NOT_FOUND");
}

fn a_search_is_narrowed_to_people_and_times(engine: Engine) {
    let office = office(engine);
    let mine = office.page(&office.member, &json!({ "title": "Bison mine" }));
    let theirs = office.page(&office.owner, &json!({ "title": "Bison theirs" }));
    office.patch(&office.other, &format!("/pages/{theirs}"), &json!({ "icon": "\u{1F680}" })).is(200);
    eventually(&office, &office.owner, "bison", "&createdBy=me", &[&theirs]);
    let by_other = format!("&updatedBy={}", office.other.id);
    eventually(&office, &office.owner, "bison", &by_other, &[&theirs]);
    eventually(&office, &office.owner, "bison", &format!("&createdBy={}", office.member.id), &[&mine]);
    eventually(&office, &office.member, "bison", "&createdBy=me", &[&mine]);
    // A key counts as the user who made it.
    let key = office.key("READ");
    let answer = office.server.site().get("/search?q=bison&createdBy=me").bearer(&key).send();
    assert_eq!(ids(&answer), [theirs.as_str()]);
    let at = |page: &str, field: &str| {
        let shown = office.get(&office.owner, &format!("/pages/{page}")).data(200);
        super::encoded(&shape::text(&shown[field]))
    };
    let (first, second) = (at(&mine, "createdAt"), at(&theirs, "createdAt"));
    assert_ne!(first, second);
    eventually(&office, &office.owner, "bison", &format!("&createdBefore={second}"), &[&mine]);
    eventually(&office, &office.owner, "bison", &format!("&createdAfter={second}"), &[&theirs]);
    let changed = at(&theirs, "updatedAt");
    eventually(&office, &office.owner, "bison", &format!("&updatedAfter={changed}"), &[&theirs]);
    eventually(&office, &office.owner, "bison", &format!("&updatedBefore={changed}"), &[&mine]);
    eventually(&office, &office.owner, "bison", &format!("&createdAfter={first}&createdBefore={first}"), &[]);
}

fn the_archive_is_found_on_request_and_the_trash_never(engine: Engine) {
    let office = office(engine);
    let [kept, archived] =
        ["Moose kept", "Moose archived"].map(|title| Table::create(&office, &json!({ "title": title })));
    let in_kept = shape::text(&kept.put(&office, "Moose one")["id"]);
    let put_away = kept.put(&office, "Moose two");
    let in_archived = shape::text(&archived.put(&office, "Moose three")["id"]);
    let two = shape::text(&put_away["id"]);
    eventually_all(&office, &office.owner, "moose", "", &[&kept.id, &archived.id, &in_kept, &two, &in_archived]);
    office.post(&office.owner, &format!("{}/archive", path_of(&put_away)), &json!(null)).is(200);
    office.patch(&office.owner, &archived.path, &json!({ "archived": true })).is(200);
    eventually_all(&office, &office.owner, "moose", "", &[&kept.id, &in_kept]);
    let all = [&kept.id, &archived.id, &in_kept, &two, &in_archived].map(String::as_str);
    eventually_all(&office, &office.owner, "moose", "&includeArchived=true", &all);
    let page = office.below(None, "Moose page");
    let below = office.below(Some(&page), "Moose below");
    let thread = shape::text(&begin(&office, &office.owner, &json!({ "pageId": below, "body": "moose" }))["id"]);
    eventually_all(&office, &office.owner, "moose", "", &[&kept.id, &in_kept, &page, &below, &thread]);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    let mut found = ids(&find(&office, &office.owner, "moose", ""));
    found.sort();
    let mut expected = [kept.id.clone(), in_kept.clone()];
    expected.sort();
    assert_eq!(found, expected, "the trash counts at once");
    office.post(&office.owner, &format!("/pages/{page}/restore"), &json!({})).is(200);
    eventually_all(&office, &office.owner, "moose", "", &[&kept.id, &in_kept, &page, &below, &thread]);
    office.delete(&office.owner, &format!("/pages/{below}")).is(200);
    let confirm = json!({ "confirm": below });
    office.call(&office.owner, "DELETE", &format!("/pages/{below}?permanent=true"), &confirm).is(202);
    eventually_all(&office, &office.owner, "moose", "", &[&kept.id, &in_kept, &page]);
}
