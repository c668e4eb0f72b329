//! `cargo xtask check-layers`: checks the rules of the architecture page, crate by crate.

use crate::layers::{
    arrows, clippy_lists, collation, crate_table, dependencies, manifests, migrations, purity, sources,
};
use crate::project_files::ProjectFile;
use crate::workspace::Workspace;
use crate::{no_arguments, project_files, refuse};
use anyhow::Result;

const PAGE: &str = "ARCHITECTURE.md";

pub(crate) fn run(arguments: lexopt::Parser) -> Result<()> {
    no_arguments(arguments)?;
    let workspace = Workspace::load()?;
    let mut faults = arrows::faults(&workspace.members);
    match workspace.read(PAGE) {
        Ok(page) => faults.extend(crate_table::faults(&page, &workspace.members)),
        Err(fault) => faults.push(format!("{fault:#}")),
    }
    faults.extend(migration_faults(&workspace)?);
    let sources = project_files::with_extension(&workspace.root, "rs")?;
    for member in &workspace.members {
        let manifest = workspace.read(&format!("{}/Cargo.toml", member.folder))?;
        faults.extend(manifests::faults(&member.folder, &manifest));
        faults.extend(dependencies::faults(&member.folder, &manifest, &sources));
    }
    faults.extend(source_faults(&sources));
    faults.extend(purity_faults(&workspace)?);
    refuse("broken rules", &faults)
}

fn migration_faults(workspace: &Workspace) -> Result<Vec<String>> {
    let files = project_files::with_extension(&workspace.root, "sql")?;
    let mut faults = migrations::faults(files.iter().map(|file| file.path.as_str()));
    let up =
        files.iter().filter(|file| file.path.starts_with("migrations/postgres/") && file.path.ends_with("/up.sql"));
    faults.extend(up.flat_map(|file| collation::faults(&file.path, &file.text)));
    Ok(faults)
}

fn source_faults(files: &[ProjectFile]) -> Vec<String> {
    println!(
        "{} source files, {} lines",
        files.len(),
        files.iter().map(|file| file.text.lines().count()).sum::<usize>()
    );
    for (length, path) in sources::worth_a_look(files) {
        println!("  worth a look: {path} has {length} lines");
    }
    files.iter().flat_map(sources::faults).collect()
}

fn purity_faults(workspace: &Workspace) -> Result<Vec<String>> {
    let root = workspace.read("clippy.toml").unwrap_or_default();
    let mut faults = Vec::new();
    for member in workspace.pure_members() {
        let own = workspace.read(&format!("{}/clippy.toml", member.folder)).unwrap_or_default();
        faults.extend(clippy_lists::faults(&member.folder, &own, &root));
    }
    faults.extend(purity::faults(workspace)?);
    match purity::without_a_system(workspace) {
        Some(found) => faults.extend(found),
        None => {
            println!("NOT CHECKED: the pure crates without an operating system; the target for it cannot be had here");
        }
    }
    Ok(faults)
}
