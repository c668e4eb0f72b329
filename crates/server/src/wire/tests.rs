//! Bodies, queries and replies on the wire.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use octavo_core_model::{
    id::{SessionId, UserId},
    session::SessionStatus,
    text::{Email, Name, NewPassword, WebAddress},
};

body! {
    /// Everything a field can be.
    ///
    /// Second paragraph.
    SampleBody {
        /// Has to be there.
        email "email": required Email,
        /// Is never
        /// repeated.
        password "password": required NewPassword,
        /// May be left out.
        display_name "displayName": optional Name = "Ada",
        /// May be cleared.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

query! {
    /// A list with a filter.
    SampleQuery {
        page: SessionId, 20 up to 100;
        /// In which state.
        status "status": optional SessionStatus = "ACTIVE",
    }
}

query! {
    /// No list.
    PlainQuery {
        /// Whom to look for.
        q "q": required Name,
    }
}

reply! {
    /// Somebody.
    SampleReply {
        /// The id.
        id "id": required UserId,
        /// Null when there is none.
        avatar_url "avatarUrl": nullable WebAddress = null,
        /// Left out when there is none.
        note "note": optional String = "Hi",
    }
}

fn read(body: Value) -> (Option<SampleBody>, Vec<octavo_core_model::fault::Violation>) {
    let Value::Object(fields) = body else { panic!("an object") };
    let mut reader = Reader::over(&fields);
    (SampleBody::read_fields(&mut reader), reader.into_violations())
}

#[test]
fn all_flaws_are_listed_at_once_and_secrets_are_not_repeated() {
    let (body, violations) =
        read(json!({ "password": "short", "displayName": null, "avatarUrl": "ftp://x", "extra": 1 }));
    assert!(body.is_none());
    let listed: Vec<_> = violations.iter().map(|v| (v.field.as_str(), v.issue.name(), v.received.clone())).collect();
    assert_eq!(
        listed,
        [
            ("email", "required", None),
            ("password", "too_short", None),
            ("displayName", "invalid_type", Some(Value::Null)),
            ("avatarUrl", "invalid_format", Some(json!("ftp://x"))),
        ]
    );
}

#[test]
fn left_out_null_and_set_are_three_things() {
    let base = json!({ "email": "Ada@Example.com", "password": "Correct-Horse-7" });
    let with = |name: &str, value: Value| {
        let mut body = base.clone();
        body[name] = value;
        read(body).0.unwrap()
    };
    assert_eq!(read(base.clone()).0.unwrap().password.into_secret().expose(), "Correct-Horse-7");
    assert_eq!(read(base.clone()).0.unwrap().email.as_str(), "ada@example.com");
    assert_eq!(read(base.clone()).0.unwrap().avatar_url, None);
    assert_eq!(with("avatarUrl", Value::Null).avatar_url, Some(None));
    let set = with("avatarUrl", json!("https://example.com/a.png"));
    assert_eq!(set.avatar_url.flatten().unwrap().as_str(), "https://example.com/a.png");
    assert_eq!(with("displayName", json!(" Ada ")).display_name.unwrap().as_str(), "Ada");
}

#[test]
fn a_query_reads_its_page_and_filters() {
    let keyring = std::sync::Arc::new(octavo_sealing::Keyring::new(&[[7; 32]]).unwrap());
    let parse = |query: &str| {
        let parameters = Parameters::parse(query);
        let seal = CursorSeal::new(keyring.clone(), parameters.binding("usr_1", "wks_1", "GET /x"));
        let mut parameters = parameters.sealed_by(&seal);
        let read = SampleQuery::read(&mut parameters);
        (read, parameters.into_violations(), seal.clone())
    };
    let (plain, _, seal) = parse("status=ACTIVE&unknown=1");
    let plain = plain.unwrap();
    assert_eq!((plain.page.limit, plain.page.fetch(), plain.page.after), (20, 21, None));
    assert_eq!(plain.status, Some(SessionStatus::Active));

    let id: SessionId = SessionId::example().as_str().unwrap().parse().unwrap();
    let cursor = seal.seal(&id);
    let (next, ..) = parse(&format!("limit=3&unknown=1&status=ACTIVE&cursor={cursor}"));
    assert_eq!(next.unwrap().page, PageRequest { limit: 3, is_sized: true, after: Some(id) });

    for (query, field, issue) in [
        (format!("cursor={cursor}"), "cursor", "invalid_value"),
        ("limit=0".to_owned(), "limit", "too_small"),
        ("limit=2&limit=2".to_owned(), "limit", "invalid_value"),
        ("status=active".to_owned(), "status", "invalid_value"),
        ("st%61tus=ACTIVE&status=ACTIVE".to_owned(), "status", "invalid_value"),
    ] {
        let (read, violations, _) = parse(&query);
        assert!(read.is_none(), "{query}");
        assert_eq!((violations[0].field.as_str(), violations[0].issue.name()), (field, issue), "{query}");
    }
}

#[test]
fn a_query_is_decoded() {
    let read = |query: &str| PlainQuery::read(&mut Parameters::parse(query)).map(|query| query.q.to_string());
    assert_eq!(read("q=Ada+Lovelace").as_deref(), Some("Ada Lovelace"));
    assert_eq!(read("q=%C3%A9%26").as_deref(), Some("\u{e9}&"));
    assert_eq!(read("q="), None);
    assert_eq!(read(""), None);
}

#[test]
fn a_reply_shows_null_or_leaves_out_as_declared() {
    let id: UserId = UserId::example().as_str().unwrap().parse().unwrap();
    let reply = SampleReply { id, avatar_url: None, note: None };
    assert_eq!(serde_json::to_value(Data(reply)).unwrap(), json!({ "data": { "id": id, "avatarUrl": null } }));
    let page = Page { data: vec![SampleReply { id, avatar_url: None, note: Some("x".into()) }], next_cursor: None };
    let expected = json!({ "data": [{ "id": id, "avatarUrl": null, "note": "x" }], "nextCursor": null });
    assert_eq!(serde_json::to_value(page).unwrap(), expected);
}

#[test]
fn a_declaration_describes_itself() {
    let mut named = Named::new();
    <Data<SampleReply> as Documented>::collect(&mut named);
    SampleBody::collect(&mut named);
    assert_eq!(named["SampleReply"]["required"], json!(["id", "avatarUrl"]));
    assert_eq!(named["SampleReply"]["properties"]["avatarUrl"]["type"], json!(["string", "null"]));
    assert_eq!(named["SampleBody"]["required"], json!(["email", "password"]));
    assert_eq!(named["SampleBody"]["description"], "Everything a field can be.\n\nSecond paragraph.");
    assert_eq!(named["SampleBody"]["properties"]["password"]["description"], "Is never repeated.");
    let shown = json!({ "email": "ada@example.com", "password": "Correct-Horse-7" });
    assert_eq!(SampleBody::example(), shown, "fields that may be left out are left out");
    assert_eq!(SampleReply::example()["note"], "Hi");
    let parameters: Vec<_> = SampleQuery::describe().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(parameters, ["cursor", "limit", "status"]);
}
