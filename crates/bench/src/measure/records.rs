//! Loading many records, and creating, reading, changing and deleting single ones among them.

use super::BenchContext;
use crate::account::{Account, CLIENTS};
use crate::contacts::Contacts;
use crate::engine::Database;
use crate::insert::{Contender as _, RawRecords};
use crate::load::{Load, Until};
use crate::process;
use crate::rounds::Comparison;
use crate::sample::{Round, Series};
use crate::server::Server;
use crate::table::{Figure, Row, Target, against, alone};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const RECORDS: u64 = 100_000;
/// How many rows of a CSV file are imported at once; the file must stay below 5 MB.
const CSV_ROWS: u64 = 20_000;
/// How many different records a client creates, reads or changes in turn.
const VARIED: u64 = 40;
const DELETED: usize = 100;

struct Setup<'a> {
    bench: &'a BenchContext<'a>,
    server: Server,
    account: Account,
    contacts: Contacts,
    /// A database of the same kind with few records.
    few: Contacts,
    database: Database,
}

impl Setup<'_> {
    fn row(&self, work: String, target: Target, figure: Figure, detail: String) -> Row {
        Row { work, engine: self.bench.engine.name(), target, figure, detail }
    }

    fn load(&self, clients: Vec<Vec<Vec<u8>>>) -> Load {
        Load { server: self.server.address, clients, until: Until::Elapsed(self.bench.effort.round) }
    }

    fn measured(&self, load: &Load) -> Result<Series> {
        // The first round is a warm-up and does not count.
        load.run()?;
        Ok(Series((0..self.bench.effort.rounds).map(|_| load.run()).collect::<Result<_>>()?))
    }

    /// Fills the database, and returns what that cost.
    fn bulk_load(&self) -> Result<Row> {
        let used = process::processor_time(self.server.process())?;
        let round = self.contacts.fill(&self.server, &self.account, RECORDS)?;
        let used = process::processor_time(self.server.process())?.saturating_sub(used);
        let memory = process::memory(self.server.process())?;
        self.database.analyze()?;
        let seconds = if self.bench.engine.name() == "SQLite" { 12 } else { 20 };
        Ok(self.row(
            format!("bulk load of {RECORDS} records of 10 properties through the API"),
            Target::Within(Duration::from_secs(seconds)),
            Figure::Time(round.elapsed),
            format!(
                "{:.0} records/s, {:.0} us of processor time each, then {} resident",
                round.per_second() * 200.0,
                used.as_secs_f64() * 1e6 / 100_000.0,
                Figure::Bytes(memory.resident)
            ),
        ))
    }

    fn csv_import(&self) -> Result<Row> {
        let mut text = String::from("Name,Note,Amount,Stage,Due,Done,Mail,Site,Phone,City\n");
        for number in 0..CSV_ROWS {
            let _ = writeln!(
                text,
                "Contact {number},Notes on the meeting of contact {number} in spring,{},New,2026-05-{:02},{},contact{number}@example.com,https://example.com/contacts/{number},+49 30 {number:08},Berlin",
                number % 10_007,
                1 + number % 28,
                number.is_multiple_of(3),
            );
        }
        let body = json!({ "format": "csv", "title": "Imported", "content": text }).to_string();
        let started = Instant::now();
        self.account.answer(&self.server, "POST", "/api/v1/pages/import", Some(&body))?;
        let elapsed = started.elapsed();
        let per_second = f64::from(u32::try_from(CSV_ROWS)?) / elapsed.as_secs_f64();
        Ok(self.row(
            format!("CSV import of {CSV_ROWS} rows of 10 columns"),
            Target::None,
            Figure::Time(elapsed),
            format!("{per_second:.0} rows/s"),
        ))
    }

    fn creations(&self, contacts: &Contacts, clients: usize) -> Load {
        let numbers = |client: usize| (0..VARIED).map(move |at| RECORDS + client as u64 * VARIED + at);
        self.load((0..clients).map(|client| contacts.creations(&self.account, numbers(client))).collect())
    }

    /// Creating single records, against rows of a typed table that are committed in groups.
    fn creating(&self) -> Result<Vec<Row>> {
        let mut raw = RawRecords::open(self.bench.engine, &self.database)?;
        let (time, creating) = (self.bench.effort.round, self.creations(&self.contacts, CLIENTS));
        let duel = Comparison::run(self.bench.effort.rounds, || creating.run(), || raw.round(time))?;
        let least = if self.bench.engine.name() == "SQLite" { 0.25 } else { 1.0 / 3.0 };
        let mut rows = vec![self.row(
            format!("create one record of 10 properties, durable, {CLIENTS} clients, against rows of a typed table"),
            Target::AtLeast(least),
            Figure::Ratio(duel.ratio()),
            against("octavo", "raw", &duel),
        )];
        for clients in [1, 8] {
            let series = self.measured(&self.creations(&self.contacts, clients))?;
            rows.push(self.timed(format!("create one record, {clients} clients, p95"), &series));
        }
        let (many, few) = (self.creations(&self.contacts, 1), self.creations(&self.few, 1));
        let duel = Comparison::run(self.bench.effort.rounds, || many.run(), || few.run())?;
        rows.push(self.row(
            format!("create one record among {RECORDS} and among few, one client"),
            Target::AtLeast(0.8),
            Figure::Ratio(duel.ratio()),
            against("many", "few", &duel),
        ));
        Ok(rows)
    }

    fn timed(&self, work: String, series: &Series) -> Row {
        self.row(work, Target::None, Figure::Time(series.percentile(0.95)), alone(series))
    }

    /// The ids of records from the beginning of the database.
    fn some_records(&self) -> Result<Vec<String>> {
        let (mut ids, mut cursor) = (Vec::new(), String::new());
        while ids.len() < CLIENTS * (DELETED + usize::try_from(VARIED)?) {
            let path = self.contacts.path(&format!("records?pageSize=1000{cursor}"));
            let page = self.account.reply(&self.server, "GET", &path, None)?;
            let records = page["data"].as_array().context("no records")?;
            ids.extend(records.iter().filter_map(|record| record["id"].as_str().map(str::to_owned)));
            cursor = format!("&cursor={}", page["nextCursor"].as_str().context("too few records")?);
        }
        Ok(ids)
    }

    fn single_ones(&self) -> Result<Vec<Row>> {
        let ids = self.some_records()?;
        let (account, workspace) = (&self.account, self.account.workspace);
        let of_client = |make: &dyn Fn(&str) -> Vec<u8>| -> Vec<Vec<Vec<u8>>> {
            let share = usize::try_from(VARIED).unwrap_or(1);
            ids.chunks(share).take(CLIENTS).map(|ids| ids.iter().map(|id| make(id)).collect()).collect()
        };
        let path = |id: &str| format!("/api/v1/records/{id}");
        let reading = self.load(of_client(&|id| account.read_in(workspace, &path(id))));
        let profile = self.load(vec![vec![account.read_profile()]; CLIENTS]);
        let duel = Comparison::run(self.bench.effort.rounds, || reading.run(), || profile.run())?;
        let read = self.row(
            format!("read one record of 10 properties, {CLIENTS} clients, against `GET /users/me`"),
            Target::AtLeast(0.5),
            Figure::Ratio(duel.ratio()),
            against("record", "profile", &duel),
        );
        let amount = self.contacts.property("Amount").to_owned();
        let change = |id: &str, value: u64| {
            let body = json!({ "properties": { &amount: { "value": value } } }).to_string();
            account.patch_in(workspace, &path(id), &body)
        };
        let there = of_client(&|id| change(id, 1));
        let back = of_client(&|id| change(id, 2));
        let changing = there.into_iter().zip(back).map(|(there, back)| there.into_iter().chain(back).collect());
        let series = self.measured(&self.load(changing.collect()))?;
        let one_changed = self.timed(format!("change one property of a record, {CLIENTS} clients, p95"), &series);
        let delete = |id: &String| {
            let body: Value = json!({ "confirm": id });
            account.delete_in(workspace, &path(id), &body.to_string())
        };
        let last = ids.rchunks(DELETED).take(CLIENTS).map(|ids| ids.iter().map(delete).collect());
        let deleting = Load { server: self.server.address, clients: last.collect(), until: Until::Done(DELETED) };
        let deleted: Round = deleting.run()?;
        let deleted = self.timed(format!("delete a record, {CLIENTS} clients, p95"), &Series(vec![deleted]));
        Ok(vec![read, one_changed, deleted])
    }
}

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let folder = bench.folder("records")?;
    let database = bench.engine.database(&folder)?;
    let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
    let account = Account::register(&server, 0)?;
    let contacts = Contacts::create(&server, &account)?;
    let few = Contacts::create(&server, &account)?;
    let stage = Setup { bench, server, account, contacts, few, database };
    let mut rows = vec![stage.bulk_load()?, stage.csv_import()?];
    rows.extend(stage.creating()?);
    rows.extend(stage.single_ones()?);
    Ok(rows)
}
