//! Removes what nobody can ask for any more.
//!
//! Removes the oldest rows first, and a limited number at a time. Standard SQL has no limit for `DELETE`, so a
//! subquery picks the rows by their keys. Both engines number the parameters `$1`, `$2` in the order in which each
//! first appears.

use super::{
    Scope,
    dialect::{SKIPPING_LOCKED, SWEEP_EVENTS},
    invitations::LAPSED,
};
use crate::prepared::{Columns, Prepare};
use diesel::{
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::Timestamp;
use octavo_ports::{
    store::StoreResult,
    sweeps::{Due, Horizons, Sweeps, Swept},
};
use octavo_storage_macros::area;

/// Tokens that expired or whose session has ended.
const DUE_REFRESH_TOKENS: &str = "refresh_tokens AS t WHERE t.expires_at < $1 OR EXISTS \
    (SELECT 1 FROM sessions AS s WHERE s.user_id = t.user_id AND s.id = t.session_id AND s.over_at < $1)";

/// Sessions that have ended, oldest first.
const OVER: &str = "SELECT user_id, id FROM sessions WHERE over_at < $1 ORDER BY over_at LIMIT $2";

const READ_NOTIFICATIONS: &str = "notifications WHERE read_at IS NOT NULL AND updated_at < $1";

const UNREAD_NOTIFICATIONS: &str = "notifications WHERE read_at IS NULL AND updated_at < $1";

/// Revoked keys, oldest first.
const LONG_REVOKED: &str = "SELECT workspace_id, id FROM api_keys WHERE revoked_at < $1 ORDER BY revoked_at LIMIT $2";

#[area]
impl Sweeps for Scope {
    async fn sweep(&mut self, horizons: Horizons, limit: u32) -> StoreResult<Swept> {
        let expired = self.sweep_tokens("refresh_tokens", horizons.credentials, limit).await?;
        let left_over = self.sweep_tokens_of_ended_sessions(horizons.credentials, limit).await?;
        Ok(Swept {
            refresh_tokens: expired + left_over,
            browser_sessions: self.sweep_tokens("browser_sessions", horizons.credentials, limit).await?,
            sessions: self.sweep_sessions(horizons.credentials, limit).await?,
            one_time_tokens: self.sweep_tokens("one_time_tokens", horizons.credentials, limit).await?,
            replies: self
                .sweep_rows("idempotent_replies", "principal, key_hash", "expires_at", horizons.replies, limit)
                .await?,
            origins: self
                .sweep_rows("origins", "user_id, network, program", "last_seen_at", horizons.origins, limit)
                .await?,
            events: self.sweep_events(horizons.events, limit).await?,
            app_tokens: self.sweep_app_tokens(horizons, limit).await?,
            grants: self.sweep_grants(horizons, limit).await?,
            jobs: self.sweep_rows("jobs", "owner, id", "finished_at", horizons.jobs, limit).await?,
            api_keys: self.sweep_api_keys(horizons.credentials, limit).await?,
            notifications: self.sweep_notifications(horizons, limit).await?,
            stream_tickets: self.sweep_rows("stream_tickets", "hash", "expires_at", horizons.replies, limit).await?,
        })
    }

    async fn count_due(&mut self, horizons: Horizons, now: Timestamp) -> StoreResult<Due> {
        Ok(Due {
            accounts: self.count_older("users WHERE purge_at <= $1", now).await?,
            workspaces: self.count_older("workspaces WHERE purge_at <= $1", now).await?,
            pages: self.count_older("pages WHERE trash_root_id = id AND purge_at <= $1", now).await?,
            address_grants: self.count_older(LAPSED, now).await?,
            job_results: self.count_older("jobs WHERE bytes_until <= $1", now).await?,
            // Each trail has its own retention time.
            audit_entries: 0,
            rows: Swept {
                sessions: self.count_older("sessions WHERE over_at < $1", horizons.credentials).await?,
                refresh_tokens: self.count_older(DUE_REFRESH_TOKENS, horizons.credentials).await?,
                browser_sessions: self
                    .count_older("browser_sessions WHERE expires_at < $1", horizons.credentials)
                    .await?,
                one_time_tokens: self
                    .count_older("one_time_tokens WHERE expires_at < $1", horizons.credentials)
                    .await?,
                replies: self.count_older("idempotent_replies WHERE expires_at < $1", horizons.replies).await?,
                origins: self.count_older("origins WHERE last_seen_at < $1", horizons.origins).await?,
                events: self.count_older("events WHERE occurred_at < $1", horizons.events).await?,
                app_tokens: self.count_due_app_tokens(horizons).await?,
                grants: self.count_due_grants(horizons).await?,
                jobs: self.count_older("jobs WHERE finished_at < $1", horizons.jobs).await?,
                api_keys: self.count_older("api_keys WHERE revoked_at < $1", horizons.credentials).await?,
                notifications: self.count_older(READ_NOTIFICATIONS, horizons.read_notifications).await?
                    + self.count_older(UNREAD_NOTIFICATIONS, horizons.unread_notifications).await?,
                stream_tickets: self.count_older("stream_tickets WHERE expires_at < $1", horizons.replies).await?,
            },
        })
    }
}

impl Scope {
    pub(super) async fn count_older(&mut self, rows: &str, horizon: Timestamp) -> StoreResult<u64> {
        let query = sql_query(format!("SELECT COUNT(*) FROM {rows}")).bind::<BigInt, _>(horizon.millis());
        Ok(self.one::<i64, _>(query.columns::<BigInt>()).await?.unsigned_abs())
    }

    /// Removes rows older than a horizon. The first column of the key is the owner.
    pub(super) async fn sweep_rows(
        &mut self,
        table: &str,
        key: &str,
        age: &str,
        horizon: Timestamp,
        limit: u32,
    ) -> StoreResult<u64> {
        self.sweep_due(table, key, &format!("{table} WHERE {age} < $1"), &format!("ORDER BY {age}"), horizon, limit)
            .await
    }

    /// Removes the due rows of a table, in this order; `due` is the part of the query after FROM. Deletes the rows of
    /// each owner with a separate statement, because no statement may lock rows of several owners.
    pub(super) async fn sweep_due(
        &mut self,
        table: &str,
        key: &str,
        due: &str,
        order: &str,
        horizon: Timestamp,
        limit: u32,
    ) -> StoreResult<u64> {
        let sql = delete_of_one_owner(table, key, due, order);
        let mut swept = 0;
        for owner in self.owners_of_due(key, due, order, horizon, limit).await? {
            let delete = sql_query(&sql)
                .bind::<BigInt, _>(horizon.millis())
                .bind::<Text, _>(owner)
                .bind::<BigInt, _>(i64::from(limit) - swept);
            swept += i64::try_from(self.execute(delete.prepared()).await?).unwrap_or(i64::MAX);
        }
        Ok(swept.unsigned_abs())
    }

    /// Removes expired tokens and their directory entries.
    pub(super) async fn sweep_tokens(&mut self, table: &str, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let (key, order, due) = ("user_id, hash", "ORDER BY expires_at", format!("{table} WHERE expires_at < $1"));
        let sql = delete_of_one_owner(table, key, &due, order) + " RETURNING hash";
        let mut hashes = Vec::new();
        for owner in self.owners_of_due(key, &due, order, horizon, limit).await? {
            let left = i64::from(limit) - i64::try_from(hashes.len()).unwrap_or(i64::MAX);
            let delete =
                sql_query(&sql).bind::<BigInt, _>(horizon.millis()).bind::<Text, _>(owner).bind::<BigInt, _>(left);
            hashes.extend(self.all::<String, _>(delete.columns::<Text>().prepared()).await?);
        }
        self.forget_tokens(&hashes).await?;
        Ok(count(hashes.len()))
    }

    /// The owners of the oldest due rows.
    async fn owners_of_due(
        &mut self,
        key: &str,
        due: &str,
        order: &str,
        horizon: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<String>> {
        let owner = owner_of(key);
        let sql = format!("SELECT DISTINCT owner FROM (SELECT {owner} AS owner FROM {due} {order} LIMIT $2) AS oldest");
        let query = sql_query(sql).bind::<BigInt, _>(horizon.millis()).bind::<BigInt, _>(i64::from(limit));
        self.all(query.columns::<Text>().prepared()).await
    }

    /// Otherwise the tokens of a session that ended early would outlive it.
    async fn sweep_tokens_of_ended_sessions(&mut self, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let sql = format!(
            "DELETE FROM refresh_tokens WHERE (user_id, hash) IN \
             (SELECT t.user_id, t.hash FROM ({OVER}) AS s JOIN refresh_tokens AS t \
              ON t.user_id = s.user_id AND t.session_id = s.id LIMIT $2) \
             RETURNING hash"
        );
        self.sweep_with_entries(sql, horizon, limit).await
    }

    pub(super) async fn sweep_with_entries(&mut self, sql: String, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let delete = sql_query(sql).bind::<BigInt, _>(horizon.millis()).bind::<BigInt, _>(i64::from(limit));
        let hashes = self.all::<String, _>(delete.columns::<Text>()).await?;
        self.forget_tokens(&hashes).await?;
        Ok(count(hashes.len()))
    }

    /// Removes ended sessions that have neither tokens nor cookies left. A cookie outlives its session by hours at
    /// most.
    async fn sweep_sessions(&mut self, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let sql = format!(
            "DELETE FROM sessions WHERE (user_id, id) IN \
             (SELECT s.user_id, s.id FROM ({OVER}) AS s WHERE NOT EXISTS \
              (SELECT 1 FROM refresh_tokens AS t WHERE t.user_id = s.user_id AND t.session_id = s.id) \
              AND NOT EXISTS \
              (SELECT 1 FROM browser_sessions AS b WHERE b.user_id = s.user_id AND b.session_id = s.id))"
        );
        self.sweep_by(sql, horizon, limit).await
    }

    /// Runs a DELETE of rows older than a horizon, up to a limit.
    pub(super) async fn sweep_by(&mut self, sql: String, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let delete = sql_query(sql).bind::<BigInt, _>(horizon.millis()).bind::<BigInt, _>(i64::from(limit));
        self.execute(delete).await.map(count)
    }

    /// Removes revoked keys with their secrets and directory entries.
    async fn sweep_api_keys(&mut self, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let sql =
            format!("DELETE FROM api_key_secrets WHERE (workspace_id, api_key_id) IN ({LONG_REVOKED}) RETURNING hash");
        let delete = sql_query(sql).bind::<BigInt, _>(horizon.millis()).bind::<BigInt, _>(i64::from(limit));
        let hashes = self.all::<String, _>(delete.columns::<Text>()).await?;
        self.forget_api_key_hashes(&hashes).await?;
        let sql = format!(
            "DELETE FROM api_keys WHERE (workspace_id, id) IN ({LONG_REVOKED}) AND NOT EXISTS \
             (SELECT 1 FROM api_key_secrets AS s WHERE s.workspace_id = api_keys.workspace_id AND s.api_key_id = api_keys.id)"
        );
        let delete = sql_query(sql).bind::<BigInt, _>(horizon.millis()).bind::<BigInt, _>(i64::from(limit));
        self.execute(delete).await.map(count)
    }

    async fn sweep_notifications(&mut self, horizons: Horizons, limit: u32) -> StoreResult<u64> {
        let mut swept = 0;
        for (due, horizon) in
            [(READ_NOTIFICATIONS, horizons.read_notifications), (UNREAD_NOTIFICATIONS, horizons.unread_notifications)]
        {
            let order = "ORDER BY updated_at";
            swept += self.sweep_due("notifications", "user_id, id", due, order, horizon, limit).await?;
        }
        Ok(swept)
    }

    async fn sweep_events(&mut self, horizon: Timestamp, limit: u32) -> StoreResult<u64> {
        let Some(sql) = SWEEP_EVENTS else {
            // Their index by age is unordered; it does not matter which due keys are removed first.
            let due = "events WHERE occurred_at < $1";
            return self.sweep_due("events", "workspace_id, sequence", due, "", horizon, limit).await;
        };
        let delete = sql_query(sql).bind::<BigInt, _>(i64::from(limit)).bind::<BigInt, _>(horizon.millis());
        self.execute(delete).await.map(count)
    }
}

/// Removes due rows of one owner. The parameters after the horizon are the owner and the limit.
///
/// The rows are picked separately from the deletion: PostgreSQL may run a subquery once per row, and one that skips
/// deleted rows would then pick others each time.
fn delete_of_one_owner(table: &str, key: &str, due: &str, order: &str) -> String {
    let owner = owner_of(key);
    format!(
        "WITH picked AS MATERIALIZED (SELECT {key} FROM {due} AND {owner} = $2 {order} LIMIT $3 {SKIPPING_LOCKED}) \
         DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM picked) AND {owner} = $2"
    )
}

fn owner_of(key: &str) -> &str {
    key.split(',').next().unwrap_or(key)
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}
