//! Relations between records.

use crate::{
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Answer, Engine, at_once::at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    links_are_shown_in_their_order,
    both_sides_show_the_same_links,
    links_are_added_and_removed_one_by_one,
    parallel_additions_never_lose_one_another,
    cardinality_is_enforced_on_both_sides,
    one_to_one_holds_however_many_write,
    targets_that_cannot_be_seen_are_not_shown_and_stay,
    targets_must_exist_in_the_target_database,
    a_relation_leads_to_its_own_database,
    relations_are_created_changed_and_deleted,
    rights_on_the_target_are_checked,
    names_of_reverses_that_nobody_sent_are_made_unique,
    refusals_of_relations_name_what_was_sent,
    narrowing_is_refused_while_records_break_it,
    links_go_with_their_records_and_archived_ones_stay,
    bulk_operations_link_records,
}

/// A database of books with a relation to a database of people.
pub(crate) struct Library {
    pub(crate) books: Table,
    pub(crate) people: Table,
    pub(crate) relation: String,
    pub(crate) reverse: String,
}

pub(crate) fn library(office: &Office, cardinality: &str, bidirectional: bool) -> Library {
    let people = Table::of(office, None, &[]);
    let config = json!({
        "targetDatabaseId": people.id, "cardinality": cardinality, "bidirectional": bidirectional, "reverseName": "Books",
    });
    let books = Table::of(office, None, &[json!({ "name": "Authors", "type": "relation", "config": config })]);
    let relation = books.property("Authors").to_owned();
    let all = office.get(&office.owner, &format!("{}/properties", people.path)).data(200);
    let reverse = all.as_array().unwrap().iter().find(|property| property["type"] == "relation");
    let reverse = reverse.map_or_else(String::new, |property| property["id"].as_str().unwrap().to_owned());
    Library { books, people, relation, reverse }
}

impl Library {
    pub(crate) fn put_book(&self, office: &Office, title: &str, authors: &[&Value]) -> Answer {
        let ids: Vec<_> = authors.iter().map(|author| author["id"].clone()).collect();
        let values = [("Name", json!({ "text": title })), ("Authors", json!({ "recordIds": ids }))];
        self.books.send(office, &office.owner, &values)
    }

    pub(crate) fn links(&self, office: &Office, record: &Value) -> Value {
        let record = office.get(&office.owner, &path_of(record)).data(200);
        let property = if record["databaseId"] == json!(self.books.id) { &self.relation } else { &self.reverse };
        record["properties"][property]["recordIds"].clone()
    }

    pub(crate) fn change(&self, office: &Office, record: &Value, add: &[&Value], remove: &[&Value]) -> Answer {
        let ids = |records: &[&Value]| records.iter().map(|record| record["id"].clone()).collect::<Vec<_>>();
        let path = format!("{}/relations/{}", path_of(record), self.relation);
        office.post(&office.owner, &path, &json!({ "add": ids(add), "remove": ids(remove) }))
    }
}

pub(crate) fn ids(records: &[&Value]) -> Value {
    records.iter().map(|record| record["id"].clone()).collect()
}

fn links_are_shown_in_their_order(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let [a, b, c] = ["Ada", "Bea", "Cleo"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&c, &a]).data(201);
    assert_eq!(book["properties"][&library.relation], json!({ "recordIds": [c["id"], a["id"]] }));
    assert_eq!(library.links(&office, &book), ids(&[&c, &a]));
    let set = |records: &[&Value]| {
        let body = json!({ "properties": { &library.relation: { "recordIds": ids(records) } } });
        office.patch(&office.owner, &path_of(&book), &body).data(200)
    };
    assert_eq!(set(&[&c, &a, &b])["version"], 2);
    assert_eq!(library.links(&office, &book), ids(&[&c, &a, &b]));
    assert_eq!(set(&[&b, &c, &a])["version"], 3);
    assert_eq!(library.links(&office, &book), ids(&[&b, &c, &a]));
    assert_eq!(set(&[&b, &c, &a])["version"], 3);
    set(&[&b]);
    assert_eq!(library.links(&office, &book), ids(&[&b]));
    let cleared = json!({ "properties": { &library.relation: null } });
    let cleared = office.patch(&office.owner, &path_of(&book), &cleared).data(200);
    assert_eq!(cleared["properties"][&library.relation], Value::Null);
    // The reverse of a relation that is visible on one side only does not exist.
    assert_eq!(office.get(&office.owner, &path_of(&a)).data(200)["version"], 1);
}

fn both_sides_show_the_same_links(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let [ada, bea] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let notes = library.put_book(&office, "Notes", &[&ada, &bea]).data(201);
    let poems = library.put_book(&office, "Poems", &[&ada]).data(201);
    assert_eq!(library.links(&office, &ada), ids(&[&notes, &poems]));
    assert_eq!(library.links(&office, &bea), ids(&[&notes]));
    // Written from the other side.
    let body = json!({ "properties": { &library.reverse: { "recordIds": [poems["id"]] } } });
    let changed = office.patch(&office.owner, &path_of(&bea), &body).data(200);
    assert_eq!(changed["properties"][&library.reverse], json!({ "recordIds": [poems["id"]] }));
    assert_eq!(library.links(&office, &notes), ids(&[&ada]));
    assert_eq!(library.links(&office, &poems), ids(&[&ada, &bea]));
    let versions = [&ada, &bea, &notes, &poems]
        .map(|record| office.get(&office.owner, &path_of(record)).data(200)["version"].clone());
    assert_eq!(versions, [json!(3), json!(3), json!(2), json!(2)]);
    let events = office.events(&office.owner, "record.updated", 6);
    let changed: Vec<_> = events.iter().map(|event| event["data"]["changedPropertyIds"].clone()).collect();
    assert_eq!(changed.len(), 6, "{changed:?}");
    let of_reverse = changed.iter().filter(|ids| **ids == json!([library.reverse])).count();
    assert_eq!(of_reverse, 4);
}

fn links_are_added_and_removed_one_by_one(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let [a, b, c] = ["Ada", "Bea", "Cleo"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&a]).data(201);
    let done = library.change(&office, &book, &[&a, &b, &c, &b], &[]).data(200);
    assert_eq!(done, json!({ "added": 2, "removed": 0, "count": 3, "version": 2 }));
    let done = library.change(&office, &book, &[], &[&a, &a]).data(200);
    assert_eq!(done, json!({ "added": 0, "removed": 1, "count": 2, "version": 3 }));
    let done = library.change(&office, &book, &[&b], &[&a]).data(200);
    assert_eq!(done, json!({ "added": 0, "removed": 0, "count": 2, "version": 3 }));
    let path = format!("{}/relations/{}", path_of(&book), library.relation);
    let list = office.get(&office.member, &format!("{path}?limit=1")).body_of(200);
    let first = json!({ "id": b["id"], "pageId": b["pageId"], "title": "Bea", "icon": null });
    assert_eq!(list["data"], json!([first]));
    let next = office.get(&office.member, &format!("{path}?limit=1&cursor={}", list["nextCursor"].as_str().unwrap()));
    assert_eq!(
        (next.body_of(200)["data"][0]["title"].clone(), next.body_of(200)["nextCursor"].clone()),
        (json!("Cleo"), Value::Null)
    );
    let many: Vec<_> = (0..201).map(|_| a["id"].clone()).collect();
    office.post(&office.owner, &path, &json!({ "add": many })).refuses(400, "VALIDATION_ERROR").of("add", "too_long");
    let title = format!("{}/relations/{}", path_of(&book), library.books.property("Name"));
    office.get(&office.owner, &title).refuses(404, "NOT_FOUND");
    office.post(&office.owner, &title, &json!({})).refuses(404, "NOT_FOUND");
}

fn parallel_additions_never_lose_one_another(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let people: Vec<_> = (0..12).map(|number| library.people.put(&office, &format!("P{number}"))).collect();
    let book = library.put_book(&office, "Notes", &[]).data(201);
    at_once(12, |number| library.change(&office, &book, &[&people[number]], &[]).is(200).status);
    assert_eq!(library.links(&office, &book).as_array().unwrap().len(), 12);
    assert_eq!(office.get(&office.owner, &path_of(&book)).data(200)["version"], 13);
}

fn cardinality_is_enforced_on_both_sides(engine: Engine) {
    let office = office(engine);
    let refused = |answer: Answer| {
        answer.refuses(422, "UNPROCESSABLE_ENTITY").issue("cardinality_violation");
    };
    let one = library(&office, "one_to_one", true);
    let [ada, bea] = ["Ada", "Bea"].map(|name| one.people.put(&office, name));
    refused(one.put_book(&office, "Both", &[&ada, &bea]));
    let notes = one.put_book(&office, "Notes", &[&ada]).data(201);
    refused(one.put_book(&office, "Taken", &[&ada]));
    refused(one.change(&office, &notes, &[&bea], &[]));
    one.change(&office, &notes, &[&bea], &[&ada]).is(200);
    assert_eq!(one.links(&office, &ada), Value::Null);
    let many = library(&office, "one_to_many", true);
    let [cleo, dora] = ["Cleo", "Dora"].map(|name| many.people.put(&office, name));
    let poems = many.put_book(&office, "Poems", &[&cleo, &dora]).data(201);
    refused(many.put_book(&office, "Taken", &[&dora]));
    let body = json!({ "properties": { &many.reverse: { "recordIds": [] } } });
    office.patch(&office.owner, &path_of(&dora), &body).is(200);
    assert_eq!(many.links(&office, &poems), ids(&[&cleo]));
}

fn one_to_one_holds_however_many_write(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "one_to_one", true);
    let ada = library.people.put(&office, "Ada");
    let books: Vec<_> = (0..8).map(|number| library.put_book(&office, &format!("B{number}"), &[]).data(201)).collect();
    let statuses = at_once(8, |number| library.change(&office, &books[number], &[&ada], &[]).status);
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(library.links(&office, &ada).as_array().unwrap().len(), 1);
}

fn targets_that_cannot_be_seen_are_not_shown_and_stay(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let [hidden, shown, other] = ["Hidden", "Shown", "Other"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&hidden, &shown]).data(201);
    let path = format!("/pages/{}/permissions", hidden["pageId"].as_str().unwrap());
    office.call(&office.owner, "PUT", &path, &json!({ "inherit": false, "grants": [] })).is(200);
    let seen = |by| office.get(by, &path_of(&book)).data(200)["properties"][&library.relation]["recordIds"].clone();
    assert_eq!((seen(&office.member), seen(&office.owner)), (ids(&[&shown]), ids(&[&hidden, &shown])));
    let listed = office.get(&office.member, &format!("{}/relations/{}", path_of(&book), library.relation)).body_of(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    let body = json!({ "properties": { &library.relation: { "recordIds": [other["id"]] } } });
    office.patch(&office.member, &path_of(&book), &body).is(200);
    assert_eq!(seen(&office.member), ids(&[&other]));
    assert_eq!(seen(&office.owner), ids(&[&hidden, &other]));
    let body = json!({ "properties": { &library.relation: { "recordIds": [hidden["id"]] } } });
    office
        .patch(&office.member, &path_of(&book), &body)
        .refuses(422, "UNPROCESSABLE_ENTITY")
        .issue("relation_integrity");
    // The whole database can be hidden too.
    let grants = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("{}/permissions", library.people.path), &grants).is(200);
    assert_eq!(seen(&office.member), Value::Null);
    let relations = office.get(&office.member, &format!("{}/relations", library.books.path)).data(200);
    assert_eq!((&relations[0]["targetTitle"], &relations[0]["linkCount"]), (&Value::Null, &json!(2)));
}

fn targets_must_exist_in_the_target_database(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let elsewhere = Table::of(&office, None, &[]).put(&office, "Elsewhere");
    let unknown = json!({ "id": "rpt_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    let book = library.put_book(&office, "Notes", &[]).data(201);
    for target in [&elsewhere, &unknown, &book] {
        let answer = library.put_book(&office, "Bad", &[target]);
        answer
            .refuses(422, "UNPROCESSABLE_ENTITY")
            .of(&format!("properties.{}", library.relation), "relation_integrity");
        library.change(&office, &book, &[target], &[]).refuses(422, "UNPROCESSABLE_ENTITY").issue("relation_integrity");
        library.change(&office, &book, &[], &[target]).is(200);
    }
}

fn a_relation_leads_to_its_own_database(engine: Engine) {
    let office = office(engine);
    let tasks = Table::of(&office, None, &[]);
    let body =
        json!({ "name": "Blocks", "targetDatabaseId": tasks.id, "bidirectional": true, "reverseName": "Blocked by" });
    let made = office.post(&office.owner, &format!("{}/relations", tasks.path), &body).data(201);
    let (blocks, blocked) = (made["id"].as_str().unwrap(), made["reversePropertyId"].as_str().unwrap());
    let [a, b] = ["A", "B"].map(|title| tasks.put(&office, title));
    let link = |from: &Value, to: &[&Value]| {
        let body = json!({ "properties": { blocks: { "recordIds": ids(to) } } });
        office.patch(&office.owner, &path_of(from), &body).data(200)
    };
    link(&a, &[&b]);
    let shown = office.get(&office.owner, &path_of(&b)).data(200);
    assert_eq!((&shown["properties"][blocks], &shown["properties"][blocked]["recordIds"]), (&Value::Null, &ids(&[&a])));
    let itself = link(&a, &[&a, &b]);
    assert_eq!(itself["properties"][blocked]["recordIds"], ids(&[&a]));
    assert_eq!(itself["version"], 3);
}

fn relations_are_created_changed_and_deleted(engine: Engine) {
    let office = office(engine);
    let (books, people) = (Table::of(&office, None, &[]), Table::of(&office, None, &[]));
    let relations = format!("{}/relations", books.path);
    let body = json!({ "name": "Authors", "targetDatabaseId": people.id });
    let made = office.post(&office.owner, &relations, &body).data(201);
    assert_eq!((&made["cardinality"], &made["bidirectional"]), (&json!("many_to_many"), &json!(false)));
    assert_eq!((&made["targetTitle"], &made["linkCount"]), (&json!("Tasks"), &json!(0)));
    let path = format!("{relations}/{}", made["id"].as_str().unwrap());
    for (method, stale) in [
        (
            office.post(
                &office.owner,
                &relations,
                &json!({ "name": "B", "targetDatabaseId": people.id, "schemaVersion": 1 }),
            ),
            "POST",
        ),
        (office.patch(&office.owner, &path, &json!({ "name": "B", "schemaVersion": 1 })), "PATCH"),
    ]
    .map(|(answer, method)| (method, answer.refuses(409, "CONFLICT")))
    {
        assert_eq!(stale.detail()["field"], "schemaVersion", "{method}");
    }
    let shown = office.patch(
        &office.owner,
        &path,
        &json!({ "name": "Writers", "bidirectional": true, "reverseName": "Books" }),
    );
    let shown = shown.data(200);
    assert_eq!((&shown["name"], &shown["reverseName"]), (&json!("Writers"), &json!("Books")));
    let of_people = office.get(&office.owner, &format!("{}/relations", people.path)).data(200);
    assert_eq!((&of_people[0]["name"], &of_people[0]["reverseName"]), (&json!("Books"), &json!("Writers")));
    assert_eq!(of_people[0]["targetDatabaseId"], json!(books.id));
    let events = office.events(&office.owner, "database.updated", 3);
    let databases: Vec<_> = events.iter().map(|event| event["databaseId"].clone()).collect();
    assert_eq!(databases, [json!(books.id), json!(books.id), json!(people.id)]);
    office
        .post(&office.owner, &relations, &json!({ "name": "writers", "targetDatabaseId": people.id }))
        .refuses(409, "CONFLICT")
        .of("name", "already_exists");
    office.patch(&office.owner, &path, &json!({ "bidirectional": false })).is(200);
    assert_eq!(office.get(&office.owner, &format!("{}/relations", people.path)).data(200), json!([]));
    office
        .patch(&office.owner, &path, &json!({ "cardinality": "two" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("cardinality", "invalid_value");
    let title = format!("{relations}/{}", books.property("Name"));
    office.patch(&office.owner, &title, &json!({ "name": "X" })).refuses(404, "NOT_FOUND");
    office.delete(&office.owner, &title).refuses(404, "NOT_FOUND");
    let person = people.put(&office, "Ada");
    let body = json!({ "properties": { books.property("Name"): { "text": "N" }, made["id"].as_str().unwrap(): { "recordIds": [person["id"]] } } });
    office.post(&office.owner, &format!("{}/records", books.path), &body).is(201);
    let deleted = office.delete(&office.owner, &path).data(200);
    assert_eq!((&deleted["deletedProperty"], &deleted["affectedRecords"]), (&made["id"], &json!(1)));
    assert_eq!(office.get(&office.owner, &relations).data(200), json!([]));
}

fn rights_on_the_target_are_checked(engine: Engine) {
    let office = office(engine);
    let [page, mine] = ["Plans", "Mine"].map(|title| office.below(None, title));
    let people = Table::of(&office, Some(&page), &[]);
    let books = Table::of(&office, Some(&mine), &[]);
    let create = |bidirectional: bool| {
        let body = json!({ "name": "Authors", "targetDatabaseId": people.id, "bidirectional": bidirectional });
        office.post(&office.member, &format!("{}/relations", books.path), &body)
    };
    office.grant(&page, &[("user", &office.member.id, "NONE")]);
    create(false).refuses(404, "NOT_FOUND");
    office.grant(&page, &[("user", &office.member.id, "VIEW")]);
    create(true).refuses(403, "FORBIDDEN").because("requires_EDIT");
    let made = create(false).data(201);
    let path = format!("{}/relations/{}", books.path, made["id"].as_str().unwrap());
    office
        .patch(&office.member, &path, &json!({ "bidirectional": true }))
        .refuses(403, "FORBIDDEN")
        .because("requires_EDIT");
    office.grant(&page, &[("user", &office.member.id, "EDIT")]);
    office.patch(&office.member, &path, &json!({ "bidirectional": true })).is(200);
    let body = json!({ "name": "Nowhere", "targetDatabaseId": "db_01J8Z3K4M5N6P7Q8R9S0T1V2W3" });
    office.post(&office.member, &format!("{}/relations", books.path), &body).refuses(404, "NOT_FOUND");
}

fn names_of_reverses_that_nobody_sent_are_made_unique(engine: Engine) {
    let office = office(engine);
    let people = Table::of(&office, None, &[]);
    let books = Table::create(&office, &json!({ "title": "Books" }));
    let path = format!("{}/relations", books.path);
    let create = |name: &str, bidirectional: bool| {
        let body = json!({ "name": name, "targetDatabaseId": people.id, "bidirectional": bidirectional });
        office.post(&office.owner, &path, &body).data(201)
    };
    let names = ["Author", "Editor", "Reader"].map(|name| create(name, true)["reverseName"].clone());
    assert_eq!(names, ["Books", "Books 2", "Books 3"]);
    let later = create("Owner", false);
    let later = format!("{path}/{}", later["id"].as_str().unwrap());
    let shown = office.patch(&office.owner, &later, &json!({ "bidirectional": true })).data(200);
    assert_eq!(shown["reverseName"], "Books 4");
    let properties = office.get(&office.owner, &format!("{}/properties", people.path)).data(200);
    let found = properties.as_array().unwrap().iter().filter(|property| property["type"] == "relation");
    let found: Vec<_> = found.map(|property| property["name"].clone()).collect();
    assert_eq!(found, ["Books", "Books 2", "Books 3", "Books 4"]);
}

fn refusals_of_relations_name_what_was_sent(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "one_to_one", true);
    let path = format!("{}/relations", library.books.path);
    let create = |target: &str| {
        let body =
            json!({ "name": "Owner", "targetDatabaseId": target, "bidirectional": true, "reverseName": "books" });
        office.post(&office.owner, &path, &body)
    };
    let unknown = create("db_01J8Z3K4M5N6P7Q8R9S0T1V2W3").refuses(404, "NOT_FOUND");
    assert_eq!(unknown.detail()["field"], "targetDatabaseId");
    create(&library.people.id).refuses(409, "CONFLICT").of("reverseName", "already_exists");
    let [ada, bea] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&ada]).data(201);
    let refused = library.change(&office, &book, &[&bea], &[]).refuses(422, "UNPROCESSABLE_ENTITY");
    refused.of("add", "cardinality_violation");
}

fn narrowing_is_refused_while_records_break_it(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let [ada, bea] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&ada, &bea]).data(201);
    library.put_book(&office, "Poems", &[&ada]).is(201);
    let path = format!("{}/relations/{}", library.books.path, library.relation);
    let narrow = |to: &str| office.patch(&office.owner, &path, &json!({ "cardinality": to }));
    let refused = narrow("one_to_one").refuses(422, "UNPROCESSABLE_ENTITY");
    refused.of("cardinality", "cardinality_violation");
    assert_eq!(refused.detail()["recordIds"], ids(&[&book]));
    let refused = narrow("one_to_many").refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!(refused.detail()["recordIds"], ids(&[&ada]));
    library.change(&office, &book, &[], &[&ada]).is(200);
    assert_eq!(narrow("one_to_one").data(200)["cardinality"], "one_to_one");
}

fn links_go_with_their_records_and_archived_ones_stay(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let [ada, bea] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let book = library.put_book(&office, "Notes", &[&ada, &bea]).data(201);
    office.post(&office.owner, &format!("{}/archive", path_of(&bea)), &Value::Null).is(200);
    assert_eq!(library.links(&office, &book), ids(&[&ada, &bea]));
    office.call(&office.owner, "DELETE", &path_of(&ada), &json!({ "confirm": ada["id"] })).is(202);
    assert_eq!(library.links(&office, &book), ids(&[&bea]));
}

fn bulk_operations_link_records(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "one_to_many", true);
    let [ada, bea] = ["Ada", "Bea"].map(|name| library.people.put(&office, name));
    let book = |title: &str, authors: Value| json!({ "op": "create", "properties": { library.books.property("Name"): { "text": title }, &library.relation: { "recordIds": authors } } });
    let send = |ops: Value, atomic: bool| {
        let body = json!({ "ops": ops, "atomic": atomic });
        office.post(&office.owner, &format!("{}/records/bulk", library.books.path), &body)
    };
    let twice = json!([book("Notes", json!([ada["id"]])), book("Poems", json!([ada["id"]]))]);
    let refused = send(twice.clone(), true).refuses(422, "UNPROCESSABLE_ENTITY");
    assert_eq!((&refused.detail()["op"], &refused.detail()["issue"]), (&json!(1), &json!("cardinality_violation")));
    assert_eq!(library.links(&office, &ada), Value::Null);
    let done = send(twice, false).data(200);
    assert_eq!((&done["created"], &done["failed"]), (&json!(1), &json!(1)));
    assert_eq!(library.links(&office, &ada), json!([done["results"][0]["recordId"]]));
    // Records of one call can link each other, and people can be named by their titles.
    let body = json!({ "typecast": true, "ops": [{ "op": "create", "properties": { library.books.property("Name"): "Letters", &library.relation: "Bea" } }] });
    let done = office.post(&office.owner, &format!("{}/records/bulk", library.books.path), &body).data(200);
    assert_eq!(library.links(&office, &bea), json!([done["results"][0]["recordId"]]));
    let tasks = Table::of(&office, None, &[]);
    let made = office
        .post(
            &office.owner,
            &format!("{}/relations", tasks.path),
            &json!({ "name": "Next", "targetDatabaseId": tasks.id }),
        )
        .data(201);
    let next = made["id"].as_str().unwrap();
    let ops = json!([
        { "op": "create", "ref": "a", "properties": { tasks.property("Name"): { "text": "A" } } },
        { "op": "create", "properties": { tasks.property("Name"): { "text": "B" }, next: { "recordIds": ["$a"] } } },
    ]);
    let done = office
        .post(&office.owner, &format!("{}/records/bulk", tasks.path), &json!({ "ops": ops, "returnRecords": true }))
        .data(200);
    assert_eq!(
        done["results"][1]["record"]["properties"][next],
        json!({ "recordIds": [done["results"][0]["recordId"]] })
    );
}
