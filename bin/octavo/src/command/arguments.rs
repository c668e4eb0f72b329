//! One pass over the arguments. Settings are flags of every command and may come before or after it, so a parser for
//! subcommands is not suitable.

use super::{
    Command, CommandRow,
    command_arguments::{CommandArguments, UsageFault},
    completions::{self, Shell},
    help::{self, Topic},
    table::{Action, COMMON, CommonFlag, rows},
};

/// What the arguments ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// Print this and do nothing else.
    Print(String),
    Run {
        command: Command,
        /// Print JSON instead of text.
        json: bool,
        /// Settings: flag names without dashes, and their values.
        flags: Vec<(String, Vec<u8>)>,
    },
    /// The arguments are wrong; the settings among them are still checked.
    Refuse { faults: Vec<UsageFault>, flags: Vec<(String, Vec<u8>)> },
}

/// What one pass over the arguments collects before the command is known.
#[derive(Default)]
struct Pass {
    words: Vec<String>,
    options: Vec<(String, Option<String>)>,
    flags: Vec<(String, Vec<u8>)>,
    json: bool,
    help: bool,
    version: bool,
    faults: Vec<UsageFault>,
}

/// Parses the arguments after the program's name. `settings` are the names of setting flags.
pub fn parse(arguments: Vec<Vec<u8>>, settings: &[String]) -> Parsed {
    let mut pass = Pass::default();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.strip_prefix(b"-") {
            Some(b"-") => {
                rest.by_ref().for_each(|word| pass.word(word));
            }
            Some(name) if !name.is_empty() => pass.dashed(&argument, &mut rest, settings),
            _ => pass.word(argument),
        }
    }
    pass.finish()
}

impl Pass {
    fn fault(&mut self, problem: String) {
        self.faults.push(UsageFault(problem));
    }

    fn word(&mut self, word: Vec<u8>) {
        match String::from_utf8(word) {
            Ok(word) => self.words.push(word),
            Err(_) => self.fault("an argument is not UTF-8".to_owned()),
        }
    }

    fn dashed(&mut self, argument: &[u8], rest: &mut impl Iterator<Item = Vec<u8>>, settings: &[String]) {
        let (name, attached) = match argument.iter().position(|byte| *byte == b'=') {
            Some(split) => (&argument[..split], Some(argument[split + 1..].to_vec())),
            None => (argument, None),
        };
        let name = String::from_utf8_lossy(name).into_owned();
        match (COMMON.iter().find(|row| row.is(&name)), &attached) {
            (Some(row), None) => match row.flag {
                CommonFlag::Json => self.json = true,
                CommonFlag::Help => self.help = true,
                CommonFlag::Version => self.version = true,
            },
            (Some(_), Some(_)) => self.fault(format!("{name}: takes no value")),
            (None, _) => self.named(&name, attached, rest, settings),
        }
    }

    fn named(
        &mut self,
        name: &str,
        attached: Option<Vec<u8>>,
        rest: &mut impl Iterator<Item = Vec<u8>>,
        settings: &[String],
    ) {
        let bare = name.strip_prefix("--").unwrap_or_default();
        let is_setting = settings.iter().any(|setting| setting == bare);
        let option = rows().iter().flat_map(|row| row.options).find(|option| option.name == bare);
        let takes_value = is_setting || option.is_some_and(|option| option.value.is_some());
        if !is_setting && option.is_none() {
            return self.fault(format!("{name}: there is no such flag"));
        }
        if !takes_value {
            match attached {
                Some(_) => self.fault(format!("{name}: takes no value")),
                None => self.options.push((bare.to_owned(), None)),
            }
            return;
        }
        match attached.or_else(|| rest.next()) {
            None => self.fault(format!("{name}: needs a value")),
            Some(value) if is_setting => self.flags.push((bare.to_owned(), value)),
            Some(value) => match String::from_utf8(value) {
                Ok(value) => self.options.push((bare.to_owned(), Some(value))),
                Err(_) => self.fault(format!("{name}: is not UTF-8")),
            },
        }
    }

    fn finish(mut self) -> Parsed {
        let found = self.topic();
        match found {
            _ if self.version && self.faults.is_empty() => {
                Parsed::Print(format!("octavo {}\n", env!("CARGO_PKG_VERSION")))
            }
            Ok(topic) if self.help => Parsed::Print(help::of(topic)),
            Ok(Topic::Command(row, taken)) => self.run(row, taken),
            Ok(Topic::Program | Topic::Settings | Topic::Group(_)) => {
                self.fault(format!("octavo {}: needs a further word", self.words.join(" ")));
                Parsed::Refuse { faults: self.faults, flags: self.flags }
            }
            Err(fault) => {
                self.faults.push(fault);
                Parsed::Refuse { faults: self.faults, flags: self.flags }
            }
        }
    }

    /// What the words name: the first command of the table if there are none.
    fn topic(&self) -> Result<Topic, UsageFault> {
        if self.words.is_empty() {
            return Ok(if self.help { Topic::Program } else { Topic::Command(&rows()[0], 0) });
        }
        named_command(&self.words)
    }

    fn run(mut self, row: &'static CommandRow, taken: usize) -> Parsed {
        let operands = self.words.split_off(taken);
        let given = CommandArguments { words: row.words, operands: &operands, options: &self.options };
        let mut faults = misplaced(row, &given);
        // The value of an unknown flag looks like an operand; only the flag is reported then.
        if self.faults.is_empty() {
            faults.extend(wrong_count(row, &given));
        }
        if faults.is_empty() && self.faults.is_empty() {
            let parsed = match row.action {
                Action::Run(build) => build(&given).map(|command| Parsed::Run {
                    command,
                    json: self.json,
                    flags: std::mem::take(&mut self.flags),
                }),
                Action::Help => help_topic(&operands).map(|topic| Parsed::Print(help::of(topic))),
                Action::Completions => match Shell::parse(given.operand(0)) {
                    Some(shell) => Ok(Parsed::Print(completions::script(shell))),
                    None => Err(given.fault("there are completions for bash, zsh and fish only")),
                },
            };
            match parsed {
                Ok(parsed) => return parsed,
                Err(fault) => faults.push(fault),
            }
        }
        self.faults.extend(faults);
        Parsed::Refuse { faults: self.faults, flags: self.flags }
    }
}

/// The command at the start of the words, and how many words name it.
fn named_command(words: &[String]) -> Result<Topic, UsageFault> {
    let names =
        |row: &&CommandRow| words.iter().map(String::as_str).take(row.words.len()).eq(row.words.iter().copied());
    if let Some(row) = rows().iter().find(names) {
        return Ok(Topic::Command(row, row.words.len()));
    }
    let first = words.first().map_or("", String::as_str);
    match (rows().iter().find(|row| row.words.len() > 1 && row.words[0] == first), words.get(1)) {
        (Some(row), None) => Ok(Topic::Group(row.words[0])),
        (Some(_), Some(second)) => Err(UsageFault(format!("octavo {first} {second}: there is no such command"))),
        (None, _) => Err(UsageFault(format!("octavo {first}: there is no such command"))),
    }
}

/// What `octavo help` is asked about.
fn help_topic(operands: &[String]) -> Result<Topic, UsageFault> {
    match operands {
        [] => Ok(Topic::Program),
        [word] if word == help::SETTINGS => Ok(Topic::Settings),
        words => named_command(words),
    }
}

fn misplaced(row: &CommandRow, given: &CommandArguments<'_>) -> Vec<UsageFault> {
    let mut faults = Vec::new();
    for (place, (name, _)) in given.options.iter().enumerate() {
        if !row.options.iter().any(|option| option.name == name) {
            faults.push(given.fault(&format!("takes no --{name}")));
        } else if given.options[..place].iter().any(|(earlier, _)| earlier == name) {
            faults.push(given.fault(&format!("--{name} is given more than once")));
        }
    }
    faults
}

fn wrong_count(row: &CommandRow, given: &CommandArguments<'_>) -> Option<UsageFault> {
    let wanted = row.operands;
    match wanted.get(given.operands.len()) {
        Some(optional) if optional.starts_with('[') => None,
        Some(missing) => Some(given.fault(&format!("needs {missing}"))),
        None if wanted.last().is_some_and(|last| last.trim_end_matches(']').ends_with("...")) => None,
        None => given.operands.get(wanted.len()).map(|extra| given.fault(&format!("has no use for \"{extra}\""))),
    }
}
