//! `--help`, of the program and of each command.

use super::{CommandRow, table::rows};
use crate::settings::table::{self, Fallback, Row};
use std::fmt::Write;

/// The subject of a help text.
#[derive(Clone, Copy)]
pub(super) enum Topic {
    Program,
    /// The first word of several commands.
    Group(&'static str),
    /// A command, and how many words named it.
    Command(&'static CommandRow, usize),
}

pub(super) fn of(topic: Topic) -> String {
    match topic {
        Topic::Program => program(),
        Topic::Group(word) => group(word),
        Topic::Command(row, _) => command(row),
    }
}

const COMMON: &[(&str, &str)] = &[
    ("--json", "print one JSON document { data } instead of text"),
    ("-h, --help", "print help; after a command, help on that command"),
    ("-V, --version", "print the version"),
];

const EXITS: &str = "Exit: 0 done, 1 failed, 2 wrong usage or configuration.\n";

/// Two columns; a left column that is too wide gets a line of its own.
fn columns(text: &mut String, rows: impl IntoIterator<Item = (String, String)>) {
    const WIDTH: usize = 34;
    for (left, right) in rows {
        // Writing to a string cannot fail.
        let _ = if left.len() < WIDTH {
            writeln!(text, "  {left:WIDTH$}{right}")
        } else {
            writeln!(text, "  {left}\n  {:WIDTH$}{right}", "")
        };
    }
}

fn command_lines(rows: impl Iterator<Item = &'static CommandRow>) -> Vec<(String, String)> {
    rows.map(|row| (row.synopsis(), row.meaning.to_owned())).collect()
}

fn common() -> impl Iterator<Item = (String, String)> {
    COMMON.iter().map(|(flag, meaning)| ((*flag).to_owned(), (*meaning).to_owned()))
}

fn program() -> String {
    let mut text =
        "Octavo, a workspace platform in one binary.\n\nUsage: octavo [COMMAND] [FLAGS]\n\nCommands:\n".to_owned();
    columns(&mut text, command_lines(rows().iter()));
    text.push_str("\nFlags of every command:\n");
    columns(&mut text, common());
    text.push_str(
        "\nSettings, each a flag (--listen 127.0.0.1:0), a variable (OCTAVO_LISTEN), the same with _FILE for a file\n\
         that holds the value, or a key of the TOML file (listen). The first of these that is set wins.\n",
    );
    columns(&mut text, table::rows().iter().map(|row| (format!("--{}", row.flag()), setting(row))));
    text.push('\n');
    text.push_str(EXITS);
    text
}

fn setting(row: &Row) -> String {
    let meaning = row.meaning.replace('`', "");
    match &row.fallback {
        Fallback::Value(text) if !text.is_empty() => format!("{meaning} [{text}]"),
        Fallback::Derived(rule) => format!("{meaning} [{}]", rule.replace('`', "")),
        Fallback::Generated => format!("{meaning} [generated]"),
        Fallback::Value(_) | Fallback::None => meaning,
    }
}

fn group(word: &str) -> String {
    let mut text = format!("Usage: octavo {word} COMMAND\n\nCommands:\n");
    columns(&mut text, command_lines(rows().iter().filter(|row| row.words[0] == word)));
    text
}

fn command(row: &CommandRow) -> String {
    let mut text = format!("{}: {}\n\nUsage: {}\n", row.words.join(" "), row.meaning, row.synopsis());
    if !row.details.is_empty() {
        let _ = write!(text, "\n{}\n", row.details);
    }
    text.push_str("\nFlags:\n");
    let options = row.options.iter().map(|option| {
        let value = option.value.map_or_else(String::new, |value| format!(" {value}"));
        (format!("--{}{value}", option.name), option.meaning.to_owned())
    });
    columns(&mut text, options.chain(common()));
    let _ = write!(text, "\nEvery setting is a flag here too: octavo --help lists them.\n{EXITS}");
    text
}
