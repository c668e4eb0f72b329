//! The audit trail of a workspace: reading it, and the proof that nothing was changed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_tests::{
    Deployment, Engine, Person, Reason, Server, at_once::at_once, both_engines, description::Description, poll, shape,
};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde_json::{Value, json};
use std::collections::BTreeMap;

both_engines! {
    the_chain_is_verified_from_the_listing_alone,
    the_head_is_signed_with_the_published_key,
    many_who_ask_for_the_signing_key_get_one,
    keys_with_the_scope_admin_read_the_trail,
    the_signing_key_outlives_the_server_and_a_new_secret,
    entries_are_found_by_what_they_say,
    odd_filters_are_refused,
    pages_join,
    a_kept_head_is_compared,
    a_part_is_verified,
    members_and_strangers_see_nothing,
    the_actions_are_listed,
    entries_have_the_form_that_the_description_shows,
    ones_own_trail_is_sealed_too,
}

fn create_workspace(person: &Person, name: &str) -> String {
    let workspace = person.post("/workspaces", &json!({ "name": name })).send().data(201);
    format!("/workspaces/{}", shape::text(&workspace["id"]))
}

/// Allows or forbids share links, which causes an audit entry.
fn share(person: &Person, workspace: &str, is_allowed: bool) {
    let body = json!({ "shareLinks": { "allowed": is_allowed } });
    person.patch(&format!("{workspace}/settings"), &body).send().is(200);
}

/// Causes this many entries.
fn live_on(person: &Person, workspace: &str, entries: usize) {
    for number in 0..entries {
        share(person, workspace, number % 2 == 1);
    }
}

/// The whole trail, oldest first, once this many entries are sealed.
fn sealed(person: &Person, path: &str, count: usize) -> Vec<Value> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let path = format!("{path}{separator}limit=200");
    poll::eventually("sealed entries", || {
        let data = person.get(&path).send().data(200);
        let mut entries = data.as_array().unwrap().clone();
        entries.sort_by_key(|entry| entry["seq"].as_i64());
        (entries.len() >= count && entries.iter().all(|entry| !entry["hash"].is_null())).then_some(entries)
    })
}

/// Sorted keys, no white space. The texts here have only one representation in JSON.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().collect();
            let fields: Vec<_> = sorted.iter().map(|(key, value)| format!("\"{key}\":{}", canonical(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

/// Recomputes a chain from the listed entries and returns the last hash.
fn recompute(entries: &[Value]) -> String {
    let mut last = "0".repeat(64);
    for (seq, entry) in (1..).zip(entries) {
        assert_eq!((&entry["seq"], &entry["prevHash"]), (&json!(seq), &json!(last)), "{entry}");
        let names = "id at chain seq action actor target outcome reason requestId piiDigest";
        let covered: Value = names.split(' ').map(|name| (name.to_owned(), entry[name].clone())).collect();
        let text = format!("octavo.audit.v1\n{last}\n{}", canonical(&covered));
        last = blake3::hash(text.as_bytes()).to_hex().to_string();
        assert_eq!(entry["hash"], last, "{entry}");
        let salt = blake3::Hash::from_hex(entry["salt"].as_str().unwrap()).unwrap();
        let digest = blake3::keyed_hash(salt.as_bytes(), canonical(&entry["pii"]).as_bytes()).to_hex();
        assert_eq!(entry["piiDigest"], digest.as_str(), "{entry}");
    }
    last
}

fn the_chain_is_verified_from_the_listing_alone(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 3);
    let allowed = [false, true].repeat(10);
    at_once(allowed.len(), |number| share(&ada, &acme, allowed[number]));
    let entries = sealed(&ada, &format!("{acme}/audit"), 4);
    let end = recompute(&entries);
    let verdict = ada.get(&format!("{acme}/audit/verify")).send().data(200);
    let count = entries.len();
    let expected = json!({
        "valid": true, "checked": count, "firstSeq": 1, "lastSeq": count, "headHash": end, "brokenAt": null,
    });
    assert_eq!(verdict, expected);
}

/// Verifies the signature of a head with the published keys and returns its payload.
fn signed_payload(server: &Server, jws: &str) -> Value {
    let answer = server.origin("GET", "/.well-known/jwks.json").send();
    assert_eq!(answer.named("Cache-Control"), "public, max-age=300");
    let (signed, signature) = jws.rsplit_once('.').unwrap();
    let (header, payload) = signed.split_once('.').unwrap();
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let header: Value = serde_json::from_slice(&decode(header)).unwrap();
    assert_eq!(header["alg"], "EdDSA");
    let keys = answer.json()["keys"].as_array().unwrap().clone();
    let key = keys.iter().find(|key| key["kid"] == header["kid"]).expect("a published key of this name");
    assert_eq!((&key["kty"], &key["crv"], &key["alg"]), (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA")));
    assert!(key.get("d").is_none(), "the private half stays here");
    let public = UnparsedPublicKey::new(&ED25519, decode(key["x"].as_str().unwrap()));
    public.verify(signed.as_bytes(), &decode(signature)).expect("a good signature");
    serde_json::from_slice(&decode(payload)).unwrap()
}

fn head(person: &Person, workspace: &str) -> Value {
    person.get(&format!("{workspace}/audit/head")).send().data(200)
}

fn the_head_is_signed_with_the_published_key(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let empty = head(&ada, &acme);
    assert_eq!((&empty["seq"], &empty["hash"]), (&json!(0), &json!("0".repeat(64))));
    live_on(&ada, &acme, 2);
    let entries = sealed(&ada, &format!("{acme}/audit"), 2);
    let mut head = head(&ada, &acme);
    let jws = shape::text(&head["jws"]);
    head.as_object_mut().unwrap().remove("jws");
    assert_eq!(signed_payload(&server, &jws), head);
    assert_eq!((&head["seq"], &head["hash"]), (&json!(2), &entries[1]["hash"]));
    assert_eq!((&head["chain"], &head["prunedThrough"]), (&entries[0]["chain"], &Value::Null));
    assert!((-60..=0).contains(&shape::seconds_ahead(&head["at"])));
}

/// The first caller causes the creation of the key.
fn many_who_ask_for_the_signing_key_get_one(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let keys = at_once(20, |_| server.origin("GET", "/.well-known/jwks.json").send().is(200).text());
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{keys:?}");
}

fn keys_with_the_scope_admin_read_the_trail(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let key = |scope: &str| {
        let body = json!({ "name": scope, "scopes": [scope] });
        shape::text(&ada.post(&format!("{acme}/api-keys"), &body).send().data(201)["key"])
    };
    let [read, write, admin] = ["READ", "WRITE", "ADMIN"].map(key);
    sealed(&ada, &format!("{acme}/audit"), 3);
    let kept = head(&ada, &acme);
    let compare = json!({ "seq": kept["seq"], "hash": kept["hash"] });
    let calls =
        ["audit", "audit/actions", "audit/head", "audit/verify"].map(|path| server.get(&format!("{acme}/{path}")));
    for call in calls.into_iter().chain([server.post(&format!("{acme}/audit/verify"), &compare), server.get("/audit")])
    {
        call.clone().bearer(&admin).send().is(200);
        for key in [&read, &write] {
            call.clone().bearer(key).send().refuses(403, "FORBIDDEN").because("api_key_scope_admin");
        }
    }
    let listed = server.get("/audit").bearer(&admin).send().data(200);
    assert_eq!(listed, ada.get(&format!("{acme}/audit")).send().data(200), "that of the key's workspace");
    assert!(listed.as_array().unwrap().iter().all(|entry| entry["action"] == "api_key.created"));
}

fn the_signing_key_outlives_the_server_and_a_new_secret(engine: Engine) {
    let server = Deployment::new(engine, Reason::Lifecycle).serve();
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let key_id = |jws: &str| jws.split('.').next().unwrap().to_owned();
    let first = shape::text(&head(&ada, &acme)["jws"]);
    server.run(&["keys", "rotate", "--secret"]).exits(0);
    let (_, deployment) = server.stop();
    let server = deployment.serve();
    // Another port means another issuer, so earlier tokens are not valid there.
    let ada = Person { site: *server.site(), ..ada }.login();
    let second = shape::text(&head(&ada, &acme)["jws"]);
    assert_eq!(key_id(&first), key_id(&second));
    signed_payload(&server, &first);
    signed_payload(&server, &second);
}

fn entries_are_found_by_what_they_say(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 3);
    let entries = sealed(&ada, &format!("{acme}/audit"), 3);
    let id = acme.rsplit('/').next().unwrap();
    let at = shape::text(&entries[1]["at"]).replace(':', "%3A");
    for (query, expected) in [
        ("", vec![3, 2, 1]),
        ("order=asc", vec![1, 2, 3]),
        ("order=desc&limit=1", vec![3]),
        ("action=permission.changed", vec![3, 2, 1]),
        ("action=permission.*", vec![3, 2, 1]),
        ("action=permission", vec![]),
        ("action=workspace.*", vec![]),
        ("actorType=USER", vec![3, 2, 1]),
        ("actorType=API_KEY", vec![]),
        (&format!("actorId={}", ada.id), vec![3, 2, 1]),
        ("actorId=usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", vec![]),
        ("targetType=workspace", vec![3, 2, 1]),
        ("targetType=page", vec![]),
        (&format!("targetId={id}"), vec![3, 2, 1]),
        ("outcome=SUCCESS", vec![3, 2, 1]),
        ("outcome=FAILURE", vec![]),
        (&format!("ip={}", server.client_address()), vec![3, 2, 1]),
        ("ip=127.0.0.2", vec![]),
        ("afterSeq=1&order=asc", vec![2, 3]),
        ("afterSeq=3", vec![]),
        ("from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00%2B01:00", vec![]),
        (&format!("from={at}&afterSeq=1&limit=1&order=asc"), vec![2]),
        (&format!("from={at}&to={at}"), vec![]),
    ] {
        let data = ada.get(&format!("{acme}/audit?{query}")).send().data(200);
        let found: Vec<_> = data.as_array().unwrap().iter().map(|entry| entry["seq"].as_i64().unwrap()).collect();
        assert_eq!(found, expected, "{query}");
    }
    let named = ada.get("/audit").header("X-Service-Workspace", id).send().data(200);
    assert_eq!(named.as_array().unwrap().len(), 3);
    let personal = ada.get("/audit").send().data(200);
    assert_eq!(personal, json!([]), "without a name it is the workspace of the token");
}

fn odd_filters_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    for (query, field, issue) in [
        ("action=*.changed", "action", "invalid_format"),
        ("action=", "action", "invalid_format"),
        ("actorType=user", "actorType", "invalid_value"),
        ("outcome=MAYBE", "outcome", "invalid_value"),
        ("ip=localhost", "ip", "invalid_format"),
        ("from=yesterday", "from", "invalid_format"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to", "invalid_value"),
        ("order=up", "order", "invalid_value"),
        ("afterSeq=-1", "afterSeq", "too_small"),
        ("afterSeq=x", "afterSeq", "invalid_type"),
        ("limit=0", "limit", "too_small"),
        ("cursor=abc", "cursor", "invalid_value"),
    ] {
        let answer = ada.get(&format!("{acme}/audit?{query}")).send();
        answer.refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    let address = ada.get(&format!("{acme}/audit?ip=localhost")).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(address.names("ip")["rules"].as_array().map(Vec::len), Some(1));
    for (query, field) in [("fromSeq=0", "fromSeq"), ("toSeq=-1", "toSeq")] {
        ada.get(&format!("{acme}/audit/verify?{query}")).send().refuses(400, "VALIDATION_ERROR").of(field, "too_small");
    }
    for (body, field, issue) in [
        (json!({}), "seq", "required"),
        (json!({ "seq": 1 }), "hash", "required"),
        (json!({ "seq": "1", "hash": "0".repeat(64) }), "seq", "invalid_type"),
        (json!({ "seq": 1, "hash": "0".repeat(63) }), "hash", "invalid_format"),
    ] {
        let answer = ada.post(&format!("{acme}/audit/verify"), &body).send();
        answer.refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
}

fn pages_join(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 7);
    for order in ["asc", "desc"] {
        // Immediately: some entries may not be sealed yet.
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = ada.get(&format!("{acme}/audit?order={order}&limit=3{cursor}")).send().body_of(200);
            seen.extend(page["data"].as_array().unwrap().iter().map(|entry| shape::text(&entry["id"])));
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!((seen.len(), once.len()), (7, 7), "{order}");
    }
}

fn a_kept_head_is_compared(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    let compare = |seq: i64, hash: &Value| {
        let answer = ada.post(&format!("{acme}/audit/verify"), &json!({ "seq": seq, "hash": hash })).send();
        answer.data(200)["consistent"].as_bool().unwrap()
    };
    assert!(compare(0, &json!("0".repeat(64))));
    live_on(&ada, &acme, 2);
    let kept = sealed(&ada, &format!("{acme}/audit"), 2);
    live_on(&ada, &acme, 2);
    sealed(&ada, &format!("{acme}/audit"), 4);
    assert!(compare(2, &kept[1]["hash"]) && compare(1, &kept[0]["hash"]));
    assert!(!compare(1, &kept[1]["hash"]), "another hash than it had");
    assert!(!compare(2, &json!("ab".repeat(32))));
    assert!(!compare(5, &kept[1]["hash"]), "what the trail never had");
}

fn a_part_is_verified(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 4);
    sealed(&ada, &format!("{acme}/audit"), 4);
    for (query, range, checked) in [
        ("fromSeq=2&toSeq=3", json!([2, 3]), 2),
        ("fromSeq=3", json!([3, 4]), 2),
        ("toSeq=1", json!([1, 1]), 1),
        ("toSeq=99", json!([1, 4]), 4),
        ("fromSeq=5", json!([null, null]), 0),
        ("fromSeq=3&toSeq=2", json!([null, null]), 0),
    ] {
        let verdict = ada.get(&format!("{acme}/audit/verify?{query}")).send().data(200);
        assert_eq!(json!([verdict["firstSeq"], verdict["lastSeq"]]), range, "{query}");
        assert_eq!((&verdict["valid"], &verdict["checked"]), (&json!(true), &json!(checked)), "{query}");
    }
}

fn members_and_strangers_see_nothing(engine: Engine) {
    let server = Server::start(engine);
    let (ada, eve) = (server.person("Ada"), server.person("Eve"));
    let acme = create_workspace(&ada, "Acme");
    for path in ["audit", "audit/actions", "audit/head", "audit/verify"] {
        let path = format!("{acme}/{path}");
        eve.get(&path).send().refuses(403, "FORBIDDEN").because("workspace_mismatch");
        server.get(&path).send().refuses(401, "UNAUTHORIZED").because("token_missing");
    }
    for method in ["PATCH", "DELETE", "PUT"] {
        ada.request(method, &format!("{acme}/audit")).send().refuses(405, "METHOD_NOT_ALLOWED");
    }
}

fn the_actions_are_listed(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let data = ada.get(&format!("/workspaces/{}/audit/actions", ada.workspace)).send().data(200);
    let actions: Vec<_> = data.as_array().unwrap().iter().map(|entry| shape::text(&entry["action"])).collect();
    assert!(actions.iter().any(|action| action == "workspace.deleted"));
    assert!(!actions.iter().any(|action| action == "workspace.created"), "that goes to the log alone");
    assert!(data.as_array().unwrap().iter().all(|entry| !shape::text(&entry["description"]).is_empty()));
}

fn ones_own_trail_is_sealed_too(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada").login().refreshed();
    ada.try_login().is(200);
    let entries = sealed(&ada, "/users/me/security-events", 3);
    recompute(&entries);
}

fn entries_have_the_form_that_the_description_shows(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = create_workspace(&ada, "Acme");
    live_on(&ada, &acme, 2);
    ada.post(&format!("{acme}/api-keys"), &json!({ "name": "Robot", "scopes": ["READ"] })).send().is(201);
    let description = Description::parse(&server.origin("GET", "/docs/openapi.yaml").send().is(200).text());
    let schema = json!({ "$ref": "#/components/schemas/AuditEntryReply" });
    let flaws = |entry: &Value| description.flaws(&schema, entry, "$", 0);
    let entries = sealed(&ada, &format!("{acme}/audit"), 3);
    for entry in &entries {
        assert_eq!(flaws(entry), [""; 0], "{entry}");
    }
    for part in ["actor", "target", "pii"] {
        let mut misshapen = entries[0].clone();
        misshapen[part] = json!({});
        assert!(!flaws(&misshapen).is_empty(), "{part} may be anything");
    }
}
