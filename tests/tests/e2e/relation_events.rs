//! Events of records whose links change.

use crate::{pages::office, records::path_of, relations::library};
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    records_that_lose_a_link_by_a_deletion_are_reported,
    readers_of_events_get_the_links_that_they_may_see,
}

fn records_that_lose_a_link_by_a_deletion_are_reported(engine: Engine) {
    let office = office(engine);
    let both = library(&office, "many_to_many", true);
    let one = library(&office, "many_to_many", false);
    let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| both.people.put(&office, name));
    let book = both.put_book(&office, "Notes", &[&ada, &bea, &cleo]).data(201);
    let version = |record: &Value| office.get(&office.owner, &path_of(record)).data(200)["version"].clone();
    let before = (version(&book), version(&bea));
    let delete = |record: &Value| {
        office.call(&office.member, "DELETE", &path_of(record), &json!({ "confirm": record["id"] })).is(202);
    };
    delete(&ada);
    let raised = |version: &Value| json!(version.as_i64().unwrap() + 1);
    assert_eq!((version(&book), version(&bea)), (raised(&before.0), before.1.clone()), "the book lost a link");
    assert_eq!(office.get(&office.owner, &path_of(&book)).data(200)["lastEditedBy"], json!(office.member.id));
    // In bulk every record is reported once.
    let op = |record: &Value| json!({ "op": "delete", "recordId": record["id"], "confirm": record["id"] });
    let bulk = json!({ "ops": [op(&bea), op(&cleo)] });
    office.post(&office.owner, &format!("{}/records/bulk", both.people.path), &bulk).is(200);
    assert_eq!(version(&book), raised(&raised(&before.0)));
    // The other way round: the people show that a book is gone.
    let dora = both.people.put(&office, "Dora");
    let other = both.put_book(&office, "Letters", &[&dora]).data(201);
    let before = version(&dora);
    delete(&other);
    assert_eq!(version(&dora), raised(&before));
    // Also where only one side shows the links.
    let emma = one.people.put(&office, "Emma");
    let single = one.put_book(&office, "Poems", &[&emma]).data(201);
    delete(&emma);
    assert_eq!(version(&single), json!(2));
    let events = office.events(&office.owner, "record.updated", 8);
    let about =
        |record: &Value| events.iter().filter(|event| event["data"]["pageId"] == record["pageId"]).collect::<Vec<_>>();
    assert_eq!(about(&book).len(), 2);
    assert_eq!(about(&single)[0]["data"]["changedPropertyIds"], json!([one.relation]));
    let last = about(&dora);
    assert_eq!(last.last().unwrap()["data"]["changedPropertyIds"], json!([both.reverse]));
}

fn readers_of_events_get_the_links_that_they_may_see(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", true);
    let [ada, bea, cleo] = ["Ada", "Bea", "Cleo"].map(|name| library.people.put(&office, name));
    office.grant(bea["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    let book = library.put_book(&office, "Notes", &[&bea, &ada]).data(201);
    library.change(&office, &book, &[&cleo], &[&ada]).is(200);
    let op = json!({ "op": "update", "recordId": book["id"], "properties": { &library.relation: { "recordIds": [cleo["id"]] } } });
    office.post(&office.owner, &format!("{}/records/bulk", library.books.path), &json!({ "ops": [op] })).is(200);
    let of_book = |by, types: &str, count| -> Vec<Value> {
        let events = office.events(by, types, count).into_iter();
        events.filter(|event| event["data"]["pageId"] == book["pageId"]).map(|event| event["data"].clone()).collect()
    };
    let property = &library.relation;
    for (by, counts, made, changed) in [
        (
            &office.owner,
            (4, 7),
            json!([bea["id"], ada["id"]]),
            [
                (json!([bea["id"], ada["id"]]), json!([bea["id"], cleo["id"]])),
                (json!([bea["id"], cleo["id"]]), json!([cleo["id"]])),
            ],
        ),
        (
            &office.member,
            (3, 5),
            json!([ada["id"]]),
            [(json!([ada["id"]]), json!([cleo["id"]])), (json!([cleo["id"]]), json!([cleo["id"]]))],
        ),
    ] {
        let created = of_book(by, "record.created", counts.0);
        assert_eq!(created[0]["properties"][property]["recordIds"], made);
        let updated = of_book(by, "record.updated", counts.1);
        for (event, (before, after)) in updated.iter().zip(changed) {
            assert_eq!(event["changedPropertyIds"], json!([property]));
            assert_eq!(
                (&event["before"][property]["recordIds"], &event["after"][property]["recordIds"]),
                (&before, &after)
            );
        }
        assert_eq!(updated.len(), 2);
    }
}
