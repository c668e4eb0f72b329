//! Tables of the tree of pages and of who may see it.

use diesel::table;

table! {
    pages (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        kind -> Text,
        container_id -> Text,
        team_id -> Nullable<Text>,
        access_id -> Text,
        inherit -> Bool,
        title -> Text,
        title_key -> Text,
        icon -> Nullable<Text>,
        cover_url -> Nullable<Text>,
        position -> Text,
        locked_by -> Nullable<Text>,
        locked_at -> Nullable<BigInt>,
        trashed_by -> Nullable<Text>,
        trashed_at -> Nullable<BigInt>,
        trash_root_id -> Nullable<Text>,
        purge_at -> Nullable<BigInt>,
        grants_version -> BigInt,
        version -> BigInt,
        created_by -> Nullable<Text>,
        updated_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    access_grants (workspace_id, resource_id, grantee) {
        workspace_id -> Text,
        resource_id -> Text,
        grantee -> Text,
        id -> Text,
        level -> Text,
        expires_at -> Nullable<BigInt>,
        created_by -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        given_by -> Nullable<Text>,
    }
}

table! {
    share_links (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        resource_id -> Text,
        token_hash -> Text,
        sealed_token -> Binary,
        level -> Text,
        include_children -> Bool,
        password_hash -> Nullable<Text>,
        expires_at -> Nullable<BigInt>,
        allow_duplicate -> Bool,
        allow_indexing -> Bool,
        revoked_at -> Nullable<BigInt>,
        view_count -> BigInt,
        last_viewed_at -> Nullable<BigInt>,
        created_by -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    access_requests (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        resource_id -> Text,
        user_id -> Text,
        level -> Text,
        message -> Nullable<Text>,
        answer -> Nullable<Text>,
        decided_by -> Nullable<Text>,
        decided_at -> Nullable<BigInt>,
        created_at -> BigInt,
        expires_at -> BigInt,
    }
}

table! {
    page_visits (workspace_id, user_id, page_id) {
        workspace_id -> Text,
        user_id -> Text,
        page_id -> Text,
        visited_at -> BigInt,
    }
}

table! {
    favorites (workspace_id, user_id, resource_id) {
        workspace_id -> Text,
        user_id -> Text,
        resource_id -> Text,
        position -> Text,
        created_at -> BigInt,
    }
}
