//! Sends values of every kind to every operation of the published description: the server must neither fail nor give
//! an answer that is not declared.

use octavo_tests::{
    Answer, Engine, OwnServer, Person, Request, Server, both_engines,
    description::{Description, Operation},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

both_engines! {
    no_body_makes_an_operation_fail,
    no_field_makes_an_operation_fail,
    no_parameter_makes_an_operation_fail,
    no_header_makes_an_operation_fail,
    every_example_is_answered_as_declared,
    what_an_operation_returns_is_declared,
}

/// An id that does not exist.
const UNKNOWN: &str = "ses_00000000000000000000000000";

struct Sweep {
    server: OwnServer,
    person: Person,
    description: Description,
    faults: Vec<String>,
}

impl Sweep {
    fn new(engine: Engine) -> Self {
        let server = Server::with(engine, &[("OCTAVO_LOGIN_FAILURES_PER_EMAIL", "0")]);
        let person = server.person("Ada");
        let description = Description::parse(&server.origin("GET", "/docs/openapi.yaml").send().is(200).text());
        Self { server, person, description, faults: Vec::new() }
    }

    fn operations(&self) -> Vec<Operation> {
        let operations = self.description.operations();
        assert!(operations.len() >= 25, "{} operations", operations.len());
        operations
    }

    fn request(&self, operation: &Operation) -> Request {
        self.to(operation, &operation.target(UNKNOWN))
    }

    fn to(&self, operation: &Operation, target: &str) -> Request {
        self.server.origin(&operation.method, target).bearer(&self.person.access)
    }

    /// Sends the request and records whatever the description does not declare.
    #[track_caller]
    fn check(&mut self, operation: &Operation, request: &Request, what: &str) -> Answer {
        let answer = request.send();
        let call = format!("{} {} with {what}: {}", operation.method, operation.path, answer.status);
        if answer.status >= 500 {
            self.faults.push(format!("{call} {}", answer.text()));
        }
        // A stream ends before its first frame, because the client says that it sends nothing more.
        let is_stream = operation.path == "/events/stream" && answer.status == 200;
        for fault in self.description.undeclared(operation, &answer).into_iter().filter(|_| !is_stream) {
            self.faults.push(format!("{call}: {fault} is not declared"));
        }
        answer
    }

    #[track_caller]
    fn finish(mut self) {
        self.faults.sort();
        self.faults.dedup();
        assert!(self.faults.is_empty(), "{} faults\n{}", self.faults.len(), self.faults.join("\n"));
        assert_eq!(self.person.me()["id"], self.person.id, "the account is still there");
    }
}

/// Forms are sent to HTML pages, which have tests of their own.
fn takes_json(operation: &Operation) -> bool {
    operation.spec.pointer("/requestBody/content/application~1json").is_some()
}

fn no_body_makes_an_operation_fail(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    let deep = "[".repeat(10_000);
    let bodies: [&[u8]; 14] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b"\"text\"",
        b"true",
        b"{}",
        b"{}{}",
        b"\xff\xfe",
        b"{\"\\u0000\":1}",
        b"{\"a\":1,\"a\":2}",
        deep.as_bytes(),
        b"{\"a\":\"\\ud800\"}",
    ];
    for operation in sweep.operations().into_iter().filter(takes_json) {
        for body in bodies {
            let request = sweep.request(&operation).body("application/json", body);
            let shown = String::from_utf8_lossy(&body[..body.len().min(20)]).into_owned();
            sweep.check(&operation, &request, &shown);
        }
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""] {
            let request = sweep.request(&operation).body(content_type, "{}");
            sweep.check(&operation, &request, content_type);
        }
        let request = sweep.request(&operation);
        sweep.check(&operation, &request, "no body");
        // Documents may be larger than other bodies.
        let refused = [2 << 20, 8 << 20].into_iter().any(|size| {
            let large = sweep.request(&operation).body("application/json", format!("\"{}\"", "x".repeat(size)));
            sweep.check(&operation, &large, "a large body").status == 413
        });
        assert!(refused, "there is an end to what is taken");
    }
    sweep.finish();
}

/// Values to try in every field; hardly any field accepts one of them.
fn values() -> Vec<Value> {
    let texts = [
        "",
        " ",
        "a",
        "nonsense",
        "ada@example.com",
        "\u{202e}evil",
        "a\nb",
        "🦀",
        "'; DROP TABLE users;--",
        "%00",
        "null",
        "rft_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "evt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "ses_00000000000000000000000000",
        "Correct-Horse-9",
        "https://example.com/a.png",
    ];
    let mut values: Vec<_> = texts.iter().map(|text| json!(text)).collect();
    values.extend([json!("x".repeat(10_000)), json!("é".repeat(129)), json!("a".repeat(101))]);
    values.extend([
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(1e300),
        json!([]),
        json!(["a"]),
        json!({}),
        json!({ "a": [{}] }),
    ]);
    values
}

/// The names of the fields that the operation's body may have; for a union, those of all its members.
fn fields(sweep: &Sweep, operation: &Operation) -> BTreeSet<String> {
    let Some(schema) = sweep.description.body_schema(operation) else { return BTreeSet::new() };
    let members = schema["oneOf"].as_array().into_iter().flatten().map(|member| sweep.description.resolve(member));
    let properties = members.chain([schema]).filter_map(|schema| schema["properties"].as_object());
    properties.flat_map(|fields| fields.keys().cloned()).collect()
}

/// A valid body, as far as the description has an example of one.
fn example(sweep: &Sweep, operation: &Operation) -> Map<String, Value> {
    examples(sweep, operation).into_iter().next().and_then(|body| body.as_object().cloned()).unwrap_or_default()
}

fn examples(sweep: &Sweep, operation: &Operation) -> Vec<Value> {
    let Some(body) = operation.spec.get("requestBody") else { return vec![] };
    let content = &sweep.description.resolve(body)["content"]["application/json"];
    let named = content["examples"].as_object().into_iter().flatten();
    let named = named.map(|(_, example)| sweep.description.resolve(example)["value"].clone());
    content.get("example").cloned().into_iter().chain(named).collect()
}

fn no_field_makes_an_operation_fail(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    for operation in sweep.operations().into_iter().filter(takes_json) {
        let fields = fields(&sweep, &operation);
        assert!(!fields.is_empty(), "{} {} describes no field", operation.method, operation.path);
        for field in fields {
            for value in values() {
                let mut body = example(&sweep, &operation);
                body.insert(field.clone(), value.clone());
                let request = sweep.request(&operation).json(&Value::Object(body));
                let shown: String = value.to_string().chars().take(30).collect();
                sweep.check(&operation, &request, &format!("{field} = {shown}"));
            }
        }
    }
    sweep.finish();
}

fn no_parameter_makes_an_operation_fail(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    let odd = [
        "",
        "0",
        "-1",
        "1.5",
        "101",
        "99999999999999999999",
        "nonsense",
        "%00",
        "%FF",
        "%27%3B--",
        "a%0Ab",
        "%F0%9F%A6%80",
        "true",
        "null",
    ];
    let long = "x".repeat(2000);
    for operation in sweep.operations() {
        let base = operation.target(UNKNOWN);
        let parameters = sweep.description.parameters(&operation, "query").into_iter();
        let mut names: Vec<_> = parameters.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect();
        names.push("unknown".to_owned());
        for name in names {
            for value in odd.iter().copied().chain([long.as_str()]) {
                let request = sweep.to(&operation, &format!("{base}?{name}={value}"));
                sweep.check(&operation, &request, &format!("{name}={}", &value[..value.len().min(20)]));
            }
            let request = sweep.to(&operation, &format!("{base}?{name}=1&{name}=2"));
            sweep.check(&operation, &request, &format!("{name} twice"));
        }
        if operation.path.contains('{') {
            for value in odd.iter().copied().filter(|value| !value.is_empty()).chain([
                long.as_str(),
                "ses_0",
                "usr_00000000000000000000000000",
            ]) {
                let request = sweep.to(&operation, &operation.target(value));
                sweep.check(&operation, &request, &format!("{} in its path", &value[..value.len().min(20)]));
            }
        }
    }
    sweep.finish();
}

fn no_header_makes_an_operation_fail(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    let headers: [(&str, &[u8]); 16] = [
        ("Idempotency-Key", b""),
        ("Idempotency-Key", b"with space"),
        ("Idempotency-Key", b"\xff"),
        ("X-Service-Workspace", b""),
        ("X-Service-Workspace", b"nonsense"),
        ("X-Service-Workspace", b"wks_00000000000000000000000000"),
        ("X-Confirm", b"\xff"),
        ("If-Match", b"nonsense"),
        ("Accept", b"\xff"),
        ("Origin", b"\xff"),
        ("X-Forwarded-For", b"\xff, ,,"),
        ("Forwarded", b"for=\"\xff"),
        ("User-Agent", b"\xff\xfe"),
        ("X-Request-Id", b"\xff"),
        ("Cookie", b"\xff=\xff;;"),
        ("traceparent", b"nonsense"),
    ];
    for operation in sweep.operations() {
        for (name, value) in headers {
            let request = sweep.request(&operation).json(&json!({})).header(name, value);
            let what = format!("{name}: {}", String::from_utf8_lossy(value));
            sweep.check(&operation, &request, &what);
        }
        for credential in ["", "Bearer", "Bearer x", "Basic eDp5", "Bearer svc_live_x", "\u{fe}"] {
            let bare = sweep.server.origin(&operation.method, &operation.target(UNKNOWN));
            let request = bare.json(&json!({})).header("Authorization", credential);
            sweep.check(&operation, &request, &format!("credential {credential:?}"));
        }
        let request = sweep.server.origin(&operation.method, &operation.target(UNKNOWN));
        sweep.check(&operation, &request, "no credential");
    }
    sweep.finish();
}

fn every_example_is_answered_as_declared(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    for operation in sweep.operations().into_iter().filter(takes_json) {
        let schema = sweep.description.body_schema(&operation).cloned().unwrap();
        for example in examples(&sweep, &operation) {
            let flaws = sweep.description.flaws(&schema, &example, "$", 0);
            assert_eq!(flaws, Vec::<String>::new(), "{} {}", operation.method, operation.path);
            let request = sweep.request(&operation).json(&example);
            let answer = sweep.check(&operation, &request, "its example");
            // The only things wrong with an example: its token was never issued and its app never registered.
            let names_nothing_real = answer.status != 400
                || matches!(answer.json()["error"]["code"].as_str(), Some("INVALID_CLIENT" | "INVALID_GRANT"))
                || answer.json()["error"]["details"].as_array().unwrap().iter().all(|entry| entry["field"] == "token");
            assert!(names_nothing_real, "{} {}: {}", operation.method, operation.path, answer.text());
        }
    }
    sweep.finish();
}

/// Checks successful answers against the schema of their operation.
fn what_an_operation_returns_is_declared(engine: Engine) {
    let mut sweep = Sweep::new(engine);
    let ada = sweep.person.clone();
    let (spare, gone) = (ada.login(), sweep.server.person("Gone"));
    let verification = sweep.server.mailbox().token(&ada.email, "evt_");
    let new = json!({ "email": "new@example.com", "password": "Correct-Horse-9", "name": "New" });
    let login = json!({ "email": ada.email, "password": ada.password });
    let change = json!({ "currentPassword": ada.password, "newPassword": ada.password.clone() + "0" });
    let calls = [
        ("POST", "/auth/register", sweep.server.post("/auth/register", &new), 201),
        ("POST", "/auth/login", sweep.server.post("/auth/login", &login), 200),
        ("POST", "/auth/refresh", spare.refresh_request(), 200),
        ("POST", "/auth/reauthenticate", ada.post("/auth/reauthenticate", &json!({ "password": ada.password })), 200),
        (
            "POST",
            "/auth/email-verification/request",
            ada.post("/auth/email-verification/request", &json!({ "email": ada.email })),
            202,
        ),
        (
            "POST",
            "/auth/email-verification/confirm",
            sweep.server.post("/auth/email-verification/confirm", &json!({ "token": verification })),
            200,
        ),
        (
            "POST",
            "/auth/password-reset/request",
            sweep.server.post("/auth/password-reset/request", &json!({ "email": ada.email })),
            202,
        ),
        ("GET", "/auth/me", ada.get("/auth/me"), 200),
        ("GET", "/users/me", ada.get("/users/me"), 200),
        ("PATCH", "/users/me", ada.patch("/users/me", &json!({ "theme": "dark" })), 200),
        ("GET", "/sessions", ada.get("/sessions?limit=1"), 200),
        ("GET", "/users/me/security-events", ada.get("/users/me/security-events"), 200),
        ("GET", "/rate-limit", ada.get("/rate-limit"), 200),
        ("GET", "/health", ada.get("/health"), 200),
        ("GET", "/health/ready", ada.get("/health/ready"), 200),
        ("GET", "/health/deep", ada.get("/health/deep"), 200),
        ("GET", "/debug/events", ada.get("/debug/events"), 200),
        (
            "POST",
            "/users/me/email-change",
            ada.post("/users/me/email-change", &json!({ "email": "moved@example.com" })),
            202,
        ),
        ("POST", "/users/me/password", ada.post("/users/me/password", &change), 200),
        ("DELETE", "/sessions", ada.delete("/sessions"), 200),
        ("POST", "/auth/logout", ada.post("/auth/logout", &json!({})), 204),
        ("DELETE", "/users/me", gone.delete("/users/me").header("X-Confirm", format!("DELETE {}", gone.id)), 202),
    ];
    let operations = sweep.operations();
    for (method, path, request, status) in calls {
        let operation = operations.iter().find(|operation| operation.method == method && operation.path == path);
        let operation = operation.unwrap_or_else(|| panic!("{method} {path} is not described"));
        let answer = sweep.check(operation, &request, "what it wants");
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
    }
    sweep.finish();
}
