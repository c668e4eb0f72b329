//! Plain tokio-postgres: a connection and a transaction for each client.

use super::row::{EVENT_COLUMNS, Row, SESSION_COLUMNS};
use super::{CLIENTS, Contender, SerialNumbers, joined};
use crate::engine::{Database, connect, side_by_side, threads};
use crate::sample::Round;
use anyhow::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};

/// How the four statements of a transaction are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Each one is sent after the answer to the previous one, as in any program that uses the answers.
    OneByOne,
    /// All are sent at once, which is possible only if no answer influences the next statement.
    Pipelined,
}

pub(crate) struct RawPostgres {
    runtime: Runtime,
    sessions: Vec<Arc<Prepared>>,
    wire: Wire,
    done: u64,
}

struct Prepared {
    client: Client,
    session: Statement,
    event: Statement,
}

impl RawPostgres {
    /// Opens a database in which the users are registered.
    pub(crate) fn open(database: &Database, wire: Wire) -> Result<Self> {
        let runtime = threads()?;
        let sessions = (0..CLIENTS).map(|_| runtime.block_on(Prepared::open(&database.url)).map(Arc::new));
        Ok(Self { sessions: sessions.collect::<Result<_>>()?, runtime, wire, done: 0 })
    }
}

impl Prepared {
    async fn open(url: &str) -> Result<Self> {
        let client = connect(url).await?;
        let placeholders = |count: usize| (1..=count).map(|index| format!("${index}")).collect::<Vec<_>>().join(", ");
        let session = format!("INSERT INTO sessions ({SESSION_COLUMNS}) VALUES ({})", placeholders(15));
        let event = format!("INSERT INTO event_inbox ({EVENT_COLUMNS}) VALUES ({}, $10::TEXT::JSON)", placeholders(9));
        let (session, event) = (client.prepare(&session).await?, client.prepare(&event).await?);
        Ok(Self { client, session, event })
    }

    async fn insert(&self, row: &Row, wire: Wire) -> Result<(), Error> {
        match wire {
            Wire::OneByOne => {
                self.client.batch_execute("BEGIN").await?;
                self.insert_session(row).await?;
                self.insert_event(row).await?;
                self.client.batch_execute("COMMIT").await
            }
            Wire::Pipelined => {
                let (begin, commit) = (self.client.batch_execute("BEGIN"), self.client.batch_execute("COMMIT"));
                let all = tokio::try_join!(biased; begin, self.insert_session(row), self.insert_event(row), commit);
                all.map(drop)
            }
        }
    }

    async fn insert_session(&self, row: &Row) -> Result<u64, Error> {
        let nothing = None::<String>;
        let no_time = None::<i64>;
        let values: [&(dyn ToSql + Sync); 15] = [
            &row.user,
            &row.session,
            &row.session_kind,
            &row.workspace,
            &row.user_agent,
            &row.address,
            &row.proofs,
            &row.created_at,
            &row.created_at,
            &row.created_at,
            &row.expires_at,
            &row.absolute_end,
            &no_time,
            &nothing,
            &row.expires_at,
        ];
        self.client.execute(&self.session, &values).await
    }

    async fn insert_event(&self, row: &Row) -> Result<u64, Error> {
        let values: [&(dyn ToSql + Sync); 10] = [
            &row.log,
            &row.event,
            &row.event_kind,
            &row.occurred_at,
            &row.actor_kind,
            &row.actor,
            &row.resource_kind,
            &row.resource,
            &None::<i64>,
            &row.details,
        ];
        self.client.execute(&self.event, &values).await
    }
}

impl Contender for RawPostgres {
    fn round(&mut self, time: Duration) -> Result<Round> {
        let started = Instant::now();
        let clients = (0..CLIENTS).zip(&self.sessions).map(|(client, prepared)| {
            let mut turns = SerialNumbers::of(client, self.done, started + time);
            let (prepared, wire) = (Arc::clone(prepared), self.wire);
            async move {
                while let Some((serial, since)) = turns.next() {
                    prepared.insert(&Row::of(serial), wire).await?;
                    turns.done(since);
                }
                Ok(turns)
            }
        });
        let clients = self.runtime.block_on(side_by_side(clients))?;
        Ok(joined(started, clients, &mut self.done))
    }
}
