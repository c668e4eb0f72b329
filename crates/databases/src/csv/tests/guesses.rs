//! What columns are taken for.

use super::detect;
use crate::csv::{ColumnKind, Form, Guess, Next, Reader, Writer, checkbox, is_email, is_url};

/// The kind of a second column with these cells.
fn guess(cells: &[&str]) -> ColumnKind {
    let mut writer = Writer::new(Form::Raw);
    for cell in cells {
        writer.text("title");
        writer.text(cell);
        writer.end_row();
    }
    guess_file(&writer.take())
}

fn guess_file(file: &[u8]) -> ColumnKind {
    let detected = detect(&[file], None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(&file[usize::try_from(detected.header.offset).unwrap()..]);
    reader.finish();
    let mut guess = Guess::new(2);
    while let Next::Row(row) = reader.next_row() {
        guess.add(&row);
    }
    let mut kinds = guess.finish();
    assert_eq!(kinds[0], ColumnKind::Title);
    kinds.remove(1)
}

fn select(options: &[&str]) -> ColumnKind {
    ColumnKind::Select { options: options.iter().map(|option| (*option).to_owned()).collect() }
}

#[test]
fn a_column_is_what_all_its_cells_are() {
    assert_eq!(guess(&["true", "", "FALSE", "Yes"]), ColumnKind::Checkbox);
    assert_eq!(guess(&["1", "0", " ", "-2.5"]), ColumnKind::Number);
    assert_eq!(guess(&["2024-01-31", "2024-02-01T10:00Z"]), ColumnKind::Date);
    assert_eq!(guess(&["ada@example.org", "b@example.org"]), ColumnKind::Email);
    assert_eq!(guess(&["https://example.org", "http://example.org/a?b"]), ColumnKind::Url);
    assert_eq!(guess(&["1", "2", "x"]), ColumnKind::Text);
    assert_eq!(guess(&["true", "1"]), ColumnKind::Text);
    assert_eq!(guess(&["01/02/2024", "03/02/2024"]), ColumnKind::Text);
}

#[test]
fn what_would_not_come_back_from_a_number_stays_text() {
    for codes in [["01234", "04109"], ["007", "42"], ["1e3", "2"], ["1E5", "2"], ["+4930123456", "2"]] {
        assert_eq!(guess(&codes), ColumnKind::Text, "{codes:?}");
    }
    assert_eq!(guess(&["007", "007"]), select(&["007"]), "an option keeps its zeros");
    assert_eq!(guess(&["1e+3", "0.5", "0"]), ColumnKind::Number);
}

#[test]
fn a_column_without_cells_is_text() {
    assert_eq!(guess(&[]), ColumnKind::Text);
    assert_eq!(guess(&["", "  "]), ColumnKind::Text);
    assert!(Guess::new(0).finish().is_empty());
}

#[test]
fn values_that_occur_twice_on_average_are_options() {
    assert_eq!(guess(&["Open", "Done", "Open", "", "Done"]), select(&["Open", "Done"]));
    assert_eq!(guess(&["Open", "Done", "Open"]), ColumnKind::Text);
    assert_eq!(guess(&["Open", "OPEN "]), select(&["Open"]));
    assert_eq!(guess(&["x", "1", "x", "1"]), select(&["x", "1"]));
}

#[test]
fn options_are_few_and_short() {
    let names = (0..20).map(|number| format!("o{number}")).collect::<Vec<_>>();
    let mut twice = names.iter().chain(&names).map(String::as_str).collect::<Vec<_>>();
    assert_eq!(guess(&twice), select(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    twice.extend(["o20", "o20"]);
    assert_eq!(guess(&twice), ColumnKind::Text);
    let fits = "é".repeat(100);
    assert_eq!(guess(&[&fits, &fits]), select(&[&fits]));
    let long = "é".repeat(101);
    assert_eq!(guess(&[&long, &long]), ColumnKind::Text);
    assert_eq!(guess(&["a\nb", "a\nb"]), ColumnKind::Text);
}

#[test]
fn a_guarded_number_was_text() {
    assert_eq!(guess_file(b"a,-1\nb,-2\n"), ColumnKind::Number);
    assert_eq!(guess_file(b"a,'-1\nb,'-2\n"), ColumnKind::Text);
    assert_eq!(guess_file(b"a,'-1@example.org\nb,c@example.org\n"), ColumnKind::Email);
}

#[test]
fn words_of_truth_are_few() {
    for (text, value) in [("true", true), (" No ", false), ("YES", true), ("Checked", true), ("unchecked", false)] {
        assert_eq!(checkbox(text), Some(value), "{text}");
    }
    for text in ["", "1", "0", "y", "n", "t", "on", "x", "truely"] {
        assert_eq!(checkbox(text), None, "{text}");
    }
}

#[test]
fn addresses_follow_the_rules_of_the_product() {
    assert!(is_email(" Ada@example.org "));
    assert!(!is_email("ada") && !is_email("Ada <ada@example.org>") && !is_email("a@b.org, c@d.org"));
    assert!(is_url("HTTPS://example.org/x"));
    assert!(!is_url("example.org") && !is_url("ftp://example.org") && !is_url("javascript:alert(1)"));
}
