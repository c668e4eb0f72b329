//! Completions for bash.

use super::{Flag, place::Place, value_flags, with_choices};
use std::fmt::Write;

pub(super) fn script(places: &[Place], common: &[Flag]) -> String {
    let choices = with_choices(common).map(|flag| format!("--{}) words=\"{}\" ;;", flag.name, flag.choices.join(" ")));
    let mut text = include_str!("head.bash")
        .replace("VALUE_FLAGS", &value_flags(places, common).join("|"))
        .replace("VALUE_CHOICES", &choices.collect::<Vec<_>>().join("\n        "));
    for place in places {
        let pattern = place.pattern();
        let words: Vec<_> = place.words.iter().map(|(word, _)| *word).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "        {pattern}) words=\"{}\" flags=\"{}\" ;;",
            words.join(" "),
            dashed(&place.flags).join(" ")
        );
    }
    text + &include_str!("tail.bash").replace("COMMON_FLAGS", &dashed(common).join(" "))
}

fn dashed(flags: &[Flag]) -> Vec<String> {
    flags.iter().map(|flag| format!("--{}", flag.name)).collect()
}
