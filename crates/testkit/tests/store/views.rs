//! Views of databases.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    database::{Database as Table, SchemaState},
    id::{DatabaseId, WorkspaceId},
    position::Position,
    text::ViewName,
};
use octavo_databases::views::{StoredView, ViewType};
use octavo_testkit::{Database, make};
use serde_json::{Value, json};

fn table(number: u64, workspace: WorkspaceId) -> Table {
    Table {
        id: make::database_id(number),
        workspace,
        description: None,
        schema: SchemaState { version: 1, changed_at: make::NOW, next_slot: 1, epoch: 0 },
        archived_at: None,
        created_by: None,
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

fn view(number: u64, kind: ViewType) -> StoredView {
    StoredView {
        id: make::view_id(number),
        name: ViewName::parse(&format!("View {number}")).unwrap(),
        kind,
        position: Position::parse("a1").unwrap(),
        config: json!({ "zebra": true, "color": "gr\u{fc}n" }),
        filter: json!({ "op": "is_empty", "propertyId": "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
        sort: json!([{ "propertyId": "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "direction": "asc" }]),
        group: json!([]),
        page_size: 50,
        is_locked: false,
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

pub(crate) async fn views_read_back(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (home, other) = (table(1, workspace.id), table(2, workspace.id));
    let foreign = table(1, elsewhere.id);
    for table in [&home, &other, &foreign] {
        write!(store, unit => unit.databases().insert(table).await);
    }
    let views: Vec<_> = ViewType::ALL.iter().zip(1..).map(|(kind, number)| view(number, *kind)).collect();
    let unfiltered = StoredView { filter: Value::Null, ..view(100, ViewType::Table) };
    write!(store, unit => unit.databases().insert_views(workspace.id, home.id, &views).await);
    write!(store, unit => unit.databases().insert_views(workspace.id, other.id, std::slice::from_ref(&unfiltered)).await);
    write!(store, unit => unit.databases().insert_views(elsewhere.id, foreign.id, &views[..1]).await);
    let list = async |workspace: WorkspaceId, ids: &[DatabaseId]| {
        let mut found = read!(store, view => view.databases().list_views(workspace, ids).await);
        found.sort_by_key(|(_, view)| view.id);
        found
    };
    let of_home: Vec<_> = views.iter().map(|view| (home.id, view.clone())).collect();
    assert_eq!(list(workspace.id, &[home.id]).await, of_home);
    assert_eq!(list(workspace.id, &[other.id]).await, [(other.id, unfiltered.clone())]);
    assert_eq!(list(workspace.id, &[home.id, other.id]).await.len(), views.len() + 1);
    assert_eq!(list(elsewhere.id, &[home.id]).await.len(), 1, "each workspace has its own");

    let saved = StoredView {
        name: ViewName::parse("Other").unwrap(),
        position: Position::parse("Z").unwrap(),
        config: json!({}),
        filter: Value::Null,
        sort: json!([]),
        group: json!([{ "propertyId": "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3", "direction": "desc" }]),
        page_size: 200,
        is_locked: true,
        updated_at: Timestamp::from_millis(make::NOW.millis() + 5),
        ..views[0].clone()
    };
    let with_fixed_parts_changed = StoredView { kind: ViewType::Form, created_at: saved.updated_at, ..saved.clone() };
    write!(store, unit => unit.databases().save_view(workspace.id, home.id, &with_fixed_parts_changed).await);
    assert_eq!(list(workspace.id, &[home.id]).await[0], (home.id, saved), "type and creation stay");
    assert_eq!(list(elsewhere.id, &[foreign.id]).await[0].1, views[0]);
}

pub(crate) async fn views_go_one_by_one_or_with_their_database(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (home, other) = (table(1, workspace.id), table(2, workspace.id));
    for (table, number) in [(&home, 1), (&other, 10)] {
        write!(store, unit => unit.databases().insert(table).await);
        let views = [view(number, ViewType::Table), view(number + 1, ViewType::List)];
        write!(store, unit => unit.databases().insert_views(workspace.id, table.id, &views).await);
    }
    let gone = view(1, ViewType::Table).id;
    write!(store, unit => unit.databases().remove_view(workspace.id, other.id, gone).await);
    let count =
        async || read!(store, view => view.databases().list_views(workspace.id, &[home.id, other.id]).await).len();
    assert_eq!(count().await, 4, "it is no view of that database");
    write!(store, unit => unit.databases().remove_view(workspace.id, home.id, gone).await);
    assert_eq!(count().await, 3);
    database.execute(&format!("DELETE FROM databases WHERE id = '{}'", other.id)).await;
    assert_eq!(count().await, 1);
}
