//! The test runner: nextest, which runs every test in a process of its own, or plain cargo if it is not installed.

use super::options::Engine;
use crate::workspace::{Member, Workspace};
use crate::{process, project_files};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    Nextest,
    Cargo,
}

impl Runner {
    pub(crate) fn find(root: &Path) -> Self {
        if process::succeeds(process::cargo(root).args(["nextest", "--version"])) {
            return Self::Nextest;
        }
        eprintln!("xtask: cargo-nextest is not installed, cargo test has to do (cargo install --locked cargo-nextest)");
        Self::Cargo
    }

    pub(crate) fn tests(self, root: &Path, packages: &[String], engine: Engine, filters: &[String]) -> Command {
        let mut command = process::cargo(root);
        match self {
            Self::Nextest => command.args(["nextest", "run"]).args(packages).args(nextest_arguments(engine, filters)),
            Self::Cargo => command
                .args(["test", "--no-fail-fast", "--tests"])
                .args(packages)
                .arg("--")
                .args(cargo_arguments(engine, filters)),
        };
        let has_profile = filters.iter().any(|word| word == "--profile" || word == "-P");
        if self == Self::Nextest && !has_profile && std::env::var_os("CI").is_some() {
            command.args(["--profile", "ci"]);
        }
        command
    }
}

/// The engine of a test is part of its path, as in `conformance::sqlite::keeps_order`. Tests without one always run.
fn left_out(engine: Engine) -> Option<&'static str> {
    match engine {
        Engine::Sqlite => Some("postgres"),
        Engine::Postgres => Some("sqlite"),
        Engine::Both => None,
    }
}

/// Nextest combines several filter expressions with *or*, so the engine must be added to each of them.
fn nextest_arguments(engine: Engine, filters: &[String]) -> Vec<String> {
    let Some(other) = left_out(engine) else { return filters.to_vec() };
    let restriction = format!("not test(/(^|::){other}(::|$)/)");
    let mut arguments = Vec::new();
    let mut words = filters.iter();
    let mut restricted = false;
    while let Some(word) = words.next() {
        arguments.push(word.clone());
        if ["-E", "--filterset", "--filter-expr"].contains(&word.as_str())
            && let Some(expression) = words.next()
        {
            arguments.push(format!("({expression}) and {restriction}"));
            restricted = true;
        }
    }
    if !restricted {
        arguments.splice(0..0, ["-E".to_owned(), restriction]);
    }
    arguments
}

fn cargo_arguments(engine: Engine, filters: &[String]) -> Vec<String> {
    let skip = left_out(engine).into_iter().flat_map(|other| ["--skip".to_owned(), format!("{other}::")]);
    skip.chain(filters.iter().cloned()).collect()
}

/// The examples in the documentation, which nextest does not run.
pub(crate) fn examples(root: &Path, packages: &[String]) -> Command {
    let mut command = process::cargo(root);
    command.args(["test", "--doc"]).args(packages);
    command
}

/// Whether a library among the selected crates (all by default) has examples: most have none, and checking is faster
/// than running rustdoc.
pub(crate) fn has_examples(workspace: &Workspace, chosen: &[&Member]) -> Result<bool> {
    let all = workspace.members.iter().collect::<Vec<_>>();
    for member in if chosen.is_empty() { &all[..] } else { chosen } {
        if !member.has_library {
            continue;
        }
        let sources = project_files::with_extension(&workspace.root.join(&member.folder).join("src"), "rs")?;
        if sources.iter().any(|source| shows_an_example(&source.text)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn shows_an_example(source: &str) -> bool {
    let fence = |line: &str| {
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        comment.is_some_and(|text| text.trim_start().starts_with("```"))
    };
    source.lines().any(|line| fence(line.trim_start()) || line.contains("doc = include_str!("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn both_engines_leave_the_filters_alone() {
        let filters = words("login -E all()");
        assert_eq!(nextest_arguments(Engine::Both, &filters), filters);
        assert_eq!(cargo_arguments(Engine::Both, &filters), filters);
    }

    #[test]
    fn one_engine_leaves_out_the_tests_of_the_other() {
        let restriction = "not test(/(^|::)postgres(::|$)/)";
        assert_eq!(nextest_arguments(Engine::Sqlite, &words("login")), ["-E", restriction, "login"]);
        assert_eq!(cargo_arguments(Engine::Postgres, &words("login")), ["--skip", "sqlite::", "login"]);
    }

    #[test]
    fn one_engine_narrows_every_expression_that_is_given() {
        let narrowed = nextest_arguments(Engine::Postgres, &words("-E a --filterset b"));
        let restriction = "and not test(/(^|::)sqlite(::|$)/)";
        assert_eq!(narrowed, ["-E", &format!("(a) {restriction}"), "--filterset", &format!("(b) {restriction}")]);
    }

    #[test]
    fn examples_are_fenced_in_doc_comments_or_stand_in_a_readme() {
        assert!(shows_an_example("fn a() {}\n    /// ```\n    /// a();\n    /// ```\n"));
        assert!(shows_an_example("//! ```rust\n"));
        assert!(shows_an_example("#![doc = include_str!(\"../README.md\")]\n"));
        assert!(!shows_an_example("/// Plain `code`.\n// ```\nlet a = \"/// ```\";\n"));
    }
}
