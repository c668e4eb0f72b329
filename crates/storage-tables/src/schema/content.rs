//! Tables of the content of pages and of its versions.

use diesel::table;

table! {
    blocks (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        page_id -> Text,
        parent_id -> Text,
        position -> Text,
        kind -> Text,
        body -> Text,
        source_id -> Nullable<Text>,
        version -> BigInt,
        since -> BigInt,
        created_by -> Nullable<Text>,
        updated_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        deleted_with -> Nullable<Text>,
    }
}

table! {
    block_states (workspace_id, page_id, last_version, since, block_id) {
        workspace_id -> Text,
        page_id -> Text,
        block_id -> Text,
        since -> BigInt,
        last_version -> BigInt,
        parent_id -> Text,
        position -> Text,
        body -> Text,
        version -> BigInt,
        created_by -> Nullable<Text>,
        updated_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    page_versions (workspace_id, page_id, id) {
        workspace_id -> Text,
        page_id -> Text,
        id -> Text,
        page_version -> BigInt,
        kind -> Text,
        label -> Nullable<Text>,
        title -> Text,
        icon -> Nullable<Text>,
        cover_url -> Nullable<Text>,
        block_count -> BigInt,
        bytes_at_most -> Nullable<BigInt>,
        editor_ids -> Text,
        created_at -> BigInt,
    }
}

table! {
    page_histories (workspace_id, page_id) {
        workspace_id -> Text,
        page_id -> Text,
        block_count -> BigInt,
        bytes_at_most -> BigInt,
        editor_ids -> Text,
        kept_version -> BigInt,
        kept_at -> BigInt,
    }
}

table! {
    block_references (workspace_id, block_id, target_id, kind) {
        workspace_id -> Text,
        block_id -> Text,
        target_id -> Text,
        kind -> Text,
        page_id -> Text,
        created_at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(blocks, block_states);
