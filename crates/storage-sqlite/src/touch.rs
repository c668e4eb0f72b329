//! Moves the last activity of sessions or the last use of API keys forward, row by row.

use super::{Conn, statements::RunQueryDsl};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
};
use octavo_storage_tables::{
    prepared::Prepare,
    schema::{api_keys, sessions},
    stored::Stored,
};

/// Moves the last activity of sessions forward.
pub async fn touch_sessions(
    conn: &mut Conn,
    touched: &[(UserId, SessionId)],
    since: Timestamp,
    now: Timestamp,
) -> QueryResult<()> {
    let (since, now) = (since.millis(), now.millis());
    for (user, id) in touched.iter().copied() {
        let live = sessions::table
            .find((Stored(user), Stored(id)))
            .filter(sessions::ended_at.is_null())
            .filter(sessions::expires_at.gt(now))
            .filter(sessions::last_active_at.lt(since));
        diesel::update(live).set(sessions::last_active_at.eq(now)).prepared().execute(conn).await?;
    }
    Ok(())
}

/// Moves the last use of API keys forward.
pub async fn touch_api_keys(conn: &mut Conn, used: &[(WorkspaceId, ApiKeyId, Timestamp)]) -> QueryResult<()> {
    for (workspace, id, at) in used.iter().copied() {
        let earlier = api_keys::last_used_at.is_null().or(api_keys::last_used_at.lt(at.millis()));
        let key = api_keys::table.find((Stored(workspace), Stored(id))).filter(earlier);
        diesel::update(key).set(api_keys::last_used_at.eq(at.millis())).prepared().execute(conn).await?;
    }
    Ok(())
}
