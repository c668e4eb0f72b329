//! Changes of schemas and records that reach what the caller may not edit or see.

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
    relations::library,
};
use octavo_tests::{Answer, Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    properties_of_databases_that_somebody_may_not_edit_are_not_deleted_along,
    the_other_side_of_a_relation_is_changed_by_those_who_may_edit_it,
    records_that_break_a_rule_are_named_to_those_who_see_them,
    defaults_name_members_only,
    an_archived_database_gets_no_other_side,
    a_locked_page_keeps_title_icon_and_cover_of_its_record,
    stale_calls_archive_and_link_nothing,
    flaws_come_before_a_stale_version,
    parts_are_counted_for_those_who_see_them,
    databases_are_counted_in_the_usage_of_a_workspace,
    a_batch_deletes_what_it_has_created,
}

/// A page that the member cannot see.
fn secret(office: &Office) -> String {
    let page = office.below(None, "Secret");
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    page
}

fn related(office: &Office, parent: Option<&str>, target: &Table, settings: &Value) -> Table {
    let mut config = json!({ "targetDatabaseId": target.id });
    config.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    Table::of(office, parent, &[json!({ "name": "Link", "type": "relation", "config": config })])
}

fn properties_of_databases_that_somebody_may_not_edit_are_not_deleted_along(engine: Engine) {
    let office = office(engine);
    let open = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let hidden = related(&office, Some(&secret(&office)), &open, &json!({}));
    let config = json!({
        "relationPropertyId": hidden.property("Link"), "targetPropertyId": open.property("Price"), "aggregate": "SUM",
    });
    let body = json!({ "name": "Sum", "type": "rollup", "config": config });
    let sum = office.post(&office.owner, &format!("{}/properties", hidden.path), &body).data(201);
    let path = format!("{}/properties/{}", open.path, open.property("Price"));
    let refused = office.delete(&office.member, &path).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(refused.issue("has_dependents").detail()["dependents"], json!([]), "nothing hidden is named");
    let seen = office.delete(&office.owner, &path).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(seen.detail()["dependents"], json!([sum["id"]]));
    let along = format!("{path}?cascade=true");
    office.delete(&office.member, &along).refuses(403, "FORBIDDEN").because("requires_EDIT");
    office.get(&office.owner, &hidden.path).is(200);
    let deleted = office.delete(&office.owner, &along).data(200);
    assert_eq!(deleted["removedRollups"], json!([sum["id"]]));
}

fn the_other_side_of_a_relation_is_changed_by_those_who_may_edit_it(engine: Engine) {
    let office = office(engine);
    let parent = office.below(None, "People");
    let people = Table::of(&office, Some(&parent), &[]);
    let books = related(&office, None, &people, &json!({ "bidirectional": true, "reverseName": "Books" }));
    let path = format!("{}/relations/{}", books.path, books.property("Link"));
    let rename = json!({ "reverseName": "Written" });
    for level in ["VIEW", "NONE"] {
        office.grant(&parent, &[("user", &office.member.id, level)]);
        for change in [&rename, &json!({ "bidirectional": false })] {
            office.patch(&office.member, &path, change).refuses(403, "FORBIDDEN").because("requires_EDIT");
        }
        office.patch(&office.member, &path, &json!({ "name": "Author" })).is(200);
    }
    office.grant(&parent, &[("user", &office.member.id, "EDIT")]);
    assert_eq!(office.patch(&office.member, &path, &rename).data(200)["reverseName"], "Written");
    office.patch(&office.member, &path, &json!({ "bidirectional": false })).is(200);
}

fn records_that_break_a_rule_are_named_to_those_who_see_them(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let [a, b] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let [open, hidden] = ["Open", "Hidden"].map(|title| library.put_book(&office, title, &[&a, &b]).data(201));
    let page = hidden["pageId"].as_str().unwrap();
    office.grant(page, &[("user", &office.member.id, "NONE")]);
    let path = format!("{}/relations/{}", library.books.path, library.relation);
    let narrow = |by| office.patch(by, &path, &json!({ "cardinality": "one_to_one" }));
    let named = |refused: Answer| {
        let refused = refused.refuses(422, "UNPROCESSABLE_ENTITY");
        let mut named: Vec<_> = refused.detail()["recordIds"].as_array().unwrap().clone();
        named.sort_by_key(ToString::to_string);
        named
    };
    assert_eq!(named(narrow(&office.member)), [open["id"].clone()]);
    let mut both = vec![open["id"].clone(), hidden["id"].clone()];
    both.sort_by_key(ToString::to_string);
    assert_eq!(named(narrow(&office.owner)), both);
}

fn defaults_name_members_only(engine: Engine) {
    let office = office(engine);
    let stranger = office.server.person("Zoe");
    let table = Table::of(&office, None, &[]);
    let path = format!("{}/properties", table.path);
    let of = |user: &str| json!({ "name": "Owner", "type": "person", "default": { "userIds": [user] } });
    for unknown in [stranger.id.as_str(), "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] {
        office.post(&office.owner, &path, &of(unknown)).refuses(422, "UNPROCESSABLE_ENTITY").issue("unknown_principal");
        let title = json!({ "name": "Name", "type": "title" });
        let whole = json!({ "title": "Tasks", "properties": [title, of(unknown)] });
        let refused = office.post(&office.owner, "/databases", &whole);
        refused.refuses(422, "UNPROCESSABLE_ENTITY").issue("unknown_principal");
    }
    let made = office.post(&office.owner, &path, &of(&office.other.id)).data(201);
    let own = format!("{path}/{}", made["id"].as_str().unwrap());
    let change = json!({ "default": { "userIds": [office.other.id, stranger.id] } });
    office.patch(&office.owner, &own, &change).refuses(422, "UNPROCESSABLE_ENTITY").issue("unknown_principal");
    // Somebody who leaves stays where they are.
    office.delete(&office.owner, &format!("/workspaces/{}/members/{}", office.id, office.other.id)).is(204);
    office.patch(&office.owner, &own, &json!({ "name": "Responsible" })).is(200);
}

fn an_archived_database_gets_no_other_side(engine: Engine) {
    let office = office(engine);
    let [archived, table] = [(); 2].map(|()| Table::of(&office, None, &[]));
    office.patch(&office.owner, &archived.path, &json!({ "archived": true })).is(200);
    let relation = |bidirectional: bool| {
        let body = json!({ "name": "Link", "targetDatabaseId": archived.id, "bidirectional": bidirectional });
        office.post(&office.owner, &format!("{}/relations", table.path), &body)
    };
    relation(true).refuses(409, "CONFLICT").issue("database_archived");
    relation(false).is(201);
}

fn a_locked_page_keeps_title_icon_and_cover_of_its_record(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let record = table.put(&office, "Chair");
    let page = format!("/pages/{}", record["pageId"].as_str().unwrap());
    office.patch(&office.owner, &page, &json!({ "isLocked": true })).is(200);
    let title = table.values(&[("Name", json!({ "text": "Stool" }))]);
    for change in [
        json!({ "properties": title }),
        json!({ "icon": "\u{1fa91}" }),
        json!({ "coverUrl": "https://example.com/chair.png" }),
    ] {
        let refused = office.patch(&office.member, &path_of(&record), &change).refuses(409, "CONFLICT");
        assert_eq!(refused.issue("page_locked").detail()["lockedBy"], office.owner.id);
    }
    let update = json!({ "op": "update", "recordId": record["id"], "properties": title });
    let bulk = office.post(&office.member, &format!("{}/records/bulk", table.path), &json!({ "ops": [update] }));
    bulk.refuses(409, "CONFLICT");
    let price = table.values(&[("Price", json!({ "value": 3 }))]);
    office.patch(&office.member, &path_of(&record), &json!({ "properties": price })).is(200);
    office.patch(&office.owner, &page, &json!({ "isLocked": false })).is(200);
    office.patch(&office.member, &path_of(&record), &json!({ "properties": title })).is(200);
}

fn stale_calls_archive_and_link_nothing(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let ada = library.people.put(&office, "Ada");
    let book = library.put_book(&office, "Notes", &[]).data(201);
    let links = format!("{}/relations/{}", path_of(&book), library.relation);
    let add = json!({ "add": [ada["id"]] });
    for path in [format!("{}/archive", path_of(&book)), format!("{}/unarchive", path_of(&book)), links.clone()] {
        let request = office.owner.request("POST", &path).header("X-Service-Workspace", &office.id);
        let refused = request.header("If-Match", "7").json(&add).send();
        refused.refuses(409, "CONFLICT").of("version", "version_mismatch");
        let mut body = add.clone();
        body["version"] = json!(7);
        office.post(&office.owner, &path, &body).refuses(409, "CONFLICT").of("version", "version_mismatch");
    }
    let mut current = add;
    current["version"] = json!(1);
    assert_eq!(office.post(&office.owner, &links, &current).data(200)["version"], 2);
    let archive = format!("{}/archive", path_of(&book));
    let without_body = office.owner.request("POST", &archive).header("X-Service-Workspace", &office.id).send();
    assert_eq!(without_body.data(200)["version"], 3);
}

fn flaws_come_before_a_stale_version(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Price", "type": "number" })]);
    let record = table.put(&office, "Chair");
    let flawed = json!({ "version": 7, "properties": table.values(&[("Price", json!({ "value": "x" }))]) });
    office.patch(&office.owner, &path_of(&record), &flawed).refuses(400, "VALIDATION_ERROR");
    let stale = json!({ "version": 7, "properties": table.values(&[("Price", json!({ "value": 1 }))]) });
    office.patch(&office.owner, &path_of(&record), &stale).refuses(409, "CONFLICT").of("version", "version_mismatch");
}

fn parts_are_counted_for_those_who_see_them(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let whole = table.put(&office, "Whole");
    let [_, hidden] = ["Seen", "Hidden"].map(|title| {
        let name = table.values(&[("Name", json!({ "text": title }))]);
        let body = json!({ "properties": name, "parentRecordId": whole["id"] });
        office.post(&office.owner, &format!("{}/records", table.path), &body).data(201)
    });
    office.grant(hidden["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    let count = |by| office.get(by, &path_of(&whole)).data(200)["subItemCount"].clone();
    assert_eq!((count(&office.member), count(&office.owner)), (json!(1), json!(2)));
}

fn databases_are_counted_in_the_usage_of_a_workspace(engine: Engine) {
    let office = office(engine);
    let count = || {
        let workspace = office.get(&office.owner, &format!("/workspaces/{}", office.id)).data(200);
        workspace["usage"]["databases"].clone()
    };
    assert_eq!(count(), 0);
    Table::of(&office, None, &[]);
    Table::of(&office, None, &[]);
    assert_eq!(count(), 2);
}

fn a_batch_deletes_what_it_has_created(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let create = json!({ "op": "create", "ref": "d", "properties": table.values(&[("Name", json!({ "text": "x" }))]) });
    let delete = |confirm: &str| json!({ "op": "delete", "recordId": "$d", "confirm": confirm });
    let bulk =
        |ops: &[&Value]| office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": ops }));
    bulk(&[&create, &delete("$e")]).refuses(422, "CONFIRM_REQUIRED");
    let done = bulk(&[&create, &delete("$d")]).data(200);
    assert_eq!((&done["created"], &done["deleted"]), (&json!(1), &json!(1)));
}
