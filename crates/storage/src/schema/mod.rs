//! The tables, the same on both engines. The migrations add keys, indexes and constraints.

mod content;
mod deployment;
mod log;

pub(crate) use content::{block_references, block_states, blocks, page_histories, page_versions};
pub(crate) use deployment::{__diesel_schema_migrations, chores, heartbeats, idempotent_replies, jobs, signing_keys};
pub(crate) use log::{audit_entries, audit_heads, event_heads, event_inbox, events};

use diesel::table;

table! {
    users (id) {
        id -> Text,
        email -> Text,
        name -> Text,
        display_name -> Text,
        avatar_url -> Nullable<Text>,
        password -> Nullable<Text>,
        email_verified_at -> Nullable<BigInt>,
        status -> Text,
        purge_at -> Nullable<BigInt>,
        locale -> Text,
        timezone -> Text,
        theme -> Text,
        personal_workspace_id -> Text,
        last_login_at -> Nullable<BigInt>,
        created_at -> BigInt,
    }
}

table! {
    sessions (user_id, id) {
        user_id -> Text,
        id -> Text,
        kind -> Text,
        workspace_id -> Text,
        user_agent -> Text,
        address -> Text,
        proofs -> Text,
        authenticated_at -> BigInt,
        created_at -> BigInt,
        last_active_at -> BigInt,
        expires_at -> BigInt,
        absolute_end -> BigInt,
        ended_at -> Nullable<BigInt>,
        ended_how -> Nullable<Text>,
        over_at -> BigInt,
    }
}

table! {
    refresh_tokens (user_id, hash) {
        user_id -> Text,
        hash -> Text,
        session_id -> Text,
        predecessor -> Nullable<Text>,
        expires_at -> BigInt,
        rotated -> Bool,
    }
}

table! {
    browser_sessions (user_id, hash) {
        user_id -> Text,
        hash -> Text,
        session_id -> Text,
        expires_at -> BigInt,
    }
}

table! {
    one_time_tokens (user_id, hash) {
        user_id -> Text,
        hash -> Text,
        kind -> Text,
        email -> Text,
        session_id -> Nullable<Text>,
        created_at -> BigInt,
        expires_at -> BigInt,
        state -> Text,
    }
}

table! {
    origins (user_id, network, program) {
        user_id -> Text,
        network -> Text,
        program -> Text,
        last_seen_at -> BigInt,
    }
}

table! {
    user_workspaces (user_id, workspace_id) {
        user_id -> Text,
        workspace_id -> Text,
        name -> Text,
        is_personal -> Bool,
        role -> Text,
        joined_at -> BigInt,
        is_deleting -> Bool,
        session_timeout_days -> Integer,
    }
}

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
    pages (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
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
    api_key_secrets (workspace_id, hash) {
        workspace_id -> Text,
        hash -> Text,
        api_key_id -> Text,
        ends_at -> Nullable<BigInt>,
    }
}

table! {
    oauth_apps (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        name -> Text,
        is_public -> Bool,
        redirect_uris -> Text,
        scopes -> BigInt,
        logo_url -> Nullable<Text>,
        created_by -> Text,
        created_at -> BigInt,
    }
}

table! {
    oauth_app_secrets (workspace_id, client_id, hash) {
        workspace_id -> Text,
        client_id -> Text,
        hash -> Text,
        ends_at -> Nullable<BigInt>,
    }
}

table! {
    oauth_grants (user_id, id) {
        user_id -> Text,
        id -> Text,
        client_id -> Text,
        client_name -> Text,
        client_logo_url -> Nullable<Text>,
        client_is_public -> Bool,
        scopes -> BigInt,
        workspaces -> Text,
        created_at -> BigInt,
        last_used_at -> Nullable<BigInt>,
        expires_at -> BigInt,
        revoked_at -> Nullable<BigInt>,
        over_at -> BigInt,
    }
}

table! {
    oauth_workspace_grants (workspace_id, grant_id) {
        workspace_id -> Text,
        grant_id -> Text,
        user_id -> Text,
        client_id -> Text,
        expires_at -> BigInt,
    }
}

table! {
    oauth_codes (user_id, hash) {
        user_id -> Text,
        hash -> Text,
        client_id -> Text,
        grant_id -> Text,
        family_id -> Text,
        redirect_uri -> Text,
        scopes -> BigInt,
        workspaces -> Text,
        challenge -> Nullable<Binary>,
        proofs -> Text,
        authenticated_at -> BigInt,
        absolute_end -> BigInt,
        created_at -> BigInt,
        expires_at -> BigInt,
        redeemed_at -> Nullable<BigInt>,
    }
}

table! {
    oauth_families (user_id, id) {
        user_id -> Text,
        id -> Text,
        client_id -> Text,
        grant_id -> Text,
        scopes -> BigInt,
        workspaces -> Text,
        proofs -> Text,
        authenticated_at -> BigInt,
        created_at -> BigInt,
        expires_at -> BigInt,
        absolute_end -> BigInt,
        revoked_at -> Nullable<BigInt>,
        over_at -> BigInt,
    }
}

table! {
    oauth_refresh_tokens (user_id, hash) {
        user_id -> Text,
        hash -> Text,
        family_id -> Text,
        predecessor -> Text,
        expires_at -> BigInt,
        rotated -> Bool,
    }
}

table! {
    oauth_revoked_tokens (user_id, id) {
        user_id -> Text,
        id -> Text,
        forget_at -> BigInt,
    }
}

#[cfg(feature = "postgres")]
table! {
    directory (kind, key) {
        kind -> Text,
        key -> Text,
        owner_id -> Text,
        target_id -> Text,
    }
}

diesel::allow_tables_to_appear_in_same_query!(invitations, invitation_tokens);
diesel::allow_tables_to_appear_in_same_query!(users, user_workspaces);
diesel::allow_tables_to_appear_in_same_query!(browser_sessions, sessions, users);
diesel::allow_tables_to_appear_in_same_query!(teams, team_memberships);
diesel::allow_tables_to_appear_in_same_query!(pages, page_visits, favorites);
diesel::allow_tables_to_appear_in_same_query!(share_links, pages, workspaces);
diesel::allow_tables_to_appear_in_same_query!(access_requests, pages);
diesel::allow_tables_to_appear_in_same_query!(block_references, pages);
diesel::allow_tables_to_appear_in_same_query!(api_keys, api_key_secrets, memberships, workspaces);
diesel::allow_tables_to_appear_in_same_query!(oauth_workspace_grants, memberships);
