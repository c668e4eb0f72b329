//! Comments, their replies and the reactions to both.

use diesel::table;

table! {
    comments (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        page_id -> Text,
        on_record -> Bool,
        block_id -> Nullable<Text>,
        selection -> Nullable<Text>,
        body -> Text,
        mentions -> Text,
        resolved_at -> Nullable<BigInt>,
        resolved_by -> Nullable<Text>,
        reply_count -> BigInt,
        author_id -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

table! {
    comment_replies (workspace_id, comment_id, id) {
        workspace_id -> Text,
        comment_id -> Text,
        id -> Text,
        page_id -> Text,
        body -> Text,
        mentions -> Text,
        author_id -> Text,
        created_at -> BigInt,
    }
}

table! {
    comment_references (workspace_id, comment_id, source_id, target_id) {
        workspace_id -> Text,
        comment_id -> Text,
        source_id -> Text,
        target_id -> Text,
        page_id -> Text,
        created_at -> BigInt,
    }
}

table! {
    comment_reactions (workspace_id, comment_id, target_id, emoji, user_id) {
        workspace_id -> Text,
        comment_id -> Text,
        target_id -> Text,
        emoji -> Text,
        user_id -> Text,
        page_id -> Text,
        created_at -> BigInt,
    }
}
