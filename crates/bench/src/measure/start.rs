//! The time from starting the process to the first 200, with existing data.

use super::BenchContext;
use crate::engine::Database;
use crate::sample::percentile;
use crate::server::Server;
use crate::table::{Figure, Row, Target};
use anyhow::Result;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) fn row(bench: &BenchContext<'_>, folder: &Path, database: &Database, accounts: u64) -> Result<Row> {
    let mut times = Vec::new();
    for _ in 0..bench.effort.starts {
        let started = Instant::now();
        let server = Server::octavo(bench.octavo, folder, Some(&database.url))?;
        server.wait_until_ready()?;
        times.push(started.elapsed());
        server.stop()?;
    }
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let slowest = percentile(&mut times, 1.0);
    Ok(Row {
        work: format!("start on data of {accounts} accounts to the first 200 of `/health/ready`"),
        engine: bench.engine.name(),
        // How fast PostgreSQL accepts a connection varies; the target is for the embedded engine.
        target: if bench.engine.name() == "SQLite" { Target::Within(Duration::from_millis(200)) } else { Target::None },
        figure: Figure::Time(percentile(&mut times, 0.5)),
        detail: format!(
            "median of {}, fastest {:.0}, slowest {:.0} ms",
            times.len(),
            millis(times[0]),
            millis(slowest)
        ),
    })
}
