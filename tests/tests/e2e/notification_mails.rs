//! Mails about notifications, and notifications in live streams.

use crate::{
    comments::{begin, on_page, path, reply},
    notifications::{list, told},
    pages::{Office, office},
    records::{Table, path_of},
};
use octavo_tests::{Deployment, Engine, EventStream, Frame, Person, Reason, both_engines, mailbox::Mail, poll, shape};
use serde_json::{Value, json};
use std::time::Duration;

both_engines! {
    a_mention_sends_one_mail,
    an_unverified_account_neither_gets_nor_causes_mail,
    no_mail_shows_what_its_reader_may_not_see,
    the_mail_of_the_day_comes_at_its_minute,
    a_server_that_is_killed_in_a_fan_out_tells_everybody_once,
    who_declines_an_invitation_is_reported_to_the_inviter,
    a_stream_has_the_notifications_of_its_user,
    notifications_in_streams_are_for_people,
    mentions_on_a_new_page_are_told,
    an_edited_comment_tells_nobody_twice,
    a_bulk_call_assigns_once,
    ones_own_page_is_nearer_than_a_mute_above_it,
}

fn verify(office: &Office, people: &[&Person]) {
    for person in people {
        let token = office.server.mailbox().token(&person.email, "evt_");
        office.server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    }
}

fn mention(office: &Office, by: &Person, page: &str, whom: &Person, text: &str) -> Value {
    let mentions = json!([{ "type": "user", "id": whom.id }]);
    begin(office, by, &json!({ "pageId": page, "body": text, "mentions": mentions }))
}

/// The mails about notifications to somebody.
fn mails(office: &Office, person: &Person) -> Vec<Mail> {
    let all = office.server.mailbox().mails_to(&person.email);
    all.into_iter().filter(|mail| mail.text().contains("notification preferences")).collect()
}

fn subjects(office: &Office, person: &Person) -> Vec<String> {
    mails(office, person).iter().flat_map(|mail| mail.headers("Subject")).collect()
}

fn prefer(person: &Person, body: &Value) {
    person.patch("/notifications/preferences", body).send().is(200);
}

fn a_mention_sends_one_mail(engine: Engine) {
    let office = office(engine);
    verify(&office, &[&office.owner, &office.member]);
    let page = office.below(None, "Plan");
    let thread = mention(&office, &office.owner, &page, &office.member, "Please look at <b>this</b>");
    let name = shape::text(&office.owner.me()["displayName"]);
    let subject = format!("{name} mentioned you in Plan");
    let mail = office
        .server
        .mailbox()
        .mail(&office.member.email, "a mention", |mail| mail.headers("Subject").contains(&subject));
    let (text, id) = (mail.text(), shape::text(&thread["id"]));
    assert!(text.contains("Content-Type: text/plain") && text.contains("Content-Type: text/html"), "{text}");
    let query = format!("/open?workspace={}&type=comment&id={id}", office.id);
    assert!(text.contains(&query) && text.contains(&query.replace('&', "&amp;")), "{text}");
    assert!(text.contains("> Please look at b this b"), "{text}");
    // An answer, and then a reply that is mailed too: nothing comes in between.
    let edit = json!({ "body": "Please look at that", "mentions": [{ "type": "user", "id": office.member.id }] });
    office.patch(&office.owner, &path(&thread), &edit).is(200);
    reply(&office, &office.owner, &thread, "So?");
    mention(&office, &office.owner, &page, &office.member, "Again");
    poll::eventually("the second mail", || (subjects(&office, &office.member).len() >= 2).then_some(()));
    told(&office.member, &["MENTION", "MENTION"]);
    assert_eq!(subjects(&office, &office.member), [subject.clone(), subject]);
}

fn an_unverified_account_neither_gets_nor_causes_mail(engine: Engine) {
    let office = office(engine);
    verify(&office, &[&office.owner, &office.other]);
    let page = office.below(None, "Plan");
    mention(&office, &office.owner, &page, &office.member, "To an unverified account");
    mention(&office, &office.member, &page, &office.other, "From an unverified account");
    mention(&office, &office.owner, &page, &office.other, "Between verified ones");
    poll::eventually("the mail", || mails(&office, &office.other).first().cloned());
    told(&office.other, &["MENTION", "MENTION"]);
    assert_eq!((mails(&office, &office.other).len(), mails(&office, &office.member).len()), (1, 0));
}

fn no_mail_shows_what_its_reader_may_not_see(engine: Engine) {
    let office = office(engine);
    verify(&office, &[&office.owner, &office.member]);
    let page = office.page(&office.owner, &json!({ "title": "Salaries", "inherit": false }));
    mention(&office, &office.owner, &page, &office.member, "Raise everybody");
    let mail = poll::eventually("the mail", || mails(&office, &office.member).pop()).text();
    assert!(!mail.contains("Salaries") && !mail.contains("Raise"), "{mail}");
}

/// It waits for the next minute of the clock.
fn the_mail_of_the_day_comes_at_its_minute(engine: Engine) {
    let office = office(engine);
    verify(&office, &[&office.owner, &office.member]);
    let page = office.below(None, "Plan");
    prefer(&office.member, &json!({ "email": { "MENTION": "daily" } }));
    let read = mention(&office, &office.owner, &page, &office.member, "Read already");
    let first = told(&office.member, &["MENTION"]).remove(0);
    assert_eq!(first["deepLink"]["id"], read["id"]);
    let mark = format!("/notifications/{}", shape::text(&first["id"]));
    office.member.patch(&mark, &json!({ "read": true })).send().is(200);
    mention(&office, &office.owner, &page, &office.member, "Not read");
    told(&office.member, &["MENTION", "MENTION"]);
    let now = shape::text(&list(&office.member, "")[0]["createdAt"]);
    let minute = |part: &str| part.parse::<u32>().unwrap();
    // Not the next minute if it is about to begin.
    let ahead = if minute(&now[17..19]) < 45 { 1 } else { 2 };
    let next = (minute(&now[11..13]) * 60 + minute(&now[14..16]) + ahead) % (24 * 60);
    prefer(&office.member, &json!({ "dailyAt": format!("{:02}:{:02}", next / 60, next % 60) }));
    let mail = poll::within(Duration::from_secs(140), || mails(&office, &office.member).pop());
    let text = mail.expect("a mail").text();
    assert!(text.contains("Not read") && !text.contains("Read already"), "{text}");
    assert_eq!(mails(&office, &office.member).len(), 1);
}

fn a_server_that_is_killed_in_a_fan_out_tells_everybody_once(engine: Engine) {
    let mut server = Deployment::new(engine, Reason::Lifecycle).serve();
    let owner = server.person("Ada");
    let people: Vec<_> = (0..12).map(|number| server.person(&format!("Reader {number}"))).collect();
    let acme = shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let team = json!({ "name": "Readers", "isPrivate": false });
    let team = shape::text(&owner.post(&format!("/workspaces/{acme}/teams"), &team).send().data(201)["id"]);
    for person in people.iter().chain([&owner]) {
        let token = server.mailbox().token(&person.email, "evt_");
        server.post("/auth/email-verification/confirm", &json!({ "token": token })).send().is(200);
    }
    for person in &people {
        let member = json!({ "userId": person.id, "role": "MEMBER" });
        owner.post(&format!("/workspaces/{acme}/members"), &member).send().is(201);
        owner.post(&format!("/workspaces/{acme}/teams/{team}/members"), &member).send().is(201);
    }
    let page = owner.post("/pages", &json!({ "title": "Plan" })).header("X-Service-Workspace", &acme).send().data(201);
    let mentions = json!([{ "type": "team", "id": team }]);
    for round in 1..=3 {
        let body = json!({ "pageId": page["id"], "body": format!("Round {round}"), "mentions": mentions });
        // A server that starts again has another address, to which tokens belong.
        let on = |person: &Person| Person { site: *server.site(), ..person.clone() }.login();
        on(&owner).post("/comments", &body).header("X-Service-Workspace", &acme).send().is(201);
        server = server.kill().serve();
        for person in &people {
            let person = Person { site: *server.site(), ..person.clone() }.login();
            told(&person, &vec!["MENTION"; round]);
            let count = || {
                let mails = server.mailbox().mails_to(&person.email);
                mails.iter().filter(|mail| mail.headers("Subject")[0].ends_with("mentioned you in Plan")).count()
            };
            poll::eventually("the mail", || (count() >= round).then_some(()));
            assert_eq!(count(), round);
        }
    }
}

fn who_declines_an_invitation_is_reported_to_the_inviter(engine: Engine) {
    let office = office(engine);
    verify(&office, &[&office.owner]);
    let guest = office.server.person("Una");
    verify(&office, &[&guest]);
    let invite = json!({ "email": guest.email, "role": "MEMBER" });
    let sent = office.owner.post(&format!("/workspaces/{}/invitations", office.id), &invite).send().data(201);
    let decline = json!({ "invitationId": sent["id"] });
    for _ in 0..2 {
        guest.post("/invitations/decline", &decline).send().is(200);
    }
    let system = told(&office.owner, &["SYSTEM"]).remove(0);
    assert_eq!(system["title"], "An invitation that you sent was declined");
    assert_eq!((&system["preview"], &system["actor"]), (&json!(guest.email), &json!(null)));
    assert_eq!(system["deepLink"], json!({ "type": "invitation", "id": sent["id"] }));
    poll::eventually("the mail", || mails(&office, &office.owner).pop());
}

fn follow(office: &Office, by: &Person, query: &str) -> EventStream {
    by.get(&format!("/events/stream?{query}")).header("X-Service-Workspace", &office.id).stream()
}

fn next_notification(stream: &mut EventStream) -> Frame {
    loop {
        let frame = stream.next_frame().expect("a frame");
        if frame.is("notification.upserted") {
            return frame;
        }
    }
}

fn a_stream_has_the_notifications_of_its_user(engine: Engine) {
    let office = office(engine);
    let page = office.page(&office.owner, &json!({ "title": "Plan", "inherit": false }));
    office.grant(&page, &[("user", &office.member.id, "COMMENT")]);
    office.call(&office.member, "PUT", &format!("/follows/{page}"), &json!({})).is(200);
    mention(&office, &office.owner, &page, &office.member, "Before");
    told(&office.member, &["MENTION", "PAGE_SHARED"]);
    let mut stream = follow(&office, &office.member, "types=team.*&notifications=true");
    let thread = mention(&office, &office.owner, &page, &office.member, "Look");
    let frame = next_notification(&mut stream);
    assert_eq!(frame.id, None);
    let told = frame.data();
    assert_eq!((&told["type"], &told["preview"], &told["readAt"]), (&json!("MENTION"), &json!("Look"), &json!(null)));
    assert_eq!(told["deepLink"]["id"], thread["id"]);
    assert_eq!(*told, list(&office.member, "?limit=1")[0]);
    for (title, count) in [("A", 1), ("B", 2)] {
        office.patch(&office.owner, &format!("/pages/{page}"), &json!({ "title": title })).is(200);
        let frame = next_notification(&mut stream);
        assert_eq!((&frame.data()["type"], &frame.data()["count"]), (&json!("PAGE_UPDATED"), &json!(count)));
    }
    // What its user may not view is not shown, and what others are told of does not come.
    mention(&office, &office.owner, &page, &office.other, "Not for Bob");
    office.grant(&page, &[]);
    mention(&office, &office.owner, &page, &office.member, "Hidden");
    let hidden = loop {
        let frame = next_notification(&mut stream);
        if frame.data()["type"] == "MENTION" {
            break frame;
        }
    };
    assert_eq!((&hidden.data()["preview"], &hidden.data()["resource"]["title"]), (&json!(null), &json!(null)));
}

fn notifications_in_streams_are_for_people(engine: Engine) {
    let office = office(engine);
    let body = json!({ "name": "Robot", "scopes": ["READ"] });
    let key = office.owner.post(&format!("/workspaces/{}/api-keys", office.id), &body).send().data(201);
    let ask = |query: &str| {
        let request = office.server.get(&format!("/events/stream?{query}"));
        request.bearer(key["key"].as_str().unwrap())
    };
    ask("notifications=true").send().refuses(403, "FORBIDDEN").because("requires_user_credentials");
    assert_eq!(ask("notifications=false").stream().head().status, 200);
}

fn mentions_on_a_new_page_are_told(engine: Engine) {
    let office = office(engine);
    let content = |who: &Person| {
        let attrs = json!({ "mentionId": who.id, "mentionType": "user" });
        json!({ "text": "Ask Eve", "marks": [{ "type": "mention", "from": 4, "to": 7, "attrs": attrs }] })
    };
    let blocks = json!([
        { "type": "paragraph", "content": content(&office.other) },
        { "type": "todo", "content": content(&office.owner) },
    ]);
    let page = office.page(&office.member, &json!({ "title": "Plan", "blocks": blocks }));
    let mention = told(&office.other, &["MENTION"]).remove(0);
    assert_eq!((&mention["deepLink"]["type"], &mention["resource"]["title"]), (&json!("block"), &json!("Plan")));
    told(&office.owner, &["ASSIGNED"]);
    // A copy names people that were told of the original.
    office.post(&office.member, &format!("/pages/{page}/duplicate"), &json!({})).data(201);
    mention_and_wait(&office);
    assert_eq!(told(&office.other, &["MENTION", "MENTION"])[1]["id"], mention["id"]);
}

/// Whoever is told of this was told of everything before.
fn mention_and_wait(office: &Office) {
    let page = office.below(None, "Later");
    mention(office, &office.owner, &page, &office.other, "Later");
    poll::eventually("the later mention", || (list(&office.other, "")[0]["preview"] == "Later").then_some(()));
}

fn an_edited_comment_tells_nobody_twice(engine: Engine) {
    let office = office(engine);
    let page = office.below(None, "Plan");
    let team = office.team("Night", false);
    office.join(&team, &office.other, "MEMBER");
    let of_team = json!({ "type": "team", "id": team });
    let body = json!({ "pageId": page, "body": "Look", "mentions": [of_team] });
    let thread = begin(&office, &office.member, &body);
    told(&office.other, &["MENTION"]);
    let by_name = json!({ "mentions": [{ "type": "user", "id": office.other.id }, of_team] });
    office.patch(&office.member, &path(&thread), &by_name).is(200);
    mention_and_wait(&office);
    told(&office.other, &["MENTION", "MENTION"]);
}

fn a_bulk_call_assigns_once(engine: Engine) {
    let office = office(engine);
    let table = Table::of(&office, None, &[json!({ "name": "Who", "type": "person" })]);
    let values = table.values(&[("Who", json!({ "userIds": [office.other.id] }))]);
    let mut named = values.clone();
    named[table.property("Name")] = json!({ "text": "Paint" });
    let create = json!({ "op": "create", "properties": named });
    let bulk = json!({ "ops": [create, create, create], "returnRecords": true });
    let done = office.post(&office.member, &format!("{}/records/bulk", table.path), &bulk).data(200);
    poll::eventually("three", || list(&office.other, "").first().filter(|told| told["count"] == 3).cloned());
    let assigned = told(&office.other, &["ASSIGNED"]).remove(0);
    assert_eq!(assigned["deepLink"]["id"], done["results"][0]["recordId"]);
    let record = table.send(&office, &office.member, &[("Name", json!({ "text": "Paint" }))]).data(201);
    office.patch(&office.member, &path_of(&record), &json!({ "properties": values })).is(200);
    told(&office.other, &["ASSIGNED", "ASSIGNED"]);
}

fn ones_own_page_is_nearer_than_a_mute_above_it(engine: Engine) {
    let office = office(engine);
    let above = office.below(None, "Above");
    let own = office.page(&office.member, &json!({ "title": "Mine", "parentId": above }));
    let other = office.below(Some(&above), "Another");
    office.call(&office.member, "PUT", &format!("/follows/{above}"), &json!({ "mode": "MUTED" })).is(200);
    begin(&office, &office.owner, &on_page(&other));
    let thread = begin(&office, &office.owner, &on_page(&own));
    let comment = told(&office.member, &["COMMENT"]).remove(0);
    assert_eq!(comment["deepLink"]["id"], thread["id"]);
    office.call(&office.member, "PUT", &format!("/follows/{own}"), &json!({ "mode": "MUTED" })).is(200);
    begin(&office, &office.owner, &on_page(&own));
    mention(&office, &office.owner, &own, &office.member, "Look");
    told(&office.member, &["MENTION", "COMMENT"]);
}
