//! Rows of all kinds.

use super::{Read, detect, read, read_from, shown};
use crate::csv::{Delimiter, Next, Reader, RowIssue};

#[test]
fn every_line_break_ends_a_row() {
    for file in ["a,b\nc,d\n", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "a,b\r\nc,d", "a,b\nc,d\r"] {
        assert_eq!(shown(file), ["a|b", "c|d"], "{file:?}");
    }
}

#[test]
fn quoted_cells_contain_anything() {
    assert_eq!(shown("\"a,b\",\"c\r\nd\",\"e \"\"f\"\"\",\"\"\n1,2,3,4\n"), ["a,b|c\r\nd|e \"f\"|", "1|2|3|4"]);
    assert_eq!(shown("\"a\"  ,\"b\" \r\n"), ["a|b"]);
    assert_eq!(shown("a,\"b\""), ["a|b"]);
}

#[test]
fn quotes_in_odd_places_are_text() {
    assert_eq!(shown("a,5\" pipe,x\"\"y\n"), ["a|5\" pipe|x\"\"y"]);
    assert_eq!(shown("a, \"b\" ,c\n"), ["a| \"b\" |c"]);
    assert_eq!(shown("\"He said \"hi\" to me\",5\n"), ["He said \"hi\" to me|5"]);
    assert_eq!(shown("\"\"\"\",\"\"\"\"\"\"\n"), ["\"|\"\""]);
}

#[test]
fn a_quote_that_is_not_closed_costs_its_line_only() {
    assert_eq!(shown("n,m\n1,\"a\n2,b\n3,c\n"), ["n|m", "!unclosed_quote 2:2", "2|b", "3|c"]);
    assert_eq!(shown("n,m\n\"1,a\n2,\"b\"\n3,\"c\"\n"), ["n|m", "!unclosed_quote 2:1", "2|b", "3|c"]);
    assert_eq!(shown("n,m\n1,\"x\"y\n2,b\n"), ["n|m", "!unclosed_quote 2:2", "2|b"]);
    assert_eq!(shown("n,m\n1,\"a"), ["n|m", "!unclosed_quote 2:2"]);
    assert_eq!(shown("n,m\r\n1,\"a\r\n"), ["n|m", "!unclosed_quote 2:2"]);
}

#[test]
fn cells_before_an_unclosed_quote_may_have_several_lines() {
    assert_eq!(shown("\"a\nb\",\"c\nd,e\nf,\"g\"\n"), ["!unclosed_quote 1:2", "d|e", "f|g"]);
}

#[test]
fn empty_lines_are_no_rows_and_rows_of_empty_cells_are() {
    assert_eq!(shown("\n\r\na,b\n\n\n,\n\"\"\n\n"), ["a|b", "|", ""]);
    assert!(read(b"").is_empty());
    assert!(read(b"\r\n\n\r").is_empty());
    assert!(read(b"\xEF\xBB\xBF").is_empty());
}

#[test]
fn places_count_rows_lines_and_bytes() {
    let file = b"\n\"a\nb\",c\r\n\r\nd\xC3\xA9,\"f\n1,2\n";
    let places =
        read(file).iter().map(|read| (read.place().row, read.place().line, read.place().offset)).collect::<Vec<_>>();
    assert_eq!(places, [(2, 2, 1), (4, 5, 12), (5, 6, 19)]);
}

#[test]
fn rows_may_be_short_and_are_rejected_when_cells_have_no_header() {
    let file = b"a,b\n1\n1,2,,\n1,2,,3\n";
    let detected = detect(&[file], None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(file);
    reader.finish();
    let mut verdicts = Vec::new();
    while let Next::Row(row) = reader.next_row() {
        let cells = [row.cell(0).to_owned(), row.cell(1).to_owned(), row.cell(7).to_owned()];
        verdicts.push(row.below(2).map(|_| cells.join("|")).map_err(|row| (row.place.row, row.column, row.issue)));
    }
    let expected =
        [Ok("a|b|".to_owned()), Ok("1||".to_owned()), Ok("1|2|".to_owned()), Err((4, Some(3), RowIssue::TooManyCells))];
    assert_eq!(verdicts, expected);
}

#[test]
fn the_delimiter_is_detected() {
    for (file, delimiter) in [
        ("a,b\n1,2\n", Delimiter::COMMA),
        ("a;b\n1,5;2,5\n", Delimiter::SEMICOLON),
        ("a\tb\n1,5\t2;5\n", Delimiter::TAB),
        ("name,note\nx,a;b\ny,c;d;e\n", Delimiter::COMMA),
        ("\"a;b\",c\n\"d;e\",f\n", Delimiter::COMMA),
        ("name;amount, net\nx;1,5\ny;2\n", Delimiter::SEMICOLON),
        ("name\nx, y\nz\n", Delimiter::COMMA),
        ("\"a\nb\",\"c;d\te\"\nf,g\n", Delimiter::COMMA),
        ("a,\"b;\nc;\nd;\n\"\n", Delimiter::COMMA),
        (",\";a\"\n", Delimiter::COMMA),
        ("part;size, inch\npipe;5\"\ntube;\"6\"\"\"\n", Delimiter::SEMICOLON),
        ("", Delimiter::COMMA),
        ("a;b", Delimiter::SEMICOLON),
        ("\n\n\"a\nx\";b\r1;2", Delimiter::SEMICOLON),
    ] {
        assert_eq!(detect(&[file.as_bytes()], None).dialect.delimiter, delimiter, "{file:?}");
    }
    let wide = "a;".repeat(100_000);
    assert_eq!(detect(&[wide.as_bytes()], None).dialect.delimiter, Delimiter::SEMICOLON);
}

#[test]
fn a_chosen_delimiter_wins() {
    let file = b"a;b|c\n1;2|3\n";
    let pipe = Delimiter::parse("|").unwrap();
    let detected = detect(&[file], Some(pipe));
    assert_eq!(detected.dialect.delimiter, pipe);
    let Some(Read::Row { cells, .. }) = read_from(detected.header, &detected, &[file]).pop() else { panic!("no row") };
    assert_eq!(cells, ["1;2", "3"]);
    for text in ["", "\"", "\n", "a", "1", ",,", "é", " "] {
        assert!(Delimiter::parse(text).is_err(), "{text:?}");
    }
    assert_eq!(Delimiter::parse("tab"), Delimiter::parse("\t"));
}

#[test]
fn a_line_that_announces_the_delimiter_is_no_row() {
    assert_eq!(shown("sep=;\r\na;b,c\r\n"), ["a|b,c"]);
    assert_eq!(shown("\u{feff}SEP=\t\na\tb\n"), ["a|b"]);
    assert_eq!(shown("sep=x\nab\n"), ["sep=x", "ab"]);
    let detected = detect(&[b"sep=;\na,b\n"], Some(Delimiter::COMMA));
    assert_eq!((detected.dialect.delimiter, detected.header.offset, detected.header.line), (Delimiter::COMMA, 6, 2));
}

#[test]
fn a_reader_goes_on_at_the_place_of_another() {
    let file = b"a,b\n\"1\n2\",3\n\n4,\"5\n6,7\n";
    let detected = detect(&[file], None);
    let all = read(file);
    for (at, row) in all.iter().enumerate() {
        let begin = usize::try_from(row.place().offset).unwrap();
        assert_eq!(read_from(row.place(), &detected, &[&file[begin..]]), all[at..]);
    }
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(file);
    assert!(matches!(reader.next_row(), Next::Row(_)));
    let stored = serde_json::to_string(&(detected.dialect, reader.place())).unwrap();
    assert_eq!(stored, r#"[{"encoding":"utf-8","delimiter":","},{"offset":4,"row":2,"line":2}]"#);
    assert_eq!(serde_json::from_str::<(crate::csv::Dialect, crate::csv::Place)>(&stored).unwrap().1, all[1].place());
}
