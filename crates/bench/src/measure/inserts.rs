//! One durable row with its event, compared with the raw engine.

use super::BenchContext;
use crate::engine::Engine;
use crate::insert::{CLIENTS, Contender, RawPostgres, RawSqlite, ThroughStore, Wire};
use crate::rounds::Comparison;
use crate::table::{Figure, Row, Target, against};
use anyhow::Result;

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    match bench.engine {
        Engine::Sqlite => Ok(vec![row(bench, 0.6, "rusqlite with group commit", |database| {
            Ok(Box::new(RawSqlite::open(database)?))
        })?]),
        Engine::Postgres(_) => Ok(vec![
            row(bench, 0.5, "tokio-postgres, statement by statement", |database| {
                Ok(Box::new(RawPostgres::open(database, Wire::OneByOne)?))
            })?,
            Row {
                target: Target::None,
                ..row(bench, 0.5, "tokio-postgres, all statements in one flight", |database| {
                    Ok(Box::new(RawPostgres::open(database, Wire::Pipelined)?))
                })?
            },
        ]),
    }
}

type Open = fn(&crate::engine::Database) -> Result<Box<dyn Contender>>;

fn row(bench: &BenchContext<'_>, least: f64, against_what: &str, open_raw: Open) -> Result<Row> {
    let folder = bench.folder("inserts")?;
    let ours = bench.engine.database(&folder.join("store"))?;
    let theirs = bench.engine.database(&folder.join("raw"))?;
    let mut store = ThroughStore::open(&ours)?;
    // The users whose sessions are written are registered through the store there too.
    drop(ThroughStore::open(&theirs)?);
    let mut raw = open_raw(&theirs)?;
    let time = bench.effort.round;
    let duel = Comparison::run(bench.effort.rounds, || store.round(time), || raw.round(time))?;
    Ok(Row {
        work: format!("insert a row and its event, durable, {CLIENTS} clients, against {against_what}"),
        engine: bench.engine.name(),
        target: Target::AtLeast(least),
        figure: Figure::Ratio(duel.ratio()),
        detail: against("store", "raw", &duel),
    })
}
