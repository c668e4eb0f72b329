//! Tables of databases, their properties, their views and their records.

use diesel::table;

table! {
    databases (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        description -> Nullable<Text>,
        schema_version -> BigInt,
        schema_changed_at -> BigInt,
        next_slot -> BigInt,
        epoch -> BigInt,
        archived_at -> Nullable<BigInt>,
        created_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    properties (workspace_id, database_id, id) {
        workspace_id -> Text,
        database_id -> Text,
        id -> Text,
        slot -> BigInt,
        name -> Text,
        name_key -> Text,
        position -> Text,
        is_visible -> Bool,
        required -> Bool,
        config -> Text,
        default_value -> Nullable<Text>,
        target_id -> Nullable<Text>,
        created_at -> BigInt,
    }
}

table! {
    views (workspace_id, database_id, id) {
        workspace_id -> Text,
        database_id -> Text,
        id -> Text,
        name -> Text,
        kind -> Text,
        position -> Text,
        config -> Text,
        filter -> Nullable<Text>,
        sort -> Text,
        grouping -> Text,
        page_size -> BigInt,
        is_locked -> Bool,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    records (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        database_id -> Text,
        parent_id -> Nullable<Text>,
        position -> Text,
        bag -> Text,
        icon -> Nullable<Text>,
        cover_url -> Nullable<Text>,
        number -> Nullable<BigInt>,
        archived_at -> Nullable<BigInt>,
        has_page -> Bool,
        has_entries -> Bool,
        version -> BigInt,
        created_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_by -> Nullable<Text>,
        updated_at -> BigInt,
    }
}

table! {
    record_links (workspace_id, property_id, source_id, target_id) {
        workspace_id -> Text,
        property_id -> Text,
        source_id -> Text,
        target_id -> Text,
        source_order -> BigInt,
        target_order -> BigInt,
    }
}
