//! Every operation that requires a credential, tried by every caller without a valid one.

use octavo_tests::{Answer, Engine, Person, Server, both_engines, description::Description, poll};

both_engines! {
    callers_without_rights_get_the_same_refusals_everywhere,
}

const UNKNOWN: &str = "ses_00000000000000000000000000";

/// A kind of caller, the token it sends, and how it is refused.
struct Caller {
    what: &'static str,
    token: Option<String>,
    status: u16,
    reason: &'static str,
}

fn callers(server: &Server) -> Vec<Caller> {
    let (suspended, deleting) = (server.person("Suspended"), server.person("Deleting"));
    server.run(&["user", "suspend", &suspended.email]).exits(0);
    deleting.delete("/users/me").header("X-Confirm", format!("DELETE {}", deleting.id)).send().is(202);
    poll::eventually("the suspension", || (suspended.get("/auth/me").send().status == 403).then_some(()));
    let key = format!("svc_live_{}", "A".repeat(38));
    let refused = |what, token: &str, status, reason| Caller { what, token: Some(token.to_owned()), status, reason };
    let edited = format!("{}x", suspended.access);
    vec![
        Caller { what: "nobody", token: None, status: 401, reason: "token_missing" },
        refused("nonsense", "nonsense", 401, "token_malformed"),
        refused("an edited token", &edited, 401, "token_malformed"),
        refused("a refresh token", &suspended.refresh, 401, "token_malformed"),
        refused("an unknown key", &key, 401, "token_malformed"),
        refused("a suspended account", &suspended.access, 403, "account_suspended"),
        refused("a deleted account", &deleting.access, 403, "account_deleting"),
    ]
}

fn is_refused(answer: &Answer, caller: &Caller) -> bool {
    answer.status == caller.status && answer.json()["error"]["details"][0]["reason"] == caller.reason
}

fn callers_without_rights_get_the_same_refusals_everywhere(engine: Engine) {
    let server = Server::start(engine);
    let ada: Person = server.person("Ada");
    let description = Description::parse(&server.origin("GET", "/docs/openapi.yaml").send().is(200).text());
    let callers = callers(&server);
    let mut faults = Vec::new();
    let mut compared = 0;
    for operation in description.operations() {
        let call = || server.origin(&operation.method, &operation.target(UNKNOWN));
        let is_closed = is_refused(&call().send(), &callers[0]);
        for caller in &callers {
            let request = match &caller.token {
                Some(token) => call().bearer(token),
                None => call(),
            };
            let answer = request.send();
            if is_closed && !is_refused(&answer, caller) {
                faults.push(format!("{} {} by {}: {}", operation.method, operation.path, caller.what, answer.text()));
            }
            if !is_closed
                && answer.status == 401
                && answer.json()["error"]["details"][0]["reason"] != "invalid_credentials"
            {
                faults.push(format!("{} {} minds {}", operation.method, operation.path, caller.what));
            }
            compared += usize::from(is_closed);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared >= 14 * callers.len(), "{compared}");
    assert_eq!(ada.me()["id"], ada.id);
}
