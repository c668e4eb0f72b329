//! Mailed tokens.

use crate::support::{person, read, write};
use octavo_core_model::{TokenKind, one_time::TokenState, time::days};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

pub(crate) async fn a_mailed_token_reads_back_and_leads_to_its_owner(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let mut token = make::one_time_token(5, TokenKind::EmailChange, &ada);
    token.session = Some(make::session_id(3));
    token.email = make::email("new@example.com");
    write!(store, unit => unit.accounts().insert_token(&token).await);
    assert_eq!(write!(store, unit => unit.accounts().find_token(ada.id, &token.hash).await), Some(token.clone()));
    assert_eq!(read!(store, view => view.accounts().find_token_owner(token.kind, &token.hash).await), Some(ada.id));
    assert_eq!(
        read!(store, view => view.accounts().find_token_owner(TokenKind::PasswordReset, &token.hash).await),
        None
    );
    assert_eq!(read!(store, view => view.accounts().find_token_owner(token.kind, &make::hash(6)).await), None);

    token.state = TokenState::Used;
    write!(store, unit => unit.accounts().save_token(&token).await);
    assert_eq!(write!(store, unit => unit.accounts().find_token(ada.id, &token.hash).await), Some(token.clone()));
    assert_eq!(
        read!(store, view => view.accounts().find_token_owner(token.kind, &token.hash).await),
        Some(ada.id),
        "spent or not"
    );
    assert_eq!(read!(store, view => view.accounts().find_token(ada.id, &token.hash).await), Some(token));
}

pub(crate) async fn a_token_of_somebody_else_is_none(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let token = make::one_time_token(5, TokenKind::EmailVerification, &ada);
    write!(store, unit => unit.accounts().insert_token(&token).await);
    assert_eq!(write!(store, unit => unit.accounts().find_token(bob.id, &token.hash).await), None);
}

pub(crate) async fn only_open_tokens_of_the_named_kinds_are_revoked(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let mut used = make::one_time_token(1, TokenKind::PasswordReset, &ada);
    used.state = TokenState::Used;
    let open = make::one_time_token(2, TokenKind::PasswordReset, &ada);
    let other = make::one_time_token(3, TokenKind::EmailChange, &ada);
    let bobs = make::one_time_token(4, TokenKind::PasswordReset, &bob);
    for token in [&used, &open, &other, &bobs] {
        write!(store, unit => unit.accounts().insert_token(token).await);
    }
    let kinds = [TokenKind::PasswordReset, TokenKind::EmailVerification];
    write!(store, unit => unit.accounts().revoke_tokens(ada.id, &kinds).await);
    for (token, expected) in
        [(used, TokenState::Used), (open, TokenState::Revoked), (other, TokenState::Open), (bobs, TokenState::Open)]
    {
        let found = write!(store, unit => unit.accounts().find_token(token.user, &token.hash).await).unwrap();
        assert_eq!(found.state, expected);
    }
}

pub(crate) async fn later_tokens_are_revoked_and_earlier_ones_stay(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let at = |number, kind, user, day| {
        let mut token = make::one_time_token(number, kind, user);
        token.created_at = NOW.plus(days(day));
        token
    };
    let cases = [
        (at(1, TokenKind::EmailRevert, &ada, 0), TokenState::Open),
        (at(2, TokenKind::EmailRevert, &ada, 1), TokenState::Revoked),
        (at(3, TokenKind::EmailRevert, &ada, 2), TokenState::Revoked),
        (at(4, TokenKind::PasswordReset, &ada, 2), TokenState::Open),
        (at(5, TokenKind::EmailRevert, &bob, 2), TokenState::Open),
    ];
    for (token, _) in &cases {
        write!(store, unit => unit.accounts().insert_token(token).await);
    }
    write!(store, unit => unit.accounts().revoke_tokens_since(ada.id, TokenKind::EmailRevert, NOW.plus(days(1))).await);
    for (token, expected) in cases {
        let found = write!(store, unit => unit.accounts().find_token(token.user, &token.hash).await).unwrap();
        assert_eq!(found.state, expected, "{token:?}");
    }
}

pub(crate) async fn tokens_are_revoked_by_the_session_that_requested_them(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let (first, second) = (make::session_id(1), make::session_id(2));
    let by = |number, kind, user, session| {
        let mut token = make::one_time_token(number, kind, user);
        token.session = session;
        token
    };
    let tokens = [
        by(1, TokenKind::EmailChange, &ada, Some(first)),
        by(2, TokenKind::EmailChange, &ada, Some(second)),
        by(3, TokenKind::EmailChange, &ada, None),
        by(4, TokenKind::EmailRevert, &ada, Some(second)),
        by(5, TokenKind::EmailChange, &bob, Some(second)),
    ];
    for token in &tokens {
        write!(store, unit => unit.accounts().insert_token(token).await);
    }
    let kind = TokenKind::EmailChange;
    let (open, revoked) = (TokenState::Open, TokenState::Revoked);

    write!(store, unit => unit.accounts().revoke_tokens_of_session(ada.id, kind, second).await);
    for (token, expected) in tokens.iter().zip([open, revoked, open, open, open]) {
        let found = write!(store, unit => unit.accounts().find_token(token.user, &token.hash).await).unwrap();
        assert_eq!(found.state, expected, "{token:?}");
    }
    write!(store, unit => unit.accounts().revoke_tokens_of_other_sessions(ada.id, kind, first).await);
    for (token, expected) in tokens.iter().zip([open, revoked, revoked, open, open]) {
        let found = write!(store, unit => unit.accounts().find_token(token.user, &token.hash).await).unwrap();
        assert_eq!(found.state, expected, "{token:?}");
    }
    write!(store, unit => unit.accounts().revoke_tokens_of_other_sessions(ada.id, kind, second).await);
    let found = write!(store, unit => unit.accounts().find_token(ada.id, &tokens[0].hash).await).unwrap();
    assert_eq!(found.state, revoked, "a token of another session");
}
