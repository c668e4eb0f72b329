//! Any bytes in any pieces.

use super::{detect, read, read_from};
use crate::csv::{Columns, Delimiter, Guess, MAX_COLUMNS, Next, Reader};
use proptest::{collection::vec, prelude::*, sample::select};

/// Texts with a meaning in a file, in the encodings that are read.
const SYNTAX: &[&[u8]] = &[
    b"\"",
    b"\"\"",
    b"\",\"",
    b",",
    b";",
    b"\t",
    b"\r",
    b"\n",
    b"\r\n",
    b" ",
    b"'",
    b"=",
    b"a",
    b"1",
    b"-5",
    b"true",
    b"2024-01-02",
    b"sep=;\n",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\xC3\xA9",
    b"\xC3",
    b"\xE9",
    b"\xF0\x9F\x98\x80",
    b"\x9F",
    b"\0",
    b"\n\0",
    b"\0\n",
    b",\0",
    b"\"\0",
    b"\x3D\xD8",
    b"\xD8\x3D",
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => vec(select(SYNTAX), 0..60).prop_map(|parts| parts.concat()),
        1 => vec(any::<u8>(), 0..200),
    ]
}

/// Cells without rules that are broken.
fn proper() -> impl Strategy<Value = String> {
    let cell = prop_oneof!["[a-c =']{0,3}", "\"([a-c ,\n]|\"\"){0,4}\""];
    vec(vec(cell, 1..4).prop_map(|cells| cells.join(",")), 1..6).prop_map(|rows| rows.join("\r\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn pieces_do_not_matter(file in file(), size in 1..20_usize) {
        let detected = detect(&[&file], None);
        prop_assert_eq!(&detect(&file.chunks(size).collect::<Vec<_>>(), None), &detected);
        let begin = usize::try_from(detected.header.offset).unwrap();
        let whole = read_from(detected.header, &detected, &[&file[begin..]]);
        let pieces = read_from(detected.header, &detected, &file[begin..].chunks(size).collect::<Vec<_>>());
        prop_assert_eq!(&pieces, &whole);
    }

    #[test]
    fn every_row_is_a_place_to_go_on(file in file()) {
        let detected = detect(&[&file], None);
        let all = read(&file);
        for (at, row) in all.iter().enumerate() {
            let begin = usize::try_from(row.place().offset).unwrap();
            prop_assert_eq!(&read_from(row.place(), &detected, &[&file[begin..]]), &all[at..]);
        }
    }

    #[test]
    fn rows_and_lines_only_grow(file in file()) {
        for pair in read(&file).windows(2) {
            let (before, after) = (pair[0].place(), pair[1].place());
            prop_assert!(before.row < after.row && before.line < after.line && before.offset < after.offset);
        }
    }

    #[test]
    fn columns_and_kinds_are_found_in_anything(file in file(), delimiter in select(&[Delimiter::COMMA, Delimiter::TAB])) {
        let detected = detect(&[&file], Some(delimiter));
        let mut reader = Reader::new(detected.dialect, detected.header);
        reader.push(&file[usize::try_from(detected.header.offset).unwrap()..]);
        reader.finish();
        if let Next::Row(header) = reader.next_row() {
            let columns = Columns::below(&header);
            prop_assert!(columns.columns.len() <= MAX_COLUMNS);
            let mut guess = Guess::new(columns.columns.len());
            while let Next::Row(row) = reader.next_row() {
                guess.add(&row);
            }
            prop_assert_eq!(guess.finish().len(), columns.columns.len());
        }
    }

    #[test]
    fn proper_files_are_read_as_another_reader_of_csv_reads_them(file in proper()) {
        let detected = detect(&[file.as_bytes()], Some(Delimiter::COMMA));
        let mut reader = Reader::new(detected.dialect, detected.header);
        reader.push(file.as_bytes());
        reader.finish();
        let mut other = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file.as_bytes());
        for expected in other.records() {
            let Next::Row(row) = reader.next_row() else { panic!("a row is missing") };
            let expected = expected.unwrap();
            let unguarded = expected.iter().map(crate::csv::guard::unguarded);
            prop_assert!(row.cells().eq(unguarded), "{:?}", expected);
        }
        prop_assert!(matches!(reader.next_row(), Next::End));
    }
}
