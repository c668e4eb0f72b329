//! Statements are kept under their text.

use diesel::{ExpressionMethods, insert_into, query_builder::QueryFragment, sqlite::Sqlite, update};
use octavo_core_model::id::{EventId, WorkspaceId};
use octavo_storage_tables::{prepared::Prepare, rows::log::EventRow, schema::events, stored::Stored};

fn is_kept(statement: &impl QueryFragment<Sqlite>) -> bool {
    statement.is_safe_to_cache_prepared(&Sqlite).unwrap()
}

#[test]
fn a_prepared_update_is_cached() {
    let change = || update(events::table).set(events::version.eq(1));
    assert!(!is_kept(&change()), "what is wrapped here would be kept without");
    assert!(is_kept(&change().prepared()));
}

#[test]
fn a_row_is_inserted_by_one_statement_whatever_it_lacks() {
    let row = EventRow {
        workspace_id: Stored(WorkspaceId::new(1, [0; 10])),
        id: Stored(EventId::new(1, [0; 10])),
        kind: "",
        occurred_at: 0,
        actor_type: "",
        actor_id: None,
        on_behalf_of: None,
        page_id: None,
        database_id: None,
        record_id: None,
        team_id: None,
        resource_type: "",
        resource_id: String::new(),
        version: None,
        details: serde_json::Value::Null,
    };
    assert!(is_kept(&insert_into(events::table).values(&row)));
}
