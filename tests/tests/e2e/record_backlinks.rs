//! Backlinks of the pages of records.

use crate::{
    pages::office,
    relations::{ids, library},
};
use octavo_tests::{Engine, both_engines};
use serde_json::{Value, json};

both_engines! {
    linked_records_are_backlinks_of_each_other,
    backlinks_from_records_and_blocks_are_one_list,
}

fn linked_records_are_backlinks_of_each_other(engine: Engine) {
    let office = office(engine);
    let page_of = |record: &Value| record["pageId"].as_str().unwrap().to_owned();
    let backlinks = |record: &Value| {
        office.get(&office.member, &format!("/pages/{}/backlinks", page_of(record))).body_of(200)["data"].clone()
    };
    let sources = |record: &Value| -> Value {
        backlinks(record).as_array().unwrap().iter().map(|entry| entry["sourceId"].clone()).collect()
    };
    let one_way = library(&office, "many_to_many", false);
    let ada = one_way.people.put(&office, "Ada");
    let notes = one_way.put_book(&office, "Notes", &[&ada]).data(201);
    let expected = json!([{
        "sourceType": "record", "sourceId": notes["id"], "pageId": notes["pageId"], "title": "Notes",
        "kind": "relation", "excerpt": "",
    }]);
    assert_eq!(backlinks(&ada), expected);
    assert_eq!(sources(&notes), json!([]), "only one side shows the link");
    let two_way = library(&office, "many_to_many", true);
    let bea = two_way.people.put(&office, "Bea");
    let poems = two_way.put_book(&office, "Poems", &[&bea]).data(201);
    assert_eq!((sources(&bea), sources(&poems)), (ids(&[&poems]), ids(&[&bea])));
    two_way.change(&office, &poems, &[], &[&bea]).is(200);
    assert_eq!((sources(&bea), sources(&poems)), (json!([]), json!([])));
    let body = json!({ "inherit": false, "grants": [] });
    office.call(&office.owner, "PUT", &format!("/pages/{}/permissions", page_of(&notes)), &body).is(200);
    assert_eq!(sources(&ada), json!([]), "hidden records are left out");
}

fn backlinks_from_records_and_blocks_are_one_list(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let ada = library.people.put(&office, "Ada");
    let from = office.below(None, "From");
    for number in 1..=3 {
        library.put_book(&office, &format!("Book {number}"), &[&ada]).is(201);
        let block = json!({ "type": "child_page", "content": { "pageId": ada["pageId"] } });
        office.post(&office.owner, &format!("/pages/{from}/blocks"), &block).is(201);
    }
    let path = format!("/pages/{}/backlinks", ada["pageId"].as_str().unwrap());
    let all = office.get(&office.owner, &path).body_of(200)["data"].as_array().unwrap().clone();
    assert_eq!(all.iter().filter(|entry| entry["kind"] == "relation").count(), 3);
    assert_eq!(all.len(), 6);
    for limit in [1, 2, 4] {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let some = office.get(&office.owner, &format!("{path}?limit={limit}{cursor}")).body_of(200);
            found.extend(some["data"].as_array().unwrap().clone());
            let Some(next) = some["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(found, all, "{limit} at a time");
    }
}
