//! Writing the inbox of events and the audit trail.
//!
//! One statement for any number of rows, always with the same text: a `VALUES` list would be prepared anew for each
//! length.

use super::connection::Conn;
use diesel::{
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Json, Nullable, Text},
};
use diesel_async::RunQueryDsl;
use octavo_storage_tables::{
    rows::log::{AuditEntryRow, EventRow},
    stored::Stored,
};
use serde_json::Value;

/// Writes events without numbers; the numbering task assigns them after the commit.
pub async fn insert_events(conn: &mut Conn, rows: Vec<EventRow>) -> QueryResult<()> {
    let mut insert = InsertEvents::default();
    for row in rows {
        insert.workspace_ids.push(row.workspace_id.0.to_string());
        insert.ids.push(row.id.0.to_string());
        insert.kinds.push(row.kind);
        insert.occurred_at.push(row.occurred_at);
        insert.actor_types.push(row.actor_type);
        insert.actor_ids.push(row.actor_id);
        insert.resource_types.push(row.resource_type);
        insert.resource_ids.push(row.resource_id);
        insert.versions.push(row.version);
        insert.details.push(row.details);
        insert.on_behalf_of.push(text_of(row.on_behalf_of));
        insert.page_ids.push(text_of(row.page_id));
        insert.database_ids.push(text_of(row.database_id));
        insert.record_ids.push(text_of(row.record_id));
        insert.team_ids.push(text_of(row.team_id));
    }
    insert.execute(conn).await.map(drop)
}

fn text_of(id: Option<Stored<impl ToString>>) -> Option<String> {
    id.map(|id| id.0.to_string())
}

#[derive(Default, QueryId)]
struct InsertEvents {
    workspace_ids: Vec<String>,
    ids: Vec<String>,
    kinds: Vec<&'static str>,
    occurred_at: Vec<i64>,
    actor_types: Vec<&'static str>,
    actor_ids: Vec<Option<String>>,
    resource_types: Vec<&'static str>,
    resource_ids: Vec<String>,
    versions: Vec<Option<i64>>,
    details: Vec<Value>,
    on_behalf_of: Vec<Option<String>>,
    page_ids: Vec<Option<String>>,
    database_ids: Vec<Option<String>>,
    record_ids: Vec<Option<String>>,
    team_ids: Vec<Option<String>>,
}

impl QueryFragment<Pg> for InsertEvents {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "INSERT INTO event_inbox (workspace_id, id, type, occurred_at, actor_type, actor_id, resource_type, \
             resource_id, version, details, on_behalf_of, page_id, database_id, record_id, team_id) \
             SELECT a, b, c, d, e, f, g, h, i, j, k, l, m, n, o FROM unnest(",
        );
        out.push_bind_param::<Array<Text>, _>(&self.workspace_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.kinds)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.occurred_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.actor_types)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.actor_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.resource_types)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.resource_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<BigInt>>, _>(&self.versions)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Json>, _>(&self.details)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.on_behalf_of)?;
        for ids in [&self.page_ids, &self.database_ids, &self.record_ids, &self.team_ids] {
            out.push_sql(", ");
            out.push_bind_param::<Array<Nullable<Text>>, _>(ids)?;
        }
        out.push_sql(") WITH ORDINALITY AS t (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, place) ORDER BY place");
        Ok(())
    }
}

pub async fn insert_audit_entries(conn: &mut Conn, rows: Vec<AuditEntryRow>) -> QueryResult<()> {
    let mut insert = InsertAuditEntries::default();
    for row in rows {
        insert.chains.push(row.chain);
        insert.ids.push(row.id.0.to_string());
        insert.at.push(row.at);
        insert.actions.push(row.action);
        insert.actors.push(row.actor);
        insert.targets.push(row.target);
        insert.outcomes.push(row.outcome);
        insert.reasons.push(row.reason);
        insert.request_ids.push(row.request_id);
        insert.pii.push(row.pii);
        insert.salts.push(row.salt);
        insert.digests.push(row.pii_digest);
        insert.actor_types.push(row.actor_type);
        insert.actor_ids.push(row.actor_id);
        insert.target_types.push(row.target_type);
        insert.target_ids.push(row.target_id);
        insert.ips.push(row.ip);
        insert.about.push(row.about.map(|user| user.0.to_string()));
    }
    insert.execute(conn).await.map(drop)
}

#[derive(Default, QueryId)]
struct InsertAuditEntries {
    chains: Vec<String>,
    ids: Vec<String>,
    at: Vec<i64>,
    actions: Vec<&'static str>,
    actors: Vec<Value>,
    targets: Vec<Value>,
    outcomes: Vec<&'static str>,
    reasons: Vec<Option<&'static str>>,
    request_ids: Vec<Option<String>>,
    pii: Vec<Value>,
    salts: Vec<String>,
    digests: Vec<String>,
    actor_types: Vec<&'static str>,
    actor_ids: Vec<Option<String>>,
    target_types: Vec<&'static str>,
    target_ids: Vec<String>,
    ips: Vec<Option<String>>,
    about: Vec<Option<String>>,
}

impl QueryFragment<Pg> for InsertAuditEntries {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "INSERT INTO audit_entries (chain, id, at, action, actor, target, outcome, reason, request_id, pii, salt, \
             pii_digest, actor_type, actor_id, target_type, target_id, ip, about) SELECT * FROM unnest(",
        );
        out.push_bind_param::<Array<Text>, _>(&self.chains)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.actions)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Json>, _>(&self.actors)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Json>, _>(&self.targets)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.outcomes)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.reasons)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.request_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Json>, _>(&self.pii)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.salts)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.digests)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.actor_types)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.actor_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.target_types)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.target_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.ips)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.about)?;
        out.push_sql(")");
        Ok(())
    }
}
