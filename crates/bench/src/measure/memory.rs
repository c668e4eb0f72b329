//! The memory of an idle server.

use super::BenchContext;
use crate::account::{Account, CLIENTS};
use crate::load::{Load, Until};
use crate::process;
use crate::server::Server;
use crate::table::{Figure, MEGABYTE, Row, Target};
use anyhow::Result;
use std::time::Duration;

const REQUESTS: usize = 1000;
const QUIET: Duration = Duration::from_secs(6);

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let folder = bench.folder("memory")?;
    let database = bench.engine.database(&folder)?;
    let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
    server.wait_until_ready()?;
    let at_start = process::memory(server.process())?;
    let account = Account::register(&server, 0)?;
    let clients = vec![vec![account.read_profile()]; CLIENTS];
    Load { server: server.address, clients, until: Until::Done(REQUESTS.div_ceil(CLIENTS)) }.run()?;
    let idle = server.settled_memory(QUIET)?;
    Ok(vec![Row {
        work: format!("memory when idle, after a registration and {REQUESTS} requests"),
        engine: bench.engine.name(),
        target: Target::Below(40 * MEGABYTE),
        figure: Figure::Bytes(idle.resident),
        detail: format!(
            "{} of it heaps and stacks; right after the start {}",
            Figure::Bytes(idle.anonymous),
            Figure::Bytes(at_start.resident)
        ),
    }])
}
