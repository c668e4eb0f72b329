//! Sessions and refresh tokens.

use crate::support::{person, read, write};
use octavo_core_model::{
    Timestamp, TokenKind,
    account::User,
    id::SessionId,
    session::{End, Ending, Proof, Session, SessionKind, SessionStatus},
    time::days,
};
use octavo_ports::store::{Record, Store};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

async fn signed_in(store: &dyn Store, user: &User, number: u64, shape: impl FnOnce(&mut Session)) -> Session {
    let mut session = make::session(number, user);
    shape(&mut session);
    write!(store, unit => unit.sessions().insert(&session).await);
    session
}

fn revoked(session: &mut Session) {
    session.finish(Ending::SessionRevoked, NOW);
}

fn expired(session: &mut Session) {
    session.expires_at = NOW;
}

pub(crate) async fn a_session_reads_back(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let mut session = signed_in(&*store, &ada, 1, |session| {
        session.kind = SessionKind::Invitation;
        session.proofs = vec![Proof::Password, Proof::OneTimeCode, Proof::MultiFactor];
        session.user_agent = String::from("\u{1F98A} \"quoted\" 'text'");
    })
    .await;
    assert_eq!(read!(store, view => view.sessions().find(ada.id, session.id).await), Some(session.clone()));
    session.finish(Ending::TokensRevoked, NOW.plus(days(1)));
    session.proofs.clear();
    write!(store, unit => unit.sessions().save(&session).await);
    assert_eq!(read!(store, view => view.sessions().find(ada.id, session.id).await), Some(session));
}

pub(crate) async fn a_session_of_somebody_else_is_none(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let session = signed_in(&*store, &ada, 1, |_| ()).await;
    assert_eq!(read!(store, view => view.sessions().find(bob.id, session.id).await), None);
    assert_eq!(read!(store, view => view.sessions().find(ada.id, make::session_id(2)).await), None);
}

pub(crate) async fn sessions_are_listed_by_status_newest_first(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    for number in [2, 1, 3] {
        signed_in(&*store, &ada, number, |_| ()).await;
    }
    signed_in(&*store, &ada, 4, revoked).await;
    signed_in(&*store, &ada, 5, expired).await;
    signed_in(&*store, &bob, 6, |_| ()).await;
    let page = |status, before, limit| {
        let store = Arc::clone(&store);
        async move {
            let listed = read!(store, view => view.sessions().list(make::user_id(1), status, NOW, before, limit).await);
            listed.into_iter().map(|session| session.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(page(SessionStatus::Active, None, 2).await, [3, 2].map(make::session_id));
    assert_eq!(page(SessionStatus::Active, Some(make::session_id(2)), 2).await, [make::session_id(1)]);
    assert_eq!(page(SessionStatus::Revoked, None, 9).await, [make::session_id(4)]);
    assert_eq!(page(SessionStatus::Expired, None, 9).await, [make::session_id(5)]);
}

async fn ends(store: &dyn Store, user: &User, count: u64) -> Vec<Option<End>> {
    let mut ends = Vec::new();
    for number in 1..=count {
        let session = read!(store, view => view.sessions().find(user.id, make::session_id(number)).await);
        ends.push(session.unwrap().end);
    }
    ends
}

pub(crate) async fn ending_sessions_names_the_live_ones(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    for (number, shape) in [(1, None), (2, None), (3, Some(revoked as fn(&mut Session))), (4, Some(expired))] {
        signed_in(&*store, &ada, number, |session| shape.into_iter().for_each(|shape| shape(session))).await;
    }
    signed_in(&*store, &bob, 5, |_| ()).await;
    let (but, how, later) = (Some(make::session_id(2)), Ending::SessionRevoked, NOW.plus(days(1)));
    let ended = write!(store, unit => unit.sessions().end(ada.id, but, how, later).await);
    assert_eq!(ended, [make::session_id(1)]);
    let end = |at: Timestamp| Some(End { at, how });
    assert_eq!(ends(&*store, &ada, 4).await, [end(later), None, end(NOW), None]);
    assert_eq!(write!(store, unit => unit.sessions().end(ada.id, None, how, later).await), [make::session_id(2)]);
    assert_eq!(read!(store, view => view.sessions().find(bob.id, make::session_id(5)).await).unwrap().end, None);
}

pub(crate) async fn a_stricter_end_replaces_a_milder_one(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    signed_in(&*store, &ada, 1, revoked).await;
    signed_in(&*store, &ada, 2, |_| ()).await;
    let later = NOW.plus(days(1));
    let ended = write!(store, unit => unit.sessions().end(ada.id, None, Ending::TokensRevoked, later).await);
    assert_eq!(ended, [make::session_id(2)], "a session that had ended is not named");
    let how = Ending::TokensRevoked;
    let expected = [Some(End { at: NOW, how }), Some(End { at: later, how })];
    assert_eq!(ends(&*store, &ada, 2).await, expected);
    write!(store, unit => unit.sessions().end(ada.id, None, Ending::SessionRevoked, later).await);
    assert_eq!(ends(&*store, &ada, 2).await, expected, "a milder end changes nothing");
}

pub(crate) async fn the_least_active_surplus_ends(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    for (number, activity) in [(1, 5), (2, 1), (3, 3), (4, 4)] {
        signed_in(&*store, &ada, number, |session| session.last_active_at = NOW.plus(days(activity))).await;
    }
    signed_in(&*store, &ada, 5, |session| {
        revoked(session);
        session.last_active_at = NOW.plus(days(9));
    })
    .await;
    let later = NOW.plus(days(10));
    write!(store, unit => unit.sessions().end_surplus(ada.id, 2, later).await);
    let end = Some(End { at: later, how: Ending::SessionRevoked });
    let before = Some(End { at: NOW, how: Ending::SessionRevoked });
    assert_eq!(ends(&*store, &ada, 5).await, [None, end, end, None, before]);
    write!(store, unit => unit.sessions().end_surplus(ada.id, 2, later.plus(days(1))).await);
    assert_eq!(ends(&*store, &ada, 5).await, [None, end, end, None, before], "no surplus is left");
}

pub(crate) async fn a_touch_moves_only_what_is_live_and_stale(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let (since, now) = (NOW.plus(days(1)), NOW.plus(days(2)));
    signed_in(&*store, &ada, 1, |_| ()).await;
    signed_in(&*store, &ada, 2, |session| session.last_active_at = since).await;
    signed_in(&*store, &ada, 3, revoked).await;
    signed_in(&*store, &ada, 4, expired).await;
    signed_in(&*store, &ada, 5, |_| ()).await;
    signed_in(&*store, &bob, 6, |_| ()).await;
    let of = |user: &User, number| (user.id, make::session_id(number));
    let touched = [of(&ada, 1), of(&ada, 2), of(&ada, 3), of(&ada, 4), of(&bob, 6), of(&bob, 1), of(&ada, 9)];
    write!(store, unit => unit.sessions().touch(&touched, since, now).await);
    let activity = |user: &User, number| {
        let (store, user) = (Arc::clone(&store), user.id);
        async move {
            read!(store, view => view.sessions().find(user, make::session_id(number)).await).unwrap().last_active_at
        }
    };
    for (user, number, expected) in
        [(&ada, 1, now), (&ada, 2, since), (&ada, 3, NOW), (&ada, 4, NOW), (&ada, 5, NOW), (&bob, 6, now)]
    {
        assert_eq!(activity(user, number).await, expected, "session {number}");
    }
    write!(store, unit => unit.sessions().touch(&[], since, now).await);
}

pub(crate) async fn a_refresh_token_reads_back_and_rotates(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let session = signed_in(&*store, &ada, 1, |_| ()).await;
    let mut token = make::refresh_token(1, &session);
    token.predecessor = Some(make::hash(7));
    write!(store, unit => unit.sessions().insert_refresh_token(&token).await);
    assert_eq!(read!(store, view => view.sessions().find_refresh_owner(&token.hash).await), Some(ada.id));
    assert_eq!(read!(store, view => view.sessions().find_refresh_owner(&make::hash(2)).await), None);
    assert_eq!(
        read!(store, view => view.accounts().find_token_owner(TokenKind::PasswordReset, &token.hash).await),
        None
    );
    assert_eq!(write!(store, unit => unit.sessions().find_refresh_token(bob.id, &token.hash).await), None);
    assert_eq!(
        write!(store, unit => unit.sessions().find_refresh_token(ada.id, &token.hash).await),
        Some(token.clone())
    );
    write!(store, unit => unit.sessions().rotate_refresh_token(ada.id, &token.hash).await);
    token.rotated = true;
    assert_eq!(
        write!(store, unit => unit.sessions().find_refresh_token(ada.id, &token.hash).await),
        Some(token.clone())
    );
    assert_eq!(
        read!(store, view => view.sessions().find_refresh_owner(&token.hash).await),
        Some(ada.id),
        "rotated or not"
    );
}

/// Locks the user, reads the token, and rotates it if nobody has done so before.
async fn refresh(store: &dyn Store, user: &User, session: SessionId, next: u64) -> bool {
    let mut unit = store.writer().await.unwrap();
    unit.accounts().lock(user.id).await.unwrap().unwrap();
    let token = unit.sessions().find_refresh_token(user.id, &make::hash(1)).await.unwrap().unwrap();
    let wins = !token.rotated;
    if wins {
        unit.sessions().rotate_refresh_token(user.id, &token.hash).await.unwrap();
        let session = unit.sessions().find(user.id, session).await.unwrap().unwrap();
        unit.sessions().insert_refresh_token(&make::refresh_token(next, &session)).await.unwrap();
    }
    unit.commit(Record::default()).await.unwrap();
    wins
}

pub(crate) async fn twenty_uses_of_a_refresh_token_have_one_winner(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let session = signed_in(&*store, &ada, 1, |_| ()).await;
    write!(store, unit => unit.sessions().insert_refresh_token(&make::refresh_token(1, &session)).await);
    let uses = (2..22).map(|next| {
        let (store, ada) = (Arc::clone(&store), ada.clone());
        tokio::spawn(async move { refresh(&*store, &ada, session.id, next).await })
    });
    let mut winners = 0;
    for used in uses.collect::<Vec<_>>() {
        winners += u32::from(used.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(database.number("SELECT count(*) FROM refresh_tokens").await, 2);
}
