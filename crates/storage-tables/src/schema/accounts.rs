//! Tables of accounts and their sessions.

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
