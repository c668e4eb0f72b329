//! How imports of long documents affect other calls, and how much memory the server uses afterwards.

use super::BenchContext;
use crate::account::Account;
use crate::load::{Load, Until};
use crate::process;
use crate::sample::Series;
use crate::server::Server;
use crate::table::{Figure, MEGABYTE, Row, Target, alone};
use anyhow::{Result, anyhow};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

const IMPORTS: usize = 20;
const DOCUMENT_BYTES: usize = 5 << 20;
/// As many as a page may have.
const PARAGRAPHS: usize = 20_000;
/// When the memory is measured, after the last document is imported.
const LATER: Duration = Duration::from_mins(1);

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let folder = bench.folder("imports")?;
    let database = bench.engine.database(&folder)?;
    let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
    server.wait_until_ready()?;
    let (reader, importer) = (Account::register(&server, 0)?, Account::register(&server, 1)?);
    let import = importer.post_in(importer.workspace, "/api/v1/pages/import", &document());
    let imports = Load { server: server.address, clients: vec![vec![import]; IMPORTS], until: Until::Done(1) };
    let reads = Load {
        server: server.address,
        clients: vec![vec![reader.read_profile()]],
        until: Until::Elapsed(Duration::from_millis(100)),
    };
    let (round, meanwhile, peak) = thread::scope(|scope| {
        let importing = scope.spawn(|| imports.run());
        let (mut meanwhile, mut peak) = (Series::default(), 0);
        while !importing.is_finished() {
            meanwhile.0.push(reads.run()?);
            peak = peak.max(process::memory(server.process())?.resident);
        }
        let round = importing.join().map_err(|_| anyhow!("a thread of the load panicked"))??;
        anyhow::Ok((round, meanwhile, peak))
    })?;
    let ended = Instant::now();
    thread::sleep(LATER.saturating_sub(ended.elapsed()));
    let later = process::memory(server.process())?;
    let engine = bench.engine.name();
    let slowest = round.latencies.iter().max().copied().unwrap_or_default();
    Ok(vec![
        Row {
            work: format!("GET /users/me while others import {IMPORTS} documents of 5 MB, p99"),
            engine,
            target: Target::Within(Duration::from_millis(100)),
            figure: Figure::Time(meanwhile.percentile(0.99)),
            detail: format!(
                "{}, slowest {:.0} ms; all documents in {:.1} s, slowest {:.1} s",
                alone(&meanwhile),
                meanwhile.percentile(1.0).as_secs_f64() * 1000.0,
                round.elapsed.as_secs_f64(),
                slowest.as_secs_f64(),
            ),
        },
        Row {
            work: "memory a minute after that".to_owned(),
            engine,
            target: Target::Below(150 * MEGABYTE),
            figure: Figure::Bytes(later.resident),
            detail: format!(
                "{} of it heaps and stacks; at most {} meanwhile",
                Figure::Bytes(later.anonymous),
                Figure::Bytes(peak)
            ),
        },
    ])
}

/// Paragraphs with one bold word each, nearly as long as a document may be.
fn document() -> String {
    let (begin, words, end) = ("**Lorem** ", "ipsum dolor sit amet ", "\n\n");
    let room = DOCUMENT_BYTES / PARAGRAPHS - begin.len() - end.len();
    let text = format!("{begin}{}{end}", words.repeat(room / words.len())).repeat(PARAGRAPHS);
    json!({ "format": "markdown", "content": text }).to_string()
}
