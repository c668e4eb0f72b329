//! Completions for shells, written from the tables with which the arguments are parsed.

mod bash;
mod fish;
mod place;
#[cfg(test)]
mod tests;
mod zsh;

use super::table::COMMON;
use crate::settings::table;
use place::places;

/// A shell that completions can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl Shell {
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "bash" => Some(Self::Bash),
            "zsh" => Some(Self::Zsh),
            "fish" => Some(Self::Fish),
            _ => None,
        }
    }
}

/// A flag as a shell offers it.
#[derive(Clone, Debug)]
struct Flag {
    /// Its name without dashes.
    name: String,
    short: Option<char>,
    takes_value: bool,
    /// The values to choose from; names of files are offered if there are none.
    choices: Vec<&'static str>,
    meaning: String,
}

/// The script that makes a shell complete the command line.
pub(super) fn script(shell: Shell) -> String {
    let places = places();
    let common = common_flags();
    let write = match shell {
        Shell::Bash => bash::script,
        Shell::Zsh => zsh::script,
        Shell::Fish => fish::script,
    };
    write(&places, &common)
}

/// The flags of every command: the settings are among them.
fn common_flags() -> Vec<Flag> {
    let common = COMMON.iter().map(|row| Flag {
        name: row.name.to_owned(),
        short: row.short,
        takes_value: false,
        choices: Vec::new(),
        meaning: row.meaning.to_owned(),
    });
    let settings = table::rows().into_iter().map(|row| Flag {
        name: row.flag(),
        short: None,
        takes_value: true,
        choices: row.choices.clone(),
        meaning: brief(&row.meaning),
    });
    common.chain(settings).collect()
}

/// The first clause of a meaning, which fits beside a flag.
fn brief(meaning: &str) -> String {
    meaning.split(';').next().unwrap_or_default().replace('`', "")
}

/// The flags whose values are words to choose from.
fn with_choices(common: &[Flag]) -> impl Iterator<Item = &Flag> {
    common.iter().filter(|flag| !flag.choices.is_empty())
}

/// The flags whose next argument is their value, with their dashes, each once.
fn value_flags(places: &[place::Place], common: &[Flag]) -> Vec<String> {
    let options = places.iter().flat_map(|place| &place.flags);
    let mut names: Vec<_> =
        options.chain(common).filter(|flag| flag.takes_value).map(|flag| format!("--{}", flag.name)).collect();
    names.sort();
    names.dedup();
    names
}
