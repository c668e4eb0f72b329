//! Rows of a table with ten typed columns, each durable with its event, written by concurrent clients without the store.

use super::{CLIENTS, Contender, SerialNumbers, joined};
use crate::engine::{Database, Engine, connect, side_by_side, threads};
use crate::sample::Round;
use anyhow::{Context as _, Result, anyhow};
use rusqlite::{Connection, params};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio_postgres::{Client, Statement, types::ToSql};

/// The size of Octavo's own groups.
const GROUP: usize = 64;

/// What somebody would create who needs this one database only, and a log of its changes.
const TABLES: &str = "CREATE TABLE raw_contacts (id TEXT PRIMARY KEY, name TEXT NOT NULL, note TEXT, amount DOUBLE PRECISION, \
    stage TEXT, tags TEXT, due TEXT, done BOOLEAN, mail TEXT, site TEXT, phone TEXT, created_at BIGINT NOT NULL); \
    CREATE TABLE raw_events (id TEXT PRIMARY KEY, contact TEXT NOT NULL, occurred_at BIGINT NOT NULL, details TEXT NOT NULL)";
const NOW: i64 = 1_790_000_000_000;

fn insert_into(table: &str, columns: usize) -> String {
    let places = (1..=columns).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    format!("INSERT INTO {table} VALUES ({places})")
}

/// The texts of a contact.
pub(crate) struct Contact {
    id: String,
    name: String,
    note: String,
    amount: f64,
    mail: String,
    site: String,
    phone: String,
    details: String,
}

impl Contact {
    fn of(serial: u64) -> Self {
        // Distributed like random ids, so that consecutive ones are not neighbours in the index.
        let id = format!("rpt_{:016X}{serial:010}", serial.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let name = format!("Contact {serial}");
        let details = format!(
            r#"{{"recordId":"{id}","changedFields":["Name","Note","Amount","Stage","Tags","Due","Done","Mail"]}}"#
        );
        Self {
            note: format!("Notes on the meeting of contact {serial}, written after the visit in spring"),
            amount: f64::from(u32::try_from(serial % 10_007).unwrap_or(0)),
            mail: format!("contact{serial}@example.com"),
            site: format!("https://example.com/contacts/{serial}"),
            phone: format!("+49 30 {serial:08}"),
            id,
            name,
            details,
        }
    }
}

const STAGE: &str = "opt-new";
const TAGS: &str = "opt-red,opt-small";
const DUE: &str = "2026-05-17";

pub(crate) enum RawRecords {
    Sqlite { requests: mpsc::Sender<(Contact, oneshot::Sender<()>)>, runtime: Runtime, done: u64 },
    Postgres { clients: Vec<Arc<Prepared>>, runtime: Runtime, done: u64 },
}

pub(crate) struct Prepared {
    client: Client,
    contact: Statement,
    event: Statement,
}

impl RawRecords {
    /// Creates the tables beside those of Octavo.
    pub(crate) fn open(engine: &Engine, database: &Database) -> Result<Self> {
        let runtime = threads()?;
        if let Engine::Sqlite = engine {
            let file = database.url.strip_prefix("sqlite:").context("not a file")?;
            let folder = Path::new(file).parent().context("a file without a folder")?;
            let connection = Connection::open(folder.join("raw-records.db"))?;
            connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
            connection.execute_batch(TABLES)?;
            let (requests, queue) = mpsc::channel();
            std::thread::spawn(move || write(&connection, &queue));
            return Ok(Self::Sqlite { requests, runtime, done: 0 });
        }
        let clients = runtime.block_on(async {
            connect(&database.url).await?.batch_execute(TABLES).await?;
            let mut clients = Vec::new();
            for _ in 0..CLIENTS {
                let client = connect(&database.url).await?;
                let contact = client.prepare(&insert_into("raw_contacts", 12)).await?;
                let event = client.prepare(&insert_into("raw_events", 4)).await?;
                clients.push(Arc::new(Prepared { client, contact, event }));
            }
            anyhow::Ok(clients)
        })?;
        Ok(Self::Postgres { clients, runtime, done: 0 })
    }
}

/// Writes what clients send and commits when nobody waits.
fn write(connection: &Connection, queue: &mpsc::Receiver<(Contact, oneshot::Sender<()>)>) -> Result<()> {
    let mut contact = connection.prepare(&insert_into("raw_contacts", 12))?;
    let mut event = connection.prepare(&insert_into("raw_events", 4))?;
    while let Ok(first) = queue.recv() {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let (mut next, mut group) = (Some(first), Vec::with_capacity(GROUP));
        while let Some((row, durable)) = next {
            contact.execute(params![
                row.id, row.name, row.note, row.amount, STAGE, TAGS, DUE, true, row.mail, row.site, row.phone, NOW
            ])?;
            event.execute(params![format!("evt_{}", row.id), row.id, NOW, row.details])?;
            group.push(durable);
            next = if group.len() < GROUP { queue.try_recv().ok() } else { None };
        }
        connection.execute_batch("COMMIT")?;
        for durable in group {
            let _ = durable.send(());
        }
    }
    Ok(())
}

impl Prepared {
    async fn insert(&self, row: &Contact) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute("BEGIN").await?;
        let values: [&(dyn ToSql + Sync); 12] = [
            &row.id,
            &row.name,
            &row.note,
            &row.amount,
            &STAGE,
            &TAGS,
            &DUE,
            &true,
            &row.mail,
            &row.site,
            &row.phone,
            &NOW,
        ];
        self.client.execute(&self.contact, &values).await?;
        self.client.execute(&self.event, &[&format!("evt_{}", row.id), &row.id, &NOW, &row.details]).await?;
        self.client.batch_execute("COMMIT").await
    }
}

impl Contender for RawRecords {
    fn round(&mut self, time: Duration) -> Result<Round> {
        let started = Instant::now();
        match self {
            Self::Sqlite { requests, runtime, done } => {
                let clients = (0..CLIENTS).map(|client| {
                    let (mut turns, requests) = (SerialNumbers::of(client, *done, started + time), requests.clone());
                    async move {
                        while let Some((serial, since)) = turns.next() {
                            let (durable, committed) = oneshot::channel();
                            let sent = requests.send((Contact::of(serial), durable));
                            sent.map_err(|_| anyhow!("the writer ended"))?;
                            committed.await.map_err(|_| anyhow!("the writer failed"))?;
                            turns.done(since);
                        }
                        Ok(turns)
                    }
                });
                Ok(joined(started, runtime.block_on(side_by_side(clients))?, done))
            }
            Self::Postgres { clients, runtime, done } => {
                let clients = (0..CLIENTS).zip(&*clients).map(|(client, prepared)| {
                    let (mut turns, prepared) =
                        (SerialNumbers::of(client, *done, started + time), Arc::clone(prepared));
                    async move {
                        while let Some((serial, since)) = turns.next() {
                            prepared.insert(&Contact::of(serial)).await?;
                            turns.done(since);
                        }
                        Ok(turns)
                    }
                });
                Ok(joined(started, runtime.block_on(side_by_side(clients))?, done))
            }
        }
    }
}
