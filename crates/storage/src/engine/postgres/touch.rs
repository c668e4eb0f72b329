//! Moving the last activity of many sessions, or the last use of many API keys, at once.

use super::super::Conn;
use diesel::{
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text},
};
use diesel_async::RunQueryDsl;
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
};

/// Moves the last activity of sessions. One that is locked is being changed right now and needs no touch; waiting for it could end in
/// two units waiting for each other.
pub(crate) async fn touch_sessions(
    conn: &mut Conn,
    touched: &[(UserId, SessionId)],
    since: Timestamp,
    now: Timestamp,
) -> QueryResult<()> {
    let users = touched.iter().map(|(user, _)| user.to_string()).collect();
    let ids = touched.iter().map(|(_, id)| id.to_string()).collect();
    TouchSessions { users, ids, since: since.millis(), now: now.millis() }.execute(conn).await.map(drop)
}

#[derive(QueryId)]
struct TouchSessions {
    users: Vec<String>,
    ids: Vec<String>,
    since: i64,
    now: i64,
}

impl QueryFragment<Pg> for TouchSessions {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE sessions SET last_active_at = ");
        out.push_bind_param::<BigInt, _>(&self.now)?;
        out.push_sql(" WHERE (user_id, id) IN (SELECT s.user_id, s.id FROM sessions s JOIN unnest(");
        out.push_bind_param::<Array<Text>, _>(&self.users)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(") AS t (user_id, id) ON s.user_id = t.user_id AND s.id = t.id WHERE s.ended_at IS NULL AND s.expires_at > ");
        out.push_bind_param::<BigInt, _>(&self.now)?;
        out.push_sql(" AND s.last_active_at < ");
        out.push_bind_param::<BigInt, _>(&self.since)?;
        out.push_sql(" FOR NO KEY UPDATE OF s SKIP LOCKED)");
        Ok(())
    }
}

/// Moves the last use of API keys forward. One that is locked is being changed right now; its next use moves it.
pub(crate) async fn touch_api_keys(conn: &mut Conn, used: &[(WorkspaceId, ApiKeyId, Timestamp)]) -> QueryResult<()> {
    let workspaces = used.iter().map(|(workspace, ..)| workspace.to_string()).collect();
    let ids = used.iter().map(|(_, id, _)| id.to_string()).collect();
    let times = used.iter().map(|(.., at)| at.millis()).collect();
    TouchApiKeys { workspaces, ids, times }.execute(conn).await.map(drop)
}

#[derive(QueryId)]
struct TouchApiKeys {
    workspaces: Vec<String>,
    ids: Vec<String>,
    times: Vec<i64>,
}

impl QueryFragment<Pg> for TouchApiKeys {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE api_keys SET last_used_at = used.at FROM (SELECT k.workspace_id, k.id, t.at FROM api_keys k JOIN unnest(");
        out.push_bind_param::<Array<Text>, _>(&self.workspaces)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.times)?;
        out.push_sql(") AS t (workspace_id, id, at) ON k.workspace_id = t.workspace_id AND k.id = t.id");
        out.push_sql(
            " WHERE k.last_used_at IS NULL OR k.last_used_at < t.at FOR NO KEY UPDATE OF k SKIP LOCKED) AS used",
        );
        out.push_sql(" WHERE api_keys.workspace_id = used.workspace_id AND api_keys.id = used.id");
        Ok(())
    }
}
