//! The scripts against the tables.

use super::{Shell, script};
use crate::{
    command::table::{COMMON, rows},
    settings::table,
};

const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// How a script names a flag.
fn named(shell: Shell, flag: &str) -> String {
    match shell {
        Shell::Bash | Shell::Zsh => format!("--{flag}"),
        Shell::Fish => format!("-l {flag}"),
    }
}

/// Whether a text has a word, and not only a longer word that contains it.
fn has(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[test]
fn every_command_and_every_flag_is_completed() {
    for shell in SHELLS {
        let text = script(shell);
        for row in rows() {
            assert!(row.words.iter().all(|word| has(&text, word)), "{shell:?}: {:?}", row.words);
            for option in row.options {
                assert!(has(&text, &named(shell, option.name)), "{shell:?}: {}", option.name);
            }
        }
        let settings = table::rows().iter().map(table::Row::flag).collect::<Vec<_>>();
        for flag in COMMON.iter().map(|row| row.name).chain(settings.iter().map(String::as_str)) {
            assert!(has(&text, &named(shell, flag)), "{shell:?}: {flag}");
        }
    }
}

#[test]
fn values_to_choose_from_are_completed() {
    for shell in SHELLS {
        let text = script(shell);
        for (flag, choices) in [
            ("signup", "open invite closed"),
            ("log-format", "auto text json"),
            ("register-conceal", "true false"),
            ("nodes", "single several"),
        ] {
            let line = match shell {
                Shell::Bash => format!("--{flag}) words=\"{choices}\" ;;"),
                Shell::Zsh => format!("(--{flag}) candidates=({choices}) ;;"),
                Shell::Fish => format!("-l {flag} -x -a '{choices}' "),
            };
            assert!(text.contains(&line), "{shell:?}: {line}");
        }
        assert!(!text.contains("--listen) words=") && !text.contains("(--listen) candidates="), "{shell:?}");
    }
}

#[test]
fn no_script_keeps_a_placeholder() {
    for shell in SHELLS {
        let text = script(shell);
        assert!(!text.contains("_FLAGS") && !text.contains("_CHOICES"), "{shell:?}: {text}");
    }
}

#[test]
fn meanings_cannot_end_their_quotes() {
    let quotes = |text: &str, escaped: &str| text.replace(escaped, "").matches('\'').count();
    assert_eq!(quotes(&script(Shell::Zsh), r"'\''") % 2, 0);
    assert_eq!(quotes(&script(Shell::Fish), r"\'") % 2, 0);
}
