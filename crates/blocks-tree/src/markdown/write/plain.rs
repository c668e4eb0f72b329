//! The forms of `CommonMark` and GFM for blocks.

use super::{
    Choice, are_same,
    escape::{Place, Style, needs_no_escape},
    marks,
};
use crate::{
    Body, Kind, Piece, RichText,
    markdown::{isolate, read},
    refusal::Budget,
};
use octavo_core_model::cancellation::Cancellation;
use serde_json::Value;

/// The plain form of a block without its children.
pub(super) struct Head {
    /// The marker before the text of list items; numbers depend on the neighbours.
    pub(super) marker: &'static str,
    pub(super) text: String,
    /// Whether no empty line is needed between it and others of its kind.
    pub(super) is_tight: bool,
}

/// The plain form of a block, if it has one that parses back to the same block.
pub(super) fn head(piece: &Piece, choice: Choice, cancellation: &Cancellation) -> Option<Head> {
    if choice == Choice::Directives {
        return None;
    }
    let body = &piece.body;
    let kind = body.kind();
    let takes_children = matches!(kind, Kind::Quote | Kind::BulletedList | Kind::NumberedList | Kind::Todo);
    if !takes_children && !piece.children.is_empty() {
        return None;
    }
    let head = match kind {
        Kind::Paragraph
        | Kind::Heading1
        | Kind::Heading2
        | Kind::Heading3
        | Kind::Quote
        | Kind::BulletedList
        | Kind::NumberedList
        | Kind::Todo => of_text(body, choice, cancellation)?,
        Kind::Divider if body.properties().is_empty() => block("---".to_owned()),
        Kind::Code => checked(body, block(code(body)?), cancellation)?,
        Kind::Equation => equation(body, cancellation)?,
        Kind::Image => image(body, cancellation)?,
        Kind::Table => table(body, cancellation)?,
        _ => return None,
    };
    // The children would be parsed as the missing text.
    if head.text.is_empty() && !piece.children.is_empty() { None } else { Some(head) }
}

/// An equation is text to `CommonMark`, so its lines must not begin another block.
fn equation(body: &Body, cancellation: &Cancellation) -> Option<Head> {
    let latex = string(body, "latex")?;
    if latex.lines().any(has_loose_tab) { None } else { checked(body, block(format!("$$\n{latex}\n$$")), cancellation) }
}

/// Whether the line may begin another block below a quote or an item: a tab there can be too narrow to make the line
/// a continuation of the text.
fn has_loose_tab(line: &str) -> bool {
    let text = line.trim_start();
    line[..line.len() - text.len()].contains('\t')
        && !text.starts_with(|first: char| first.is_alphabetic() || "\\&{}()".contains(first))
}

const fn block(text: String) -> Head {
    Head { marker: "", text, is_tight: false }
}

fn of_text(body: &Body, choice: Choice, cancellation: &Cancellation) -> Option<Head> {
    let kind = body.kind();
    let marker = marker(body)?;
    let place =
        if matches!(kind, Kind::Heading1 | Kind::Heading2 | Kind::Heading3) { Place::Line } else { Place::Paragraph };
    let is_item = matches!(kind, Kind::BulletedList | Kind::NumberedList | Kind::Todo);
    let sign = if is_item || kind == Kind::Quote { "" } else { marker };
    let make = |text: String| {
        let is_tight = is_item && !text.is_empty() && !text.contains('\n');
        Head { marker, text: format!("{sign}{text}"), is_tight }
    };
    let text = body.text()?;
    let is_known = match kind {
        // An explicit start of 1 looks the same as no start.
        Kind::NumberedList => has_only(body, &["start"], &[]) && start(body) != Some(1),
        Kind::Todo => has_only(body, &[], &["checked"]),
        _ => has_only(body, &[], &[]),
    };
    if !is_known {
        return None;
    }
    if text.is_empty() && kind == Kind::Paragraph {
        return Some(make("<br>".to_owned()));
    }
    if text.marks().is_empty() && needs_no_escape(text.text()) {
        return Some(make(text.text().to_owned()));
    }
    if choice == Choice::Plain && marks::is_simple(text) {
        return marks::write(text, place, Style::Light).map(make);
    }
    [Style::Light, Style::Thorough]
        .into_iter()
        .find_map(|style| checked(body, make(marks::write(text, place, style)?), cancellation))
}

/// Whether the block only has its text and these keys.
fn has_only(body: &Body, content: &[&str], properties: &[&str]) -> bool {
    let is_known = |key: &str, value: &Value| value.is_null() || content.contains(&key);
    body.fields().iter().all(|(key, value)| is_known(key, value))
        && body.properties().iter().all(|(key, _)| properties.contains(&key))
}

/// The marker before the text.
fn marker(body: &Body) -> Option<&'static str> {
    Some(match body.kind() {
        Kind::Paragraph => "",
        Kind::Heading1 => "# ",
        Kind::Heading2 => "## ",
        Kind::Heading3 => "### ",
        Kind::Quote => "> ",
        Kind::BulletedList => "- ",
        Kind::NumberedList => "1. ",
        Kind::Todo => match body.properties().get("checked").map(Value::as_bool) {
            None => "+ [ ] ",
            Some(Some(false)) => "- [ ] ",
            Some(Some(true)) => "- [x] ",
            Some(None) => return None,
        },
        _ => return None,
    })
}

/// The number of the item after another one, and its delimiter. A different delimiter starts another list.
pub(super) fn number(body: &Body, before: Option<(u64, char)>) -> (u64, char) {
    const MOST: u64 = 999_999_999;
    match (start(body), before) {
        (Some(start), Some((_, '.'))) => (start, ')'),
        (Some(start), _) => (start, '.'),
        (None, Some((number, sign))) => ((number + 1).min(MOST), sign),
        (None, None) => (1, '.'),
    }
}

/// Whether the list starts with 1.
pub(super) fn begins_anew(body: &Body) -> bool {
    start(body).is_none()
}

fn start(body: &Body) -> Option<u64> {
    body.fields().get("start").and_then(Value::as_u64)
}

/// The form, if it parses as exactly this block and does not change how the text after it parses.
fn checked(body: &Body, head: Head, cancellation: &Cancellation) -> Option<Head> {
    let text = match body.kind() {
        Kind::Quote => format!("> {}", head.text.replace('\n', "\n> ")),
        Kind::NumberedList => {
            let (number, sign) = number(body, None);
            let marker = format!("{number}{sign} ");
            // Exactly this indentation: with a larger one a line can have another meaning.
            let line = format!("\n{}", " ".repeat(marker.len()));
            format!("{marker}{}", head.text.replace('\n', &line))
        }
        Kind::BulletedList | Kind::Todo => format!("{}{}", head.marker, head.text.replace('\n', "\n  ")),
        _ => head.text.clone(),
    };
    let expected = Piece::new(body.clone());
    let read = read::read(&text, Budget::EXISTING, cancellation).ok()?;
    (are_same(&read, std::slice::from_ref(&expected)) && isolate::is_settled(&text)).then_some(head)
}

fn string<'a>(body: &'a Body, key: &str) -> Option<&'a str> {
    // A block with properties is written as a directive.
    if body.properties().is_empty() { body.fields().get(key)?.as_str() } else { None }
}

fn code(body: &Body) -> Option<String> {
    let (code, language) = (string(body, "code")?, string(body, "language")?);
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let language = if language == "plain" { "" } else { language };
    let lines = if code.is_empty() { String::new() } else { format!("{code}\n") };
    Some(format!("{fence}{language}\n{lines}{fence}"))
}

fn image(body: &Body, cancellation: &Cancellation) -> Option<Head> {
    let file = string(body, "fileId")?;
    let caption = match body.fields().get("caption") {
        None | Some(Value::Null) => RichText::default(),
        Some(caption) => RichText::plain(caption.as_str()?),
    };
    [Style::Light, Style::Thorough].into_iter().find_map(|style| {
        let caption = marks::write(&caption, Place::Line, style)?;
        checked(body, block(format!("![{caption}](file:{file})")), cancellation)
    })
}

fn table(body: &Body, cancellation: &Cancellation) -> Option<Head> {
    if !body.properties().is_empty() {
        return None;
    }
    let cells = body.cells()?;
    let has_head = body.fields().get("headerRow")?.as_bool()?;
    if cells.rows().len() == 0 {
        return None;
    }
    let width = cells.width();
    [Style::Light, Style::Thorough].into_iter().find_map(|style| {
        let mut lines = cells.rows().map(|row| line(row, style)).collect::<Option<Vec<_>>>()?;
        if !has_head {
            lines.insert(0, format!("|{}", "  |".repeat(width)));
        }
        lines.insert(1, format!("|{}", " --- |".repeat(width)));
        checked(body, block(lines.join("\n")), cancellation)
    })
}

fn line(row: &[RichText], style: Style) -> Option<String> {
    let mut line = "|".to_owned();
    for cell in row {
        line.push(' ');
        line.push_str(&marks::write(cell, Place::Cell, style)?);
        line.push_str(" |");
    }
    Some(line)
}
