//! What a repeated call may still be answered: something deleted since must not stop the replay, a right lost since
//! must.

use octavo_tests::{Answer, Engine, Person, Request, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    a_deletion_of_a_workspace_can_be_tried_again,
    a_call_into_a_workspace_can_be_tried_again_after_its_deletion,
    a_deleted_workspace_gives_no_right_back,
    a_call_by_a_key_can_be_tried_again_after_the_deletion,
    a_demoted_admin_gets_no_replay_of_a_removal,
    a_team_that_is_hidden_since_is_not_replayed,
    a_lost_team_role_gets_no_replay,
    a_removal_is_replayed_only_to_callers_who_still_may_remove,
}

struct Office {
    server: Server,
    id: String,
    owner: Person,
    other: Person,
    member: Person,
}

/// A workspace with an owner, a person with this role, and a member.
fn office(engine: Engine, role: &str) -> Office {
    let server = Server::start(engine);
    let [owner, other, member] = ["Ada", "Bob", "Max"].map(|name| server.person(name));
    let id = shape::text(&owner.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let office = Office { server, id, owner, other, member };
    office.add(&office.other, role);
    office.add(&office.member, "MEMBER");
    office
}

impl Office {
    fn path(&self, rest: &str) -> String {
        format!("/workspaces/{}{rest}", self.id)
    }

    fn place(&self, person: &Person) -> String {
        self.path(&format!("/members/{}", person.id))
    }

    fn add(&self, person: &Person, role: &str) {
        let body = json!({ "userId": person.id, "role": role });
        self.owner.post(&self.path("/members"), &body).send().is(201);
    }

    fn demote(&self, person: &Person, role: &str) {
        self.owner.patch(&self.place(person), &json!({ "role": role })).send().is(200);
    }

    fn deletion(&self) -> Request {
        self.owner.delete(&self.path("")).header("X-Confirm", format!("DELETE {}", self.id))
    }

    fn team(&self, body: &Value) -> String {
        let made = self.owner.post(&self.path("/teams"), body).send().data(201);
        self.path(&format!("/teams/{}", shape::text(&made["id"])))
    }

    fn join(&self, team: &str, person: &Person, role: &str) {
        self.owner.post(&format!("{team}/members"), &json!({ "userId": person.id, "role": role })).send().is(201);
    }
}

fn is_replay_of(again: &Answer, first: &Answer) {
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
}

fn a_deletion_of_a_workspace_can_be_tried_again(engine: Engine) {
    let office = office(engine, "ADMIN");
    let deletion = office.deletion().key("once");
    let first = deletion.send();
    first.is(202);
    is_replay_of(&deletion.send(), &first);
    office.deletion().key("twice").send().refuses(410, "GONE").because("workspace_deleting");
    office.deletion().send().refuses(410, "GONE").because("workspace_deleting");
    let other_body = office.deletion().key("once").json(&json!({ "another": true })).send();
    other_body.refuses(410, "GONE").because("workspace_deleting");
}

fn a_call_into_a_workspace_can_be_tried_again_after_its_deletion(engine: Engine) {
    let office = office(engine, "ADMIN");
    let founding = office.other.post(&office.path("/teams"), &json!({ "name": "Design" })).key("once");
    let first = founding.send();
    first.is(201);
    office.deletion().send().is(202);
    is_replay_of(&founding.send(), &first);
    let another = office.other.post(&office.path("/teams"), &json!({ "name": "Looks" })).key("twice");
    another.send().refuses(410, "GONE").because("workspace_deleting");
    let stranger = office.server.person("Eve");
    let foreign = stranger.post(&office.path("/teams"), &json!({ "name": "Design" })).key("once");
    foreign.send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn a_deleted_workspace_gives_no_right_back(engine: Engine) {
    let office = office(engine, "ADMIN");
    let founding = office.other.post(&office.path("/teams"), &json!({ "name": "Design" })).key("found");
    founding.send().is(201);
    let removal = office.other.delete(&office.place(&office.member)).key("remove");
    removal.send().is(204);
    office.demote(&office.other, "MEMBER");
    office.deletion().send().is(202);
    for call in [founding, removal] {
        call.send().refuses(410, "GONE").because("workspace_deleting");
    }
}

fn a_call_by_a_key_can_be_tried_again_after_the_deletion(engine: Engine) {
    let office = office(engine, "ADMIN");
    let body = json!({ "name": "Importer", "scopes": ["ADMIN"] });
    let made = office.owner.post(&office.path("/api-keys"), &body).send().data(201);
    let key = shape::text(&made["key"]);
    let founding = office.server.post(&office.path("/teams"), &json!({ "name": "Design" })).bearer(&key).key("once");
    let first = founding.send();
    first.is(201);
    office.deletion().send().is(202);
    is_replay_of(&founding.send(), &first);
    let another = office.server.post(&office.path("/teams"), &json!({ "name": "Looks" })).bearer(&key);
    another.send().refuses(410, "GONE").because("workspace_deleting");
}

fn a_demoted_admin_gets_no_replay_of_a_removal(engine: Engine) {
    let office = office(engine, "ADMIN");
    let removal = office.other.delete(&office.place(&office.member)).key("once");
    removal.send().is(204);
    assert_eq!(removal.send().is(204).header("Idempotency-Replayed"), Some("true"));
    office.demote(&office.other, "MEMBER");
    removal.send().refuses(404, "NOT_FOUND");
    removal.send().is_like(&office.other.delete(&office.place(&office.member)).send());
}

fn a_team_that_is_hidden_since_is_not_replayed(engine: Engine) {
    let office = office(engine, "MEMBER");
    let team = office.team(&json!({ "name": "Design" }));
    office.join(&team, &office.other, "ADMIN");
    let rename = office.other.patch(&team, &json!({ "name": "Looks" })).key("rename");
    rename.send().is(200);
    let body = json!({ "userId": office.member.id, "role": "MEMBER" });
    let addition = office.other.post(&format!("{team}/members"), &body).key("add");
    addition.send().is(201);
    office.owner.patch(&team, &json!({ "isPrivate": true })).send().is(200);
    office.owner.delete(&format!("{team}/members/{}", office.other.id)).send().is(204);
    for call in [rename, addition] {
        let answer = call.send();
        answer.refuses(404, "NOT_FOUND");
        assert_eq!(answer.header("Idempotency-Replayed"), None);
    }
}

fn a_lost_team_role_gets_no_replay(engine: Engine) {
    let office = office(engine, "MEMBER");
    let team = office.team(&json!({ "name": "Design" }));
    office.join(&team, &office.other, "ADMIN");
    office.join(&team, &office.member, "MEMBER");
    let place = format!("{team}/members/{}", office.member.id);
    let promotion = office.other.patch(&place, &json!({ "role": "ADMIN" })).key("promote");
    promotion.send().is(200);
    let removal = office.other.delete(&place).key("remove");
    removal.send().is(204);
    for call in [&promotion, &removal] {
        assert_eq!(call.send().header("Idempotency-Replayed"), Some("true"));
    }
    let own = format!("{team}/members/{}", office.other.id);
    office.owner.patch(&own, &json!({ "role": "MEMBER" })).send().is(200);
    for call in [promotion, removal] {
        call.send().refuses(404, "NOT_FOUND");
    }
}

fn a_removal_is_replayed_only_to_callers_who_still_may_remove(engine: Engine) {
    let office = office(engine, "ADMIN");
    let team = office.team(&json!({ "name": "Design" }));
    office.join(&team, &office.member, "MEMBER");
    let leaving = office.member.delete(&format!("{team}/members/{}", office.member.id)).key("leave");
    let rename = office.other.patch(&team, &json!({ "name": "Looks" })).key("rename");
    let change = office.other.patch(&office.place(&office.member), &json!({ "role": "ADMIN" })).key("change");
    let deletion = office.other.delete(&team).key("delete");
    let firsts: Vec<_> = [&leaving, &rename, &change].map(Request::send).into();
    is_replay_of(&leaving.send(), &firsts[0]);
    let deleted = deletion.send();
    deleted.is(202);
    office.owner.delete(&office.place(&office.member)).send().is(204);
    is_replay_of(&deletion.send(), &deleted);
    is_replay_of(&rename.send(), &firsts[1]);
    is_replay_of(&change.send(), &firsts[2]);
}
