//! The quote before cells that a spreadsheet would run as a formula.
//!
//! A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return is written with a `'` before it. A text that
//! begins with such quotes and then one of these characters gets one more, so that reading can take exactly one away
//! and gets every text back. Reading does so in every file: programs on the way drop the byte order mark, other
//! products write the same guard, and nobody else begins a cell with `'=`.
//! The exception is a file that was written raw: a text in it that begins with `'=` loses the quote when it is read.

/// Whether the text needs a guard: it begins with a character that begins a formula, quotes aside.
pub(super) fn needs_guard(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// Whether the cell begins with a guard.
pub(super) fn is_guarded(cell: &str) -> bool {
    cell.starts_with('\'') && needs_guard(cell)
}

/// The cell without its guard.
pub(super) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if needs_guard(text) => text,
        _ => cell,
    }
}
