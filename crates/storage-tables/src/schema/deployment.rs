//! Data of the deployment itself, and pending work.

use diesel::table;

table! {
    idempotent_replies (principal, key_hash) {
        principal -> Text,
        key_hash -> Binary,
        fingerprint -> Binary,
        sealed -> Binary,
        expires_at -> BigInt,
    }
}

table! {
    jobs (owner, id) {
        owner -> Text,
        id -> Text,
        kind -> Text,
        status -> Text,
        task -> Text,
        course -> Text,
        ending -> Nullable<Text>,
        created_by -> Text,
        by_key -> Nullable<Text>,
        created_at -> BigInt,
        started_at -> Nullable<BigInt>,
        finished_at -> Nullable<BigInt>,
        bytes_until -> Nullable<BigInt>,
    }
}

table! {
    chores (queue, id) {
        queue -> Text,
        id -> Text,
        payload -> Binary,
        attempts -> Integer,
        due_at -> BigInt,
        created_at -> BigInt,
        is_leased -> Bool,
    }
}

table! {
    signing_keys (purpose) {
        purpose -> Text,
        public -> Json,
        sealed -> Binary,
        created_at -> BigInt,
    }
}

table! {
    heartbeats (id) {
        id -> Integer,
        at -> BigInt,
    }
}

table! {
    __diesel_schema_migrations (version) {
        version -> Text,
    }
}

table! {
    directory (kind, key) {
        kind -> Text,
        key -> Text,
        owner_id -> Text,
        target_id -> Text,
    }
}

table! {
    stream_tickets (hash) {
        hash -> Text,
        workspace_id -> Text,
        holder -> Text,
        expires_at -> BigInt,
    }
}
