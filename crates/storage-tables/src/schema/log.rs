//! History: the event log and the audit trails.

use diesel::table;

table! {
    event_heads (workspace_id) {
        workspace_id -> Text,
        last_sequence -> BigInt,
    }
}

table! {
    events (workspace_id, sequence) {
        workspace_id -> Text,
        sequence -> BigInt,
        id -> Text,
        #[sql_name = "type"]
        kind -> Text,
        occurred_at -> BigInt,
        actor_type -> Text,
        actor_id -> Nullable<Text>,
        resource_type -> Text,
        resource_id -> Text,
        version -> Nullable<BigInt>,
        details -> Json,
        on_behalf_of -> Nullable<Text>,
        page_id -> Nullable<Text>,
        database_id -> Nullable<Text>,
        record_id -> Nullable<Text>,
        team_id -> Nullable<Text>,
    }
}

table! {
    event_inbox (workspace_id, ord) {
        workspace_id -> Text,
        ord -> BigInt,
        id -> Text,
        #[sql_name = "type"]
        kind -> Text,
        occurred_at -> BigInt,
        actor_type -> Text,
        actor_id -> Nullable<Text>,
        resource_type -> Text,
        resource_id -> Text,
        version -> Nullable<BigInt>,
        details -> Json,
        on_behalf_of -> Nullable<Text>,
        page_id -> Nullable<Text>,
        database_id -> Nullable<Text>,
        record_id -> Nullable<Text>,
        team_id -> Nullable<Text>,
    }
}

table! {
    audit_entries (chain, id) {
        chain -> Text,
        id -> Text,
        seq -> BigInt,
        prev_hash -> Nullable<Text>,
        hash -> Nullable<Text>,
        at -> BigInt,
        action -> Text,
        actor -> Json,
        target -> Json,
        outcome -> Text,
        reason -> Nullable<Text>,
        request_id -> Nullable<Text>,
        pii -> Nullable<Json>,
        salt -> Nullable<Text>,
        pii_digest -> Text,
        actor_type -> Nullable<Text>,
        actor_id -> Nullable<Text>,
        target_type -> Nullable<Text>,
        target_id -> Nullable<Text>,
        ip -> Nullable<Text>,
        about -> Nullable<Text>,
    }
}

table! {
    audit_heads (chain) {
        chain -> Text,
        seq -> BigInt,
        hash -> Text,
        pruned_seq -> BigInt,
        pruned_hash -> Text,
        prune_at -> BigInt,
    }
}
