//! Charts and dashboards.

use diesel::table;

table! {
    charts (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        database_id -> Text,
        name -> Text,
        settings -> Text,
        version -> BigInt,
        created_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_by -> Nullable<Text>,
        updated_at -> BigInt,
    }
}

table! {
    dashboards (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        host_id -> Text,
        in_database -> Bool,
        name -> Text,
        widgets -> Text,
        filters -> Text,
        version -> BigInt,
        created_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_by -> Nullable<Text>,
        updated_at -> BigInt,
    }
}
