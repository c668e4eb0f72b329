//! `cargo xtask check`: everything that can be checked without running the code.

use crate::{check_circles, check_layers, docs, licenses, no_arguments, process};
use anyhow::Result;
use std::path::Path;
use std::time::Instant;

/// Runs every step, so that one run shows everything that is wrong.
pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    no_arguments(arguments)?;
    let root = crate::workspace::Workspace::load()?.root;
    let none = || lexopt::Parser::from_args(std::iter::empty::<&str>());
    let steps: [(&str, &dyn Fn() -> Result<()>); 6] = [
        ("format", &|| format(&root)),
        ("clippy", &|| clippy(&root)),
        ("layers", &|| check_layers::run(none())),
        ("circles", &|| check_circles::run(none())),
        ("licences", &|| licenses::run(none())),
        ("docs", &|| docs::run(none())),
    ];
    let (mut failed, mut times) = (Vec::new(), Vec::new());
    for (name, step) in steps {
        println!("\n--- {name}");
        let started = Instant::now();
        if let Err(fault) = step() {
            eprintln!("{name}: {fault:#}");
            failed.push(name.to_owned());
        }
        times.push(format!("{name} {} s", started.elapsed().as_secs()));
    }
    println!("\nxtask check: {}", times.join(", "));
    crate::refuse("steps that failed", &failed)
}

fn format(root: &Path) -> Result<()> {
    process::run(process::cargo(root).args(["fmt", "--all", "--check"]))
}

fn clippy(root: &Path) -> Result<()> {
    process::run(process::cargo(root).args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}
