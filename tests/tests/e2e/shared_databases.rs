//! Databases and records behind share links.

use crate::{
    pages::{Office, office},
    records::{Table, UNKNOWN, path_of},
    share_links::{link, names, token},
};
use octavo_tests::{Answer, Browser, Engine, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_link_shows_a_database_with_its_records,
    what_a_link_does_not_cover_is_invisible,
    people_are_shown_by_name_only,
    records_are_listed_page_by_page,
    the_page_of_a_record_is_shown,
    a_link_without_what_is_below_shows_no_records,
    refusals_are_those_of_the_link,
    a_database_is_read_in_a_browser,
    a_block_shows_the_first_records_of_its_database,
}

fn public(office: &Office, path: &str) -> Answer {
    office.server.site().get(&format!("/public/shares/{path}")).send()
}

pub(crate) fn query(office: &Office, token: &str, database: &str, body: &Value) -> Answer {
    office.server.site().post(&format!("/public/shares/{token}/databases/{database}/query"), body).send()
}

pub(crate) fn titles(list: &Value, table: &Table) -> Vec<String> {
    let title = |record: &Value| shape::text(&record["properties"][table.property("Name")]["text"]);
    list["data"].as_array().unwrap().iter().map(title).collect()
}

pub(crate) fn share_database(office: &Office, table: &Table, body: &Value) -> String {
    token(&office.post(&office.owner, &format!("{}/share-links", table.path), body).data(201))
}

fn a_link_shows_a_database_with_its_records(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let properties = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "By", "type": "created_by" }),
        json!({ "name": "Editor", "type": "last_edited_by" }),
        json!({ "name": "Created", "type": "created_time" }),
    ];
    let table = Table::of(&office, Some(&page), &properties);
    let values = [("Name", json!({ "text": "Chair" })), ("Price", json!({ "value": 9.5 }))];
    let made = table.send(&office, &office.owner, &values).data(201);
    table.put(&office, "Stool");
    let below = token(&link(&office, &office.owner, &page, &json!({})));
    let own = share_database(&office, &table, &json!({}));
    let opened = public(&office, &own).data(200);
    assert_eq!((&opened["resource"]["id"], &opened["resource"]["type"]), (&json!(table.id), &json!("database")));
    for (token, above) in [(&below, vec!["Plans".to_owned()]), (&own, vec![])] {
        let shown = public(&office, &format!("{token}/databases/{}", table.id)).data(200);
        assert_eq!(names(&shown["ancestors"]), above);
        assert_eq!((&shown["database"]["title"], &shown["database"]["recordCount"]), (&json!("Tasks"), &json!(2)));
        let properties: Vec<_> =
            shown["properties"].as_array().unwrap().iter().map(|property| property["name"].clone()).collect();
        assert_eq!(properties, ["Name", "Price", "Created"], "nobody sees who wrote a record");
        assert_eq!((&shown["views"][0]["name"], &shown["views"][0]["type"]), (&json!("Table"), &json!("table")));
        let list = query(&office, token, &table.id, &json!({})).body_of(200);
        assert_eq!(titles(&list, &table), ["Chair", "Stool"]);
        let record = &list["data"][0];
        assert_eq!((&record["id"], &record["pageId"]), (&made["id"], &made["pageId"]));
        assert_eq!(record["properties"][table.property("Price")], json!({ "value": 9.5 }));
        let keys: Vec<_> = record.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["createdTime", "icon", "id", "lastEditedTime", "pageId", "position", "properties"]);
        let text = list.to_string() + &shown.to_string();
        assert!(!text.contains("usr_") && !text.contains('@'), "{text}");
    }
    let children = public(&office, &format!("{below}/pages/{page}")).data(200)["children"].clone();
    assert_eq!((&children[0]["id"], &children[0]["type"]), (&json!(table.id), &json!("database")));
    let some = query(&office, &own, &table.id, &json!({ "select": [table.property("Price")] })).body_of(200);
    assert_eq!(some["data"][0]["properties"], json!({ table.property("Price"): { "value": 9.5 } }));
    for hidden in [table.property("By"), "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3"] {
        query(&office, &own, &table.id, &json!({ "select": [hidden] }))
            .refuses(400, "VALIDATION_ERROR")
            .of("select.0", "invalid_value");
    }
    query(&office, &own, &table.id, &json!({ "pageSize": 0 }))
        .refuses(400, "VALIDATION_ERROR")
        .of("pageSize", "too_small");
    query(&office, &own, &table.id, &json!({ "cursor": "nonsense" })).refuses(400, "VALIDATION_ERROR").names("cursor");
}

fn what_a_link_does_not_cover_is_invisible(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let outside = Table::of(&office, None, &[]);
    let elsewhere = outside.put(&office, "Elsewhere");
    let relation = |name: &str, target: &str| json!({ "name": name, "type": "relation", "config": { "targetDatabaseId": target, "cardinality": "many_to_many" } });
    let table = Table::of(&office, Some(&page), &[relation("Outside", &outside.id)]);
    let inside =
        office.post(&office.owner, &format!("{}/properties", table.path), &relation("Inside", &table.id)).data(201);
    let inside = shape::text(&inside["id"]);
    let [open, cut, excluded, old] = ["Open", "Cut", "Excluded", "Old"].map(|title| table.put(&office, title));
    let permissions = |record: &Value| format!("/pages/{}/permissions", shape::text(&record["pageId"]));
    office.call(&office.owner, "PUT", &permissions(&cut), &json!({ "inherit": false, "grants": [] })).is(200);
    office.grant(&shape::text(&excluded["pageId"]), &[("user", &office.guest.id, "NONE")]);
    office.post(&office.owner, &format!("{}/archive", path_of(&old)), &Value::Null).is(200);
    let links = json!({ "properties": {
        table.property("Outside"): { "recordIds": [elsewhere["id"]] },
        &inside: { "recordIds": [cut["id"], open["id"], excluded["id"], old["id"]] },
    } });
    office.patch(&office.owner, &path_of(&open), &links).is(200);
    let token = token(&link(&office, &office.owner, &page, &json!({})));
    let list = query(&office, &token, &table.id, &json!({ "includeArchived": true })).body_of(200);
    assert_eq!(titles(&list, &table), ["Open"]);
    let values = &list["data"][0]["properties"];
    assert_eq!(values[table.property("Outside")], Value::Null, "links to what is not covered are invisible");
    assert_eq!(values[&inside], json!({ "recordIds": [open["id"]] }));
    let shown = public(&office, &format!("{token}/databases/{}", table.id)).data(200);
    let target = |name: &str| {
        let all = shown["properties"].as_array().unwrap();
        all.iter().find(|property| property["name"] == name).unwrap()["config"]["targetDatabaseId"].clone()
    };
    assert_eq!((target("Outside"), target("Inside")), (Value::Null, json!(table.id)));
    for hidden in [&cut, &excluded, &old] {
        let path = format!("{token}/pages/{}", shape::text(&hidden["pageId"]));
        public(&office, &path).refuses(404, "NOT_FOUND");
    }
    public(&office, &format!("{token}/databases/{}", outside.id)).refuses(404, "NOT_FOUND");
    // An archived database is not covered either, unless the link is its own.
    let own = share_database(&office, &table, &json!({}));
    office.patch(&office.owner, &table.path, &json!({ "archived": true })).is(200);
    query(&office, &token, &table.id, &json!({})).refuses(404, "NOT_FOUND");
    public(&office, &format!("{token}/pages/{}", shape::text(&open["pageId"]))).refuses(404, "NOT_FOUND");
    assert!(names(&public(&office, &format!("{token}/pages/{page}")).data(200)["children"]).is_empty());
    query(&office, &own, &table.id, &json!({})).is(200);
    office.patch(&office.owner, &table.path, &json!({ "archived": false })).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    query(&office, &own, &table.id, &json!({})).refuses(404, "NOT_FOUND");
}

fn people_are_shown_by_name_only(engine: Engine) {
    let office = office(engine);
    let who = json!({ "name": "Who", "type": "person", "default": { "userIds": [office.other.id] } });
    let table = Table::of(&office, None, &[who]);
    let people = json!({ "userIds": [office.member.id, office.owner.id] });
    table.send(&office, &office.owner, &[("Name", json!({ "text": "Plan" })), ("Who", people)]).is(201);
    let token = share_database(&office, &table, &json!({}));
    let list = query(&office, &token, &table.id, &json!({})).body_of(200);
    let person = |name: &str| json!({ "displayName": name, "avatarUrl": null });
    let shown = &list["data"][0]["properties"][table.property("Who")];
    assert_eq!(*shown, json!({ "userIds": [person("Bob"), person("Ada")] }));
    let database = public(&office, &format!("{token}/databases/{}", table.id)).data(200);
    assert!(!(list.to_string() + &database.to_string()).contains("usr_"), "not even as a default");
}

fn records_are_listed_page_by_page(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let all = ["A", "B", "C", "D", "E"].map(|title| shape::text(&table.put(&office, title)["id"]));
    let token = share_database(&office, &table, &json!({}));
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let body = match &cursor {
            Some(cursor) => json!({ "pageSize": 2, "cursor": cursor }),
            None => json!({ "pageSize": 2 }),
        };
        let list = query(&office, &token, &table.id, &body).body_of(200);
        seen.extend(list["data"].as_array().unwrap().iter().map(|record| shape::text(&record["id"])));
        match list["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(seen, all);
}

fn the_page_of_a_record_is_shown(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[]);
    let [untouched, used] = ["Untouched", "Used"].map(|title| table.put(&office, title));
    let text = json!({ "pageId": used["pageId"], "ops": [{ "op": "upsert", "block": { "type": "paragraph", "content": { "text": "Made of oak" } } }] });
    office.post(&office.owner, "/blocks/batch", &text).is(201);
    let details = office.page(&office.owner, &json!({ "title": "Details", "parentId": used["pageId"] }));
    let token = token(&link(&office, &office.owner, &page, &json!({})));
    let read = |page: &str| public(&office, &format!("{token}/pages/{page}")).data(200);
    let shown = read(&shape::text(&untouched["pageId"]));
    assert_eq!(
        (&shown["page"]["title"], names(&shown["ancestors"])),
        (&json!("Untouched"), vec!["Plans".to_owned(), "Tasks".to_owned()])
    );
    assert_eq!((&shown["ancestors"][1]["type"], &shown["ancestors"][1]["id"]), (&json!("database"), &json!(table.id)));
    assert_eq!((&shown["blocks"], &shown["children"]), (&json!([]), &json!([])));
    let shown = read(&shape::text(&used["pageId"]));
    assert_eq!(
        (&shown["blocks"][0]["content"]["text"], names(&shown["children"])),
        (&json!("Made of oak"), vec!["Details".to_owned()])
    );
    assert_eq!(names(&read(&details)["ancestors"]), ["Plans", "Tasks", "Used"]);
    let own = link(&office, &office.owner, &shape::text(&used["pageId"]), &json!({}));
    let opened = public(&office, &crate::share_links::token(&own)).data(200);
    assert_eq!((&opened["resource"]["id"], &opened["resource"]["title"]), (&used["pageId"], &json!("Used")));
    public(&office, &format!("{token}/pages/{}", UNKNOWN.replace("rpt_", "pg_"))).refuses(404, "NOT_FOUND");
}

fn a_link_without_what_is_below_shows_no_records(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let table = Table::of(&office, Some(&page), &[]);
    let made = table.put(&office, "Chair");
    let alone = json!({ "includeChildren": false });
    let token = token(&link(&office, &office.owner, &page, &alone));
    query(&office, &token, &table.id, &json!({})).refuses(404, "NOT_FOUND");
    assert!(names(&public(&office, &format!("{token}/pages/{page}")).data(200)["children"]).is_empty());
    let own = share_database(&office, &table, &alone);
    let shown = public(&office, &format!("{own}/databases/{}", table.id)).data(200);
    assert_eq!(shown["database"]["recordCount"], 0);
    let list = query(&office, &own, &table.id, &json!({})).body_of(200);
    assert!(list["data"].as_array().unwrap().is_empty());
    public(&office, &format!("{own}/pages/{}", shape::text(&made["pageId"]))).refuses(404, "NOT_FOUND");
}

fn refusals_are_those_of_the_link(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let other = Table::of(&office, None, &[]);
    let locked = share_database(&office, &table, &json!({ "password": "open sesame" }));
    query(&office, &locked, &table.id, &json!({})).refuses(401, "UNAUTHORIZED").because("share_password_required");
    query(&office, &locked, &other.id, &json!({})).refuses(401, "UNAUTHORIZED");
    let site = office.server.site();
    let proof =
        site.post(&format!("/public/shares/{locked}/unlock"), &json!({ "password": "open sesame" })).send().data(200);
    let path = format!("/public/shares/{locked}/databases/{}/query", table.id);
    let proof = shape::text(&proof["accessToken"]);
    let answer = site.post(&path, &json!({})).header("X-Share-Access", &proof).send();
    answer.is(200);
    assert_eq!((answer.named("Cache-Control"), answer.named("X-Robots-Tag")), ("no-store", "noindex"));
    let open = share_database(&office, &table, &json!({ "allowIndexing": true }));
    assert_eq!(query(&office, &open, &table.id, &json!({})).header("x-robots-tag"), None);
    query(&office, &open, &other.id, &json!({})).refuses(404, "NOT_FOUND");
    query(&office, &open, "db_nonsense", &json!({})).refuses(404, "NOT_FOUND");
    query(&office, &open, &table.id, &json!({ "filter": {} })).refuses(422, "UNPROCESSABLE_ENTITY");
}

fn a_database_is_read_in_a_browser(engine: Engine) {
    let office = office(engine);
    let properties = [
        json!({ "name": "Price", "type": "number" }),
        json!({ "name": "Who", "type": "person" }),
        json!({ "name": "Done", "type": "checkbox" }),
        json!({ "name": "By", "type": "created_by" }),
    ];
    let table = Table::of(&office, None, &properties);
    let values = [
        ("Name", json!({ "text": "<b>Chair</b>" })),
        ("Price", json!({ "value": 9.5 })),
        ("Who", json!({ "userIds": [office.member.id] })),
        ("Done", json!({ "value": true })),
    ];
    let made = table.send(&office, &office.owner, &values).data(201);
    let token = share_database(&office, &table, &json!({}));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&format!("/share/{token}"));
    screen.answer.is(200);
    assert_eq!(screen.one("h1"), "Tasks");
    assert_eq!(screen.all("thead th"), ["Name", "Price", "Who", "Done"]);
    assert_eq!(screen.all("tbody td"), ["<b>Chair</b>", "9.5", "Bob", "\u{2713}"]);
    assert_eq!(screen.select(".scroll[tabindex]").len(), 1, "a wide table scrolls");
    assert!(!screen.answer.text().contains("usr_") && screen.select("tbody b").is_empty());
    let address = screen.select("tbody a")[0].value().attr("href").unwrap().to_owned();
    assert_eq!(address, format!("/share/{token}/{}", shape::text(&made["pageId"])));
    let record = browser.open(&address);
    assert_eq!(record.one("h1"), "<b>Chair</b>");
    assert_eq!(
        (record.all("tbody th"), record.all("tbody td")),
        (["Price", "Who", "Done"].map(str::to_owned).to_vec(), ["9.5", "Bob", "\u{2713}"].map(str::to_owned).to_vec(),)
    );
    assert_eq!(record.select(".breadcrumbs a")[0].value().attr("href"), Some(format!("/share/{token}").as_str()));
}

fn a_block_shows_the_first_records_of_its_database(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plans");
    let body = json!({ "title": "Inventory", "pageId": page, "properties": [
        { "name": "Name", "type": "title" }, { "name": "Price", "type": "number" }, { "name": "Size", "type": "number" },
    ] });
    let table = Table::create(&office, &body);
    let ops: Vec<_> = (0..60)
        .map(|number| json!({ "op": "create", "properties": { table.property("Name"): { "text": format!("Record {number}") } } }))
        .collect();
    office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": ops })).is(200);
    let view = json!({ "name": "Sizes", "type": "table", "config": { "visibleProperties": [table.property("Size")] } });
    let view = office.post(&office.owner, &format!("{}/views", table.path), &view).data(201);
    office.block(
        &page,
        &json!({ "type": "linked_database", "content": { "databaseId": table.id, "viewId": view["id"] } }),
    );
    let hidden = Table::of(&office, None, &[]);
    hidden.put(&office, "Secret");
    office.block(&page, &json!({ "type": "child_database", "content": { "databaseId": hidden.id } }));
    let token = token(&link(&office, &office.owner, &page, &json!({})));
    let mut browser = Browser::at(office.server.site());
    let screen = browser.open(&format!("/share/{token}"));
    screen.answer.is(200);
    assert_eq!(screen.all("thead th"), ["Name", "Price", "Size", "Name", "Size"]);
    assert_eq!(screen.select("tbody tr").len(), 100, "fifty in each table");
    assert!(screen.text().contains("Only the first 50 records are shown."));
    assert_eq!(screen.all(".pointer.database"), ["Database"], "what is not covered has no name");
    assert!(!screen.text().contains("Secret"));
    assert_eq!(screen.select(".pages a").len(), 0, "the block stands for the database");
    let address = screen.select("strong a")[0].value().attr("href").unwrap().to_owned();
    assert_eq!(address, format!("/share/{token}/{}", table.id));
    let alone = browser.open(&address);
    assert_eq!((alone.one("h1").as_str(), alone.select("tbody tr").len()), ("Inventory", 50));
}
