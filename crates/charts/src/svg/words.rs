//! Texts and numbers in a picture.

use std::fmt::Write;

/// About how wide a text is. Fonts differ, so this is rather too much than too little.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |character: char| match character {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.88,
        'A'..='Z' => 0.68,
        '\u{0}'..='\u{2ff}' => 0.56,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{370}'..='\u{10ff}' | '\u{2000}'..='\u{206f}' => 0.64,
        _ => 1.05,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The text, or as much of its beginning as fits.
pub(super) fn fit(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for character in text.chars() {
        cut.push(character);
        if width(&cut, size) + 0.8 * size > room {
            cut.pop();
            break;
        }
    }
    let cut = cut.trim_end();
    if cut.is_empty() { String::new() } else { format!("{cut}\u{2026}") }
}

/// Escapes a text for the content or an attribute of an element. Characters that XML does not have are left out.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            // Marks that change the direction of what follows would reach beyond the text.
            '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{fffe}'
            | '\u{ffff}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// A number with few digits, for axes.
pub(super) fn short(number: f64) -> String {
    let size = number.abs();
    let (divided, unit) = match size {
        _ if size >= 1e15 => return format!("{number:.1e}"),
        _ if size >= 1e12 => (number / 1e12, "T"),
        _ if size >= 1e9 => (number / 1e9, "B"),
        _ if size >= 1e6 => (number / 1e6, "M"),
        _ if size >= 1e4 => (number / 1e3, "k"),
        _ if size > 0.0 && size < 1e-4 => return format!("{number:.1e}"),
        _ => (number, ""),
    };
    let digits = if divided.abs() >= 100.0 {
        1
    } else if divided.abs() >= 1.0 {
        2
    } else {
        4
    };
    format!("{}{unit}", plain(divided, digits))
}

/// A number with separated thousands and up to two digits after the point, or four if it is small.
pub(super) fn grouped(number: f64) -> String {
    if number.abs() >= 1e15 || (number != 0.0 && number.abs() < 1e-4) {
        return format!("{number:.2e}");
    }
    let text = plain(number, if number.abs() < 1.0 { 4 } else { 2 });
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let mut grouped = sign.to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        let _ = write!(grouped, ".{fraction}");
    }
    grouped
}

/// A number with at most so many digits after the point.
fn plain(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
