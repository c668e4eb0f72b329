//! Which words find what.

use super::{eventually, eventually_all, find, found};
use crate::{
    comments::{begin, on_page, reply},
    pages::office,
    records::Table,
    relations::library,
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::json;

both_engines! {
    case_accents_and_compatibility_forms_make_no_difference,
    words_are_beginnings_and_phrases_are_whole,
    excluded_words_leave_out_what_has_them,
    each_character_of_japanese_and_korean_is_a_word,
    all_words_must_be_in_one_unit,
    the_values_of_a_record_are_found_by_their_names,
    a_database_is_found_by_title_and_description,
    a_thread_is_found_by_its_replies,
    a_phrase_does_not_cross_blocks,
    changes_and_deletions_reach_the_search,
    queries_without_a_word_to_find_are_refused,
    strange_queries_are_answered,
}

fn case_accents_and_compatibility_forms_make_no_difference(engine: Engine) {
    let office = office(engine);
    let page =
        office.below(None, "Cr\u{e8}me Br\u{fb}l\u{e9}e \u{fb01}ne \u{395}\u{3bb}\u{3bb}\u{3ac}\u{3c2} \u{401}\u{436}");
    eventually(&office, &office.owner, "creme", "", &[&page]);
    for words in ["CR\u{c8}ME", "cre\u{300}me brulee", "fine", "\u{3b5}\u{3bb}\u{3bb}\u{3b1}\u{3c3}", "\u{435}\u{436}"]
    {
        assert_eq!(found(&office, &office.owner, words), [page.as_str()], "{words}");
    }
}

fn words_are_beginnings_and_phrases_are_whole(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Notes");
    office.line(&page, None, "The Roadmap-Review, third quarter");
    eventually(&office, &office.owner, "roadmap", "", &[&page]);
    for words in ["road", "\"third quarter\"", "roadmap-rev", "qua thi", "\"roadmap review\""] {
        assert_eq!(found(&office, &office.owner, words), [page.as_str()], "{words}");
    }
    for words in ["map", "\"road\"", "\"quarter third\"", "\"third quart\"", "third-review", "\"roadmap third\""] {
        assert!(found(&office, &office.owner, words).is_empty(), "{words}");
    }
}

fn excluded_words_leave_out_what_has_them(engine: Engine) {
    let office = office(engine);
    let [plan, draft] = ["Zebra plan", "Zebra drafts"].map(|title| office.below(None, title));
    office.line(&plan, None, "not a well-known draft");
    let other = office.below(None, "Zebra");
    eventually_all(&office, &office.owner, "zebra", "", &[&plan, &draft, &other]);
    eventually(&office, &office.owner, "zebra -draft", "", &[&other]);
    eventually(&office, &office.owner, "-draft zebra", "", &[&other]);
    eventually_all(&office, &office.owner, "zebra -\"draft\"", "", &[&other, &draft]);
    eventually(&office, &office.owner, "zebra well-known", "", &[&plan]);
}

fn each_character_of_japanese_and_korean_is_a_word(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "\u{6771}\u{4eac}\u{90fd}\u{3067}\u{30ac} \u{d55c}\u{ae00}");
    eventually(&office, &office.owner, "\u{6771}\u{4eac}", "", &[&page]);
    for words in ["\u{4eac}\u{90fd}", "\u{90fd}", "\u{ae00}", "\u{30ab}\u{3099}", "\u{90fd} \u{6771}"] {
        assert_eq!(found(&office, &office.owner, words), [page.as_str()], "{words}");
    }
    for words in ["\u{6771}\u{90fd}", "\u{30ab}", "\u{4eac}\u{6771}"] {
        assert!(found(&office, &office.owner, words).is_empty(), "{words}");
    }
}

fn all_words_must_be_in_one_unit(engine: Engine) {
    let office = office(engine);
    let [one, other] = ["Walrus", "Walrus too"].map(|title| office.below(None, title));
    office.line(&one, None, "first penguin");
    office.line(&one, None, "second ostrich");
    office.line(&other, None, "penguin");
    eventually(&office, &office.owner, "walrus penguin ostrich", "", &[&one]);
    eventually_all(&office, &office.owner, "walrus penguin", "", &[&one, &other]);
    // A comment is a unit of its own.
    let thread = begin(&office, &office.owner, &json!({ "pageId": other, "body": "ostrich" }));
    let id = shape::text(&thread["id"]);
    eventually_all(&office, &office.owner, "ostrich", "", &[&one, &id]);
    eventually(&office, &office.owner, "walrus ostrich", "", &[&one]);
}

fn the_values_of_a_record_are_found_by_their_names(engine: Engine) {
    let office = office(engine);
    let options = json!({ "options": [{ "name": "Blocked by platypus" }] });
    let properties = [
        json!({ "name": "Stage", "type": "select", "config": options }),
        json!({ "name": "Owner", "type": "person" }),
        json!({ "name": "Note", "type": "text" }),
    ];
    let table = Table::of(&office, None, &properties);
    let values = [
        ("Name", json!({ "text": "Chair" })),
        ("Stage", json!({ "optionId": "opt-blocked-by-platypus" })),
        ("Owner", json!({ "userIds": [office.member.id] })),
        ("Note", json!({ "text": "wobbly legs" })),
    ];
    let record = table.send(&office, &office.owner, &values).data(201);
    let (id, page) = (shape::text(&record["id"]), shape::text(&record["pageId"]));
    office.line(&page, None, "in the attic");
    eventually(&office, &office.owner, "chair platypus wobbly attic", "", &[&id]);
    eventually(&office, &office.owner, "chair bob", "", &[&id]);
    let library = library(&office, "many_to_many", false);
    let author = library.people.put(&office, "Quagga Author");
    let book = library.put_book(&office, "Savanna", &[&author]).data(201);
    eventually(&office, &office.owner, "savanna quagga", "", &[&shape::text(&book["id"])]);
}

fn a_database_is_found_by_title_and_description(engine: Engine) {
    let office = office(engine);
    let body = json!({ "title": "Okapi list", "description": "all that graze" });
    let table = Table::create(&office, &body);
    eventually(&office, &office.owner, "okapi graz", "", &[&table.id]);
    assert!(found(&office, &office.owner, "okapi missing").is_empty());
}

fn a_thread_is_found_by_its_replies(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let thread = begin(&office, &office.owner, &on_page(&page));
    reply(&office, &office.member, &thread, "because of the capybara");
    eventually(&office, &office.owner, "capybara", "", &[&shape::text(&thread["id"])]);
}

fn a_phrase_does_not_cross_blocks(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    office.line(&page, None, "ends with ibis");
    office.line(&page, None, "heron begins");
    eventually(&office, &office.owner, "ibis heron", "", &[&page]);
    assert!(found(&office, &office.owner, "\"ibis heron\"").is_empty());
}

fn changes_and_deletions_reach_the_search(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let line = office.line(&page, None, "a lonely tapir");
    eventually(&office, &office.owner, "tapir", "", &[&page]);
    office.patch(&office.owner, &format!("/blocks/{line}"), &json!({ "content": "a lonely gnu" })).is(200);
    eventually(&office, &office.owner, "gnu", "", &[&page]);
    eventually(&office, &office.owner, "tapir", "", &[]);
    office.delete(&office.owner, &format!("/blocks/{line}")).is(200);
    eventually(&office, &office.owner, "gnu", "", &[]);
    office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "title": "Lemur" })).is(200);
    eventually(&office, &office.owner, "lemur", "", &[&page]);
    let copy = office.post(&office.owner, &format!("/pages/{page}/duplicate"), &json!({})).body_of(201);
    let copy = shape::text(&copy["data"]["id"]);
    eventually_all(&office, &office.owner, "lemur", "", &[&page, &copy]);
}

fn queries_without_a_word_to_find_are_refused(engine: Engine) {
    let office = office(engine);
    for words in ["-draft", "* ?", "\"\"", "\u{1f389}", " "] {
        find(&office, &office.owner, words, "").refuses(400, "VALIDATION_ERROR").of("q", "invalid_value");
    }
    find(&office, &office.owner, "", "").refuses(400, "VALIDATION_ERROR").of("q", "too_short");
    find(&office, &office.owner, &"x".repeat(201), "").refuses(400, "VALIDATION_ERROR").of("q", "too_long");
    for (parameter, issue) in [
        ("types=page,files", "invalid_value"),
        ("fields=body", "invalid_value"),
        ("sort=title", "invalid_value"),
        ("createdAfter=yesterday", "invalid_format"),
        ("createdBy=somebody", "invalid_id"),
        ("limit=0", "too_small"),
        ("cursor=abc", "invalid_value"),
    ] {
        let field = parameter.split('=').next().unwrap();
        office.get(&office.owner, &format!("/search?{parameter}")).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
}

fn strange_queries_are_answered(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let long = "y".repeat(100_000);
    office.line(&page, None, &long);
    eventually(&office, &office.owner, &"y".repeat(200), "", &[&page]);
    let many: String = ('\u{100}'..'\u{164}').flat_map(|c| [c, ' ']).collect();
    for words in [many.as_str(), "a OR b AND (c", "title:plan", "pl*n", "\u{202e}plan\u{1}\u{7}", "\"plan", "plan\\"] {
        assert_eq!(find(&office, &office.owner, words, "").status, 200, "{words}");
    }
    assert_eq!(found(&office, &office.owner, "\u{202e}plan\u{7}"), [page]);
}
