//! `cargo xtask openapi [--check]`: writes the published description to a file that reviewers can read.

use crate::workspace::Workspace;
use crate::{binary, process};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::process::Command;

const PATH: &str = "docs/openapi.yaml";

pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<()> {
    let mut check = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("check") => check = true,
            other => bail!(other.unexpected()),
        }
    }
    let root = Workspace::load()?.root;
    let octavo = binary::build(&root, binary::WITH_ALL_TESTS, binary::OCTAVO)?;
    let described = process::output(Command::new(octavo).arg("openapi").current_dir(&root))?;
    let file = root.join(PATH);
    if !check {
        fs::write(file, described)?;
        return Ok(());
    }
    let written =
        fs::read_to_string(file).with_context(|| format!("{PATH} cannot be read; cargo xtask openapi writes it"))?;
    match first_difference(&written, &described) {
        None => Ok(()),
        Some(difference) => bail!("{PATH} is out of date, cargo xtask openapi rewrites it\n{difference}"),
    }
}

fn first_difference(written: &str, described: &str) -> Option<String> {
    if written == described {
        return None;
    }
    let (mut left, mut right) = (written.lines(), described.lines());
    let mut number = 1;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Some("they differ in line ends alone".to_owned()),
            (was, is) if was == is => number += 1,
            (was, is) => {
                let end = "(the end)";
                return Some(format!(
                    "line {number}\n  file:   {}\n  binary: {}",
                    was.unwrap_or(end),
                    is.unwrap_or(end)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn equal_texts_pass_and_the_first_difference_is_shown() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        let difference = first_difference("a\nb\n", "a\nc\n").unwrap();
        assert_eq!(difference, "line 2\n  file:   b\n  binary: c");
        assert!(first_difference("a\n", "a\nb\n").unwrap().contains("(the end)"));
        assert!(first_difference("a", "a\n").is_some());
    }
}
