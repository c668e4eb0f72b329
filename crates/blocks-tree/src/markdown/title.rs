//! The heading with which a document begins.

use crate::{Kind, Piece};

const MAX_CHARS: usize = 300;

/// Takes a first-level heading at the start as the title, if it is short enough and a single line.
pub fn heading_as_title(mut pieces: Vec<Piece>) -> (Option<String>, Vec<Piece>) {
    let title = pieces.first().and_then(title);
    if title.is_some() {
        pieces.remove(0);
    }
    (title, pieces)
}

fn title(first: &Piece) -> Option<String> {
    if first.body.kind() != Kind::Heading1 || !first.children.is_empty() {
        return None;
    }
    let text = first.body.text()?;
    let title = text.text().trim();
    let fits = !title.is_empty() && !title.chars().any(char::is_control) && title.chars().count() <= MAX_CHARS;
    fits.then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::markdown::read;

    #[test]
    fn a_leading_heading_becomes_the_title_and_leaves_the_body() {
        let (title, rest) = heading_as_title(read("# The *plan*\n\ntext\n\n# Other").unwrap());
        assert_eq!(title.as_deref(), Some("The plan"));
        assert_eq!(rest, read("text\n\n# Other").unwrap());
    }

    #[test]
    fn what_is_no_title_stays() {
        let long = format!("# {}", "a".repeat(301));
        for text in ["text\n\n# Late", "## Second", "#", "# a<br>b", &long, ""] {
            let pieces = read(text).unwrap();
            assert_eq!(heading_as_title(pieces.clone()), (None, pieces), "{text}");
        }
    }
}
