//! Browser sessions.

use crate::support::{person, read, write};
use crate::sweeps::AT_NOW;
use octavo_core_model::{browser_session::LIFE, session::Ending};
use octavo_ports::sweeps::Horizons;
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

pub(crate) async fn a_cookie_leads_to_its_session_and_user(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let mut session = make::session(1, &ada);
    let browser = make::browser_session(7, &session);
    write!(store, unit => unit.sessions().insert(&session).await);
    write!(store, unit => unit.browser_sessions().insert(&browser).await);
    assert_eq!(read!(store, view => view.browser_sessions().find_owner(&browser.hash).await), Some(ada.id));
    assert_eq!(read!(store, view => view.browser_sessions().find_owner(&make::hash(8)).await), None);
    let found = read!(store, view => view.browser_sessions().find(ada.id, &browser.hash).await);
    assert_eq!(found, Some((ada.clone(), session.clone())));
    assert_eq!(read!(store, view => view.browser_sessions().find(bob.id, &browser.hash).await), None);
    let refresh = read!(store, view => view.sessions().find_refresh_owner(&browser.hash).await);
    assert_eq!(refresh, None, "a cookie is no refresh token");
    let ended = write!(store, unit => unit.sessions().end(ada.id, None, Ending::SessionRevoked, NOW).await);
    assert_eq!(ended, [session.id]);
    session.finish(Ending::SessionRevoked, NOW);
    let found = read!(store, view => view.browser_sessions().find(ada.id, &browser.hash).await);
    assert_eq!(found, Some((ada, session)), "it is the session that says whether it goes on");
}

/// A removed cookie leads nowhere, and its session is removed after it.
pub(crate) async fn cookies_are_swept_before_their_sessions(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let mut session = make::session(1, &ada);
    session.expires_at = NOW.plus(LIFE);
    session.finish(Ending::TokensRevoked, NOW);
    write!(store, unit => unit.sessions().insert(&session).await);
    write!(store, unit => unit.browser_sessions().insert(&make::browser_session(7, &session)).await);
    let sweep = async |hours: u32| {
        let horizon = NOW.plus(LIFE / 12 * hours);
        let horizons = Horizons { credentials: horizon, ..AT_NOW };
        let due = write!(store, unit => unit.sweeps().count_due(horizons, NOW).await).rows;
        let swept = write!(store, unit => unit.sweeps().sweep(horizons, 9).await);
        (due.browser_sessions, swept.browser_sessions, swept.sessions)
    };
    assert_eq!(sweep(6).await, (0, 0, 0), "the session is over, its cookie has not run out");
    assert_eq!(sweep(13).await, (1, 1, 1));
    assert_eq!(read!(store, view => view.browser_sessions().find_owner(&make::hash(7)).await), None);
}

pub(crate) async fn nothing_of_a_removed_or_erased_user_leads_anywhere(database: &Database) {
    let store = database.store().await;
    for number in [1, 2] {
        let user = person(&*store, number).await;
        let session = make::session(number, &user);
        write!(store, unit => unit.sessions().insert(&session).await);
        write!(store, unit => unit.browser_sessions().insert(&make::browser_session(number, &session)).await);
        if number == 1 {
            write!(store, unit => unit.accounts().remove(&user).await);
        } else {
            write!(store, unit => unit.accounts().erase(&user).await);
        }
    }
    assert_eq!(database.number("SELECT count(*) FROM browser_sessions").await, 0);
    assert_eq!(database.number("SELECT count(*) FROM directory WHERE kind = 'browser_session'").await, 0);
}
