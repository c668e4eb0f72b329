//! Synced blocks, while another caller deletes their sources.

use crate::pages::{Office, office};
use octavo_tests::{Engine, at_once::at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    an_instance_made_while_its_source_goes_is_not_left_behind,
    an_instance_that_went_meanwhile_is_not_deleted_twice,
    two_deletions_whose_instances_stand_on_each_others_pages_both_succeed,
}

/// How many rounds to run: each may end in several ways, all of them correct.
const ROUNDS: usize = 8;

fn instance(source: &str) -> Value {
    json!({ "type": "synced_block", "content": { "sourceBlockId": source } })
}

fn delete(office: &Office, block: &str) -> u16 {
    office.delete(&office.owner, &format!("/blocks/{block}")).status
}

fn an_instance_made_while_its_source_goes_is_not_left_behind(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    for _ in 0..ROUNDS {
        let source = office.line(&page, None, "said");
        let done = at_once(2, |number| match number {
            0 => delete(&office, &source),
            _ => office.add(&other, &instance(&source)).status,
        });
        assert_eq!(done[0], 200);
        assert!([201, 404].contains(&done[1]), "{done:?}");
        assert_eq!(office.outline(&other), [""; 0], "it went along");
    }
}

fn an_instance_that_went_meanwhile_is_not_deleted_twice(engine: Engine) {
    let office = office(engine);
    let (page, other) = (office.below(None, "Plan"), office.below(None, "Other"));
    for _ in 0..ROUNDS {
        let source = office.line(&page, None, "said");
        let shown = office.block(&other, &instance(&source));
        let before = office.page_version(&other);
        let done = at_once(2, |number| delete(&office, if number == 0 { &source } else { &shown }));
        assert_eq!(done[0], 200);
        assert!([200, 404].contains(&done[1]), "{done:?}");
        assert_eq!(office.page_version(&other), before + 1, "once");
    }
    let list = office.get(&office.owner, &format!("/pages/{other}/blocks?includeDeleted=true")).body_of(200);
    let versions: Vec<_> = list["data"].as_array().unwrap().iter().map(|block| block["version"].clone()).collect();
    assert_eq!(versions, vec![json!(2); ROUNDS]);
    office.line(&other, None, "left");
    let kept = office.post(&office.owner, &format!("/pages/{other}/versions"), &json!({})).data(201);
    assert_eq!(kept["blockCount"], 1);
}

fn two_deletions_whose_instances_stand_on_each_others_pages_both_succeed(engine: Engine) {
    let office = office(engine);
    let pages = [office.below(None, "One"), office.below(None, "Other")];
    for _ in 0..ROUNDS {
        let sources = [0, 1].map(|number| office.line(&pages[number], None, "said"));
        for (number, source) in sources.iter().enumerate() {
            office.block(&pages[1 - number], &instance(source));
        }
        assert_eq!(at_once(2, |number| delete(&office, &sources[number])), [200, 200]);
        assert_eq!(pages.each_ref().map(|page| office.outline(page).len()), [0, 0]);
    }
}
