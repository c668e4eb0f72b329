//! Removing what nobody can ask for any more.

use crate::support::{owner, person, read, write};
use octavo_core_model::{
    Timestamp, TokenKind,
    api_key::ApiKey,
    job::Ending,
    session,
    stream_ticket::{StreamTicket, TicketHolder},
    time::days,
};
use octavo_ports::{
    origins::Origin,
    replies::KeptReply,
    store::{Record, Store},
    sweeps::{Horizons, Swept},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

/// Everything before `NOW` may be removed.
pub(crate) const AT_NOW: Horizons = Horizons {
    replies: NOW,
    credentials: NOW,
    origins: NOW,
    events: NOW,
    jobs: NOW,
    read_notifications: NOW,
    unread_notifications: NOW,
};

fn before(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() - millis)
}

/// Inserts `count` rows of each kind that expire at `at`, numbered from `first`.
async fn put(store: &dyn Store, first: u64, count: u64, at: Timestamp) {
    let ada = make::user(1);
    let mut unit = store.writer().await.unwrap();
    let mut events = Vec::new();
    for number in first..first + count {
        let mut session = make::session(number, &ada);
        session.expires_at = at;
        let mut token = make::one_time_token(number + 1000, TokenKind::PasswordReset, &ada);
        token.expires_at = at;
        unit.sessions().insert(&session).await.unwrap();
        unit.sessions().insert_refresh_token(&make::refresh_token(number, &session)).await.unwrap();
        unit.accounts().insert_token(&token).await.unwrap();
        let kept = KeptReply { fingerprint: [0; 32], sealed: vec![1], expires_at: at };
        unit.replies().keep(&make::reply_key("usr_1", u8::try_from(number).unwrap()), &kept).await.unwrap();
        let origin = Origin { network: format!("192.0.{number}.0/24"), program: "Firefox".to_owned() };
        unit.origins().remember(ada.id, &origin, at).await.unwrap();
        let mut job = make::job(number, make::workspace_id(1), ada.id);
        job.end(Ending::Cancelled, at);
        unit.jobs().insert(&job).await.unwrap();
        let workspace = unit.workspaces().find(make::workspace_id(1)).await.unwrap().unwrap();
        let key = ApiKey { revoked_at: Some(at), ..make::api_key(number, workspace.id, ada.id) };
        unit.api_keys().insert(&key, &make::hash(number + 2000)).await.unwrap();
        let holder = TicketHolder::Key { id: key.id, secret: [0; 32] };
        let hash = make::hash(number + 3000);
        let ticket = StreamTicket { hash, workspace: workspace.id, holder, expires_at: at };
        unit.stream_tickets().insert(&ticket).await.unwrap();
        let mut event = make::event(number, make::workspace_id(1));
        event.occurred_at = at;
        events.push(event);
    }
    unit.commit(Record { events, ..Record::default() }).await.unwrap();
    store.number_events().await.unwrap();
}

const fn each(count: u64) -> Swept {
    Swept {
        sessions: count,
        refresh_tokens: count,
        browser_sessions: 0,
        one_time_tokens: count,
        replies: count,
        origins: count,
        events: count,
        app_tokens: 0,
        grants: 0,
        jobs: count,
        api_keys: count,
        notifications: 0,
        stream_tickets: count,
    }
}

pub(crate) async fn only_what_is_past_its_horizon_goes(database: &Database) {
    let store = database.store().await;
    let (ada, _) = owner(&*store, 1).await;
    put(&*store, 1, 3, before(1)).await;
    put(&*store, 11, 2, NOW).await;
    assert_eq!(write!(store, unit => unit.sweeps().sweep(AT_NOW, 100).await), each(3));
    assert_eq!(write!(store, unit => unit.sweeps().sweep(AT_NOW, 100).await), each(0));
    for table in [
        "sessions",
        "refresh_tokens",
        "one_time_tokens",
        "idempotent_replies",
        "origins",
        "events",
        "jobs",
        "api_keys",
        "stream_tickets",
    ] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 2, "{table}");
    }
    let found = read!(store, view => view.sessions().find_refresh_owner(&make::hash(1)).await);
    assert_eq!(found, None, "what led to a swept token is gone");
    assert_eq!(read!(store, view => view.sessions().find_refresh_owner(&make::hash(11)).await), Some(ada.id));
    let reset = TokenKind::PasswordReset;
    assert_eq!(read!(store, view => view.accounts().find_token_owner(reset, &make::hash(1001)).await), None);
    assert_eq!(read!(store, view => view.accounts().find_token_owner(reset, &make::hash(1011)).await), Some(ada.id));
    let head = database.number("SELECT last_sequence FROM event_heads").await;
    assert_eq!(head, 5, "numbers go on where they were");
}

pub(crate) async fn a_sweep_takes_no_more_than_its_limit(database: &Database) {
    let store = database.store().await;
    owner(&*store, 1).await;
    put(&*store, 1, 5, before(1)).await;
    for expected in [2, 2, 1, 0] {
        assert_eq!(write!(store, unit => unit.sweeps().sweep(AT_NOW, 2).await), each(expected));
    }
}

/// A revoked session still has a token that has not expired; both are removed together with the session.
pub(crate) async fn a_session_goes_with_its_tokens(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let mut session = make::session(1, &ada);
    session.finish(session::Ending::SessionRevoked, before(1));
    let live = make::session(2, &ada);
    for session in [&session, &live] {
        write!(store, unit => unit.sessions().insert(session).await);
    }
    for (number, session) in [(1, &session), (2, &session), (3, &session), (4, &live)] {
        write!(store, unit => unit.sessions().insert_refresh_token(&make::refresh_token(number, session)).await);
    }
    let sweep = async || {
        let swept = write!(store, unit => unit.sweeps().sweep(AT_NOW, 2).await);
        (swept.sessions, swept.refresh_tokens)
    };
    assert_eq!(sweep().await, (0, 2), "tokens first, in portions");
    assert_eq!(sweep().await, (1, 1));
    assert_eq!(sweep().await, (0, 0));
    assert_eq!(read!(store, view => view.sessions().find(ada.id, live.id).await), Some(live));
    assert_eq!(read!(store, view => view.sessions().find_refresh_owner(&make::hash(3)).await), None);
    let later = Horizons { credentials: NOW.plus(days(31)), ..AT_NOW };
    let swept = write!(store, unit => unit.sweeps().sweep(later, 9).await);
    assert_eq!((swept.sessions, swept.refresh_tokens), (1, 1), "a session that ran out goes too");
}

pub(crate) async fn a_key_that_was_revoked_goes_with_what_leads_to_it(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let revoked = ApiKey { revoked_at: Some(before(1)), ..make::api_key(1, workspace.id, ada.id) };
    let live = make::api_key(2, workspace.id, ada.id);
    for (key, number) in [(&revoked, 11), (&live, 21)] {
        write!(store, unit => unit.api_keys().insert(key, &make::hash(number)).await);
        write!(store, unit => unit.api_keys().rotate(key, &make::hash(number + 1), NOW, before(9)).await);
    }
    assert_eq!(write!(store, unit => unit.sweeps().count_due(AT_NOW, NOW).await).rows.api_keys, 1);
    assert_eq!(write!(store, unit => unit.sweeps().sweep(AT_NOW, 9).await).api_keys, 1);
    for (number, is_there) in [(11, false), (12, false), (21, true), (22, true)] {
        let found = read!(store, view => view.api_keys().find_workspace(&make::hash(number)).await);
        assert_eq!(found.is_some(), is_there, "{number}");
    }
    assert_eq!(database.number("SELECT count(*) FROM api_key_secrets").await, 2);
    assert_eq!(read!(store, view => view.api_keys().list(workspace.id, None, 9).await).len(), 1);
}
