//! Files that are too large in some direction.

use super::{Read, detect, drain, read, shown};
use crate::csv::{Columns, MAX_CELL_CHARACTERS, MAX_COLUMNS, MAX_ROW_BYTES, Next, Reader, Warning};

#[test]
fn a_cell_may_be_as_long_as_a_value() {
    for letter in ["x", "é"] {
        let fits = letter.repeat(MAX_CELL_CHARACTERS);
        assert_eq!(shown(format!("a,{fits}\nb,c\n")), [format!("a|{fits}"), "b|c".to_owned()]);
        for quote in ["", "\""] {
            let file = format!("a,{quote}{fits}{letter}{quote}\nb,c\n");
            assert_eq!(shown(file), ["!cell_too_long 1:2", "b|c"]);
        }
    }
    let megabyte = "x".repeat(1024 * 1024);
    assert_eq!(shown(format!("n,m\n{megabyte},\"{megabyte}\"\nb,c\n")), ["n|m", "!cell_too_long 2:1", "b|c"]);
}

#[test]
fn a_row_that_is_too_long_is_skipped() {
    let long = "x,".repeat(MAX_ROW_BYTES);
    assert_eq!(shown(format!("a,b\n{long}\nc,d\n")), ["a|b", "!row_too_long 2:0", "c|d"]);
    assert_eq!(shown(format!("a,b\n{long}")), ["a|b", "!row_too_long 2:0"]);
    let long = "x".repeat(MAX_ROW_BYTES);
    assert_eq!(shown(format!("a,b\n\"{long}\"\r\nc,d\n")), ["a|b", "!row_too_long 2:0", "c|d"]);
}

#[test]
fn lines_after_an_unclosed_quote_are_kept_however_many_they_are() {
    let line = format!("a,{}\n", "b".repeat(100));
    let rows = MAX_ROW_BYTES / 80;
    let file = format!("n,\"m\n{}", line.repeat(rows));
    let read = read(file.as_bytes());
    assert_eq!(read.len(), rows + 1);
    assert!(matches!(read[0], Read::Rejected { issue: "unclosed_quote", .. }));
    assert!(matches!(&read[rows], Read::Row { cells, .. } if cells[0] == "a"));
}

#[test]
fn a_million_columns_are_read_as_far_as_a_database_has_properties() {
    let file = format!("{}z\n{}\n", "a,".repeat(999_999), "1,".repeat(999_999));
    let detected = detect(&[file.as_bytes()], None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(file.as_bytes());
    let Next::Row(header) = reader.next_row() else { panic!("no header") };
    let columns = Columns::below(&header);
    assert_eq!((columns.columns.len(), columns.headers), (MAX_COLUMNS, 1_000_000));
    assert_eq!(columns.warnings.last(), Some(&Warning::ColumnsLeftOut { count: 999_800 }));
    let Next::Row(row) = reader.next_row() else { panic!("no row") };
    assert_eq!((row.width(), row.cells().count()), (1_000_000, MAX_COLUMNS));
    assert!(row.below(columns.headers).is_ok());
}

#[test]
fn a_million_short_rows_are_read() {
    let file = "a\n".repeat(1_000_000);
    let detected = detect(&[file.as_bytes()], None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    let mut rows = 0;
    for piece in file.as_bytes().chunks(10_000) {
        reader.push(piece);
        while let Next::Row(_) = reader.next_row() {
            rows += 1;
        }
    }
    assert_eq!((rows, reader.place().row, reader.place().offset), (1_000_000, 1_000_001, 2_000_000));
}

/// Quotes that never close, each of them preceded by cells that do and have many lines: reading these again for
/// each quote would take hours.
#[test]
fn broken_quotes_do_not_add_up() {
    let lines = "\"a\nb\",".repeat(100_000);
    for file in [
        format!("{lines}\"c\"d\n"),
        format!("{lines}\"c"),
        "\"\n".repeat(200_001),
        "\"a\"b\n".repeat(100_000),
        "\"\"\"\n".repeat(100_001),
        format!("\"{}", "\"\"\n".repeat(200_000)),
        "\" ".repeat(200_000),
        "\"a\"b,".repeat(100_000),
    ] {
        let detected = detect(&[file.as_bytes()], None);
        let mut reader = Reader::new(detected.dialect, detected.header);
        let mut read = Vec::new();
        for piece in file.as_bytes().chunks(64 * 1024) {
            reader.push(piece);
            drain(&mut reader, &mut read);
        }
        reader.finish();
        drain(&mut reader, &mut read);
        assert!(!read.is_empty());
    }
}

#[test]
fn single_bytes_do_not_make_a_long_row_slow() {
    let file = format!("{}\nb,c\n", "\"x\",".repeat(100_000));
    let detected = detect(&[file.as_bytes()], None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    let mut read = Vec::new();
    for piece in file.as_bytes().chunks(1) {
        reader.push(piece);
        drain(&mut reader, &mut read);
    }
    reader.finish();
    drain(&mut reader, &mut read);
    assert_eq!(read.len(), 2);
}
