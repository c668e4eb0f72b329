//! `cargo xtask check-cycles`: no modules of a crate use each other in a cycle.

use crate::cycles::{self, Exception};
use crate::workspace::Workspace;
use crate::{no_arguments, project_files, refuse};
use anyhow::Result;

/// Cycles that remain. Each entry names one use to disregard; an entry that breaks no cycle is a fault.
const EXCEPTIONS: &[Exception] = &[Exception {
    from: "tests::own_server",
    to: "tests::server",
    reason: "`Server::own` starts an `OwnServer`, which is also a `Server`",
}];

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    no_arguments(arguments)?;
    let workspace = Workspace::load()?;
    let files = project_files::with_extension(&workspace.root, "rs")?;
    let mut faults = Vec::new();
    for member in &workspace.members {
        let name = member.folder.rsplit('/').next().unwrap_or_default();
        let of_crate = |exception: &&Exception| exception.from.split("::").next() == Some(name);
        let exceptions = EXCEPTIONS.iter().filter(of_crate).copied().collect::<Vec<_>>();
        faults.extend(cycles::faults(name, &member.folder, &files, &exceptions));
    }
    refuse("cycles of modules", &faults)
}
