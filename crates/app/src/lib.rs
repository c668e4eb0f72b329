//! The use cases of Octavo: load, decide, save, report.
//!
//! One function an operation, and the only place that decides. A use case gets a view or a unit and sees neither
//! a pool nor a clock nor a socket; what is slow (hashing a password) happens in a flow before its unit opens.

pub mod access;
pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod call;
pub mod chores;
mod due;
pub mod engine;
pub mod events;
pub mod invitations;
mod mailed;
pub mod members;
pub mod operator;
mod origin;
pub mod passwords;
pub mod reply;
pub mod reseal;
pub mod rules;
pub mod scope;
pub mod sessions;
pub mod teams;
pub mod workspaces;

pub use call::{Call, Caller, Client};
pub use engine::{AppResult, Bell, Draft, Engine, Stop};
pub use reply::Reply;
pub use rules::{Rules, Signup};
pub use scope::{Unit, View};

/// Flows run on another thread than the one that asks for them, so all of them must be able to move there.
#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{Timestamp, job::Lane};
    use octavo_ports::mailer::Mailer;

    fn movable<T: Send>(_: impl FnOnce(&'static Engine, &'static dyn Mailer) -> T) {}

    #[test]
    fn chores_can_move_between_threads() {
        let now = Timestamp::from_millis(0);
        movable(|engine, mailer| chores::run_due(engine, Lane::Mail, mailer, now));
        movable(|engine, _| chores::sweep(engine, now));
        movable(|engine, _| chores::touch(engine, now, chores::Used::default()));
        movable(|engine, _| accounts::deletion::purge_due(engine, now));
        movable(|engine, _| workspaces::deletion::purge_due(engine, now));
        movable(|engine, _| audit::prune_due(engine, now));
    }
}
