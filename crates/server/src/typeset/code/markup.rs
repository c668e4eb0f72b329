//! Scans HTML and XML.

use super::painter::{Color, Painter};

pub(super) fn scan(code: &str, painter: &mut Painter) {
    let mut rest = code;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        painter.plain(text);
        if tag.starts_with("<!--") {
            let length = tag.find("-->").map_or(tag.len(), |end| end + 3);
            painter.paint(Color::Comment, &tag[..length]);
            rest = &tag[length..];
        } else {
            rest = scan_tag(tag, painter);
        }
    }
    painter.plain(rest);
}

/// Scans a tag and returns what follows it.
fn scan_tag<'a>(tag: &'a str, painter: &mut Painter) -> &'a str {
    let start = 1 + usize::from(tag[1..].starts_with(['/', '?', '!']));
    painter.plain(&tag[..start]);
    let mut rest = &tag[start..];
    let mut color = Color::Keyword;
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '>' | '<' => break,
            '"' | '\'' => {
                let length = rest[1..].find(character).map_or(rest.len(), |end| end + 2);
                painter.paint(Color::String, &rest[..length]);
                length
            }
            character if is_of_name(character) => {
                let length = rest.find(|character: char| !is_of_name(character)).unwrap_or(rest.len());
                painter.paint(color, &rest[..length]);
                color = Color::Type;
                length
            }
            character => {
                painter.plain(&rest[..character.len_utf8()]);
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    if rest.starts_with('>') {
        painter.plain(">");
        rest = &rest[1..];
    }
    rest
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_' | ':' | '.' | '@')
}
