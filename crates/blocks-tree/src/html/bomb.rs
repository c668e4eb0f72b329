//! Tags that cost the parser more than their length suggests.

use crate::refusal::{Refusal, check_cancelled};
use octavo_core_model::cancellation::Cancellation;

/// The parser compares each attribute of a tag with all previous ones.
const MOST: usize = 2_000;

/// Refuses tags with an absurd number of attributes. Scripts, styles and comments contain no tags.
pub(super) fn check(text: &str, cancellation: &Cancellation) -> Result<(), Refusal> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        check_cancelled(cancellation)?;
        at += found + 1;
        if bytes[at..].starts_with(b"!--") {
            at += comment(&text[at..]);
            continue;
        }
        let name = at + usize::from(bytes.get(at) == Some(&b'/'));
        if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let (length, attributes) = tag(&bytes[name..]);
        if attributes > MOST {
            return Err(Refusal::TooManyAttributes { most: MOST });
        }
        let hides = if name == at { hides(&bytes[name..]) } else { None };
        // Back to a one-byte character, so that this is a character boundary.
        at = name + length;
        at += hides.map_or(0, |end| find(&bytes[at..], end).unwrap_or(bytes.len() - at));
    }
    Ok(())
}

/// The length of a comment.
fn comment(text: &str) -> usize {
    let ends = |at: &usize| text[..*at].ends_with("--") || text[..*at].ends_with("--!");
    text.match_indices('>').map(|(at, _)| at).find(ends).unwrap_or(text.len())
}

/// The end of the content of a tag that cannot contain tags.
fn hides(tag: &[u8]) -> Option<&'static [u8]> {
    let length = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if tag[..length].eq_ignore_ascii_case(b"script") {
        Some(b"</script")
    } else if tag[..length].eq_ignore_ascii_case(b"style") {
        Some(b"</style")
    } else {
        None
    }
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|part| part.eq_ignore_ascii_case(word))
}

/// The length of a tag and an upper bound for the number of its attributes.
fn tag(bytes: &[u8]) -> (usize, usize) {
    let (mut quote, mut attributes, mut was_gap, mut follows_sign) = (None, 0, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => {
                quote = None;
                was_gap = true;
            }
            (Some(_), _) => {}
            (None, b'>') => return (at, attributes),
            (None, b'"' | b'\'') if follows_sign => quote = Some(byte),
            (None, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'/') => was_gap = true,
            (None, _) => {
                attributes += usize::from(was_gap);
                was_gap = false;
            }
        }
        follows_sign = *byte == b'=' || (follows_sign && byte.is_ascii_whitespace());
    }
    (bytes.len(), attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> Result<(), Refusal> {
        check(text, &Cancellation::default())
    }

    #[test]
    fn tags_with_thousands_of_attributes_are_refused_and_long_ones_are_not() {
        let refusal = Err(Refusal::TooManyAttributes { most: MOST });
        for bomb in [" a", "/a", " a=b", " a='b'", " a = \"b\"", "\na"] {
            for tag in ["<p", "</p", "<script", "<!-- --!><p", "<style></style><p"] {
                assert_eq!(attributes(&format!("{tag}{}>", bomb.repeat(3_000))), refusal, "{tag} {bomb}");
            }
        }
        let words = "a b ".repeat(10_000);
        for fine in [
            format!("<p title=\"{words}\">{words}"),
            format!("<!-- <p {words} -->"),
            format!("<script>x<y {words}</script>"),
        ] {
            assert_eq!(attributes(&fine), Ok(()));
        }
    }
}
