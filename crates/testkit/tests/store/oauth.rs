//! Apps that act for users, their grants, codes and tokens.

use crate::support::{join, owner, person, read, write};
use crate::sweeps::AT_NOW;
use octavo_core_model::{
    AppScope, Role,
    account::{AccountStatus, User},
    id::GrantId,
    oauth::{App, AppAccess, AppSecret, AuthorizationCode, Family, Grant},
    time::days,
    workspace::Workspace,
};
use octavo_ports::{
    oauth::RemovedApp,
    store::Store,
    sweeps::{Horizons, Swept},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

/// Inserts an app; its secret has the same number.
pub(crate) async fn app(store: &dyn Store, number: u64, workspace: &Workspace, creator: &User) -> App {
    let app = make::app(number, workspace, creator);
    write!(store, unit => unit.oauth().insert_app(&app, Some(&make::hash(number))).await);
    app
}

pub(crate) async fn grant(
    store: &dyn Store,
    number: u64,
    app: &App,
    user: &User,
    shape: impl FnOnce(&mut Grant),
) -> Grant {
    let mut grant = make::grant(number, app, user);
    shape(&mut grant);
    write!(store, unit => unit.oauth().insert_grant(&grant).await);
    grant
}

/// Inserts a code and what it was exchanged for: a family, and a refresh token with the number of the code plus a
/// hundred.
pub(crate) async fn exchanged(store: &dyn Store, number: u64, grant: &Grant) -> (AuthorizationCode, Family) {
    let code = make::code(number, grant);
    let family = make::family(&code);
    let mut unit = store.writer().await.unwrap();
    unit.oauth().insert_code(&code).await.unwrap();
    unit.oauth().insert_family(&family).await.unwrap();
    unit.oauth().insert_family_token(&make::family_token(number + 100, &family)).await.unwrap();
    unit.commit(octavo_ports::store::Record::default()).await.unwrap();
    (code, family)
}

pub(crate) async fn access(store: &dyn Store, family: &Family) -> Option<AppAccess> {
    let token = make::token_id(1);
    read!(store, view => view.oauth().find_app_access(family.user, family.grant, family.id, token, NOW).await)
}

async fn is_live(store: &dyn Store, family: &Family) -> bool {
    access(store, family).await.unwrap().is_live
}

pub(crate) async fn an_app_reads_back_and_its_id_leads_to_it(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let confidential = app(&*store, 1, &workspace, &ada).await;
    let mut public = make::app(2, &workspace, &ada);
    (public.public, public.logo_url) = (true, None);
    write!(store, unit => unit.oauth().insert_app(&public, None).await);
    for expected in [&confidential, &public] {
        assert_eq!(read!(store, view => view.oauth().find_app(expected.id).await).as_ref(), Some(expected));
        assert_eq!(write!(store, unit => unit.oauth().lock_app(expected.id).await).as_ref(), Some(expected));
    }
    assert_eq!(read!(store, view => view.oauth().find_app(make::client_id(3)).await), None);
    let secrets = read!(store, view => view.oauth().list_app_secrets(&confidential).await);
    assert_eq!(secrets, [AppSecret { hash: make::hash(1), ends_at: None }]);
    assert_eq!(read!(store, view => view.oauth().list_app_secrets(&public).await), []);
}

pub(crate) async fn apps_are_listed_newest_first(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, other) = owner(&*store, 2).await;
    for number in [2, 1, 3] {
        app(&*store, number, &workspace, &ada).await;
    }
    app(&*store, 4, &other, &bob).await;
    let page = async |before: Option<u64>, limit| {
        let found =
            read!(store, view => view.oauth().list_apps(workspace.id, before.map(make::client_id), limit).await);
        found.into_iter().map(|app| app.id).collect::<Vec<_>>()
    };
    assert_eq!(page(None, 2).await, [make::client_id(3), make::client_id(2)]);
    assert_eq!(page(Some(2), 2).await, [make::client_id(1)]);
}

pub(crate) async fn a_new_secret_keeps_only_the_previous_one(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let rotated = app(&*store, 1, &workspace, &ada).await;
    let neighbour = app(&*store, 9, &workspace, &ada).await;
    let later = NOW.plus(days(1));
    let rotate = async |secret, ends_at| {
        write!(store, unit => unit.oauth().rotate_app_secret(&rotated, &make::hash(secret), ends_at, NOW).await);
        read!(store, view => view.oauth().list_app_secrets(&rotated).await)
    };
    let present = |number| AppSecret { hash: make::hash(number), ends_at: None };
    let replaced = |number| AppSecret { hash: make::hash(number), ends_at: Some(later) };
    assert_eq!(rotate(2, later).await, [replaced(1), present(2)]);
    assert_eq!(rotate(3, later).await, [replaced(2), present(3)]);
    assert_eq!(rotate(4, NOW).await, [present(4)], "without grace the new one is alone");
    assert_eq!(read!(store, view => view.oauth().list_app_secrets(&neighbour).await), [present(9)]);
}

pub(crate) async fn a_grant_reads_back_and_is_found_by_its_app_while_in_force(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, _) = owner(&*store, 2).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    let old = grant(&*store, 1, &app, &ada, |grant| grant.revoked_at = Some(NOW)).await;
    let live = grant(&*store, 2, &app, &ada, |grant| grant.last_used_at = Some(NOW)).await;
    for expected in [&old, &live] {
        assert_eq!(read!(store, view => view.oauth().find_grant(ada.id, expected.id).await).as_ref(), Some(expected));
        assert_eq!(read!(store, view => view.oauth().find_grant(bob.id, expected.id).await), None);
    }
    assert_eq!(read!(store, view => view.oauth().find_grant_for(ada.id, app.id).await), Some(live.clone()));
    assert_eq!(read!(store, view => view.oauth().find_grant_for(bob.id, app.id).await), None);
    let later = NOW.plus(days(1));
    write!(store, unit => unit.oauth().touch_grant(ada.id, live.id, later).await);
    let used = read!(store, view => view.oauth().find_grant(ada.id, live.id).await).unwrap();
    assert_eq!(used, Grant { last_used_at: Some(later), ..live });
}

pub(crate) async fn grants_are_listed_by_user_and_by_workspace(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, other) = owner(&*store, 2).await;
    let stranger = person(&*store, 3).await;
    join(&*store, 4, &workspace, &bob, Role::Member).await;
    let mut apps = Vec::new();
    for number in 1..=4 {
        apps.push(app(&*store, number, &workspace, &ada).await);
    }
    let into = [workspace.id, other.id].to_vec();
    grant(&*store, 1, &apps[0], &ada, |grant| grant.workspaces = vec![workspace.id]).await;
    grant(&*store, 2, &apps[1], &bob, |grant| grant.workspaces.clone_from(&into)).await;
    grant(&*store, 3, &apps[2], &ada, |grant| grant.expires_at = NOW).await;
    grant(&*store, 4, &apps[3], &ada, |grant| grant.workspaces = vec![other.id]).await;
    grant(&*store, 5, &apps[1], &ada, |grant| grant.revoked_at = Some(NOW)).await;
    grant(&*store, 6, &apps[0], &stranger, |grant| grant.workspaces = vec![workspace.id]).await;
    let ids = |grants: Vec<Grant>| grants.into_iter().map(|grant| grant.id).collect::<Vec<GrantId>>();
    let id = make::grant_id;
    let of = async |before: Option<u64>| {
        ids(read!(store, view => view.oauth().list_grants(ada.id, NOW, before.map(id), 1).await))
    };
    assert_eq!((of(None).await, of(Some(4)).await, of(Some(1)).await), (vec![id(4)], vec![id(1)], vec![]));
    let reach = async |workspace: &Workspace, before: Option<u64>| {
        ids(read!(store, view => view.oauth().list_grants_into(workspace.id, NOW, before.map(id), 9).await))
    };
    assert_eq!(reach(&workspace, None).await, [id(2), id(1)], "what a former member granted reaches nothing");
    assert_eq!(reach(&workspace, Some(2)).await, [id(1)]);
    assert_eq!(reach(&other, None).await, [id(2)]);
    assert_eq!(read!(store, view => view.oauth().find_granter(workspace.id, id(2)).await), Some(bob.id));
    assert_eq!(read!(store, view => view.oauth().find_granter(workspace.id, id(4)).await), None);
    assert_eq!(read!(store, view => view.oauth().find_granter(workspace.id, id(5)).await), None);
}

pub(crate) async fn a_changed_app_shows_in_its_grants(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let mut app = app(&*store, 1, &workspace, &ada).await;
    let grant = grant(&*store, 1, &app, &ada, |_| ()).await;
    app.name = make::name("Renamed");
    app.logo_url = None;
    app.redirect_uris = vec![make::redirect_uri("https://new.example/")];
    app.scopes = [AppScope::FilesWrite].into();
    write!(store, unit => unit.oauth().save_app(&app).await);
    assert_eq!(read!(store, view => view.oauth().find_app(app.id).await).as_ref(), Some(&app));
    let found = read!(store, view => view.oauth().find_grant(ada.id, grant.id).await).unwrap();
    assert_eq!(found.app, (&app).into());
    assert_eq!(found.scopes, grant.scopes, "only narrowing takes scopes away");
}

pub(crate) async fn a_removed_app_takes_everything_along(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, _) = owner(&*store, 2).await;
    let subject = app(&*store, 1, &workspace, &ada).await;
    let neighbour = app(&*store, 2, &workspace, &ada).await;
    let mut families = Vec::new();
    for (number, app, user) in [(1, &subject, &ada), (2, &subject, &bob), (3, &neighbour, &ada)] {
        let grant = grant(&*store, number, app, user, |_| ()).await;
        families.push(exchanged(&*store, number, &grant).await.1);
    }
    let mut drained = write!(store, unit => unit.oauth().remove_app(&subject, NOW).await);
    drained.grants.sort();
    drained.families.sort();
    let expected = RemovedApp {
        grants: vec![(ada.id, make::grant_id(1)), (bob.id, make::grant_id(2))],
        families: vec![(ada.id, families[0].id), (bob.id, families[1].id)],
    };
    assert_eq!(drained, expected);
    assert_eq!(read!(store, view => view.oauth().find_app(subject.id).await), None);
    for (family, lives) in families.iter().zip([false, false, true]) {
        assert_eq!(is_live(&*store, family).await, lives);
    }
    assert_eq!(read!(store, view => view.oauth().find_code_owner(&make::hash(1)).await), None);
    assert_eq!(read!(store, view => view.oauth().find_code_owner(&make::hash(3)).await), Some(ada.id));
    assert_eq!(read!(store, view => view.oauth().list_grants_into(workspace.id, NOW, None, 9).await).len(), 1);
    assert_eq!(database.number("SELECT count(*) FROM oauth_app_secrets").await, 1);
    assert_eq!(write!(store, unit => unit.oauth().remove_app(&subject, NOW).await), RemovedApp::default());
}

pub(crate) async fn revoking_grants_ends_what_follows_from_them(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, _) = owner(&*store, 2).await;
    let mut families = Vec::new();
    for (number, user) in [(1, &ada), (2, &ada), (3, &ada), (4, &bob)] {
        let app = app(&*store, number, &workspace, &ada).await;
        let grant = grant(&*store, number, &app, user, |_| ()).await;
        families.push(exchanged(&*store, number, &grant).await.1);
    }
    let live = async || {
        let mut live = Vec::new();
        for family in &families {
            live.push(is_live(&*store, family).await);
        }
        live
    };
    let (id, later) = (make::grant_id, NOW.plus(days(1)));
    let revoke = async |which| write!(store, unit => unit.oauth().revoke_grants(ada.id, which, later).await);
    assert_eq!(revoke(Some(id(2))).await, [id(2)]);
    assert_eq!(live().await, [true, false, true, true]);
    assert_eq!(revoke(Some(id(2))).await, [], "revoked before");
    assert_eq!(revoke(Some(id(4))).await, [], "somebody else's");
    let ended = write!(store, unit => unit.oauth().find_family(ada.id, families[1].id).await).unwrap();
    assert_eq!(ended.revoked_at, Some(later));
    assert_eq!(read!(store, view => view.oauth().find_granter(workspace.id, id(2)).await), None);
    let mut rest = revoke(None).await;
    rest.sort();
    assert_eq!(rest, [id(1), id(3)]);
    assert_eq!(live().await, [false, false, false, true]);
    assert_eq!(read!(store, view => view.oauth().find_grant_for(ada.id, make::client_id(1)).await), None);
    assert_eq!(revoke(None).await, []);
}

pub(crate) async fn access_ends_with_anything_it_depends_on(database: &Database) {
    let store = database.store().await;
    let (mut ada, workspace) = owner(&*store, 1).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    let grant = grant(&*store, 1, &app, &ada, |_| ()).await;
    let (_, family) = exchanged(&*store, 1, &grant).await;
    let (_, revoked) = exchanged(&*store, 2, &grant).await;
    let mut less = make::family(&make::code(3, &grant));
    less.scopes = [AppScope::PagesRead, AppScope::FilesRead].into();
    less.workspaces = Vec::new();
    let mut over = make::family(&make::code(4, &grant));
    over.absolute_end = NOW;
    write!(store, unit => unit.oauth().insert_family(&less).await);
    write!(store, unit => unit.oauth().insert_family(&over).await);
    write!(store, unit => unit.oauth().revoke_family(ada.id, revoked.id, NOW).await);
    let found = access(&*store, &family).await.unwrap();
    assert_eq!(found, AppAccess { grant: grant.clone(), user_may_act: true, is_live: true });
    let found = access(&*store, &less).await.unwrap().grant;
    assert_eq!((found.scopes, found.workspaces), ([AppScope::PagesRead].into(), Vec::new()));
    assert!(!is_live(&*store, &revoked).await && !is_live(&*store, &over).await);
    let ask = async |user, grant, family, token: u64, now| {
        let token = make::token_id(token);
        read!(store, view => view.oauth().find_app_access(user, grant, family, token, now).await)
    };
    assert_eq!(ask(make::user_id(2), grant.id, family.id, 1, NOW).await, None);
    assert_eq!(ask(ada.id, make::grant_id(2), family.id, 1, NOW).await, None);
    assert_eq!(ask(ada.id, grant.id, make::code(9, &grant).family, 1, NOW).await, None);
    assert!(!ask(ada.id, grant.id, family.id, 1, grant.expires_at).await.unwrap().is_live);
    assert!(write!(store, unit => unit.oauth().revoke_access_token(ada.id, make::token_id(7), NOW).await));
    assert!(!write!(store, unit => unit.oauth().revoke_access_token(ada.id, make::token_id(7), NOW).await));
    assert!(!ask(ada.id, grant.id, family.id, 7, NOW).await.unwrap().is_live);
    assert!(ask(ada.id, grant.id, family.id, 8, NOW).await.unwrap().is_live);
    ada.status = AccountStatus::Suspended;
    write!(store, unit => unit.accounts().save(&ada).await);
    assert!(!access(&*store, &family).await.unwrap().user_may_act);
}

pub(crate) async fn codes_families_and_tokens_read_back(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, _) = owner(&*store, 2).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    let grant = grant(&*store, 1, &app, &ada, |_| ()).await;
    let (mut code, mut family) = exchanged(&*store, 1, &grant).await;
    let mut plain = make::code(2, &grant);
    plain.challenge = None;
    write!(store, unit => unit.oauth().insert_code(&plain).await);
    for expected in [&code, &plain] {
        let found = write!(store, unit => unit.oauth().find_code(ada.id, &expected.hash).await);
        assert_eq!(found.as_ref(), Some(expected));
    }
    assert_eq!(write!(store, unit => unit.oauth().find_code(bob.id, &code.hash).await), None);
    assert_eq!(read!(store, view => view.oauth().find_code_owner(&code.hash).await), Some(ada.id));
    code.redeemed_at = Some(NOW);
    assert!(write!(store, unit => unit.oauth().redeem_code(&code).await));
    assert_eq!(write!(store, unit => unit.oauth().find_code(ada.id, &code.hash).await), Some(code));
    assert_eq!(write!(store, unit => unit.oauth().find_family(ada.id, family.id).await).as_ref(), Some(&family));
    assert_eq!(write!(store, unit => unit.oauth().find_family(bob.id, family.id).await), None);
    family.expires_at = NOW.plus(days(40));
    write!(store, unit => unit.oauth().extend_family(&family).await);
    assert_eq!(write!(store, unit => unit.oauth().find_family(ada.id, family.id).await).as_ref(), Some(&family));
    let mut token = make::family_token(101, &make::family(&make::code(1, &grant)));
    let find = async || write!(store, unit => unit.oauth().find_family_token(ada.id, &make::hash(101)).await);
    assert_eq!(find().await.as_ref(), Some(&token));
    assert_eq!(read!(store, view => view.oauth().find_family_token_owner(&token.hash).await), Some(ada.id));
    assert_eq!(
        read!(store, view => view.sessions().find_refresh_owner(&token.hash).await),
        None,
        "no token of a session"
    );
    write!(store, unit => unit.oauth().rotate_family_token(ada.id, &token.hash).await);
    token.rotated = true;
    assert_eq!(find().await, Some(token));
}

pub(crate) async fn a_revoked_family_stays_revoked(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    let mut grant = grant(&*store, 1, &app, &ada, |_| ()).await;
    let (_, mut family) = exchanged(&*store, 1, &grant).await;
    assert!(write!(store, unit => unit.oauth().revoke_family(ada.id, family.id, NOW).await));
    assert!(!write!(store, unit => unit.oauth().revoke_family(ada.id, family.id, NOW.plus(days(1))).await));
    family.expires_at = NOW.plus(days(50));
    write!(store, unit => unit.oauth().extend_family(&family).await);
    let found = write!(store, unit => unit.oauth().find_family(ada.id, family.id).await).unwrap();
    assert_eq!((found.revoked_at, found.expires_at), (Some(NOW), NOW.plus(days(30))));
    write!(store, unit => unit.oauth().revoke_grants(ada.id, None, NOW).await);
    grant.expires_at = NOW.plus(days(500));
    write!(store, unit => unit.oauth().save_grant(&grant).await);
    let found = read!(store, view => view.oauth().find_grant(ada.id, grant.id).await).unwrap();
    assert_eq!((found.revoked_at, found.expires_at), (Some(NOW), NOW.plus(days(365))));
}

pub(crate) async fn what_is_long_over_is_swept(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let mut families = Vec::new();
    for number in [1, 2] {
        let app = app(&*store, number, &workspace, &ada).await;
        let grant = grant(&*store, number, &app, &ada, |_| ()).await;
        families.push(exchanged(&*store, number, &grant).await.1);
        let later = NOW.plus(days(number));
        write!(store, unit => unit.oauth().rotate_app_secret(&app, &make::hash(number + 10), later, NOW).await);
        write!(store, unit => unit.oauth().revoke_access_token(ada.id, make::token_id(number), later).await);
    }
    write!(store, unit => unit.oauth().revoke_grants(ada.id, Some(make::grant_id(1)), NOW).await);
    let sweep = async |at| {
        let horizons = Horizons { replies: at, credentials: at, ..AT_NOW };
        let due = write!(store, unit => unit.sweeps().count_due(horizons, NOW).await).rows;
        let swept: Swept = write!(store, unit => unit.sweeps().sweep(horizons, 100).await);
        assert_eq!(due.app_tokens, swept.app_tokens, "what is counted is what goes");
        assert!(due.grants >= swept.grants, "a grant waits for its code to go");
        (swept.app_tokens, swept.grants)
    };
    assert_eq!(sweep(NOW).await, (0, 0));
    assert_eq!(sweep(NOW.plus(days(1))).await, (1, 1), "the token and the family of the revoked grant");
    // Its code expires after a day, and so do the first secret and the first id.
    assert_eq!(sweep(NOW.plus(days(2))).await, (4, 1), "both codes, a secret, an id; then the grant");
    assert_eq!(access(&*store, &families[0]).await, None);
    assert!(is_live(&*store, &families[1]).await);
    for (hash, owner) in [(101, None), (102, Some(ada.id))] {
        assert_eq!(read!(store, view => view.oauth().find_family_token_owner(&make::hash(hash)).await), owner);
    }
    assert_eq!(sweep(NOW.plus(days(400))).await, (3, 3));
    for table in ["oauth_codes", "oauth_refresh_tokens", "oauth_families", "oauth_grants", "oauth_workspace_grants"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(database.number("SELECT count(*) FROM directory WHERE kind LIKE 'oauth%'").await, 2, "the apps stay");
}

pub(crate) async fn an_account_that_goes_leaves_no_grant(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, _) = owner(&*store, 2).await;
    let (carl, _) = owner(&*store, 3).await;
    let app = app(&*store, 1, &workspace, &ada).await;
    for (number, user) in [(1, &ada), (2, &bob), (3, &carl)] {
        let grant = grant(&*store, number, &app, user, |grant| grant.workspaces = vec![workspace.id]).await;
        exchanged(&*store, number, &grant).await;
        write!(store, unit => unit.oauth().revoke_access_token(user.id, make::token_id(number), NOW).await);
    }
    write!(store, unit => unit.accounts().erase(&bob).await);
    write!(store, unit => unit.accounts().remove(&carl).await);
    let tables = [
        "oauth_grants",
        "oauth_workspace_grants",
        "oauth_codes",
        "oauth_families",
        "oauth_refresh_tokens",
        "oauth_revoked_tokens",
        "directory WHERE kind = 'oauth_code'",
        "directory WHERE kind = 'oauth_refresh_token'",
    ];
    for table in tables {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
    }
}

pub(crate) async fn a_workspace_that_goes_takes_its_apps_along(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, other) = owner(&*store, 2).await;
    let gone = app(&*store, 1, &workspace, &ada).await;
    let kept = app(&*store, 2, &other, &bob).await;
    let grant_of_gone = grant(&*store, 1, &gone, &bob, |_| ()).await;
    let grant_of_kept = grant(&*store, 2, &kept, &bob, |_| ()).await;
    let (_, dead) = exchanged(&*store, 1, &grant_of_gone).await;
    let (_, alive) = exchanged(&*store, 2, &grant_of_kept).await;
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    assert_eq!(read!(store, view => view.oauth().find_app(gone.id).await), None);
    assert_eq!(read!(store, view => view.oauth().find_app(kept.id).await), Some(kept));
    assert!(!is_live(&*store, &dead).await && is_live(&*store, &alive).await);
    assert_eq!(database.number("SELECT count(*) FROM directory WHERE kind = 'oauth_client'").await, 1);
    assert_eq!(read!(store, view => view.oauth().list_grants_into(other.id, NOW, None, 9).await).len(), 1);
}
