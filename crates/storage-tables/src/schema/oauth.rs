//! Tables of apps and their grants.

use diesel::table;

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
        common_scopes -> BigInt,
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
