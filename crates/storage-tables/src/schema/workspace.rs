//! Tables of workspaces, their members, teams, invitations and API keys.

use diesel::table;

table! {
    workspaces (id) {
        id -> Text,
        name -> Text,
        slug -> Text,
        is_personal -> Bool,
        owner_id -> Text,
        created_at -> BigInt,
        description -> Nullable<Text>,
        icon_url -> Nullable<Text>,
        settings -> Text,
        limit_members -> Nullable<BigInt>,
        limit_databases -> Nullable<BigInt>,
        limit_storage_bytes -> Nullable<BigInt>,
        purge_at -> Nullable<BigInt>,
        updated_at -> BigInt,
        page_count -> BigInt,
    }
}

table! {
    memberships (workspace_id, user_id) {
        workspace_id -> Text,
        user_id -> Text,
        id -> Text,
        role -> Text,
        display_name -> Text,
        folded_name -> Text,
        joined_at -> BigInt,
        invited_by -> Nullable<Text>,
        search -> Text,
        role_since -> BigInt,
    }
}

table! {
    teams (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        name -> Text,
        slug -> Text,
        description -> Nullable<Text>,
        color -> Nullable<Text>,
        icon_url -> Nullable<Text>,
        position -> Text,
        is_private -> Bool,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    team_memberships (workspace_id, team_id, user_id) {
        workspace_id -> Text,
        team_id -> Text,
        user_id -> Text,
        id -> Text,
        role -> Text,
        created_at -> BigInt,
    }
}

table! {
    invitations (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        email -> Text,
        role -> Text,
        invited_by -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        state -> Text,
        invited_by_key -> Nullable<Text>,
    }
}

table! {
    invitation_tokens (workspace_id, hash) {
        workspace_id -> Text,
        hash -> Text,
        invitation_id -> Text,
        delivery -> Text,
    }
}

table! {
    invitations_by_email (email, id) {
        email -> Text,
        id -> Text,
        workspace_id -> Text,
        expires_at -> BigInt,
        is_pending -> Bool,
    }
}

table! {
    api_keys (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        name -> Text,
        prefix -> Text,
        scopes -> Text,
        rate_limit -> Nullable<BigInt>,
        allowed_networks -> Text,
        last_used_at -> Nullable<BigInt>,
        expires_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
        created_by -> Text,
        created_at -> BigInt,
    }
}

table! {
    api_key_secrets (workspace_id, hash) {
        workspace_id -> Text,
        hash -> Text,
        api_key_id -> Text,
        ends_at -> Nullable<BigInt>,
    }
}
