//! Help on the program, on all settings and on each command.

use super::{
    CommandRow,
    table::{COMMON, rows},
};
use crate::settings::table::{self, Fallback, Row};
use std::fmt::Write;

/// The word for all settings in `octavo help settings`.
pub(super) const SETTINGS: &str = "settings";

/// What people do first.
pub(super) const EXAMPLES: [(&str, &str); 3] = [
    ("octavo", "serve on http://127.0.0.1:8080, with everything in ./octavo-data"),
    (
        "octavo serve --listen 0.0.0.0:8080 --public-url https://octavo.example.com",
        "serve other machines, behind a proxy that does TLS",
    ),
    ("octavo user create ada@example.com --name Ada", "create an account and print its password"),
];

/// The settings that nearly every server needs, by their names without `OCTAVO_`.
pub(super) const FIRST_SETTINGS: [&str; 5] = ["LISTEN", "PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "MAIL_URL"];

/// The subject of a help text.
#[derive(Clone, Copy)]
pub(super) enum Topic {
    Program,
    /// All settings.
    Settings,
    /// The first word of several commands.
    Group(&'static str),
    /// A command, and how many words named it.
    Command(&'static CommandRow, usize),
}

pub(super) fn of(topic: Topic) -> String {
    match topic {
        Topic::Program => program(),
        Topic::Settings => settings(),
        Topic::Group(word) => group(word),
        Topic::Command(row, _) => command(row),
    }
}

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
    COMMON.iter().map(|row| {
        let short = row.short.map_or_else(String::new, |short| format!("-{short}, "));
        (format!("{short}--{}", row.name), row.meaning.to_owned())
    })
}

fn program() -> String {
    let mut text = "Octavo, a workspace platform in one binary.\n\nExamples:\n".to_owned();
    for (line, meaning) in EXAMPLES {
        let _ = writeln!(text, "  {line}\n      {meaning}");
    }
    text.push_str("\nThe settings that matter most, as flags (--listen) or variables (OCTAVO_LISTEN):\n");
    let settings = table::rows();
    let first = FIRST_SETTINGS.iter().filter_map(|name| settings.iter().find(|row| row.name == *name));
    columns(&mut text, first.map(setting_line));
    let _ = writeln!(text, "\noctavo help {SETTINGS} lists all {} settings with their defaults.", settings.len());
    text.push_str("\nUsage: octavo [COMMAND] [FLAGS]\n\nCommands:\n");
    columns(&mut text, command_lines(rows().iter()));
    text.push_str("\nFlags of every command:\n");
    columns(&mut text, common());
    text.push('\n');
    text.push_str(EXITS);
    text
}

fn settings() -> String {
    let mut text = "Settings, each a flag (--listen 127.0.0.1:0), a variable (OCTAVO_LISTEN), the same with _FILE for a file\n\
         that holds the value, or a key of the TOML file (listen). The first of these that is set wins. Defaults are in\n\
         brackets.\n\n"
        .to_owned();
    columns(&mut text, table::rows().iter().map(setting_line));
    text
}

fn setting_line(row: &Row) -> (String, String) {
    (format!("--{}", row.flag()), setting(row))
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
    let _ = write!(text, "\nEvery setting is a flag here too: octavo help {SETTINGS} lists them.\n{EXITS}");
    text
}
