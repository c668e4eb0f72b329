//! Licence expressions in package manifests: names joined by `OR`, `AND`, `WITH` and parentheses.

use anyhow::{Context as _, Result, bail, ensure};

/// Licences that allow everybody to use, change and redistribute the code, at most on condition of naming its
/// authors. MPL-2.0 requires more, but only for changes to its own files, of which we make none.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OpenSSL",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
    "blessing",
];

/// Whether permissive licences alone satisfy the expression.
pub(crate) fn permits(expression: &str) -> Result<bool> {
    // Old manifests separate alternatives by a slash.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = Words { words: spaced.split_whitespace().collect(), next: 0 };
    let verdict = words.alternatives()?;
    match words.next_word() {
        None => Ok(verdict),
        Some(word) => bail!("{word} is out of place"),
    }
}

struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
}

impl<'a> Words<'a> {
    fn next_word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.next).copied();
        self.next += 1;
        word
    }

    fn accept(&mut self, wanted: &str) -> bool {
        let found = self.words.get(self.next).is_some_and(|word| word.eq_ignore_ascii_case(wanted));
        self.next += usize::from(found);
        found
    }

    fn alternatives(&mut self) -> Result<bool> {
        let mut verdict = self.demands()?;
        while self.accept("OR") {
            verdict |= self.demands()?;
        }
        Ok(verdict)
    }

    fn demands(&mut self) -> Result<bool> {
        let mut verdict = self.license()?;
        while self.accept("AND") {
            verdict &= self.license()?;
        }
        Ok(verdict)
    }

    fn license(&mut self) -> Result<bool> {
        if self.accept("(") {
            let verdict = self.alternatives()?;
            ensure!(self.accept(")"), "a parenthesis is not closed");
            return Ok(verdict);
        }
        let name = self.next_word().filter(|word| is_name(word)).context("a licence is missing")?;
        // An exception only ever adds permissions.
        if self.accept("WITH") {
            self.next_word().filter(|word| is_name(word)).context("an exception is missing")?;
        }
        Ok(PERMISSIVE.contains(&name))
    }
}

fn is_name(word: &str) -> bool {
    !["OR", "AND", "WITH", ")", "("].contains(&word)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn permissive_readings_are_permitted() {
        for expression in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
            "(MIT OR GPL-2.0-only) AND Unicode-3.0",
            "ISC AND (Apache-2.0 OR ISC) AND OpenSSL",
        ] {
            assert!(permits(expression).unwrap(), "{expression}");
        }
    }

    #[test]
    fn readings_that_bind_us_are_not() {
        for expression in [
            "GPL-3.0-only",
            "AGPL-3.0-or-later",
            "LGPL-2.1-only",
            "MIT AND GPL-3.0-only",
            "MIT AND (GPL-3.0-only OR AGPL-3.0-only)",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "Proprietary",
        ] {
            assert!(!permits(expression).unwrap(), "{expression}");
        }
    }

    #[test]
    fn and_binds_closer_than_or() {
        assert!(permits("MIT OR GPL-3.0-only AND GPL-2.0-only").unwrap());
        assert!(!permits("GPL-3.0-only AND MIT OR GPL-2.0-only").unwrap());
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", "AND MIT", "MIT WITH"] {
            assert!(permits(expression).is_err(), "{expression}");
        }
    }
}
