//! What was recorded: audit entries and events.

use super::World;
use octavo_core_model::{
    audit::{AuditRecord, AuditSearch},
    event::Chain,
    id::{UserId, WorkspaceId},
};

/// An audit entry in short: its action, and the reason if it failed.
type Audited = (String, Option<String>);

/// An event in short: type, kind and id of its actor.
type Logged = (String, String, String);

impl World {
    pub(crate) async fn audit_records(&self, chain: Chain) -> Vec<AuditRecord> {
        let mut view = self.engine.store.reader().await.unwrap();
        let mut records = view.audits().list_entries(chain, &AuditSearch::all(1000)).await.unwrap();
        records.sort_by_key(|record| record.at);
        records
    }

    /// The entries of an account's chain in the order of time; those of the same moment are sorted by name.
    pub(crate) async fn audit(&self, user: UserId) -> Vec<Audited> {
        let mut records = self.audit_records(Chain::User(user)).await;
        records.sort_by(|a, b| (a.at, &a.action).cmp(&(b.at, &b.action)));
        records.into_iter().map(|record| (record.action, record.reason)).collect()
    }

    /// How often an action occurs in an account's chain.
    pub(crate) async fn audited(&self, user: UserId, action: &str) -> usize {
        self.audit(user).await.iter().filter(|(found, _)| found == action).count()
    }

    pub(crate) async fn events(&self, workspace: WorkspaceId) -> Vec<Logged> {
        let sql = format!(
            "SELECT type, actor_type, actor_id FROM events WHERE workspace_id = '{workspace}' ORDER BY sequence"
        );
        let rows = self.database.rows(&sql).await;
        rows.into_iter().map(|row| <[String; 3]>::try_from(row).unwrap().into()).collect()
    }
}
