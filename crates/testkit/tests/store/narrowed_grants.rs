//! What grants to apps gain and lose, and with them their codes and token families.

use crate::{
    oauth::{access, app, exchanged, grant},
    support::{join, owner, read, write},
};
use octavo_core_model::{
    AppScope, Role,
    oauth::{AuthorizationCode, Grant, Narrowing},
    time::days,
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

pub(crate) async fn a_wider_grant_reaches_more_and_a_narrower_one_less(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    join(&*store, 4, &other, &ada, Role::Member).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    let mut wide = grant(&*store, 1, &app, &ada, |grant| grant.scopes = [AppScope::PagesRead].into()).await;
    wide.widen(&app.scopes, &[other.id]);
    wide.expires_at = wide.expires_at.plus(days(1));
    write!(store, unit => unit.oauth().save_grant(&wide).await);
    assert_eq!(read!(store, view => view.oauth().find_grant(ada.id, wide.id).await), Some(wide.clone()));
    assert_eq!(read!(store, view => view.oauth().find_granter(other.id, wide.id).await), Some(ada.id));
    let less = [AppScope::PagesRead, AppScope::FilesRead].into();
    write!(store, unit => unit.oauth().narrow_grant(&wide, &less, &[other.id]).await);
    let found = read!(store, view => view.oauth().find_grant(ada.id, wide.id).await).unwrap();
    assert_eq!(found.scopes, [AppScope::PagesRead].into(), "nothing is added that was not there");
    assert_eq!(found.common_scopes, found.scopes, "nor is more kept for all of them");
    assert_eq!(found.workspaces, [other.id]);
    assert_eq!(read!(store, view => view.oauth().find_granter(workspace.id, wide.id).await), None);
    assert_eq!(read!(store, view => view.oauth().find_granter(other.id, wide.id).await), Some(ada.id));
}

pub(crate) async fn what_a_grant_loses_is_gone_from_its_codes_and_families(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    let subject = app(&*store, 1, &workspace, &ada).await;
    let neighbour = app(&*store, 2, &workspace, &ada).await;
    let both = vec![workspace.id, other.id];
    let in_both = |grant: &mut Grant| grant.workspaces.clone_from(&both);
    let wide = grant(&*store, 1, &subject, &ada, in_both).await;
    let unrelated = grant(&*store, 2, &neighbour, &ada, in_both).await;
    let reading = [AppScope::PagesRead].into();
    let codes = [
        make::code(1, &wide),
        make::code(2, &wide.clone().within(&wide.scopes, &[workspace.id])),
        make::code(3, &wide.clone().within(&reading, &[other.id])),
        make::code(4, &unrelated),
    ];
    for code in &codes {
        write!(store, unit => unit.oauth().insert_code(code).await);
        write!(store, unit => unit.oauth().insert_family(&make::family(code)).await);
    }
    let less = [AppScope::PagesRead, AppScope::FilesRead].into();
    write!(store, unit => unit.oauth().narrow_grant(&wide, &less, &[other.id]).await);
    let expected =
        [(&reading, vec![other.id]), (&reading, Vec::new()), (&reading, vec![other.id]), (&unrelated.scopes, both)];
    for (code, (scopes, workspaces)) in codes.into_iter().zip(expected) {
        let narrowed = AuthorizationCode { scopes: scopes.clone(), workspaces, ..code };
        let family = make::family(&narrowed);
        let found = write!(store, unit => unit.oauth().find_code(ada.id, &narrowed.hash).await);
        assert_eq!(found.as_ref(), Some(&narrowed));
        assert_eq!(read!(store, view => view.oauth().find_family(ada.id, family.id).await), Some(family));
    }
}

pub(crate) async fn what_an_app_loses_is_gone_from_codes_and_grants(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let subject = app(&*store, 1, &workspace, &ada).await;
    let neighbour = app(&*store, 2, &workspace, &ada).await;
    let (of_subject, of_neighbour) =
        (grant(&*store, 1, &subject, &ada, |_| ()).await, grant(&*store, 2, &neighbour, &ada, |_| ()).await);
    let (_, family) = exchanged(&*store, 1, &of_subject).await;
    let (_, other_family) = exchanged(&*store, 2, &of_neighbour).await;
    let code = async |number, shape: fn(&mut AuthorizationCode)| {
        let mut code = make::code(number, &of_subject);
        shape(&mut code);
        write!(store, unit => unit.oauth().insert_code(&code).await);
    };
    code(3, |code| code.redirect_uri = make::redirect_uri("https://gone.example/")).await;
    code(4, |code| code.scopes = [AppScope::PagesRead].into()).await;
    code(5, |code| code.redeemed_at = Some(NOW)).await;
    let left = async || {
        let mut left = Vec::new();
        for number in 1..=5 {
            if read!(store, view => view.oauth().find_code_owner(&make::hash(number)).await).is_some() {
                left.push(number);
            }
        }
        left
    };
    let lost = Narrowing { redirect_uris: vec![make::redirect_uri("https://gone.example/")], ..Narrowing::default() };
    write!(store, unit => unit.oauth().narrow_app(subject.id, &lost).await);
    assert_eq!(left().await, [1, 2, 4, 5]);
    assert_eq!(access(&*store, &family).await.unwrap().grant.scopes, subject.scopes);
    let lost = Narrowing { scopes: [AppScope::PagesWrite, AppScope::FilesRead].into(), ..Narrowing::default() };
    write!(store, unit => unit.oauth().narrow_app(subject.id, &lost).await);
    assert_eq!(left().await, [2, 4, 5], "a redeemed code is remembered");
    let gone = make::code(1, &of_subject);
    assert!(!write!(store, unit => unit.oauth().redeem_code(&gone).await));
    assert_eq!(access(&*store, &family).await.unwrap().grant.scopes, [AppScope::PagesRead].into());
    let narrowed = read!(store, view => view.oauth().find_grant(ada.id, of_subject.id).await).unwrap();
    assert_eq!(narrowed.common_scopes, [AppScope::PagesRead].into());
    assert_eq!(access(&*store, &other_family).await.unwrap().grant.scopes, neighbour.scopes);
}
