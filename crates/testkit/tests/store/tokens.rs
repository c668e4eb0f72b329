//! Mailed tokens.

use crate::support::{person, read, write};
use octavo_core_model::{TokenKind, one_time::TokenState};
use octavo_testkit::{Database, make};

pub(crate) async fn a_mailed_token_reads_back_and_leads_to_its_owner(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let mut token = make::one_time_token(5, TokenKind::EmailChange, &ada);
    token.session = Some(make::session_id(3));
    token.email = make::email("new@example.com");
    write!(store, unit => unit.insert_token(&token).await);
    assert_eq!(write!(store, unit => unit.find_token(ada.id, &token.hash).await), Some(token.clone()));
    assert_eq!(read!(store, view => view.find_token_owner(token.kind, &token.hash).await), Some(ada.id));
    assert_eq!(read!(store, view => view.find_token_owner(TokenKind::PasswordReset, &token.hash).await), None);
    assert_eq!(read!(store, view => view.find_token_owner(token.kind, &make::hash(6)).await), None);

    token.state = TokenState::Used;
    write!(store, unit => unit.save_token(&token).await);
    assert_eq!(write!(store, unit => unit.find_token(ada.id, &token.hash).await), Some(token.clone()));
    assert_eq!(
        read!(store, view => view.find_token_owner(token.kind, &token.hash).await),
        Some(ada.id),
        "spent or not"
    );
}

pub(crate) async fn a_token_of_somebody_else_is_none(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let token = make::one_time_token(5, TokenKind::EmailVerification, &ada);
    write!(store, unit => unit.insert_token(&token).await);
    assert_eq!(write!(store, unit => unit.find_token(bob.id, &token.hash).await), None);
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
        write!(store, unit => unit.insert_token(token).await);
    }
    let kinds = [TokenKind::PasswordReset, TokenKind::EmailVerification];
    write!(store, unit => unit.revoke_tokens(ada.id, &kinds).await);
    for (token, expected) in
        [(used, TokenState::Used), (open, TokenState::Revoked), (other, TokenState::Open), (bobs, TokenState::Open)]
    {
        let found = write!(store, unit => unit.find_token(token.user, &token.hash).await).unwrap();
        assert_eq!(found.state, expected);
    }
}
