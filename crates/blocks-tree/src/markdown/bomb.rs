//! Input that costs the parser more than its length suggests.

use super::code_lines::CodeLines;
use crate::refusal::{Budget, Refusal};

/// More than the maximum depth of blocks, with room for signs that turn out to be text.
const MOST_SIGNS: usize = 120;

/// Refuses two kinds of texts. One has a line that opens more quotes and lists than blocks may be nested: the parser
/// walks through everything that is open for each line, so without a limit a short text could keep it busy for a long
/// time. The other has too many delimiters: the parser keeps up to two nodes of 48 bytes for each, for the whole text.
/// In code they are text like any other.
pub(super) fn check(text: &str, budget: Budget) -> Result<(), Refusal> {
    let mut delimiters = 0;
    let mut code = CodeLines::default();
    for line in text.lines() {
        if code.pass(line) {
            delimiters += 1;
            continue;
        }
        let openers = count_openers(line);
        if openers > MOST_SIGNS {
            return Err(Refusal::TooDeep);
        }
        delimiters += 1 + openers + line.bytes().filter(|byte| is_delimiter(*byte)).count();
    }
    // There are not more nodes than bytes, so a short text is fine whatever it contains.
    if text.len() > budget.delimiters { budget.allow_delimiters(delimiters) } else { Ok(()) }
}

/// Whether the parser stops at this character within a line.
const fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'&' | b'\\' | b'[' | b']' | b'<' | b'!' | b'`' | b'|' | b'~' | b'$' | b'{' | b'}')
}

/// How many quotes and list items a line opens at its start. A long divider opens none.
fn count_openers(line: &str) -> usize {
    let bytes = line.as_bytes();
    let divides = |sign: u8| bytes.iter().all(|byte| *byte == sign || matches!(byte, b' ' | b'\t' | b'>'));
    let (mut at, mut signs) = (0, 0);
    loop {
        at += bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = bytes.get(at + digits + 1).copied();
        let is_item = matches!(behind, None | Some(b' ' | b'\t'));
        match bytes.get(at + digits) {
            Some(b'>') if digits == 0 => signs += 1,
            Some(b'-' | b'*' | b'+') if digits == 0 && is_item => signs += 1,
            Some(b'.' | b')') if (1..10).contains(&digits) && is_item => signs += 1,
            _ => break,
        }
        at += digits + 1;
    }
    if signs > MOST_SIGNS && (divides(b'-') || divides(b'*')) {
        return line.matches('>').count();
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_open_too_much_are_refused_and_long_dividers_are_not() {
        for deep in [">".repeat(500), "> ".repeat(500), "+ ".repeat(500), "1. ".repeat(500), "- + ".repeat(500)] {
            assert_eq!(check(&deep, Budget::of(500)), Err(Refusal::TooDeep), "{deep}");
        }
        for flat in ["- ".repeat(500), "*".repeat(500), "-".repeat(500), "a > ".repeat(500), "> > - 1. a".to_owned()] {
            assert_eq!(check(&flat, Budget::of(500)), Ok(()), "{flat}");
        }
    }

    #[test]
    fn long_texts_may_have_a_million_delimiters_and_short_ones_consist_of_them() {
        let most = 1 << 20;
        for (text, is_fine) in [
            ("*".repeat(most), true),
            ("*".repeat(most + 1), false),
            (format!("{}{}", "*".repeat(most - 1), "a".repeat(most)), true),
            ("a ".repeat(2 * most), true),
            ("a\n".repeat(2 * most), false),
            ("> - a\n".repeat(most), false),
        ] {
            let refusal = Err(Refusal::TooManyDelimiters { most });
            assert_eq!(check(&text, Budget::of(5 << 20)), if is_fine { Ok(()) } else { refusal }, "{}", &text[..5]);
        }
    }

    #[test]
    fn code_may_consist_of_delimiters() {
        let most = 1 << 20;
        let many = "*****\n".repeat(most / 4);
        for (start, is_fine) in [
            ("```\n", true),
            ("~~~ rust\n```\n", true),
            ("", false),
            ("```\n```\n", false),
            ("- a\n  ```\nb\n", false),
            ("> ```\n", false),
            ("<!--\n```\n-->\n", false),
        ] {
            let refusal = Err(Refusal::TooManyDelimiters { most });
            let text = format!("{start}{many}");
            assert_eq!(check(&text, Budget::of(5 << 20)), if is_fine { Ok(()) } else { refusal }, "{start}");
        }
        let deep = ">".repeat(500);
        assert_eq!(check(&format!("```\n{deep}\n```\n"), Budget::of(1_000)), Ok(()));
        assert_eq!(check(&format!("```\n```\n{deep}"), Budget::of(1_000)), Err(Refusal::TooDeep));
    }
}
