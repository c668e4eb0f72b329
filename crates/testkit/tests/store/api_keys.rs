//! API keys and their secrets.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{
    KeyScope, Role,
    account::{AccountStatus, User},
    api_key::{ApiKey, CreatorStatus, KeySecret, PresentedKey},
    time::days,
    workspace::Workspace,
};
use octavo_ports::store::Store;
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

/// Inserts a key; its secret has the same number.
async fn key(
    store: &dyn Store,
    number: u64,
    workspace: &Workspace,
    creator: &User,
    shape: impl FnOnce(&mut ApiKey),
) -> ApiKey {
    let mut key = make::api_key(number, workspace.id, creator.id);
    shape(&mut key);
    write!(store, unit => unit.api_keys().insert(&key, &make::hash(number)).await);
    key
}

#[expect(clippy::unnecessary_wraps, reason = "compared with what a look-up answers")]
fn presented(key: &ApiKey, secret: u64) -> Option<PresentedKey> {
    let secret = KeySecret { hash: make::hash(secret), ends_at: None };
    Some(PresentedKey { key: key.clone(), secret, is_workspace_deleting: false, has_creator_left: false })
}

pub(crate) async fn a_key_reads_back_and_its_secret_leads_to_it(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (bob, other) = owner(&*store, 2).await;
    let full = key(&*store, 1, &workspace, &ada, |key| {
        key.scopes = [KeyScope::Read, KeyScope::Admin].into();
        key.rate_limit = Some(7);
        key.allowed_networks = vec!["192.0.2.0/24".parse().unwrap(), "2001:db8::/32".parse().unwrap()];
        key.last_used_at = Some(NOW);
        key.expires_at = Some(NOW.plus(days(1)));
        key.revoked_at = Some(NOW.plus(days(2)));
    })
    .await;
    let mut plain = key(&*store, 2, &other, &bob, |_| ()).await;
    for (key, number) in [(&full, 1), (&plain, 2)] {
        let hash = make::hash(number);
        assert_eq!(read!(store, view => view.api_keys().find_workspace(&hash).await), Some(key.workspace));
        assert_eq!(
            read!(store, view => view.api_keys().find_presented(key.workspace, &hash).await),
            presented(key, number)
        );
        assert_eq!(write!(store, unit => unit.api_keys().find(key.workspace, key.id).await).as_ref(), Some(key));
    }
    assert_eq!(read!(store, view => view.api_keys().find_workspace(&make::hash(3)).await), None);
    assert_eq!(read!(store, view => view.api_keys().find_presented(other.id, &make::hash(1)).await), None);
    assert_eq!(write!(store, unit => unit.api_keys().find(other.id, full.id).await), None);
    plain.name = make::name("Renamed");
    plain.rate_limit = Some(9);
    plain.expires_at = Some(NOW);
    write!(store, unit => unit.api_keys().save(&plain).await);
    assert_eq!(write!(store, unit => unit.api_keys().find(other.id, plain.id).await), Some(plain));
}

pub(crate) async fn a_key_says_that_its_workspace_is_being_deleted(database: &Database) {
    let store = database.store().await;
    let (ada, mut workspace) = owner(&*store, 1).await;
    key(&*store, 1, &workspace, &ada, |_| ()).await;
    workspace.schedule_removal(NOW);
    write!(store, unit => unit.workspaces().save(&workspace).await);
    let found = read!(store, view => view.api_keys().find_presented(workspace.id, &make::hash(1)).await);
    assert!(found.unwrap().is_workspace_deleting);
}

pub(crate) async fn a_key_says_whether_its_creator_has_left(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let bob = person(&*store, 2).await;
    for (number, creator, has_left) in [(1, &ada, false), (2, &bob, true)] {
        key(&*store, number, &workspace, creator, |_| ()).await;
        let found = read!(store, view => view.api_keys().find_presented(workspace.id, &make::hash(number)).await);
        assert_eq!(found.map(|key| key.has_creator_left), Some(has_left));
    }
}

pub(crate) async fn keys_are_listed_newest_first_with_what_became_of_their_creators(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    let (mut bob, carl) = (person(&*store, 3).await, person(&*store, 4).await);
    join(&*store, 5, &workspace, &bob, Role::Admin).await;
    for (number, creator) in [(1, &ada), (3, &carl), (2, &bob)] {
        key(&*store, number, &workspace, creator, |_| ()).await;
    }
    key(&*store, 4, &other, &ada, |_| ()).await;
    bob.status = AccountStatus::Suspended;
    write!(store, unit => unit.accounts().save(&bob).await);
    let page = async |before: Option<u64>, limit| {
        let listed =
            read!(store, view => view.api_keys().list(workspace.id, before.map(make::api_key_id), limit).await);
        listed.into_iter().map(|listed| (listed.key.id, listed.creator)).collect::<Vec<_>>()
    };
    let entry = |number, status| (make::api_key_id(number), status);
    assert_eq!(page(None, 2).await, [entry(3, CreatorStatus::Removed), entry(2, CreatorStatus::Suspended)]);
    assert_eq!(page(Some(2), 2).await, [entry(1, CreatorStatus::Active)]);
    assert_eq!(page(Some(1), 2).await, []);
}

pub(crate) async fn only_keys_in_use_are_counted_and_hold_their_names(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    key(&*store, 1, &workspace, &ada, |_| ()).await;
    key(&*store, 2, &workspace, &ada, |key| key.expires_at = Some(NOW)).await;
    key(&*store, 3, &workspace, &ada, |key| key.revoked_at = Some(NOW)).await;
    key(&*store, 4, &workspace, &ada, |key| key.expires_at = Some(NOW.plus(days(1)))).await;
    key(&*store, 5, &other, &ada, |_| ()).await;
    assert_eq!(write!(store, unit => unit.api_keys().count_live(workspace.id, NOW).await), 2);
    let ask = async |number: u64, but| {
        let name = make::api_key(number, workspace.id, ada.id).name;
        write!(store, unit => unit.api_keys().is_name_taken(workspace.id, &name, make::api_key_id(but)).await)
    };
    assert!(ask(1, 9).await && ask(2, 9).await && ask(4, 9).await);
    assert!(!ask(1, 1).await, "a key does not stand in its own way");
    assert!(!ask(3, 9).await, "a revoked key lets go of its name");
    assert!(!ask(5, 9).await, "taken in another workspace only");
    let heir = make::name("Key 3");
    key(&*store, 6, &workspace, &ada, |key| key.name = heir).await;
}

pub(crate) async fn replaced_secrets_end_and_are_forgotten(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let rotated = key(&*store, 1, &workspace, &ada, |_| ()).await;
    let neighbour = key(&*store, 9, &workspace, &ada, |_| ()).await;
    let (soon, later) = (NOW.plus(days(1)), NOW.plus(days(5)));
    let rotate = async |secret, ends_at, forget| {
        write!(store, unit => unit.api_keys().rotate(&rotated, &make::hash(secret), ends_at, forget).await);
    };
    let end = async |secret| {
        let found = read!(store, view => view.api_keys().find_presented(workspace.id, &make::hash(secret)).await);
        found.map(|presented| presented.secret.ends_at)
    };
    rotate(2, later, NOW).await;
    assert_eq!((end(1).await, end(2).await), (Some(Some(later)), Some(None)));
    rotate(3, soon, NOW).await;
    assert_eq!((end(1).await, end(2).await, end(3).await), (Some(Some(soon)), Some(Some(soon)), Some(None)));
    rotate(4, later, NOW).await;
    assert_eq!(
        (end(1).await, end(3).await),
        (Some(Some(soon)), Some(Some(later))),
        "nothing lives longer than it was to"
    );
    rotate(5, later, later).await;
    assert_eq!((end(1).await, end(2).await, end(3).await), (None, None, Some(Some(later))));
    assert_eq!(read!(store, view => view.api_keys().find_workspace(&make::hash(1)).await), None);
    assert_eq!(end(9).await, Some(None), "other keys stay as they are");
    assert_eq!(write!(store, unit => unit.api_keys().find(workspace.id, neighbour.id).await), Some(neighbour));
}

pub(crate) async fn a_use_moves_forward_only(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    let later = NOW.plus(days(1));
    let unused = key(&*store, 1, &workspace, &ada, |_| ()).await;
    let used = key(&*store, 2, &workspace, &ada, |key| key.last_used_at = Some(later)).await;
    let foreign = key(&*store, 3, &other, &ada, |_| ()).await;
    let touched = [(workspace.id, unused.id, NOW), (workspace.id, used.id, NOW), (workspace.id, foreign.id, NOW)];
    write!(store, unit => unit.api_keys().touch(&touched).await);
    for (key, expected) in [(&unused, Some(NOW)), (&used, Some(later)), (&foreign, None)] {
        let found = write!(store, unit => unit.api_keys().find(key.workspace, key.id).await).unwrap();
        assert_eq!(found.last_used_at, expected, "{key:?}");
        write!(store, unit => unit.api_keys().save(key).await);
        let saved = write!(store, unit => unit.api_keys().find(key.workspace, key.id).await).unwrap();
        assert_eq!(saved.last_used_at, expected, "a change of the key leaves its last use");
    }
    write!(store, unit => unit.api_keys().touch(&[]).await);
}

pub(crate) async fn the_keys_of_a_removed_workspace_go_with_it(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    let gone = key(&*store, 1, &workspace, &ada, |_| ()).await;
    key(&*store, 2, &other, &ada, |_| ()).await;
    write!(store, unit => unit.api_keys().rotate(&gone, &make::hash(3), NOW, NOW).await);
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    for (table, left) in [("api_keys", 1), ("api_key_secrets", 1), ("directory WHERE kind = 'api_key'", 1)] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, left, "{table}");
    }
    assert_eq!(read!(store, view => view.api_keys().find_workspace(&make::hash(1)).await), None);
    assert_eq!(read!(store, view => view.api_keys().find_workspace(&make::hash(2)).await), Some(other.id));
}
