//! Workspaces and their slugs.

use crate::support::{join, owner, person, read, write};
use octavo_core_model::{Role, event::Chain};
use octavo_ports::store::Record;
use octavo_testkit::{Database, make};
use std::sync::Arc;

pub(crate) async fn a_taken_slug_is_refused_and_nothing_written(database: &Database) {
    let store = database.store().await;
    let (ada, first) = owner(&*store, 1).await;
    let mut second = make::workspace(2, &ada);
    second.slug = first.slug.clone();
    assert!(!write!(store, unit => unit.workspaces().insert(&second).await));
    assert_eq!(database.number("SELECT count(*) FROM workspaces").await, 1);
    let (taken, free) = (first.slug, make::slug("free"));
    let found = write!(store, unit => unit.workspaces().taken_slugs(&[free.clone(), taken.clone()]).await);
    assert_eq!(found, [taken]);
    assert_eq!(write!(store, unit => unit.workspaces().taken_slugs(&[]).await), []);
    assert_eq!(write!(store, unit => unit.workspaces().taken_slugs(&[free]).await), []);
}

pub(crate) async fn one_of_twenty_gets_a_slug(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let tries = (1..=20).map(|number| {
        let (store, ada) = (Arc::clone(&store), ada.clone());
        tokio::spawn(async move {
            let mut workspace = make::workspace(number, &ada);
            workspace.slug = make::slug("wanted");
            write!(store, unit => unit.workspaces().insert(&workspace).await)
        })
    });
    let mut winners = 0;
    for tried in tries.collect::<Vec<_>>() {
        winners += u32::from(tried.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(database.number("SELECT count(*) FROM workspaces").await, 1);
}

pub(crate) async fn queued_units_see_the_slugs_taken_before_them(database: &Database) {
    let store = database.store().await;
    let (ada, first) = owner(&*store, 1).await;
    let tries = (2..=20).map(|number| {
        let (store, ada, wanted) = (Arc::clone(&store), ada.clone(), first.slug.clone());
        tokio::spawn(async move {
            let near: Vec<_> = (2..=20).map(|near| wanted.numbered(near)).collect();
            let mut unit = store.writer().await.unwrap();
            unit.workspaces().lock_slug(&wanted).await.unwrap();
            let taken = unit.workspaces().taken_slugs(&near).await.unwrap();
            let mut workspace = make::workspace(number, &ada);
            workspace.slug = near.into_iter().find(|slug| !taken.contains(slug)).unwrap();
            let inserted = unit.workspaces().insert(&workspace).await.unwrap();
            unit.commit(Record::default()).await.unwrap();
            inserted
        })
    });
    for tried in tries.collect::<Vec<_>>() {
        assert!(tried.await.unwrap(), "what was free to somebody in line was taken");
    }
    assert_eq!(database.number("SELECT count(*) FROM workspaces").await, 20);
}

pub(crate) async fn a_removed_workspace_leaves_nothing_and_frees_its_slug(database: &Database) {
    let store = database.store().await;
    let (ada, gone) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    join(&*store, 3, &other, &ada, Role::Guest).await;
    for (number, workspace) in [(1, &gone), (2, &other)] {
        let record = Record {
            events: vec![make::event(number, workspace.id)],
            audits: vec![make::audit_entry(number, Chain::Workspace(workspace.id))],
        };
        store.writer().await.unwrap().commit(record).await.unwrap();
    }
    store.number_events().await.unwrap();
    store.seal_audits().await.unwrap();
    let counts = async |workspace: String| {
        let mut counts = Vec::new();
        for (table, column) in [
            ("workspaces", "id"),
            ("memberships", "workspace_id"),
            ("user_workspaces", "workspace_id"),
            ("directory", "owner_id"),
            ("events", "workspace_id"),
            ("event_heads", "workspace_id"),
            ("audit_entries", "chain"),
            ("audit_heads", "chain"),
        ] {
            counts.push(database.number(&format!("SELECT count(*) FROM {table} WHERE {column} = '{workspace}'")).await);
        }
        counts
    };
    assert_eq!(counts(gone.id.to_string()).await, [1; 8]);
    write!(store, unit => unit.workspaces().remove(gone.id).await);
    assert_eq!(counts(gone.id.to_string()).await, [0; 8]);
    assert_eq!(counts(other.id.to_string()).await, [1, 2, 2, 1, 1, 1, 1, 1]);
    assert_eq!(read!(store, view => view.members().find_role(ada.id, gone.id).await), None);
    assert_eq!(read!(store, view => view.members().find_role(ada.id, other.id).await), Some(Role::Guest));
    let heir = make::workspace(3, &ada);
    let heir = octavo_core_model::workspace::Workspace { slug: gone.slug, ..heir };
    assert!(write!(store, unit => unit.workspaces().insert(&heir).await));
    write!(store, unit => unit.workspaces().remove(make::workspace_id(9)).await);
}
