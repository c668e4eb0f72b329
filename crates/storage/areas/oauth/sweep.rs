//! Removes codes, tokens and grants that expired long ago. Directory entries are removed before the rows they point
//! to.

use super::super::Scope;
use octavo_core_model::Timestamp;
use octavo_ports::{store::StoreResult, sweeps::Horizons};

/// Codes and refresh tokens that expired or whose family has ended.
const TOKENS: [&str; 2] = ["oauth_codes", "oauth_refresh_tokens"];
const DUE_FAMILIES: &str = "oauth_families AS f WHERE f.over_at < $1 AND NOT EXISTS \
    (SELECT 1 FROM oauth_refresh_tokens AS t WHERE t.user_id = f.user_id AND t.family_id = f.id)";
const DUE_GRANTS: &str = "oauth_grants AS g WHERE g.over_at < $1 \
    AND NOT EXISTS (SELECT 1 FROM oauth_families AS f WHERE f.user_id = g.user_id AND f.grant_id = g.id) \
    AND NOT EXISTS (SELECT 1 FROM oauth_codes AS c WHERE c.user_id = g.user_id AND c.grant_id = g.id)";

impl Scope {
    pub(in super::super) async fn sweep_app_tokens(&mut self, horizons: Horizons, limit: u32) -> StoreResult<u64> {
        let mut swept = 0;
        for table in TOKENS {
            swept += self.sweep_tokens(table, horizons.credentials, limit).await?;
        }
        let of_ended = "DELETE FROM oauth_refresh_tokens WHERE (user_id, hash) IN \
             (SELECT t.user_id, t.hash FROM (SELECT user_id, id FROM oauth_families WHERE over_at < $1 ORDER BY over_at LIMIT $2) AS f \
              JOIN oauth_refresh_tokens AS t ON t.user_id = f.user_id AND t.family_id = f.id LIMIT $2) \
             RETURNING hash";
        swept += self.sweep_with_entries(of_ended.to_owned(), horizons.credentials, limit).await?;
        swept += self.sweep_rows("oauth_revoked_tokens", "user_id, id", "forget_at", horizons.replies, limit).await?;
        let key = "workspace_id, client_id, hash";
        Ok(swept + self.sweep_rows("oauth_app_secrets", key, "ends_at", horizons.replies, limit).await?)
    }

    pub(in super::super) async fn sweep_grants(&mut self, horizons: Horizons, limit: u32) -> StoreResult<u64> {
        let key = "workspace_id, grant_id";
        let mut swept = self.sweep_rows("oauth_workspace_grants", key, "expires_at", horizons.replies, limit).await?;
        for (table, due) in [("oauth_families", DUE_FAMILIES), ("oauth_grants", DUE_GRANTS)] {
            swept += self.sweep_due(table, "user_id, id", due, "ORDER BY over_at", horizons.credentials, limit).await?;
        }
        Ok(swept)
    }

    pub(in super::super) async fn count_due_app_tokens(&mut self, horizons: Horizons) -> StoreResult<u64> {
        let expired = "oauth_codes WHERE expires_at < $1";
        let of_ended = "oauth_refresh_tokens AS t WHERE t.expires_at < $1 OR EXISTS \
            (SELECT 1 FROM oauth_families AS f WHERE f.user_id = t.user_id AND f.id = t.family_id AND f.over_at < $1)";
        Ok(self.count_older(expired, horizons.credentials).await?
            + self.count_older(of_ended, horizons.credentials).await?
            + self.count_older("oauth_revoked_tokens WHERE forget_at < $1", horizons.replies).await?
            + self.count_older("oauth_app_secrets WHERE ends_at < $1", horizons.replies).await?)
    }

    pub(in super::super) async fn count_due_grants(&mut self, horizons: Horizons) -> StoreResult<u64> {
        Ok(self.count_older("oauth_workspace_grants WHERE expires_at < $1", horizons.replies).await?
            + self.count_older("oauth_families WHERE over_at < $1", horizons.credentials).await?
            + self.count_older("oauth_grants WHERE over_at < $1", horizons.credentials).await?)
    }

    /// When an app was deleted with its workspace, its revocations are of no more use.
    pub(super) const LONG_AGO: Timestamp = Timestamp::from_millis(0);
}
