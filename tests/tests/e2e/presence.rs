//! Who is on a page at the moment.

use octavo_tests::{Answer, Engine, EventStream, Person, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    those_who_follow_a_page_learn_who_is_on_it,
    who_may_not_see_the_page_any_more_learns_nothing,
    only_users_who_see_the_page_may_say_where_they_are,
}

fn workspace(person: &Person) -> String {
    shape::text(&person.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"])
}

fn add(owner: &Person, acme: &str, person: &Person, role: &str) {
    let body = json!({ "userId": person.id, "role": role });
    owner.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
}

fn page(person: &Person, acme: &str, body: &Value) -> String {
    shape::text(&person.post("/pages", body).header("X-Service-Workspace", acme).send().data(201)["id"])
}

fn open(person: &Person, acme: &str, query: &str) -> EventStream {
    person.get(&format!("/events/stream?{query}")).header("X-Service-Workspace", acme).stream()
}

fn say(person: &Person, acme: &str, page: &str, body: &Value) -> Answer {
    let request = person.request("PUT", &format!("/pages/{page}/presence"));
    request.json(body).header("X-Service-Workspace", acme).send()
}

fn block_on(person: &Person, acme: &str, page: &str) -> String {
    let body = json!({ "type": "paragraph", "content": "Text" });
    let request = person.post(&format!("/pages/{page}/blocks"), &body);
    shape::text(&request.header("X-Service-Workspace", acme).send().data(201)["id"])
}

fn those_who_follow_a_page_learn_who_is_on_it(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER");
    let top = page(&ada, &acme, &json!({ "title": "Top" }));
    let below = page(&ada, &acme, &json!({ "title": "Below", "parentId": top }));
    let block = block_on(&ada, &acme, &top);
    let mut own = open(&ada, &acme, &format!("pageId={top}&types=page.deleted"));
    let mut others = open(&bob, &acme, &format!("pageId={top}&subtree=true&types=page.deleted"));
    let mut whole = open(&bob, &acme, "types=page.created");
    let mut elsewhere = open(&bob, &acme, &format!("pageId={below}&types=page.deleted"));
    say(&ada, &acme, &top, &json!({ "blockId": block, "offset": 3, "state": "editing" })).is(204);
    for stream in [&mut own, &mut others] {
        let frame = stream.next_event();
        assert_eq!((frame.event.as_deref(), &frame.id), (Some("presence.updated"), &None));
        let user = json!({ "id": ada.id, "name": "Ada", "avatarUrl": null });
        let expected = json!({ "pageId": top, "user": user, "blockId": block, "offset": 3, "state": "editing" });
        assert_eq!(frame.data(), &expected);
    }
    say(&ada, &acme, &top, &json!({ "state": "left" })).is(204);
    for stream in [&mut own, &mut others] {
        assert_eq!(stream.next_event().data()["state"], "left");
    }
    say(&ada, &acme, &below, &json!({ "state": "viewing" })).is(204);
    assert_eq!(elsewhere.next_event().data()["state"], "viewing", "nothing of the page above came before");
    let next = page(&ada, &acme, &json!({ "title": "Next" }));
    loop {
        // The pages that were made before may have been numbered after the stream began.
        let frame = whole.next_event();
        assert_eq!(frame.event.as_deref(), Some("page.created"), "streams without a page get none of it");
        if frame.data()["resource"]["id"] == next {
            break;
        }
    }
}

fn who_may_not_see_the_page_any_more_learns_nothing(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER");
    let secret = page(&ada, &acme, &json!({ "title": "Secret" }));
    let mut stream = open(&bob, &acme, &format!("pageId={secret}&types=page.deleted"));
    say(&ada, &acme, &secret, &json!({ "state": "viewing" })).is(204);
    assert_eq!(stream.next_event().data()["state"], "viewing");
    let share = |body: &Value| {
        let path = format!("/pages/{secret}/permissions");
        ada.request("PUT", &path).json(body).header("X-Service-Workspace", &acme).send().is(200);
    };
    share(&json!({ "inherit": false, "grants": [] }));
    say(&ada, &acme, &secret, &json!({ "state": "editing" })).is(204);
    say(&bob, &acme, &secret, &json!({ "state": "viewing" })).refuses(404, "NOT_FOUND");
    // A frame of the owner's stream shows that the signal was handled before the page is shared again.
    let mut own = open(&ada, &acme, &format!("pageId={secret}"));
    say(&ada, &acme, &secret, &json!({ "state": "viewing" })).is(204);
    while own.next_event().data()["state"] != "viewing" {}
    let grant = json!({ "principalType": "user", "principalId": bob.id, "level": "VIEW" });
    share(&json!({ "inherit": false, "grants": [grant] }));
    say(&ada, &acme, &secret, &json!({ "state": "left" })).is(204);
    assert_eq!(stream.next_event().data()["state"], "left", "what happened in between is not sent");
}

fn only_users_who_see_the_page_may_say_where_they_are(engine: Engine) {
    let server = Server::start(engine);
    let (ada, gus) = (server.person("Ada"), server.person("Gus"));
    let acme = workspace(&ada);
    add(&ada, &acme, &gus, "GUEST");
    let (here, there) =
        (page(&ada, &acme, &json!({ "title": "Here" })), page(&ada, &acme, &json!({ "title": "There" })));
    let elsewhere = block_on(&ada, &acme, &there);
    let body = json!({ "state": "viewing" });
    say(&gus, &acme, &here, &body).refuses(404, "NOT_FOUND");
    say(&ada, &acme, &here, &json!({ "state": "viewing", "blockId": elsewhere })).refuses(404, "NOT_FOUND");
    say(&ada, &acme, &here, &json!({ "state": "sleeping" }))
        .refuses(400, "VALIDATION_ERROR")
        .of("state", "invalid_value");
    say(&ada, &acme, &here, &json!({})).refuses(400, "VALIDATION_ERROR").of("state", "required");
    let key = json!({ "name": "Robot", "scopes": ["ADMIN"] });
    let key = ada.post(&format!("/workspaces/{acme}/api-keys"), &key).send().data(201);
    let by_key = server.request("PUT", &format!("/pages/{here}/presence")).json(&body);
    let refused = by_key.bearer(key["key"].as_str().unwrap()).send();
    refused.refuses(403, "FORBIDDEN").because("requires_user_credentials");
}
