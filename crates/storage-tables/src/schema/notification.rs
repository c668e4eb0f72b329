//! What users are told, what they follow, and how far consumers of the event log have come.

use diesel::table;

table! {
    notifications (user_id, id) {
        user_id -> Text,
        id -> Text,
        workspace_id -> Text,
        kind -> Text,
        action -> Text,
        last_action -> Text,
        actor_id -> Nullable<Text>,
        subject_type -> Text,
        subject_id -> Text,
        node_id -> Nullable<Text>,
        reply_id -> Nullable<Text>,
        count -> BigInt,
        read_at -> Nullable<BigInt>,
        archived_at -> Nullable<BigInt>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    notification_preferences (user_id) {
        user_id -> Text,
        preferences -> Text,
    }
}

table! {
    notification_digests (user_id) {
        user_id -> Text,
        since -> BigInt,
        due_at -> BigInt,
    }
}

table! {
    follows (workspace_id, user_id, target_id) {
        workspace_id -> Text,
        user_id -> Text,
        target_id -> Text,
        mode -> Text,
        created_at -> BigInt,
    }
}

table! {
    event_cursors (workspace_id, consumer) {
        workspace_id -> Text,
        consumer -> Text,
        sequence -> BigInt,
        place -> Nullable<Text>,
        handled_up_to -> BigInt,
        careful_until -> BigInt,
        attempts -> BigInt,
        retry_at -> Nullable<BigInt>,
    }
}

table! {
    events_set_aside (workspace_id, consumer, sequence) {
        workspace_id -> Text,
        consumer -> Text,
        sequence -> BigInt,
        error -> Text,
        attempts -> BigInt,
        set_aside_at -> BigInt,
    }
}
