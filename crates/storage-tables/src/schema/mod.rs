//! The tables, the same on both engines. The migrations add keys, indexes and constraints.

mod accounts;
mod chart;
mod comment;
mod content;
mod database;
mod deployment;
mod log;
mod notification;
mod oauth;
mod page_tree;
mod workspace;

pub use accounts::{browser_sessions, one_time_tokens, origins, refresh_tokens, sessions, user_workspaces, users};
pub use chart::{charts, dashboards};
pub use comment::{comment_reactions, comment_references, comment_replies, comments};
pub use content::{block_references, block_states, blocks, page_histories, page_versions};
pub use database::{databases, properties, record_links, records, views};
pub use deployment::{
    __diesel_schema_migrations, chores, directory, heartbeats, idempotent_replies, jobs, signing_keys, stream_tickets,
};
pub use log::{audit_entries, audit_heads, event_heads, event_inbox, events};
pub use notification::{
    event_cursors, events_set_aside, follows, notification_digests, notification_preferences, notifications,
};
pub use oauth::{
    oauth_app_secrets, oauth_apps, oauth_codes, oauth_families, oauth_grants, oauth_refresh_tokens,
    oauth_revoked_tokens, oauth_workspace_grants,
};
pub use page_tree::{access_grants, access_requests, favorites, page_visits, pages, share_links};
pub use workspace::{
    api_key_secrets, api_keys, invitation_tokens, invitations, invitations_by_email, memberships, team_memberships,
    teams, workspaces,
};

diesel::allow_tables_to_appear_in_same_query!(invitations, invitation_tokens);
diesel::allow_tables_to_appear_in_same_query!(users, user_workspaces);
diesel::allow_tables_to_appear_in_same_query!(browser_sessions, sessions, users);
diesel::allow_tables_to_appear_in_same_query!(teams, team_memberships);
diesel::allow_tables_to_appear_in_same_query!(pages, page_visits, favorites);
diesel::allow_tables_to_appear_in_same_query!(share_links, pages, workspaces);
diesel::allow_tables_to_appear_in_same_query!(access_requests, pages);
diesel::allow_tables_to_appear_in_same_query!(block_references, pages);
diesel::allow_tables_to_appear_in_same_query!(comments, comment_references, comment_replies, blocks, pages);
diesel::allow_tables_to_appear_in_same_query!(api_keys, api_key_secrets, memberships, workspaces);
diesel::allow_tables_to_appear_in_same_query!(oauth_workspace_grants, memberships);
