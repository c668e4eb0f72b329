//! Reading the caller's own profile, compared with a route that only sends the same number of bytes.

use super::BenchContext;
use crate::account::{Account, CLIENTS};
use crate::bare;
use crate::load::{Load, Request, Until, write_request};
use crate::process;
use crate::rounds::Comparison;
use crate::server::Server;
use crate::table::{Figure, Row, Target, against};
use anyhow::Result;
use std::time::Duration;

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let folder = bench.folder("profile")?;
    let database = bench.engine.database(&folder)?;
    let octavo = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
    let accounts = Account::of_every_client(&octavo)?;
    let bare = Server::bare(accounts[0].profile_bytes(&octavo)?, &folder.join("bare"))?;
    let until = Until::Elapsed(bench.effort.round);
    let profiles = accounts.iter().map(|account| vec![account.read_profile()]).collect();
    let profiles = Load { server: octavo.address, clients: profiles, until };
    let nothing = write_request(&Request { method: "GET", path: bare::PATH, token: None, workspace: None, body: None });
    let nothing = Load { server: bare.address, clients: vec![vec![nothing]; CLIENTS], until };

    let (mut of_octavo, mut of_bare) = (Shares::default(), Shares::default());
    let duel = Comparison::run(
        bench.effort.rounds,
        || of_octavo.around(&octavo, || profiles.run()),
        || of_bare.around(&bare, || nothing.run()),
    )?;
    let least = if bench.engine.name() == "SQLite" { 0.25 } else { 0.2 };
    Ok(vec![Row {
        work: format!("`GET /users/me`, {CLIENTS} clients, against a bare route"),
        engine: bench.engine.name(),
        target: Target::AtLeast(least),
        figure: Figure::Ratio(duel.ratio()),
        detail: format!("{}; cores used: octavo {of_octavo}, bare {of_bare}", against("octavo", "bare", &duel)),
    }])
}

/// The processor time of each process during the rounds.
#[derive(Debug, Default)]
struct Shares {
    server: Duration,
    load: Duration,
    elapsed: Duration,
}

impl Shares {
    fn around<T>(&mut self, server: &Server, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let used =
            || anyhow::Ok((process::processor_time(server.process())?, process::processor_time(std::process::id())?));
        let (before, started) = (used()?, std::time::Instant::now());
        let done = work()?;
        let after = used()?;
        self.server += after.0.saturating_sub(before.0);
        self.load += after.1.saturating_sub(before.1);
        self.elapsed += started.elapsed();
        Ok(done)
    }
}

impl std::fmt::Display for Shares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |time: Duration| time.as_secs_f64() / self.elapsed.as_secs_f64();
        write!(f, "{:.2} with {:.2} for the load", share(self.server), share(self.load))
    }
}
