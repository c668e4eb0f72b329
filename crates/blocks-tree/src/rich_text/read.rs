//! Parsing rich text from callers.

use super::{Boundaries, Mark, MarkKind, MentionKind, RichText, hint, is_link};
use octavo_core_model::{
    fault::{Issue, Violation},
    id::{DatabaseId, PageId, TeamId, UserId},
};
use serde_json::{Map, Value};
use std::{fmt, mem};

/// Parses `{ text, marks }` from an object that may have other fields, and moves the text out of it; `at` is the
/// path.
pub fn read(sent: &mut Map<String, Value>, at: &dyn fmt::Display) -> Result<RichText, Violation> {
    let text = match sent.get_mut("text") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => mem::take(text),
        Some(other) => return Err(Violation::new(format!("{at}.text"), Issue::InvalidType).with(other.take())),
    };
    if text.chars().count() > RichText::MAX_CHARS {
        return Err(Violation::new(format!("{at}.text"), Issue::TooLong));
    }
    if text.contains('\0') {
        return Err(Violation::new(format!("{at}.text"), Issue::InvalidFormat));
    }
    let marks = match sent.get("marks") {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(marks)) => marks,
        Some(other) => return Err(Violation::new(format!("{at}.marks"), Issue::InvalidType).with(other.clone())),
    };
    if marks.len() > RichText::MAX_MARKS {
        return Err(Violation::new(format!("{at}.marks"), Issue::TooLong));
    }
    if marks.is_empty() {
        return Ok(RichText::plain(text));
    }
    let borders = Boundaries::of(&text);
    let read = marks.iter().enumerate().map(|(index, sent)| {
        let flaw = |issue| {
            let hint = hint::for_mark(sent, borders.length);
            Violation::new(format!("{at}.marks.{index}"), issue).with(sent.clone()).hinting(hint)
        };
        let mark = mark(sent).map_err(flaw)?;
        if borders.hold(&mark) { Ok(mark) } else { Err(flaw(Issue::InvalidMark)) }
    });
    let read = read.collect::<Result<_, _>>()?;
    Ok(RichText::sorted(text, read))
}

pub(super) fn mark(sent: &Value) -> Result<Mark, Issue> {
    let sent = sent.as_object().ok_or(Issue::InvalidType)?;
    let offset = |name: &str| {
        let value = sent.get(name).and_then(Value::as_u64).ok_or(Issue::InvalidMark)?;
        usize::try_from(value).map_err(|_| Issue::InvalidMark)
    };
    let kind = sent.get("type").and_then(Value::as_str).ok_or(Issue::InvalidMark)?;
    let attrs = sent.get("attrs").and_then(Value::as_object);
    let attr = |name: &str| attrs.and_then(|attrs| attrs.get(name)).and_then(Value::as_str);
    let kind = match kind {
        "bold" => MarkKind::Bold,
        "italic" => MarkKind::Italic,
        "underline" => MarkKind::Underline,
        "strikethrough" => MarkKind::Strikethrough,
        "code" => MarkKind::Code,
        "highlight" => MarkKind::Highlight,
        "equation" => MarkKind::Equation,
        "link" => MarkKind::Link { url: attr("url").filter(|url| is_link(url)).ok_or(Issue::InvalidMark)?.to_owned() },
        "mention" => mention(attr("mentionType"), attr("mentionId")).ok_or(Issue::InvalidMark)?,
        _ => return Err(Issue::InvalidMark),
    };
    Ok(Mark { kind, from: offset("from")?, to: offset("to")? })
}

/// A mention whose id matches its kind.
fn mention(kind: Option<&str>, id: Option<&str>) -> Option<MarkKind> {
    let id = id?;
    let kind = match kind? {
        "user" => id.parse::<UserId>().ok().map(|_| MentionKind::User),
        "team" => id.parse::<TeamId>().ok().map(|_| MentionKind::Team),
        "page" => id.parse::<PageId>().ok().map(|_| MentionKind::Page),
        "database" => id.parse::<DatabaseId>().ok().map(|_| MentionKind::Database),
        _ => None,
    }?;
    Some(MarkKind::Mention { kind, id: id.to_owned() })
}
