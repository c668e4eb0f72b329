//! Names made from headers.

use super::detect;
use crate::csv::{Columns, Delimiter, HeaderFlaw, Next, Reader, Warning};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn columns(header: &str) -> Columns {
    let file = header.as_bytes();
    let detected = detect(&[file], Some(Delimiter::COMMA));
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(file);
    reader.finish();
    let Next::Row(row) = reader.next_row() else { panic!("no header in {header:?}") };
    Columns::below(&row)
}

fn named(header: &str) -> (Vec<String>, Vec<(usize, HeaderFlaw)>) {
    let found = columns(header);
    let flaws = found.warnings.iter().filter_map(|warning| match warning {
        Warning::Header { column, flaw, .. } => Some((*column, *flaw)),
        _ => None,
    });
    let flaws = flaws.collect();
    (found.columns.into_iter().map(|column| column.name).collect(), flaws)
}

#[test]
fn proper_headers_are_names() {
    let (names, flaws) = named(" Name ,E-mail,שם\u{200F}");
    assert_eq!(names, ["Name", "E-mail", "שם\u{200F}"]);
    assert!(flaws.is_empty());
}

#[test]
fn empty_headers_are_numbered() {
    let (names, flaws) = named("a,, ,Column 2");
    assert_eq!(names, ["a", "Column 2", "Column 3", "Column 2 2"]);
    assert_eq!(flaws, [(2, HeaderFlaw::Empty), (3, HeaderFlaw::Empty), (4, HeaderFlaw::Duplicate)]);
}

#[test]
fn equal_headers_get_numbers_whatever_the_case() {
    let (names, flaws) = named("Email,EMAIL,email 2,email,Straße,STRASSE");
    assert_eq!(names, ["Email", "EMAIL 2", "email 2 2", "email 3", "Straße", "STRASSE 2"]);
    assert_eq!(flaws.len(), 4);
}

#[test]
fn long_headers_are_cut() {
    let long = "é".repeat(150);
    let (names, flaws) = named(&format!("{long},{long}"));
    assert_eq!(names, ["é".repeat(100), format!("{} 2", "é".repeat(98))]);
    assert_eq!(flaws, [(1, HeaderFlaw::TooLong), (2, HeaderFlaw::TooLong)]);
}

#[test]
fn line_breaks_in_headers_become_spaces() {
    let (names, flaws) = named("\"First\r\nname\",a\u{202E}b,'=x");
    assert_eq!(names, ["First name", "a b", "=x"]);
    assert_eq!(flaws, [(1, HeaderFlaw::Characters), (2, HeaderFlaw::Characters)]);
}

#[test]
fn warnings_name_the_column_and_its_name() {
    let warnings = columns("a,").warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(warnings, ["The header of column 2 is empty; the column was named \"Column 2\"."]);
}

proptest! {
    #[test]
    fn names_are_valid_and_differ(headers in prop::collection::vec("[aA ßı\u{1}\u{202E}2]{0,4}|.{95,120}|Column [0-9]", 1..30)) {
        let quoted = headers.iter().map(|header| format!("\"{}\"", header.replace('"', "\"\"")));
        let (names, _) = named(&quoted.collect::<Vec<_>>().join(","));
        prop_assert_eq!(names.len(), headers.len());
        let mut folded = BTreeSet::new();
        for name in &names {
            prop_assert!((1..=100).contains(&name.chars().count()) && name.trim() == name, "{:?}", name);
            prop_assert!(!name.chars().any(char::is_control));
            prop_assert!(folded.insert(name.to_lowercase()), "{:?}", name);
        }
    }
}
