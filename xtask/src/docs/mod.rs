//! `cargo xtask docs`: checks that the documentation builds and that its links lead somewhere.

mod links;

use crate::workspace::Workspace;
use crate::{no_arguments, process, project_files, refuse};
use anyhow::Result;

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    no_arguments(arguments)?;
    let root = Workspace::load()?.root;
    let pages = project_files::with_extension(&root, "md")?;
    let broken = links::faults(&pages, |path| root.join(path).exists());
    let mut build = process::cargo(&root);
    build.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut build)?;
    refuse("broken links", &broken)
}
