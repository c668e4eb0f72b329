//! Completions for fish.

use super::{Flag, place::Place, value_flags};
use std::fmt::Write;

pub(super) fn script(places: &[Place], common: &[Flag]) -> String {
    let mut script = include_str!("head.fish").replace("VALUE_FLAGS", &value_flags(places, common).join(" "));
    for place in places {
        let test = if place.goes_on { "__octavo_within" } else { "__octavo_after" };
        let condition = format!("complete -c octavo -n '{test} \"{}\"'", place.after);
        for (word, meaning) in &place.words {
            // Writing to a string cannot fail.
            let _ = writeln!(script, "{condition} -a {word} -d {}", quoted(meaning));
        }
        for flag in &place.flags {
            let _ = writeln!(script, "{condition} {}", arguments(flag));
        }
    }
    for flag in common {
        let _ = writeln!(script, "complete -c octavo {}", arguments(flag));
    }
    script
}

/// The arguments of `complete` for a flag. Values without a list are completed as names of files.
fn arguments(flag: &Flag) -> String {
    let short = flag.short.map_or_else(String::new, |short| format!("-s {short} "));
    let value = match (flag.takes_value, &*flag.choices) {
        (false, _) => String::new(),
        (true, []) => " -r -F".to_owned(),
        (true, choices) => format!(" -x -a '{}'", choices.join(" ")),
    };
    format!("{short}-l {}{value} -d {}", flag.name, quoted(&flag.meaning))
}

fn quoted(script: &str) -> String {
    format!("'{}'", script.replace('\\', r"\\").replace('\'', r"\'"))
}
