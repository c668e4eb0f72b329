//! Where a command line can be completed, and with what.

use super::{Flag, brief};
use crate::command::table::{Action, CommandRow, OptionRow, rows};

/// What can follow certain words.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The words before, without flags.
    pub(super) after: String,
    /// Whether the same holds when operands stand between.
    pub(super) goes_on: bool,
    /// The next word, with its meaning.
    pub(super) words: Vec<(&'static str, String)>,
    /// The options of the command; flags of every command are not among them.
    pub(super) flags: Vec<Flag>,
}

impl Place {
    /// The pattern of bash and zsh for the words before, each of which begins with a blank.
    pub(super) fn pattern(&self) -> String {
        let after = &self.after;
        match (after.is_empty(), self.goes_on) {
            (true, _) => "\"\"".to_owned(),
            (false, false) => format!("\" {after}\""),
            (false, true) => format!("\" {after}\"|\" {after} \"*"),
        }
    }
}

/// All places, in the order of the table of commands.
pub(super) fn places() -> Vec<Place> {
    let mut places = vec![Place {
        after: String::new(),
        goes_on: false,
        words: first_words(),
        // Without a command, the first one runs.
        flags: rows().first().map(flags).unwrap_or_default(),
    }];
    for row in rows() {
        let group = row.words[0];
        if row.words.len() > 1 && !places.iter().any(|place| place.after == group) {
            let second = rows().iter().filter(|row| row.words.len() > 1 && row.words[0] == group);
            let words = second.map(|row| (row.words[1], row.meaning.to_owned())).collect();
            places.push(Place { after: group.to_owned(), goes_on: false, words, flags: Vec::new() });
        }
        let words = operand_words(row);
        places.push(Place { after: row.words.join(" "), goes_on: true, words, flags: flags(row) });
    }
    places
}

/// The first words of all commands, each once.
fn first_words() -> Vec<(&'static str, String)> {
    let mut words: Vec<(&'static str, String)> = Vec::new();
    for row in rows() {
        let first = row.words[0];
        let known = words.iter().position(|(word, _)| *word == first);
        match (known, row.words.get(1)) {
            (Some(known), Some(second)) => {
                let meaning = &mut words[known].1;
                meaning.push_str(", ");
                meaning.push_str(second);
            }
            (Some(_), None) => {}
            (None, Some(second)) => words.push((first, (*second).to_owned())),
            (None, None) => words.push((first, row.meaning.to_owned())),
        }
    }
    words
}

/// The operands that are words to choose from. They are in lower case in the table; names of values are in upper case.
fn operand_words(row: &CommandRow) -> Vec<(&'static str, String)> {
    let choices = row.operands.iter().flat_map(|operand| operand.trim_matches(['[', ']', '.']).split('|'));
    let choices = choices.filter(|choice| choice.chars().all(|letter| letter.is_ascii_lowercase()));
    let mut words: Vec<_> = choices.map(|choice| (choice, String::new())).collect();
    if matches!(row.action, Action::Help) {
        words.extend(first_words());
    }
    words
}

fn flags(row: &CommandRow) -> Vec<Flag> {
    let flag = |option: &OptionRow| Flag {
        name: option.name.to_owned(),
        short: None,
        takes_value: option.value.is_some(),
        choices: Vec::new(),
        meaning: brief(option.meaning),
    };
    row.options.iter().map(flag).collect()
}
