//! Mentions in comments, and reactions to them.

use crate::{
    comments::{UNKNOWN, begin, on_page, path, reply},
    pages::{Office, office},
    records::Table,
};
use octavo_tests::{Answer, Engine, Person, at_once::at_once, both_engines};
use serde_json::{Value, json};

both_engines! {
    names_after_an_at_sign_are_mentions,
    what_is_mentioned_by_id_counts_instead,
    what_does_not_exist_is_left_out,
    titles_and_names_are_hidden_from_those_who_may_not_know_them,
    an_edit_reads_the_text_again,
    a_comment_mentions_a_limited_number_of_things,
    people_react_once_with_each_emoji,
    reactions_to_replies_are_their_own,
    reactions_at_once_count_once,
    only_a_hundred_emojis_are_supported,
}

fn said(office: &Office, by: &Person, page: &str, text: &str) -> Value {
    begin(office, by, &json!({ "pageId": page, "body": text }))
}

fn user(person: &Person) -> Value {
    json!({ "type": "user", "id": person.id, "name": person.me()["name"] })
}

fn name(person: &Person) -> String {
    person.me()["name"].as_str().unwrap().to_owned()
}

fn names_after_an_at_sign_are_mentions(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let (team, secret) = (office.team("Night Shift", false), office.team("Board Room", true));
    let text = format!(
        "@{} and @{}: ask @night shift, not a@{}",
        name(&office.owner).to_uppercase(),
        name(&office.other),
        name(&office.guest)
    );
    let made = said(&office, &office.member, &page, &text);
    let shift = json!({ "type": "team", "id": team, "name": "Night Shift" });
    assert_eq!(made["mentions"], json!([user(&office.owner), user(&office.other), shift]));
    assert_eq!(office.get(&office.owner, &path(&made)).data(200)["mentions"], made["mentions"]);
    let hidden = said(&office, &office.member, &page, "@Board Room");
    assert_eq!(hidden["mentions"], json!([]), "a private team does not exist for outsiders");
    let seen = said(&office, &office.owner, &page, "@Board Room");
    assert_eq!(seen["mentions"][0]["id"], secret.as_str());
    let shown = office.get(&office.member, &path(&seen)).data(200);
    assert_eq!(shown["mentions"], json!([{ "type": "team", "id": secret, "name": null }]));
    let replied = office.post(
        &office.member,
        &format!("{}/replies", path(&made)),
        &json!({ "body": format!("@{}", name(&office.owner)) }),
    );
    assert_eq!(replied.data(201)["mentions"], json!([user(&office.owner)]));
    let mentioned = office.events(&office.owner, "comment.mentioned", 4);
    assert_eq!(mentioned.len(), 4, "one for each mention of a thread");
}

fn what_is_mentioned_by_id_counts_instead(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let table = Table::of(&office, None, &[]);
    let record = table.put(&office, "Chair");
    let mentions = json!([
        { "type": "user", "id": office.other.id },
        { "type": "page", "id": page },
        { "type": "database", "id": table.id },
        { "type": "page", "id": record["pageId"] },
        { "type": "user", "id": office.other.id },
    ]);
    let body = json!({ "pageId": page, "body": format!("@{}", name(&office.owner)), "mentions": mentions });
    let made = begin(&office, &office.member, &body);
    assert_eq!(made["mentions"], json!([user(&office.other)]), "without the name in the text, and only once");
    let pages = json!([
        { "type": "page", "id": page, "title": "Plan" },
        { "type": "database", "id": table.id, "title": "Tasks" },
        { "type": "page", "id": record["pageId"], "title": "Chair" },
    ]);
    assert_eq!(made["pageMentions"], pages);
    let none = begin(&office, &office.member, &json!({ "pageId": page, "body": body["body"], "mentions": [] }));
    assert_eq!(none["mentions"], json!([]));
}

fn what_does_not_exist_is_left_out(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let hidden = office.below(None, "Pay");
    office.grant(&hidden, &[("user", &office.member.id, "NONE")]);
    let stranger = office.server.person("Zoe");
    let mentions = json!([
        { "type": "user", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        { "type": "team", "id": "tm_01J8Z3K4M5N6P7Q8R9S0T1V2W3" },
        { "type": "team", "id": office.team("Board", true) },
        { "type": "page", "id": hidden },
        { "type": "database", "id": page.replace("pg_", "db_") },
        { "type": "user", "id": stranger.id },
    ]);
    let made = begin(&office, &office.member, &json!({ "pageId": page, "body": "x", "mentions": mentions }));
    let outsider = json!([{ "type": "user", "id": stranger.id, "name": null }]);
    assert_eq!((&made["mentions"], &made["pageMentions"]), (&outsider, &json!([])));
    let by_name = said(&office, &office.member, &page, &format!("@{}", name(&stranger)));
    assert_eq!(by_name["mentions"], json!([]), "only members are mentioned by name");
    let send = |mention: Value| {
        let body = json!({ "pageId": page, "body": "x", "mentions": [mention] });
        office.post(&office.member, "/comments", &body)
    };
    for (flawed, field, issue) in [
        (json!({ "type": "block", "id": page }), "mentions.0.type", "invalid_value"),
        (json!({ "type": "user", "id": page }), "mentions.0.id", "invalid_id"),
        (json!({ "type": "user" }), "mentions.0.id", "required"),
        (json!(7), "mentions.0", "invalid_type"),
    ] {
        send(flawed).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
}

fn titles_and_names_are_hidden_from_those_who_may_not_know_them(engine: Engine) {
    let office = office(engine);
    let (page, hidden) = (office.below(None, "Plan"), office.below(None, "Pay"));
    let made = begin(
        &office,
        &office.owner,
        &json!({ "pageId": page, "body": "x", "mentions": [{ "type": "page", "id": hidden }] }),
    );
    let shown = |by: &Person| office.get(by, &path(&made)).data(200)["pageMentions"][0].clone();
    assert_eq!(shown(&office.member)["title"], "Pay");
    office.grant(&hidden, &[("user", &office.member.id, "NONE")]);
    assert_eq!(shown(&office.member), json!({ "type": "page", "id": hidden, "title": null }));
    let list = office.get(&office.member, &format!("/pages/{page}/comments")).body_of(200);
    assert_eq!(list["data"][0]["pageMentions"][0]["title"], Value::Null);
    office.patch(&office.owner, &format!("/pages/{hidden}"), &json!({ "title": "Wages" })).is(200);
    assert_eq!(shown(&office.owner)["title"], "Wages");
    office.delete(&office.owner, &format!("/pages/{hidden}")).is(200);
    assert_eq!(shown(&office.owner)["title"], Value::Null, "what is in the trash has no title");
    let member = office.member.me()["name"].clone();
    let named = begin(
        &office,
        &office.owner,
        &json!({ "pageId": page, "body": "x", "mentions": [{ "type": "user", "id": office.member.id }] }),
    );
    office.delete(&office.owner, &format!("/workspaces/{}/members/{}", office.id, office.member.id)).is(204);
    let shown = office.get(&office.owner, &path(&named)).data(200);
    assert_eq!(shown["mentions"][0]["name"], member, "the name of somebody who left stays");
    let author = begin(&office, &office.other, &on_page(&page));
    office.delete(&office.owner, &format!("/workspaces/{}/members/{}", office.id, office.other.id)).is(204);
    assert_eq!(office.get(&office.owner, &path(&author)).data(200)["author"], author["author"]);
}

fn an_edit_reads_the_text_again(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let stranger = office.server.person("Zoe");
    let mentions = json!([
        { "type": "user", "id": office.owner.id },
        { "type": "user", "id": stranger.id },
        { "type": "page", "id": page },
    ]);
    let made = begin(&office, &office.member, &json!({ "pageId": page, "body": "x", "mentions": mentions }));
    let edit = |body: Value| office.patch(&office.member, &path(&made), &body).data(200);
    let changed = edit(json!({ "body": format!("@{}", name(&office.other)) }));
    let outsider = json!({ "type": "user", "id": stranger.id, "name": null });
    assert_eq!(changed["mentions"], json!([user(&office.other), outsider]), "what has no name in texts stays");
    assert_eq!(changed["pageMentions"][0]["id"], page.as_str());
    let replaced = edit(json!({ "mentions": [{ "type": "user", "id": office.guest.id }] }));
    assert_eq!((&replaced["mentions"], &replaced["pageMentions"]), (&json!([user(&office.guest)]), &json!([])));
    assert_eq!(replaced["body"], changed["body"]);
    let events = office.events(&office.owner, "comment.mentioned", 5);
    let mentioned: Vec<_> = events.iter().map(|event| event["data"]["mention"]["id"].clone()).collect();
    let expected =
        [&office.owner.id, &stranger.id, &page, &office.other.id, &office.guest.id].map(|id| json!(id.as_str()));
    assert_eq!(mentioned, expected, "each once, when it is new");
}

fn a_comment_mentions_a_limited_number_of_things(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let send = |count: usize| {
        let mentions = vec![json!({ "type": "user", "id": office.owner.id }); count];
        office.post(&office.member, "/comments", &json!({ "pageId": page, "body": "x", "mentions": mentions }))
    };
    assert_eq!(send(100).data(201)["mentions"], json!([user(&office.owner)]));
    send(101).refuses(400, "VALIDATION_ERROR").of("mentions", "too_long");
    let flood = format!("@{} ", name(&office.owner));
    let made = said(&office, &office.member, &page, &flood.repeat(5000 / flood.chars().count()));
    assert_eq!(made["mentions"], json!([user(&office.owner)]));
}

fn react(office: &Office, by: &Person, comment: &Value, body: &Value) -> Answer {
    office.post(by, &format!("{}/reactions", path(comment)), body)
}

fn unreact(office: &Office, by: &Person, comment: &Value, query: &str) -> Answer {
    office.delete(by, &format!("{}/reactions?{query}", path(comment)))
}

const THUMB: &str = "emoji=%F0%9F%91%8D";

fn people_react_once_with_each_emoji(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let thumb = json!({ "emoji": "\u{1F44D}" });
    let state = |users: &[&Person]| {
        let ids: Vec<_> = users.iter().map(|person| person.id.clone()).collect();
        json!({ "commentId": thread["id"], "replyId": null, "emoji": "\u{1F44D}", "count": ids.len(), "userIds": ids })
    };
    for _ in 0..2 {
        assert_eq!(react(&office, &office.other, &thread, &thumb).data(200), state(&[&office.other]));
    }
    assert_eq!(react(&office, &office.owner, &thread, &thumb).data(200), state(&[&office.other, &office.owner]));
    react(&office, &office.owner, &thread, &json!({ "emoji": "\u{2764}" })).is(200);
    let shown = office.get(&office.member, &path(&thread)).data(200);
    let of = |emoji: &str, users: &[&Person]| {
        let ids: Vec<_> = users.iter().map(|person| person.id.clone()).collect();
        json!({ "emoji": emoji, "count": ids.len(), "userIds": ids })
    };
    let expected = json!([of("\u{1F44D}", &[&office.other, &office.owner]), of("\u{2764}\u{FE0F}", &[&office.owner])]);
    assert_eq!(shown["reactions"], expected);
    assert_eq!(shown["updatedAt"], thread["updatedAt"]);
    assert_eq!(unreact(&office, &office.member, &thread, THUMB).data(200), state(&[&office.other, &office.owner]));
    assert_eq!(unreact(&office, &office.other, &thread, THUMB).data(200), state(&[&office.owner]));
    unreact(&office, &office.owner, &thread, THUMB).is(204);
    unreact(&office, &office.owner, &thread, THUMB).is(204);
    let events = office.events(&office.owner, "comment.reaction_added,comment.reaction_removed", 5);
    assert_eq!(events.len(), 5, "what changes nothing is no event");
    react(&office, &office.owner, &json!({ "id": UNKNOWN }), &thumb).refuses(404, "NOT_FOUND");
}

fn reactions_to_replies_are_their_own(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let answer = reply(&office, &office.member, &thread, "Because.");
    let body = json!({ "emoji": "\u{1F44D}", "replyId": answer["id"] });
    let state = react(&office, &office.other, &thread, &body).data(200);
    assert_eq!((&state["replyId"], &state["count"]), (&answer["id"], &json!(1)));
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!(shown["reactions"], json!([]));
    assert_eq!(shown["replies"][0]["reactions"][0]["userIds"], json!([office.other.id]));
    let elsewhere = begin(&office, &office.member, &on_page(&office.below(None, "Other")));
    react(&office, &office.other, &elsewhere, &body).refuses(404, "NOT_FOUND");
    unreact(&office, &office.other, &thread, THUMB).is(204);
    let of_reply = format!("{THUMB}&replyId={}", answer["id"].as_str().unwrap());
    unreact(&office, &office.other, &thread, &of_reply).is(204);
    assert_eq!(office.get(&office.member, &path(&thread)).data(200)["replies"][0]["reactions"], json!([]));
}

fn reactions_at_once_count_once(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    let body = json!({ "emoji": "\u{1F680}" });
    let people = [&office.owner, &office.member];
    at_once(8, |index| react(&office, people[index % 2], &thread, &body).is(200).status);
    let shown = office.get(&office.member, &path(&thread)).data(200);
    assert_eq!(shown["reactions"][0]["count"], 2);
    assert_eq!(office.events(&office.owner, "comment.reaction_added", 2).len(), 2);
}

fn only_a_hundred_emojis_are_supported(engine: Engine) {
    let office = office(engine);
    let thread = begin(&office, &office.member, &on_page(&office.below(None, "Plan")));
    for emoji in ["\u{1F9A0}", "a", "", "\u{1F44D}\u{1F44D}"] {
        let refused = react(&office, &office.other, &thread, &json!({ "emoji": emoji }));
        refused.refuses(400, "VALIDATION_ERROR").of("emoji", "not_supported");
    }
    react(&office, &office.other, &thread, &json!({ "emoji": 1 }))
        .refuses(400, "VALIDATION_ERROR")
        .of("emoji", "invalid_type");
    react(&office, &office.other, &thread, &json!({})).refuses(400, "VALIDATION_ERROR").of("emoji", "required");
    unreact(&office, &office.other, &thread, "").refuses(400, "VALIDATION_ERROR").of("emoji", "required");
    unreact(&office, &office.other, &thread, "emoji=x").refuses(400, "VALIDATION_ERROR").of("emoji", "not_supported");
    let description = office.server.origin("GET", "/docs/openapi.json").send();
    let listed = description.json()["components"]["schemas"]["ReactionBody"]["properties"]["emoji"]["enum"].clone();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 100);
    for emoji in listed {
        react(&office, &office.other, &thread, &json!({ "emoji": emoji })).is(200);
    }
    let shown = office.get(&office.member, &path(&thread)).data(200);
    let reacted: Vec<_> = shown["reactions"].as_array().unwrap().iter().map(|count| &count["emoji"]).collect();
    assert_eq!(reacted, listed.iter().collect::<Vec<_>>());
}
