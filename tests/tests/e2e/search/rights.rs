//! For whom what is found.

use super::{eventually, eventually_all, find, found, ids};
use crate::{
    comments::begin,
    pages::{Office, office},
    records::Table,
    relations::library,
};
use octavo_tests::{Engine, both_engines, shape};
use serde_json::json;

both_engines! {
    a_guest_finds_what_was_granted,
    a_lost_permission_counts_at_once,
    an_exclusion_hides_from_the_search_too,
    private_teams_are_searched_by_their_members,
    a_record_with_grants_of_its_own_follows_them,
    nothing_of_other_workspaces_is_found,
    keys_find_everything_of_their_workspace,
    linked_names_are_found_by_those_who_view_the_record,
    synced_texts_are_found_by_those_who_view_the_source,
    hidden_texts_exclude_nothing,
}

fn total(office: &Office, by: &octavo_tests::Person, words: &str) -> serde_json::Value {
    find(office, by, words, "").body_of(200)["total"]["value"].clone()
}

fn a_guest_finds_what_was_granted(engine: Engine) {
    let office = office(engine);
    let [open, closed] = ["Puma open", "Puma closed"].map(|title| office.below(None, title));
    let below = office.below(Some(&open), "Puma below");
    let thread = shape::text(&begin(&office, &office.owner, &json!({ "pageId": closed, "body": "puma" }))["id"]);
    eventually_all(&office, &office.owner, "puma", "", &[&open, &closed, &below, &thread]);
    assert!(found(&office, &office.guest, "puma").is_empty());
    office.grant(&open, &[("user", &office.guest.id, "VIEW")]);
    eventually_all(&office, &office.guest, "puma", "", &[&open, &below]);
    assert_eq!(total(&office, &office.guest, "puma"), json!(2));
    let result = super::result(&office, &office.guest, "puma", &below);
    assert_eq!((&result["accessLevel"], &result["ancestors"][0]["id"]), (&json!("VIEW"), &json!(open)));
    office.grant(&open, &[]);
    office.grant(&below, &[("user", &office.guest.id, "EDIT")]);
    let result = super::result(&office, &office.guest, "puma", &below);
    assert_eq!((&result["accessLevel"], &result["ancestors"]), (&json!("EDIT"), &json!([])));
}

fn a_lost_permission_counts_at_once(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Jaguar");
    let below = office.below(Some(&page), "Jaguar below");
    eventually_all(&office, &office.member, "jaguar", "", &[&page, &below]);
    for _ in 0..5 {
        office.grant(&page, &[("workspace", &office.id, "NONE")]);
        assert_eq!(
            (found(&office, &office.member, "jaguar").len(), total(&office, &office.member, "jaguar")),
            (0, json!(0))
        );
        office.grant(&page, &[]);
        assert_eq!(found(&office, &office.member, "jaguar").len(), 2);
    }
    // So does a move to where the caller sees nothing.
    let hidden = office.below(None, "Hidden");
    office.grant(&hidden, &[("user", &office.member.id, "NONE")]);
    office.post(&office.owner, &format!("/pages/{below}/move"), &json!({ "parentId": hidden })).is(200);
    assert_eq!(found(&office, &office.member, "jaguar"), [page.as_str()]);
    office.owner.delete(&format!("/workspaces/{}/members/{}", office.id, office.member.id)).send().is(204);
    find(&office, &office.member, "jaguar", "").refuses(403, "FORBIDDEN");
}

fn an_exclusion_hides_from_the_search_too(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Cheetah");
    let inner = office.below(Some(&page), "Cheetah inner");
    office.grant(&inner, &[("user", &office.member.id, "NONE")]);
    eventually(&office, &office.member, "cheetah", "", &[&page]);
    eventually_all(&office, &office.other, "cheetah", "", &[&page, &inner]);
    let cut = office.below(Some(&page), "Cheetah cut");
    let path = format!("/pages/{cut}/permissions");
    office.call(&office.owner, "PUT", &path, &json!({ "inherit": false, "grants": [] })).is(200);
    eventually_all(&office, &office.owner, "cheetah", "", &[&page, &inner, &cut]);
    assert_eq!(found(&office, &office.member, "cheetah"), [page]);
}

fn private_teams_are_searched_by_their_members(engine: Engine) {
    let office = office(engine);
    let team = office.team("Secret", true);
    let page = office.page(&office.owner, &json!({ "title": "Ocelot", "teamId": team }));
    eventually(&office, &office.owner, "ocelot", "", &[&page]);
    assert!(found(&office, &office.member, "ocelot").is_empty());
    office.join(&team, &office.member, "MEMBER");
    assert_eq!(found(&office, &office.member, "ocelot"), [page.as_str()]);
    office.owner.delete(&format!("/workspaces/{}/teams/{team}/members/{}", office.id, office.member.id)).send().is(204);
    assert!(found(&office, &office.member, "ocelot").is_empty());
    // The pages of a private team that is deleted stay hidden.
    office.owner.delete(&format!("/workspaces/{}/teams/{team}", office.id)).send();
    eventually(&office, &office.owner, "ocelot", "", &[&page]);
    assert!(found(&office, &office.member, "ocelot").is_empty());
}

fn a_record_with_grants_of_its_own_follows_them(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[]);
    let record = table.put(&office, "Serval");
    let (id, page) = (shape::text(&record["id"]), shape::text(&record["pageId"]));
    eventually(&office, &office.member, "serval", "", &[&id]);
    office.grant(&page, &[("user", &office.member.id, "NONE"), ("user", &office.guest.id, "VIEW")]);
    assert!(found(&office, &office.member, "serval").is_empty());
    assert_eq!(found(&office, &office.guest, "serval"), [id.as_str()]);
    assert_eq!(found(&office, &office.other, "serval"), [id]);
}

fn nothing_of_other_workspaces_is_found(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Margay");
    eventually(&office, &office.owner, "margay", "", &[&page]);
    let zoe = office.server.person("Zoe");
    let own = shape::text(&zoe.post("/pages", &json!({ "title": "Margay too" })).send().data(201)["id"]);
    octavo_tests::poll::eventually("the page", || {
        (ids(&zoe.get("/search?q=margay").send()) == [own.clone()]).then_some(())
    });
    let theirs = zoe.get(&format!("/search?q=margay&parentId={page}")).send();
    theirs.refuses(404, "NOT_FOUND");
    assert_eq!(found(&office, &office.owner, "margay"), [page]);
}

fn keys_find_everything_of_their_workspace(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Caracal");
    office.grant(&page, &[("workspace", &office.id, "NONE")]);
    eventually(&office, &office.owner, "caracal", "", &[&page]);
    let key = office.key("READ");
    let answer = office.server.site().get("/search?q=caracal").bearer(&key).send();
    assert_eq!(ids(&answer), [page]);
    assert_eq!(answer.body_of(200)["data"][0]["accessLevel"], "VIEW");
    office.server.site().get("/search?q=caracal").send().refuses(401, "UNAUTHORIZED").because("token_missing");
}

fn linked_names_are_found_by_those_who_view_the_record(engine: Engine) {
    let office = office(engine);
    let library = library(&office, "many_to_many", false);
    let author = library.people.put(&office, "Fennec");
    let book = library.put_book(&office, "Desert", &[&author]).data(201);
    let id = shape::text(&book["id"]);
    for person in [&office.owner, &office.member] {
        eventually(&office, person, "desert fennec", "", &[&id]);
    }
    office.grant(author["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    assert!(found(&office, &office.member, "desert fennec").is_empty());
    assert_eq!(total(&office, &office.member, "fennec"), json!(0));
    assert_eq!(found(&office, &office.member, "desert"), [id.as_str()]);
    assert_eq!(found(&office, &office.other, "desert fennec"), [id]);
}

fn synced_texts_are_found_by_those_who_view_the_source(engine: Engine) {
    let office = office(engine);
    let (source, shown) = (office.below(None, "Source"), office.below(None, "Instance"));
    let line = office.line(&source, None, "about a dingo");
    office.block(&shown, &json!({ "type": "synced_block", "content": { "sourceBlockId": line } }));
    for person in [&office.owner, &office.member] {
        eventually_all(&office, person, "dingo", "", &[&source, &shown]);
    }
    office.grant(&source, &[("user", &office.member.id, "NONE")]);
    assert!(found(&office, &office.member, "dingo").is_empty());
    assert_eq!(total(&office, &office.member, "instance dingo"), json!(0));
    assert_eq!(found(&office, &office.other, "instance dingo"), [shown.as_str()]);
    // What the page says itself is found nevertheless.
    office.line(&shown, None, "another dingo");
    eventually(&office, &office.member, "dingo", "", &[&shown]);
    let result = super::result(&office, &office.member, "dingo", &shown);
    assert_eq!(result["highlights"].as_array().unwrap().len(), 1);
    assert_eq!(result["highlights"][0]["text"], "another dingo");
}

fn hidden_texts_exclude_nothing(engine: Engine) {
    let office = office(engine);
    let (source, shown) = (office.below(None, "Source"), office.below(None, "Jackal"));
    let line = office.line(&source, None, "a secret badger");
    office.block(&shown, &json!({ "type": "synced_block", "content": { "sourceBlockId": line } }));
    office.grant(&source, &[("user", &office.member.id, "NONE")]);
    eventually(&office, &office.owner, "jackal badger", "", &[&shown]);
    assert!(found(&office, &office.owner, "jackal -badger").is_empty());
    assert_eq!(found(&office, &office.member, "jackal -badger"), [shown]);
}
