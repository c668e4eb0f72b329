//! Queries over many records.

use super::BenchContext;
use crate::account::Account;
use crate::contacts::Contacts;
use crate::engine::Database;
use crate::load::Load;
use crate::process;
use crate::sample::Series;
use crate::server::Server;
use crate::table::{Figure, MEGABYTE, Row, Target, alone};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const RECORDS: u64 = 100_000;
const CLIENTS: usize = 8;
const WRITERS: usize = 16;
/// How many records come before the page that is far behind the first.
const FAR: u64 = 90_000;

struct Setup<'a> {
    bench: &'a BenchContext<'a>,
    folder: PathBuf,
    database: Database,
    server: Server,
    /// One account for each client, because each has limits of its own.
    account: Account,
    contacts: Contacts,
}

impl<'a> Setup<'a> {
    fn set(bench: &'a BenchContext<'a>) -> Result<Self> {
        let folder = bench.folder("queries")?;
        let database = bench.engine.database(&folder)?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        let account = Account::register(&server, 0)?;
        let contacts = Contacts::with_computed(&server, &account)?;
        contacts.fill(&server, &account, RECORDS)?;
        database.analyze()?;
        Ok(Self { bench, folder, database, server, account, contacts })
    }

    fn load(&self, clients: usize, query: &Value) -> Load {
        let path = self.contacts.path("query");
        let request = self.account.post_in(self.account.workspace, &path, &query.to_string());
        self.bench.load(&self.server, clients, &[request])
    }

    /// How long the query takes 95 of 100 times.
    fn within(&self, what: &str, millis: u64, query: &Value) -> Result<Row> {
        let load = self.load(CLIENTS, query);
        // The first round is a warm-up and does not count.
        load.run()?;
        let rounds = (0..self.bench.effort.rounds).map(|_| load.run()).collect::<Result<Vec<_>>>()?;
        let series = Series(rounds);
        Ok(Row {
            work: format!("{what}, {RECORDS} records, {CLIENTS} clients, p95"),
            engine: self.bench.engine.name(),
            target: Target::Within(Duration::from_millis(millis)),
            figure: Figure::Time(series.percentile(0.95)),
            detail: alone(&series),
        })
    }

    fn amount_above(&self, amount: u64) -> Value {
        json!({ "propertyId": self.contacts.property("Amount"), "op": "greater_than", "value": { "value": amount } })
    }

    fn note_contains(&self, word: &str) -> Value {
        let filter =
            json!({ "propertyId": self.contacts.property("Note"), "op": "contains", "value": { "text": word } });
        json!({ "filter": filter })
    }

    fn sorted_by(&self, property: &str) -> Value {
        json!([{ "propertyId": self.contacts.property(property), "direction": "desc" }])
    }

    fn filtered_and_sorted(&self) -> Value {
        json!({ "filter": self.amount_above(5_000), "sort": self.sorted_by("Due") })
    }

    /// The query for a page far behind the first.
    fn far_behind(&self) -> Result<Value> {
        let path = self.contacts.path("query");
        let sort = self.sorted_by("Amount");
        let (mut cursor, mut passed) = (Value::Null, 0);
        while passed < FAR {
            let query = json!({ "sort": sort, "pageSize": 200, "cursor": cursor }).to_string();
            let page = self.account.reply(&self.server, "POST", &path, Some(&query))?;
            cursor = page["nextCursor"].clone();
            passed += page["data"].as_array().context("no records")?.len() as u64;
        }
        Ok(json!({ "sort": sort, "pageSize": 50, "cursor": cursor }))
    }

    /// Queries while others write to the same database.
    fn while_others_write(&self) -> Result<Row> {
        let requests: Vec<_> = (0..WRITERS as u64)
            .map(|writer| self.contacts.creations(&self.account, (0..50).map(|at| RECORDS + writer * 50 + at)))
            .collect();
        let queries = self.load(CLIENTS, &self.filtered_and_sorted());
        let writes = Load { clients: requests, ..queries.clone() };
        let rounds = (0..self.bench.effort.rounds).map(|_| {
            std::thread::scope(|scope| {
                let writing = scope.spawn(|| writes.run());
                let round = queries.run();
                writing.join().map_err(|_| anyhow::anyhow!("the writers panicked"))??;
                round
            })
        });
        let series = Series(rounds.collect::<Result<Vec<_>>>()?);
        Ok(Row {
            work: format!(
                "filter, sort and first 50 while {WRITERS} clients create records, {RECORDS} records, {CLIENTS} clients, p95"
            ),
            engine: self.bench.engine.name(),
            target: Target::Within(Duration::from_millis(10)),
            figure: Figure::Time(series.percentile(0.95)),
            detail: alone(&series),
        })
    }

    /// The first query after a start, and the memory that the table takes.
    fn cold(self) -> Result<Vec<Row>> {
        let Self { bench, folder, database, server, account, contacts } = self;
        server.stop()?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        server.wait_until_ready()?;
        let before = process::memory(server.process())?;
        let (path, started) = (contacts.path("query"), Instant::now());
        account.reply(&server, "POST", &path, Some(r#"{"pageSize":1}"#))?;
        let elapsed = started.elapsed();
        let after = server.settled_memory(Duration::from_secs(6))?;
        let engine = bench.engine.name();
        let first = Row {
            work: format!("first query after a start, {RECORDS} records of 12 properties"),
            engine,
            target: Target::None,
            figure: Figure::Time(elapsed),
            detail: String::new(),
        };
        let memory = Row {
            work: format!("memory of {RECORDS} records of 12 properties"),
            engine,
            target: Target::Below(60 * MEGABYTE),
            figure: Figure::Bytes(after.anonymous.saturating_sub(before.anonymous)),
            detail: format!("{} resident in all", Figure::Bytes(after.resident)),
        };
        Ok(vec![first, memory])
    }
}

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let stage = Setup::set(bench)?;
    let contacts = &stage.contacts;
    let above = |property: &str, value: u64| json!({ "propertyId": contacts.property(property), "op": "greater_than", "value": { "value": value } });
    let sum = json!([{ "propertyId": "*", "fn": "COUNT" }, { "propertyId": contacts.property("Amount"), "fn": "SUM" }]);
    let group = json!([{ "propertyId": contacts.property("Stage") }]);
    let grouped = json!({ "group": group, "aggregate": sum, "perGroup": true, "pageSize": 1 });
    let formula = json!({ "filter": above("Total", 20_000), "sort": stage.sorted_by("Total") });
    let mut rows = vec![
        stage.within("filter, sort and first 50", 5, &stage.filtered_and_sorted())?,
        stage.within("text contains a rare word, first 50", 10, &stage.note_contains("zeppelin"))?,
        stage.within("text contains a common word, first 50", 10, &stage.note_contains("invoice"))?,
        stage.within("group by select with counts and sums", 5, &grouped)?,
        stage.within("sorted, the page after 90,000 records", 5, &stage.far_behind()?)?,
        stage.within("filtered and sorted by a formula", 30, &formula)?,
        stage.within("sorted by a rollup", 15, &json!({ "sort": stage.sorted_by("Size") }))?,
        stage.while_others_write()?,
    ];
    rows.extend(stage.cold()?);
    Ok(rows)
}
