//! Finds lines of code without parsing the text.

/// Follows fences that begin at the left margin. Every line that it takes for code is code for the parser too, and
/// costs it almost nothing, whatever it contains. Some lines of code are not recognized.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum CodeLines {
    #[default]
    Outside,
    /// After a fence of this length, which consists of this sign.
    Within { sign: u8, length: usize },
    /// From here on no line is taken for code: a fence elsewhere, or HTML, may contain or end other fences.
    Unknown,
}

impl CodeLines {
    /// Processes a line, and returns whether the parser takes it for code. The fences themselves are not code.
    pub(super) fn pass(&mut self, line: &str) -> bool {
        match *self {
            Self::Outside => {
                *self = match fence(line) {
                    Some((sign, length)) => Self::Within { sign, length },
                    None if may_hide_fences(line) => Self::Unknown,
                    None => Self::Outside,
                };
                false
            }
            Self::Within { sign, length } => {
                let closes = closes(line, sign, length);
                if closes {
                    *self = Self::Outside;
                }
                !closes
            }
            Self::Unknown => false,
        }
    }
}

/// The sign and the length of the fence that this line opens at the left margin.
fn fence(line: &str) -> Option<(u8, usize)> {
    let sign = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = count(line, sign);
    let is_open = length >= 3 && !(sign == b'`' && line[length..].contains('`'));
    is_open.then_some((sign, length))
}

/// Whether a line closes a fence that was opened at the left margin.
fn closes(line: &str, sign: u8, length: usize) -> bool {
    let indent = count(line, b' ');
    let found = count(&line[indent..], sign);
    indent <= 3 && found >= length && line[indent + found..].bytes().all(|byte| byte == b' ')
}

/// Whether the line may be a fence within something else, or begin HTML, in which fences mean nothing.
fn may_hide_fences(line: &str) -> bool {
    let is_marker = |sign: char| sign.is_whitespace() || sign.is_ascii_digit() || ">-*+.)".contains(sign);
    line.contains("```") || line.contains("~~~") || line.trim_start_matches(is_marker).starts_with('<')
}

/// How many of these bytes the text begins with.
fn count(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|found| *found == byte).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::read::OPTIONS;
    use proptest::{collection::vec, prelude::*, sample::select};
    use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

    /// The numbers of the lines that are taken for code.
    fn code_lines(text: &str) -> Vec<usize> {
        let mut lines = CodeLines::default();
        text.lines().enumerate().filter(|(_, line)| lines.pass(line)).map(|(number, _)| number).collect()
    }

    #[test]
    fn lines_between_fences_at_the_margin_are_code() {
        for (text, expected) in [
            ("a\n```\nb\n\n```\nc", &[2_usize, 3][..]),
            ("~~~~ rust\n```\n~~~\n   ~~~~~ \nb", &[1, 2]),
            ("```\n    ```\n``` a\n```\t\n```\nb", &[1, 2, 3]),
            ("```\na", &[1]),
            ("``` `\na", &[]),
            ("``\na\n``", &[]),
        ] {
            assert_eq!(code_lines(text), expected, "{text}");
        }
    }

    #[test]
    fn nothing_is_code_after_what_may_hide_a_fence() {
        for start in ["- a\n  ```\n", "> ```\n", " ```\n", "- ```\n", "a ```\n", "<!--\n", "1. <div>\n", "[^1]: ~~~\n"]
        {
            assert!(code_lines(&format!("{start}```\na\n```\n")).is_empty(), "{start}");
        }
    }

    const LINES: &[&str] = &[
        "```",
        "~~~",
        "````",
        "```rust",
        "``` `",
        "  ```",
        "    ```",
        "\t```",
        "```\t",
        "``` ",
        "> ```",
        "- ```",
        "-",
        "- a",
        "  a",
        "a",
        "",
        "",
        ">",
        "> a",
        "<div>",
        "<!--",
        "-->",
        "</div>",
        "[a]: b \"c",
        "[a]: b",
        "d\"",
        "[a",
        "|a|b|",
        "|-|-|",
        "1. a",
        "    a",
        "[^1]: a",
        "$$",
        "# a",
        "===",
        "---",
        "\\",
        "a  ",
        "<a",
        "`a",
        "*",
    ];

    proptest! {
        #[test]
        fn the_parser_takes_these_lines_for_code_too(lines in vec(select(LINES), 0..30)) {
            let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
            let fenced: Vec<_> = Parser::new_ext(&text, OPTIONS)
                .into_offset_iter()
                .filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))))
                .map(|(_, range)| range)
                .collect();
            for number in code_lines(&text) {
                let start = lines[..number].iter().map(|line| line.len() + 1).sum::<usize>();
                prop_assert!(fenced.iter().any(|range| range.contains(&start)), "line {} of\n{}", number, text);
            }
        }
    }
}
