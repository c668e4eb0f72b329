//! Turns arguments, environment and files into a command that can run, or into a list of everything that is wrong.

use crate::{
    command::{self, Command, Parsed},
    settings::{self, Effective, ReadFile, Settings, Sources, table},
};
use std::ffi::OsString;

/// What to do with a call of the binary.
#[derive(Debug)]
pub enum Start {
    /// Print this and exit 0.
    Print(String),
    /// Print these lines to stderr and exit 2.
    Refuse(Vec<String>),
    Run(Box<Ready>),
}

/// A command with valid settings.
#[derive(Debug)]
pub struct Ready {
    pub command: Command,
    /// Print JSON instead of text.
    pub json: bool,
    pub settings: Settings,
    /// The settings as `check-config` shows them.
    pub effective: Vec<Effective>,
}

/// Checks a command line without changing anything.
pub fn start(arguments: Vec<OsString>, environment: Vec<(OsString, OsString)>, read: ReadFile<'_>) -> Start {
    let flag_names: Vec<_> = table::rows().iter().map(table::Row::flag).collect();
    let arguments = arguments.into_iter().map(OsString::into_encoded_bytes).collect();
    let load = |flags| settings::load(&Sources { flags, environment, read });
    match command::parse(arguments, &flag_names) {
        Parsed::Print(text) => Start::Print(text),
        Parsed::Run { command, json, flags } => match load(flags) {
            Ok(loaded) => {
                Start::Run(Box::new(Ready { command, json, settings: loaded.settings, effective: loaded.effective }))
            }
            Err(faults) => Start::Refuse(faults.iter().map(ToString::to_string).collect()),
        },
        Parsed::Refuse { faults, flags } => {
            let mut lines: Vec<_> = faults.iter().map(ToString::to_string).collect();
            lines.extend(load(flags).err().into_iter().flatten().map(|fault| fault.to_string()));
            lines.push("octavo --help lists commands, octavo help settings lists settings".to_owned());
            Start::Refuse(lines)
        }
    }
}
