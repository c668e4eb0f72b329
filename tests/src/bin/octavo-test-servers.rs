//! Keeps the servers running that tests share: `octavo-test-servers [sqlite] [postgres]`.
//!
//! Prints a line `VARIABLE=VALUE` for each, which tests get in their environment, then an empty line. The servers run
//! until the standard input is closed, so they end together with the process that started this one, in whatever way
//! that ends.
#![allow(clippy::print_stdout, reason = "what it prints is read by who started it")]

use octavo_tests::{Engine, shared};
use std::{env, io};

fn main() -> io::Result<()> {
    let wanted = env::args().skip(1).collect::<Vec<_>>();
    let engines = [("sqlite", Engine::Sqlite), ("postgres", Engine::Postgres)];
    let is_wanted = |word: &str| wanted.iter().any(|wanted| wanted == word);
    let engines = engines.into_iter().filter(|(word, engine)| is_wanted(word) && engine.is_there());
    let servers = engines.map(|(_, engine)| (shared::variable(engine), shared::start(engine))).collect::<Vec<_>>();
    for (variable, (_, description)) in &servers {
        println!("{variable}={description}");
    }
    println!();
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
