//! The rows of the table, one file for each kind of work.

mod blocks;
mod imports;
mod inserts;
mod memory;
mod neighbours;
mod pages;
mod profile;
mod queries;
mod records;
mod start;

use crate::engine::Engine;
use crate::load::{Load, Until};
use crate::options::{Plan, TimeBudget};
use crate::server::Server;
use crate::table::{Figure, Row, Target};
use crate::{machine, table};
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The common context of all measurements.
#[derive(Debug)]
struct BenchContext<'a> {
    octavo: &'a Path,
    engine: &'a Engine,
    /// The folder for new data of this engine.
    folder: PathBuf,
    effort: TimeBudget,
}

type Measure = fn(&BenchContext<'_>) -> Result<Vec<Row>>;

const WORK: [(&str, Measure); 9] = [
    ("profile", profile::rows),
    ("inserts", inserts::rows),
    ("neighbours", neighbours::rows),
    ("pages", pages::rows),
    ("blocks", blocks::rows),
    ("records", records::rows),
    ("queries", queries::rows),
    ("imports", imports::rows),
    ("memory", memory::rows),
];

pub(crate) fn run(plan: &Plan) -> Result<()> {
    let is_known = |only: &String| WORK.iter().any(|(name, _)| name == only);
    if let Some(only) = plan.only.as_ref().filter(|only| !is_known(only)) {
        bail!("no kind of work is called {only}");
    }
    let postgres = plan.postgres.as_deref().map(Engine::postgres);
    let engines = plan.sqlite.then_some(Engine::Sqlite).into_iter().chain(postgres).collect::<Vec<_>>();
    fs::create_dir_all(&plan.scratch)?;
    let mut rows = vec![binary_size(&plan.octavo)?];
    for engine in &engines {
        let folder = plan.scratch.join(format!("octavo-bench-{}", std::process::id()));
        let bench = BenchContext { octavo: &plan.octavo, engine, folder: folder.clone(), effort: plan.effort };
        let measured = bench.rows(plan.only.as_deref());
        fs::remove_dir_all(folder)?;
        rows.extend(measured?);
    }
    let sync = machine::sync_time(&plan.scratch)?;
    println!("{}, a durable write of 4 KiB takes {:.2} ms  ", machine::describe(), sync.as_secs_f64() * 1000.0);
    for engine in &engines {
        if let Some(description) = engine.describe()? {
            println!("{description}  ");
        }
    }
    println!("{} rounds of {:?} each, contenders in turn\n", plan.effort.rounds, plan.effort.round);
    print!("{}", table::markdown(&rows));
    Ok(())
}

fn binary_size(octavo: &Path) -> Result<Row> {
    let bytes = fs::metadata(octavo)?.len();
    Ok(Row {
        work: "size of the binary".to_owned(),
        engine: "both",
        target: Target::None,
        figure: Figure::Bytes(bytes),
        detail: String::new(),
    })
}

impl BenchContext<'_> {
    fn rows(&self, only: Option<&str>) -> Result<Vec<Row>> {
        let wanted = WORK.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
        let rows = wanted.map(|(_, measure)| measure(self)).collect::<Result<Vec<_>>>()?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// An empty folder on the disk that is measured.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        eprintln!("measuring {name} on {}", self.engine.name());
        let folder = self.folder.join(format!("{name}-{}", self.engine.name()));
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Clients that send the same requests in turn for one round.
    fn load(&self, server: &Server, clients: usize, requests: &[Vec<u8>]) -> Load {
        let until = Until::Elapsed(self.effort.round);
        Load { server: server.address, clients: vec![requests.to_vec(); clients], until }
    }
}
