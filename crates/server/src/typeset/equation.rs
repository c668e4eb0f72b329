//! Equations: from LaTeX to MathML.

use super::mathml::sanitize;
use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, write_mathml};
use std::{cell::Cell, io, panic::catch_unwind};

/// The longest equation that is set, in bytes. A longer one is shown as its source, like everything that cannot be set.
const MAX_LENGTH: usize = 2_000;

/// How deep groups, environments and pairs of delimiters may be nested. The parser looks for the end of each, so its
/// cost is at most the length times this.
const MAX_DEPTH: usize = 24;

/// How many commands may follow each other directly. The parser recurses into a command that is the argument of
/// another.
const MAX_IN_A_ROW: usize = 24;

/// How many bytes of source are set on one page. A shorter equation counts as `MIN_COST` bytes.
const MAX_PER_PAGE: usize = 100_000;
const MIN_COST: usize = 64;

/// Commands that define others. The crate limits what these expand to, but to a megabyte for each equation.
const DEFINITIONS: &[&str] = &["def", "let", "futurelet", "newcommand", "renewcommand", "providecommand"];

/// Sets the equations of one page.
#[derive(Debug)]
pub(crate) struct Equations {
    /// How many bytes of source may still be set.
    left: Cell<usize>,
}

impl Default for Equations {
    fn default() -> Self {
        Self { left: Cell::new(MAX_PER_PAGE) }
    }
}

impl Equations {
    /// An equation as MathML; `None` if it cannot be set.
    pub(crate) fn set(&self, latex: &str, is_block: bool) -> Option<String> {
        if latex.trim().is_empty() || !is_modest(latex) {
            return None;
        }
        self.left.set(self.left.get().checked_sub(latex.len().max(MIN_COST))?);
        // The crate can panic. That must cost the equation only, not the page.
        let set = catch_unwind(|| render(latex, is_block)).ok()??;
        sanitize(&set)
    }
}

/// Whether setting an equation costs no more than its length justifies.
fn is_modest(latex: &str) -> bool {
    if latex.len() > MAX_LENGTH {
        return false;
    }
    let (mut depth, mut brackets, mut row) = (0_usize, 0_usize, 0_usize);
    let mut rest = latex;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '\\' => {
                let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                let (name, after) = rest.split_at(length);
                rest = after;
                if name.is_empty() {
                    // A symbol after the backslash. It has no argument.
                    rest = rest.chars().next().map_or("", |symbol| &rest[symbol.len_utf8()..]);
                    continue;
                }
                match name {
                    "begin" | "left" => depth += 1,
                    "end" | "right" => depth = depth.saturating_sub(1),
                    name if DEFINITIONS.contains(&name) => return false,
                    _ => {}
                }
                row += 1;
            }
            '{' => {
                depth += 1;
                row = 0;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                row = 0;
            }
            // A comment could hide characters from this check but not from the parser, or the other way round.
            '%' => return false,
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            // What is in brackets belongs to the command before it.
            character if character.is_alphanumeric() && brackets == 0 => row = 0,
            _ => {}
        }
        if depth > MAX_DEPTH || row > MAX_IN_A_ROW {
            return false;
        }
    }
    true
}

fn render(latex: &str, is_block: bool) -> Option<String> {
    let storage = Storage::new();
    let display_mode = if is_block { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    // A table repeats the description of its columns in each row, so its markup can be much longer than its source.
    let mut output = Output { bytes: Vec::new(), limit: latex.len() * 32 + 4096 };
    write_mathml(&mut output, Parser::new(latex, &storage), config).ok()?;
    String::from_utf8(output.bytes).ok()
}

/// A buffer that refuses to grow beyond a limit.
struct Output {
    bytes: Vec<u8>,
    limit: usize,
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn set(latex: &str) -> Option<String> {
        Equations::default().set(latex, true)
    }

    #[test]
    fn equations_become_mathml() {
        let root = set(r"x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}").unwrap();
        for part in ["<math display=\"block\"", "<mfrac", "<msqrt", "<msup", "</math>"] {
            assert!(root.contains(part), "{part} is not in {root}");
        }
        for latex in [
            r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}",
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
            r"\begin{aligned} a &= b \\ &= c \end{aligned}",
            r"f(x) = \begin{cases} 1 & x < 0 \\ 2 & \text{otherwise} \end{cases}",
            r"\left( \int_0^\infty e^{-x^2} \, dx \right)",
            r"\alpha \beta \gamma \delta \epsilon \zeta \eta \theta \iota \kappa \lambda \mu",
        ] {
            assert!(set(latex).is_some(), "{latex}");
        }
        let less = Equations::default().set("a < b", false).unwrap();
        assert!(less.contains("&lt;") && !less.contains("<<") && !less.contains("display=\"block\""), "{less}");
    }

    #[test]
    fn what_cannot_be_set_is_left_as_it_is() {
        for latex in ["", "  ", r"\frac{1}", r"\unheardof", "a^", r"\left( a"] {
            assert_eq!(set(latex), None, "{latex}");
        }
    }

    #[test]
    fn no_tag_of_a_user_is_written() {
        for latex in [
            r"\operatorname{<script>alert(1)</script>}",
            r"\operatorname{<img src=x onerror=y>}",
            r"\text{<b>}",
            r"\operatorname{</math><a href=x>}",
            r"\operatorname{</mi></math>}",
        ] {
            let html = set(latex).unwrap_or_default();
            for tag in ["<script", "<img", "<b", "<a", "</mi></math><"] {
                assert!(!html.contains(tag), "{html}");
            }
        }
    }

    #[test]
    fn styles_are_left_out_because_the_policy_forbids_them() {
        assert!(set(r"\color{red} x").is_none_or(|html| !html.contains("style=")));
    }

    #[test]
    fn equations_that_cost_too_much_are_not_set() {
        for latex in [
            "x".repeat(MAX_LENGTH + 1),
            "{".repeat(MAX_DEPTH + 1),
            r"\left(".repeat(MAX_DEPTH + 1),
            r"\sqrt".repeat(MAX_IN_A_ROW + 1),
            r"\sqrt[3]".repeat(MAX_IN_A_ROW + 1),
            "{%}\n".repeat(10),
            r"\def\a{\a\a}\a".to_owned(),
            r"\newcommand{\a}{x}\a".to_owned(),
        ] {
            assert!(set(&latex).is_none(), "{latex}");
        }
    }

    #[test]
    fn a_page_of_equations_ends_in_sources() {
        let equations = Equations::default();
        let long = "x+".repeat(900) + "x";
        let set = (0..100).filter(|_| equations.set(&long, true).is_some()).count();
        assert_eq!(set, MAX_PER_PAGE / long.len());
    }

    proptest! {
        #[test]
        fn any_text_is_set_or_left(latex in r"(\\[a-z]{1,8}|[a-z0-9&<>{}\[\]^_ %$#~\\]|\\begin\{array\}|\\left\(){0,40}") {
            if let Some(html) = set(&latex) {
                prop_assert!(html.starts_with("<math") && html.ends_with("</math>"), "{}", html);
            }
        }
    }
}
