//! The files in `deploy` against the tables of settings and commands: what they name exists, and a server accepts it.

mod build_context;
mod compose;
mod image;
mod service;

use octavo::{
    command::{self, Command, Parsed},
    settings::{self, ReadFile, Sources, table},
};
use std::fs;

const DEPLOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy");

fn file(name: &str) -> String {
    fs::read_to_string(format!("{DEPLOY}/{name}")).unwrap()
}

/// What is wrong with settings from these variables.
fn faults(environment: &[(String, String)], read: ReadFile<'_>) -> Vec<String> {
    let environment = environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
    match settings::load(&Sources { flags: Vec::new(), environment, read }) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

/// What the binary does with these arguments.
fn command(arguments: &[&str]) -> Command {
    let flags: Vec<_> = table::rows().iter().map(table::Row::flag).collect();
    match command::parse(arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect(), &flags) {
        Parsed::Run { command, .. } => command,
        other => unreachable!("{arguments:?}: {other:?}"),
    }
}

fn is_setting(variable: &str) -> bool {
    table::rows().iter().any(|row| match variable.strip_prefix(row.variable().as_str()) {
        Some("") => true,
        Some("_FILE") => row.has_file_variable(),
        _ => false,
    })
}

#[test]
fn every_variable_that_is_named_is_a_setting() {
    for name in ["Dockerfile", "compose.yaml", "octavo.service"] {
        let text = file(name);
        let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        let variables: Vec<_> = words.filter(|word| word.starts_with("OCTAVO_")).collect();
        assert!(!variables.is_empty(), "{name}");
        for variable in variables {
            assert!(is_setting(variable), "{name}: {variable}");
        }
    }
    assert!(!is_setting("OCTAVO_LISTENN") && !is_setting("OCTAVO_CONFIG_FILE"));
}
