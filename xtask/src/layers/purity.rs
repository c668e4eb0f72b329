//! A pure crate must not depend on crates that do input or output, and must build for a target without an operating
//! system.

use crate::process;
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const TARGET: &str = "wasm32-unknown-unknown";

/// A name with `*` at its end stands for every crate whose name starts like this.
const FORBIDDEN: &[&str] = &[
    // Runtimes and threads.
    "tokio*",
    "async-std",
    "smol",
    "async-io",
    "async-executor",
    "rayon*",
    "crossbeam*",
    // Stores.
    "diesel*",
    "libsqlite3-sys",
    "rusqlite",
    "postgres*",
    "sqlx*",
    "redis*",
    "deadpool*",
    "object_store",
    // The network.
    "actix*",
    "axum*",
    "h2",
    "hyper*",
    "lettre",
    "mio",
    "native-tls",
    "quinn*",
    "reqwest",
    "rustls*",
    "socket2",
    "tower*",
    "ureq",
    // Randomness.
    "fastrand",
    "getrandom",
    "rand",
    "rand_*",
    "oorandom",
    // The clock; chrono reads it through the first of these.
    "iana-time-zone",
    "instant",
    "quanta",
    "web-time",
    // Files and the machine.
    "dirs*",
    "hostname",
    "notify",
    "num_cpus",
    "tempfile",
    "walkdir",
];

/// Traits without a source of randomness: the caller provides one.
const ALLOWED: &[&str] = &["rand_core"];

/// Runs `cargo tree` for every pure crate separately: in one run, crates would share their features.
pub(crate) fn faults(workspace: &Workspace) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for member in workspace.pure_members() {
        let mut tree = process::cargo(&workspace.root);
        tree.args(["tree", "--package", &member.name, "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
        let reached = process::output(&mut tree)?;
        faults.extend(forbidden_in(&reached).map(|name| format!("{} is pure and reaches {name}", member.name)));
    }
    Ok(faults)
}

/// The names in the output of `cargo tree` that a pure crate may not reach.
fn forbidden_in(tree: &str) -> impl Iterator<Item = &str> {
    let mut names = tree.lines().filter_map(|line| line.split_whitespace().next()).collect::<Vec<_>>();
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter(|name| is_forbidden(name))
}

fn is_forbidden(name: &str) -> bool {
    let matches = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *pattern,
    };
    !ALLOWED.contains(&name) && FORBIDDEN.iter().any(matches)
}

/// Compiles every pure crate for a machine without an operating system. `None` if that target is not available.
pub(crate) fn without_a_system(workspace: &Workspace) -> Option<Vec<String>> {
    if !has_target() {
        add_target();
    }
    if !has_target() {
        return None;
    }
    let builds = |name: &str| {
        let mut check = process::cargo(&workspace.root);
        process::run(check.args(["check", "--quiet", "--package", name, "--target", TARGET])).is_ok()
    };
    let failed = workspace.pure_members().filter(|member| !builds(&member.name));
    Some(failed.map(|member| format!("{} is pure and does not build for {TARGET}", member.name)).collect())
}

fn has_target() -> bool {
    let mut query = Command::new("rustc");
    let folder = process::output(query.args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn add_target() {
    eprintln!("$ rustup target add {TARGET}");
    // Behind some firewalls the download never ends.
    process::succeeds_within(Duration::from_mins(2), Command::new("rustup").args(["target", "add", TARGET]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_crates_pass() {
        let tree =
            "octavo-core-model v0.1.0 (/w)\nserde v1.0.0\nrandomize v1.0.0\nrand_core v0.10.0\nchrono v0.4.0 (*)\n";
        assert_eq!(forbidden_in(tree).count(), 0);
    }

    #[test]
    fn each_crate_that_speaks_to_the_world_is_found_once() {
        let tree =
            "a v1\ntokio-util v0.7\ndiesel v2 (*)\ndiesel v2\ngetrandom v0.4\nmio v1\nrand v0.9\nrand_chacha v0.9\n";
        let found = forbidden_in(tree).collect::<Vec<_>>();
        assert_eq!(found, ["diesel", "getrandom", "mio", "rand", "rand_chacha", "tokio-util"]);
    }
}
