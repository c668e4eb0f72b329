//! Steps that many tests have in common.

use octavo_core_model::{Role, account::User, workspace::Workspace};
use octavo_ports::store::Store;
use octavo_testkit::make;

/// `write!(store, unit => unit.accounts().save(&user).await)`: a committed unit of one step or several.
macro_rules! write {
    ($store:expr, $unit:ident => $run:expr) => {{
        let mut $unit = $store.writer().await.unwrap();
        let value = $run.unwrap();
        $unit.commit(octavo_ports::store::Record::default()).await.unwrap();
        value
    }};
}

/// `read!(store, view => view.accounts().find(id).await)`.
macro_rules! read {
    ($store:expr, $view:ident => $run:expr) => {{
        let mut $view = $store.reader().await.unwrap();
        $run.unwrap()
    }};
}

pub(crate) use {read, write};

/// Writes an account.
pub(crate) async fn person(store: &dyn Store, number: u64) -> User {
    let user = make::user(number);
    assert!(write!(store, unit => unit.accounts().insert(&user, None).await));
    user
}

/// Writes an account that owns a workspace.
pub(crate) async fn owner(store: &dyn Store, number: u64) -> (User, Workspace) {
    let user = person(store, number).await;
    let workspace = make::workspace(number, &user);
    assert!(write!(store, unit => unit.workspaces().insert(&workspace).await));
    join(store, number, &workspace, &user, Role::Owner).await;
    (user, workspace)
}

pub(crate) async fn join(store: &dyn Store, number: u64, workspace: &Workspace, user: &User, role: Role) {
    let membership = make::membership(number, workspace, user, role);
    write!(store, unit => unit.members().insert(&membership, workspace, &user.into()).await);
}
