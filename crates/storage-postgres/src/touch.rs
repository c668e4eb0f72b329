//! Moves the last activity of many sessions or the last use of many API keys forward: one statement per owner, each
//! sent before the previous one is answered.

use super::{Conn, each_in_turn};
use diesel::{
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
};
use std::collections::BTreeMap;

/// Moves the last activity of sessions forward. Locked sessions are skipped: they are being changed right now, and
/// waiting for them could deadlock two units.
pub async fn touch_sessions(
    conn: &mut Conn,
    touched: &[(UserId, SessionId)],
    since: Timestamp,
    now: Timestamp,
) -> QueryResult<()> {
    let mut users = BTreeMap::<_, Vec<_>>::new();
    for (user, id) in touched {
        users.entry(user).or_default().push(id.to_string());
    }
    let requests = users.into_iter().map(|(user, ids)| TouchSessions {
        user: user.to_string(),
        ids,
        since: since.millis(),
        now: now.millis(),
    });
    each_in_turn(conn, requests, async |mut conn: &AsyncPgConnection, touch| touch.execute(&mut conn).await)
        .await
        .map(drop)
}

#[derive(QueryId)]
struct TouchSessions {
    user: String,
    ids: Vec<String>,
    since: i64,
    now: i64,
}

impl QueryFragment<Pg> for TouchSessions {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE sessions SET last_active_at = ");
        out.push_bind_param::<BigInt, _>(&self.now)?;
        out.push_sql(" WHERE user_id = ");
        out.push_bind_param::<Text, _>(&self.user)?;
        out.push_sql(" AND id IN (SELECT s.id FROM sessions AS s WHERE s.user_id = ");
        out.push_bind_param::<Text, _>(&self.user)?;
        out.push_sql(" AND s.id = ANY (");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(") AND s.ended_at IS NULL AND s.expires_at > ");
        out.push_bind_param::<BigInt, _>(&self.now)?;
        out.push_sql(" AND s.last_active_at < ");
        out.push_bind_param::<BigInt, _>(&self.since)?;
        out.push_sql(" FOR NO KEY UPDATE SKIP LOCKED)");
        Ok(())
    }
}

/// Moves the last use of API keys forward. Locked keys are skipped: they are being changed right now, and their next
/// use moves them.
pub async fn touch_api_keys(conn: &mut Conn, used: &[(WorkspaceId, ApiKeyId, Timestamp)]) -> QueryResult<()> {
    let mut workspaces = BTreeMap::<_, (Vec<_>, Vec<_>)>::new();
    for (workspace, id, at) in used {
        let (ids, times) = workspaces.entry(workspace).or_default();
        ids.push(id.to_string());
        times.push(at.millis());
    }
    let requests = workspaces.into_iter().map(|(workspace, (ids, times))| TouchApiKeys {
        workspace: workspace.to_string(),
        ids,
        times,
    });
    each_in_turn(conn, requests, async |mut conn: &AsyncPgConnection, touch| touch.execute(&mut conn).await)
        .await
        .map(drop)
}

#[derive(QueryId)]
struct TouchApiKeys {
    workspace: String,
    ids: Vec<String>,
    times: Vec<i64>,
}

impl QueryFragment<Pg> for TouchApiKeys {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "UPDATE api_keys SET last_used_at = used.at FROM (SELECT k.id, t.at FROM api_keys AS k JOIN unnest(",
        );
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.times)?;
        out.push_sql(") AS t (id, at) ON k.id = t.id WHERE k.workspace_id = ");
        out.push_bind_param::<Text, _>(&self.workspace)?;
        out.push_sql(
            " AND (k.last_used_at IS NULL OR k.last_used_at < t.at) FOR NO KEY UPDATE OF k SKIP LOCKED) AS used",
        );
        out.push_sql(" WHERE api_keys.id = used.id AND api_keys.workspace_id = ");
        out.push_bind_param::<Text, _>(&self.workspace)
    }
}
