//! Suggestions for names that do not exist.

use crate::functions::functions;

/// Longer names are not compared.
const LONGEST: usize = 32;

/// The function whose name is closest to this one, if it is close.
pub(super) fn function(name: &str) -> Option<&'static str> {
    let sent = name.to_lowercase();
    if sent.chars().count() > LONGEST {
        return None;
    }
    let distance = |known: &'static str| (distance(&sent, &known.to_lowercase()), known);
    let (distance, known) = functions().map(|function| distance(function.name)).min()?;
    // Of a short name, a third of the letters.
    (distance <= (sent.len() / 3).min(2)).then_some(known)
}

/// How many letters have to be changed, added or left out to get from one to the other.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in to.chars().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_close_are_suggested() {
        for (sent, expected) in [
            ("dateadd", Some("dateAdd")),
            ("UPPER", Some("upper")),
            ("lenght", Some("length")),
            ("IF", Some("if")),
            ("sun", Some("sum")),
            ("frobnicate", None),
            ("", None),
            ("of", None),
        ] {
            assert_eq!(function(sent), expected, "{sent}");
        }
    }
}
