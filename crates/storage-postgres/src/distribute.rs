//! Declaring the tables to Citus.
//!
//! Only Octavo's own tables: other programs may keep theirs in the same schema. A test compares the list with the
//! tables that the migrations create. A table is distributed by its owner, the first column of its primary key. The
//! exceptions are below.

use super::{
    migrations::{self, LOCKS, MIGRATING},
    target::Target,
};
use diesel::{
    sql_query,
    sql_types::{Bool, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use octavo_storage_common::OpenError;
use octavo_storage_tables::prepared::Columns;
use std::collections::BTreeSet;

/// Octavo's own tables.
const OWN: &[&str] = &[
    "access_grants",
    "access_requests",
    "api_key_secrets",
    "api_keys",
    "audit_entries",
    "audit_heads",
    "block_references",
    "block_states",
    "blocks",
    "browser_sessions",
    "charts",
    "chores",
    "comment_reactions",
    "comment_references",
    "comment_replies",
    "comments",
    "dashboards",
    "databases",
    "directory",
    "event_cursors",
    "event_heads",
    "event_inbox",
    "events",
    "events_set_aside",
    "favorites",
    "follows",
    "heartbeats",
    "idempotent_replies",
    "invitation_tokens",
    "invitations",
    "invitations_by_email",
    "jobs",
    "memberships",
    "notification_digests",
    "notification_preferences",
    "notifications",
    "oauth_app_secrets",
    "oauth_apps",
    "oauth_codes",
    "oauth_families",
    "oauth_grants",
    "oauth_refresh_tokens",
    "oauth_revoked_tokens",
    "oauth_workspace_grants",
    "one_time_tokens",
    "origins",
    "page_histories",
    "page_versions",
    "page_visits",
    "pages",
    "properties",
    "record_counts",
    "record_links",
    "record_numbers",
    "records",
    "refresh_tokens",
    "sessions",
    "share_links",
    "signing_keys",
    "stream_tickets",
    "team_memberships",
    "teams",
    "user_workspaces",
    "users",
    "views",
    "workspaces",
];

/// Rows that every node needs and that hardly ever change: each node has them all.
const ON_EVERY_NODE: &[&str] = &["heartbeats", "signing_keys"];

/// Tables that are looked up by another column than the first of their key.
const BY_ANOTHER_COLUMN: &[(&str, &str)] = &[("directory", "key")];

/// The tables of the schema, with the first column of their primary keys.
const TABLES: &str = "SELECT c.relname::text, COALESCE((SELECT a.attname::text FROM pg_index AS i \
     JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] \
     WHERE i.indrelid = c.oid AND i.indisprimary), '') \
     FROM pg_class AS c WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1";

/// The references between tables.
const REFERENCES: &str = "SELECT c.relname::text, r.relname::text FROM pg_constraint AS f \
     JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS r ON r.oid = f.confrelid \
     WHERE f.contype = 'f' AND f.connamespace = current_schema()::text::regnamespace";

/// Citus lists declared tables here; those that it only tracks as local do not count.
const DECLARED: &str = "SELECT c.relname::text FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
     WHERE c.relnamespace = current_schema()::text::regnamespace AND (p.partmethod <> 'n' OR p.repmodel = 't')";

/// Declares the tables to Citus that it does not know yet, so that all rows of an owner are on one of its nodes.
/// Returns the statements; with `dry_run` none of them runs.
pub async fn distribute(url: &str, dry_run: bool) -> Result<Vec<String>, OpenError> {
    migrations::migration_status(url).await?.refuse_different()?;
    let mut conn = Target::parse(url)?.connect().await?;
    // Two processes that do this at once would disturb each other. The lock ends with the connection.
    conn.batch_execute(&format!("SELECT pg_advisory_lock({LOCKS}, {MIGRATING})")).await?;
    let has_citus = sql_query("SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'create_distributed_table')");
    let has_citus: bool = has_citus.columns::<Bool>().get_result(&mut conn).await?;
    let declared = if has_citus { sql_query(DECLARED).columns::<Text>().load(&mut conn).await? } else { Vec::new() };
    let references = sql_query(REFERENCES).columns::<(Text, Text)>().load(&mut conn).await?;
    let statements = plan(&owners(&mut conn).await?, &references, &declared.into_iter().collect())?;
    if dry_run {
        return Ok(statements);
    }
    if !has_citus {
        return Err(OpenError::NoCitus);
    }
    // One by one, so that after a failure the next run skips those already declared.
    for statement in &statements {
        let declared = conn.batch_execute(statement).await;
        declared.map_err(|error| OpenError::Undistributable(format!("{statement}: {error}")))?;
    }
    Ok(statements)
}

/// The tables of the database, each with the column that contains the owner of a row.
pub async fn owner_columns(url: &str) -> Result<Vec<(String, String)>, OpenError> {
    owners(&mut Target::parse(url)?.connect().await?).await
}

async fn owners(conn: &mut AsyncPgConnection) -> Result<Vec<(String, String)>, OpenError> {
    let tables: Vec<(String, String)> = sql_query(TABLES).columns::<(Text, Text)>().load(conn).await?;
    let owner = |(table, first): (String, String)| {
        let other = BY_ANOTHER_COLUMN.iter().find(|(known, _)| *known == table);
        let column = other.map_or(first, |(_, column)| (*column).to_owned());
        if column.is_empty() {
            return Err(OpenError::Undistributable(format!("{table} has no primary key")));
        }
        Ok((table, column))
    };
    tables.into_iter().filter(|(table, _)| OWN.contains(&table.as_str())).map(owner).collect()
}

/// The statements for what is not declared yet. A table comes after those it refers to: Citus does not distribute a
/// table that refers to one that is not distributed.
fn plan(
    tables: &[(String, String)],
    references: &[(String, String)],
    declared: &BTreeSet<String>,
) -> Result<Vec<String>, OpenError> {
    let mut statements = Vec::new();
    let mut done = BTreeSet::new();
    let is_on_every_node = |table: &str| ON_EVERY_NODE.contains(&table);
    let (first, mut rest): (Vec<_>, Vec<_>) = tables.iter().partition(|(table, _)| is_on_every_node(table));
    for (table, _) in first {
        done.insert(table.as_str());
        if !declared.contains(table) {
            statements.push(format!("SELECT create_reference_table('{table}')"));
        }
    }
    while !rest.is_empty() {
        let is_ready = |table: &str| {
            let mut referred = references.iter().filter(|(from, to)| from == table && to != table);
            referred.all(|(_, to)| done.contains(to.as_str()))
        };
        let (ready, waiting): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(table, _)| is_ready(table));
        if ready.is_empty() {
            let waiting: Vec<_> = waiting.iter().map(|(table, _)| table.as_str()).collect();
            return Err(OpenError::Undistributable(format!("{} refer to each other", waiting.join(", "))));
        }
        for (table, owner) in ready {
            done.insert(table.as_str());
            if !declared.contains(table) {
                statements.push(format!("SELECT create_distributed_table('{table}', '{owner}')"));
            }
        }
        rest = waiting;
    }
    Ok(statements)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn tables_follow_those_they_refer_to_and_are_declared_once() {
        let tables =
            pairs(&[("blocks", "workspace_id"), ("heartbeats", "id"), ("pages", "workspace_id"), ("users", "id")]);
        let references = pairs(&[("blocks", "pages"), ("pages", "pages")]);
        let all = plan(&tables, &references, &BTreeSet::new()).unwrap();
        let declare = |table, owner| format!("SELECT create_distributed_table('{table}', '{owner}')");
        let expected = [
            "SELECT create_reference_table('heartbeats')".to_owned(),
            declare("pages", "workspace_id"),
            declare("users", "id"),
            declare("blocks", "workspace_id"),
        ];
        assert_eq!(all, expected);
        let declared = ["heartbeats", "pages"].map(str::to_owned).into();
        assert_eq!(plan(&tables, &references, &declared).unwrap(), expected[2..]);
    }

    #[test]
    fn tables_that_refer_to_each_other_are_refused() {
        let circle = pairs(&[("a", "b"), ("b", "a")]);
        let tables = pairs(&[("a", "owner"), ("b", "owner")]);
        assert!(matches!(plan(&tables, &circle, &BTreeSet::new()), Err(OpenError::Undistributable(_))));
    }
}
