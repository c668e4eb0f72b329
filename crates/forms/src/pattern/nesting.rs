//! Repetitions within repetitions.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

/// Whether a repetition without an end is repeated without an end, and nothing has to stand between its rounds.
pub(super) fn is_nested(pattern: &Hir) -> bool {
    match pattern.kind() {
        HirKind::Repetition(repetition) if is_endless(repetition) => {
            can_be_all(&repetition.sub) || is_nested(&repetition.sub)
        }
        HirKind::Repetition(repetition) => is_nested(&repetition.sub),
        HirKind::Capture(capture) => is_nested(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(is_nested),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

fn is_endless(repetition: &Repetition) -> bool {
    repetition.max.is_none() && repetition.sub.properties().maximum_len() != Some(0)
}

/// Whether a repetition without an end can be all that this matches.
fn can_be_all(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Repetition(repetition) => is_endless(repetition) || can_be_all(&repetition.sub),
        HirKind::Capture(capture) => can_be_all(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().any(can_be_all),
        HirKind::Concat(parts) => parts.iter().enumerate().any(|(index, part)| {
            let mut others = parts.iter().enumerate().filter(|(other, _)| *other != index);
            can_be_all(part) && !others.any(|(_, other)| separates(other, part))
        }),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// Whether something separates the rounds of a repetition: it must be there, and be told apart from them.
fn separates(part: &Hir, repeated: &Hir) -> bool {
    let must_be_there = part.properties().minimum_len().is_some_and(|length| length > 0);
    must_be_there && (is_fixed(part) || !share_letters(part, repeated))
}

/// Whether a character must be there that is not repeated.
fn is_fixed(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => true,
        HirKind::Repetition(repetition) => repetition.min > 0 && repetition.max.is_some() && is_fixed(&repetition.sub),
        HirKind::Capture(capture) => is_fixed(&capture.sub),
        HirKind::Concat(parts) => parts.iter().any(is_fixed),
        HirKind::Alternation(parts) => parts.iter().all(is_fixed),
        HirKind::Empty | HirKind::Look(_) => false,
    }
}

fn share_letters(one: &Hir, other: &Hir) -> bool {
    let mut shared = letters(one);
    shared.intersect(&letters(other));
    !shared.ranges().is_empty()
}

/// All characters that this can match.
pub(super) fn letters(part: &Hir) -> ClassUnicode {
    match part.kind() {
        HirKind::Literal(literal) => {
            let text = str::from_utf8(&literal.0).unwrap_or_default();
            ClassUnicode::new(text.chars().map(|letter| ClassUnicodeRange::new(letter, letter)))
        }
        HirKind::Class(Class::Unicode(class)) => class.clone(),
        HirKind::Class(Class::Bytes(class)) => ClassUnicode::new(
            class.ranges().iter().map(|range| ClassUnicodeRange::new(range.start().into(), range.end().into())),
        ),
        HirKind::Repetition(repetition) => letters(&repetition.sub),
        HirKind::Capture(capture) => letters(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            let mut all = ClassUnicode::empty();
            for part in parts {
                all.union(&letters(part));
            }
            all
        }
        HirKind::Empty | HirKind::Look(_) => ClassUnicode::empty(),
    }
}
