//! Completions for zsh.

use super::{Flag, place::Place, value_flags, with_choices};
use std::fmt::Write;

pub(super) fn script(places: &[Place], common: &[Flag]) -> String {
    let choices =
        with_choices(common).map(|flag| format!("(--{}) candidates=({}) ;;", flag.name, flag.choices.join(" ")));
    let mut text = include_str!("head.zsh")
        .replace("VALUE_FLAGS", &value_flags(places, common).join("|"))
        .replace("VALUE_CHOICES", &choices.collect::<Vec<_>>().join("\n        "));
    for place in places {
        let pattern = place.pattern();
        let words = place.words.iter().map(|(word, meaning)| described(word, meaning));
        let (words, flags) = (words.collect::<Vec<_>>().join(" "), dashed(&place.flags));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "        ({pattern}) candidates=({words}) flags=({flags}) ;;");
    }
    text + &include_str!("tail.zsh").replace("COMMON_FLAGS", &dashed(common))
}

fn dashed(flags: &[Flag]) -> String {
    let flags = flags.iter().map(|flag| described(&format!("--{}", flag.name), &flag.meaning));
    flags.collect::<Vec<_>>().join(" ")
}

/// A word and its meaning in one quoted text, with a colon between them.
fn described(word: &str, meaning: &str) -> String {
    let colon = if meaning.is_empty() { "" } else { ":" };
    format!("'{word}{colon}{}'", meaning.replace('\'', r"'\''"))
}
