//! Input that costs the parser more than its length suggests, because of its nesting.

use crate::refusal::Refusal;

/// More than the maximum depth of blocks, with room for signs that turn out to be text.
const MOST_SIGNS: usize = 120;

/// Refuses a text with a line that opens more quotes and lists than blocks may be nested. The parser walks through
/// everything that is open for each line, so without a limit a short text could keep it busy for a long time.
pub(super) fn check(text: &str) -> Result<(), Refusal> {
    if text.lines().any(|line| count_openers(line) > MOST_SIGNS) { Err(Refusal::TooDeep) } else { Ok(()) }
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
            assert_eq!(check(&deep), Err(Refusal::TooDeep), "{deep}");
        }
        for flat in ["- ".repeat(500), "*".repeat(500), "-".repeat(500), "a > ".repeat(500), "> > - 1. a".to_owned()] {
            assert_eq!(check(&flat), Ok(()), "{flat}");
        }
    }
}
