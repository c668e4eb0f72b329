//! The use cases of Octavo: load, decide, save, report.
//!
//! Each operation is one function, and only these functions decide. A use case gets a view or a unit and sees no
//! connection, clock or socket; slow work (hashing a password) happens in a flow before its unit opens. A view may
//! reserve a place in the compute pool, which never waits.

pub mod access;
pub mod access_requests;
pub mod accounts;
pub mod api_keys;
pub mod audit;
mod audit_entry;
pub mod blocks;
pub mod browser_account;
pub mod browser_sessions;
pub mod call;
pub mod charts;
pub mod chores;
pub mod comments;
mod computed;
mod confirmation;
pub mod consumer_kinds;
pub mod consumers;
mod content_memory;
pub mod csv_import;
pub mod dashboards;
mod database_copies;
mod database_quota;
pub mod databases;
mod due;
pub mod engine;
pub mod events;
pub mod files;
mod first_proof;
pub mod follows;
pub mod invitations;
pub mod job_kinds;
pub mod jobs;
mod kept_reply;
mod kept_tables;
mod loaded_schemas;
pub mod mailed;
pub mod members;
pub mod notifications;
pub mod oauth;
mod open_invitations;
pub mod operator;
mod origin;
mod outcome;
mod page_access;
mod page_count;
mod page_events;
mod page_history;
mod page_map;
mod page_memory;
pub mod pages;
pub mod passwords;
pub mod queries;
pub mod queue;
mod quota;
mod record_pages;
mod record_scan;
mod record_tables;
mod record_values;
pub mod records;
mod relations;
pub mod reply;
pub mod reseal;
mod reservations;
pub mod rules;
mod schema_cache;
pub mod scope;
pub mod search;
pub mod sessions;
pub mod share_links;
pub mod teams;
pub mod workspaces;
mod write_budget;

pub use call::{Call, Caller, Client};
pub use content_memory::{ContentMemory, HeldContent};
pub use engine::{CommitSignals, Engine};
pub use octavo_ports::compute::WorkKind;
pub use outcome::{AppResult, Draft, Interrupt};
pub use quota::{Quota, QuotaShare};
pub use reply::Reply;
pub use reservations::Reservations;
pub use rules::{Rules, Signup};
pub use scope::{Unit, View};

/// Flows run on a different thread from the one that starts them, so they must all be `Send`.
#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{Timestamp, chore::Queue, id::WorkspaceId};
    use octavo_ports::{blobs::Blobs, mailer::Mailer};

    fn movable<T: Send>(_: impl FnOnce(&'static Engine, &'static dyn Mailer) -> T) {}

    fn movable_with_bytes<T: Send>(_: impl FnOnce(&'static Engine, &'static dyn Blobs) -> T) {}

    #[test]
    fn chores_can_move_between_threads() {
        let now = Timestamp::from_millis(0);
        movable(|engine, mailer| chores::run_all(engine, &[], mailer, now));
        movable(|engine, _| queue::lease_due(engine, Queue::Mail, now));
        movable_with_bytes(|engine, blobs| jobs::next_assignment(engine, blobs, job_kinds::runner, now));
        movable_with_bytes(|engine, blobs| chores::purge(engine, blobs, now, false));
        movable(|engine, _| chores::sweep(engine, now));
        movable(|engine, _| chores::touch(engine, now, chores::Used::default()));
        movable(|engine, _| accounts::deletion::purge_due(engine, now));
        movable(|engine, _| workspaces::deletion::purge_due(engine, now));
        movable(|engine, _| pages::trash::purge_due(engine, now));
        movable(|engine, _| audit::prune_due(engine, now));
        let consumer = consumer_kinds::CONSUMERS[0];
        movable(move |engine, _| consumers::advance(engine, consumer, WorkspaceId::LOWEST, now));
    }
}
