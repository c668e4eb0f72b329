//! Charts and dashboards.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    chart::Chart,
    dashboard::Dashboard,
    id::{ChartId, DashboardId, DatabaseId, WorkspaceId},
    page::{Node, ResourceId},
    text::{ChartName, DashboardName},
};
use octavo_testkit::{Database, make};
use serde_json::json;

fn chart(number: u64, workspace: WorkspaceId, database: DatabaseId) -> Chart {
    Chart {
        id: make::id(number, ChartId::new),
        workspace,
        database,
        name: ChartName::parse(&format!("Chart {number}")).unwrap(),
        settings: json!({ "chartType": "bar", "color": "gr\u{fc}n", "filter": null }),
        version: 1,
        created_by: Some(make::user_id(1)),
        updated_by: None,
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

fn dashboard(number: u64, workspace: WorkspaceId, host: ResourceId) -> Dashboard {
    Dashboard {
        id: make::id(number, DashboardId::new),
        workspace,
        host,
        name: DashboardName::parse(&format!("Dashboard {number}")).unwrap(),
        widgets: json!([{ "type": "text", "text": "Z\u{fc}rich" }]),
        filters: json!([]),
        version: 1,
        created_by: Some(make::user_id(1)),
        updated_by: None,
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

pub(crate) async fn charts_read_back(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (home, other) = (make::database(1, workspace.id), make::database(2, workspace.id));
    let foreign = make::database(1, elsewhere.id);
    for table in [&home, &other, &foreign] {
        write!(store, unit => unit.databases().insert(table).await);
    }
    let (mine, second) = (chart(1, workspace.id, home.id), chart(2, workspace.id, other.id));
    let theirs = chart(1, elsewhere.id, foreign.id);
    for chart in [&mine, &second, &theirs] {
        write!(store, unit => unit.charts().insert(chart).await);
    }
    let find = async |workspace, id| read!(store, view => view.charts().find(workspace, id).await);
    assert_eq!(find(workspace.id, mine.id).await.as_ref(), Some(&mine));
    assert_eq!(find(elsewhere.id, mine.id).await.as_ref(), Some(&theirs), "each workspace has its own");
    assert_eq!(find(elsewhere.id, second.id).await, None);
    let listed = read!(store, view => view.charts().list_of(workspace.id, &[home.id]).await);
    assert_eq!(listed, std::slice::from_ref(&mine));
    let mut named = read!(store, view => view.charts().list_by_id(workspace.id, &[mine.id, second.id, make::id(9, ChartId::new)]).await);
    named.sort_by_key(|chart| chart.id);
    assert_eq!(named, [mine.clone(), second]);
    let changed = Chart {
        name: ChartName::parse("Other").unwrap(),
        settings: json!({}),
        version: 2,
        updated_by: Some(make::user_id(2)),
        updated_at: Timestamp::from_millis(make::NOW.millis() + 5),
        ..mine.clone()
    };
    let sent = Chart { created_by: None, created_at: changed.updated_at, database: other.id, ..changed.clone() };
    write!(store, unit => unit.charts().save(&sent).await);
    assert_eq!(find(workspace.id, mine.id).await, Some(changed), "what never changes is not saved");
    assert_eq!(find(elsewhere.id, mine.id).await, Some(theirs));
}

pub(crate) async fn charts_go_one_by_one_or_with_their_database(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let home = make::database(1, workspace.id);
    write!(store, unit => unit.databases().insert(&home).await);
    for number in 1..=3 {
        write!(store, unit => unit.charts().insert(&chart(number, workspace.id, home.id)).await);
    }
    write!(store, unit => unit.charts().remove(workspace.id, make::id(1, ChartId::new)).await);
    let left = read!(store, view => view.charts().list_of(workspace.id, &[home.id]).await);
    assert_eq!(left.len(), 2);
    // The node of the database is gone, so its rows are removed in parts.
    let removed = write!(store, unit => unit.pages().remove_content(workspace.id, &[home.id.node()], 1000).await);
    assert_eq!(removed.complete, 1);
    let left = read!(store, view => view.charts().list_of(workspace.id, &[home.id]).await);
    assert_eq!(left, []);
}

pub(crate) async fn dashboards_read_back(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (_, elsewhere) = owner(&*store, 2).await;
    let (page, table) = (make::page_id(1), make::database_id(2));
    let on_page = dashboard(1, workspace.id, ResourceId::Page(page));
    let in_table = dashboard(2, workspace.id, ResourceId::Database(table));
    let theirs = dashboard(3, elsewhere.id, ResourceId::Page(page));
    for dashboard in [&on_page, &in_table, &theirs] {
        write!(store, unit => unit.dashboards().insert(dashboard).await);
    }
    let find = async |workspace, id| read!(store, view => view.dashboards().find(workspace, id).await);
    assert_eq!(find(workspace.id, in_table.id).await.as_ref(), Some(&in_table));
    assert_eq!(find(elsewhere.id, in_table.id).await, None);
    let of = read!(store, view => view.dashboards().list_of(workspace.id, &[page]).await);
    assert_eq!(of, std::slice::from_ref(&on_page));
    let list = async |before, limit| read!(store, view => view.dashboards().list(workspace.id, before, limit).await);
    assert_eq!(list(None, 9).await, [in_table.clone(), on_page.clone()], "newest first");
    assert_eq!(list(None, 1).await, std::slice::from_ref(&in_table));
    assert_eq!(list(Some(in_table.id), 9).await, std::slice::from_ref(&on_page));
    let changed = Dashboard {
        name: DashboardName::parse("Other").unwrap(),
        widgets: json!([]),
        filters: json!([{}]),
        version: 2,
        updated_by: Some(make::user_id(2)),
        updated_at: Timestamp::from_millis(make::NOW.millis() + 5),
        ..on_page.clone()
    };
    let sent = Dashboard { host: ResourceId::Database(table), created_by: None, ..changed.clone() };
    write!(store, unit => unit.dashboards().save(&sent).await);
    assert_eq!(find(workspace.id, on_page.id).await, Some(changed), "what never changes is not saved");
    write!(store, unit => unit.dashboards().remove(workspace.id, on_page.id).await);
    assert_eq!(list(None, 9).await, [in_table]);
}

pub(crate) async fn dashboards_go_with_their_node(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let root = Node::Workspace(workspace.id);
    let top = make::page(1, workspace.id, root, root);
    let below = make::page(2, workspace.id, Node::Page(top.id), root);
    let other = make::page(3, workspace.id, root, root);
    for (number, page) in (1..).zip([&top, &below, &other]) {
        assert!(write!(store, unit => unit.pages().insert(page).await));
        let dashboard = dashboard(number, workspace.id, ResourceId::Page(page.id));
        write!(store, unit => unit.dashboards().insert(&dashboard).await);
    }
    write!(store, unit => unit.pages().remove(workspace.id, top.id).await);
    let left = read!(store, view => view.dashboards().list(workspace.id, None, 9).await);
    assert_eq!(left, [dashboard(3, workspace.id, ResourceId::Page(other.id))]);
}
