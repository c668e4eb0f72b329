//! Files that are written and read again.

use super::{Read, read, shown};
use crate::csv::{Form, Writer};
use proptest::prelude::*;

fn write(form: Form, rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = Writer::new(form);
    let mut file = Vec::new();
    for row in rows {
        for cell in row {
            writer.text(cell);
        }
        writer.end_row();
        if writer.len() > 100 {
            file.extend(writer.take());
        }
    }
    file.extend(writer.take());
    file
}

fn written(form: Form, cells: &[&str]) -> String {
    let file = write(form, &[cells.iter().map(|cell| (*cell).to_owned()).collect()]);
    String::from_utf8(file).unwrap()
}

#[test]
fn a_file_has_a_mark_and_crlf() {
    assert_eq!(written(Form::Guarded, &["a", "b"]), "\u{feff}a,b\r\n");
    assert_eq!(written(Form::Raw, &["a", "b"]), "a,b\r\n");
}

#[test]
fn texts_that_look_like_formulas_are_guarded() {
    for text in ["=1+1", "+49 30", "-x", "@sum", "-5"] {
        assert_eq!(written(Form::Guarded, &[text]), format!("\u{feff}'{text}\r\n"));
        assert_eq!(written(Form::Raw, &[text]), format!("{text}\r\n"));
    }
    assert_eq!(written(Form::Guarded, &["\t=x", "\rx"]), "\u{feff}\"'\t=x\",\"'\rx\"\r\n");
    assert_eq!(written(Form::Guarded, &[" =x", "a=b", "'a", "'"]), "\u{feff} =x,a=b,'a,'\r\n");
    assert_eq!(written(Form::Guarded, &["=HYPERLINK(\"x\",1)"]), "\u{feff}\"'=HYPERLINK(\"\"x\"\",1)\"\r\n");
}

#[test]
fn numbers_and_words_are_never_guarded() {
    let mut writer = Writer::new(Form::Guarded);
    writer.number(-5.5);
    writer.word("false");
    writer.empty();
    writer.number(1e21);
    writer.number(1e-9);
    writer.number(100_000.0);
    writer.end_row();
    assert_eq!(writer.take(), "\u{feff}-5.5,false,,1e+21,1e-9,100000\r\n".as_bytes());
}

#[test]
fn rows_are_taken_whole() {
    let mut writer = Writer::new(Form::Raw);
    assert!(writer.is_empty());
    writer.text("a");
    writer.end_row();
    writer.text("b");
    assert_eq!(writer.take(), b"a\r\n");
    writer.text("c");
    assert!(writer.take().is_empty());
    writer.end_row();
    assert_eq!(writer.take(), b"b,c\r\n");
}

#[test]
fn guards_are_taken_away_in_every_file() {
    assert_eq!(shown("a,'=1+1,''=x,'b,'\n"), ["a|=1+1|'=x|'b|'"]);
}

#[test]
fn what_a_reader_would_understand_differently_is_quoted() {
    for name in ["sep=;", "a;b", "a\tb", "\u{feff}a", "\"", "", "'", "sep=,"] {
        for form in [Form::Guarded, Form::Raw] {
            let rows = vec![vec![name.to_owned()], vec![name.to_owned()]];
            assert_eq!(shown(write(form, &rows)), [name, name], "{name:?}");
        }
    }
}

#[test]
fn another_reader_of_csv_reads_the_same() {
    let rows = vec![vec!["a;\"b\"".to_owned(), "c\r\nd".to_owned()], vec![String::new(), "é".to_owned()]];
    let file = write(Form::Raw, &rows);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file.as_slice());
    let read = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(read.collect::<Vec<_>>(), rows);
}

fn rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let cell = prop_oneof!["[-=+@'\t\r\n\",; a\u{feff}é]{0,6}", ".{0,10}", Just("sep=;".to_owned())];
    (1..5_usize)
        .prop_flat_map(move |width| prop::collection::vec(prop::collection::vec(cell.clone(), width..=width), 1..8))
}

fn cells(file: &[u8]) -> Vec<Vec<String>> {
    let cells = |read| match read {
        Read::Row { cells, .. } => cells,
        Read::Rejected { issue, .. } => vec![format!("rejected: {issue}")],
    };
    read(file).into_iter().map(cells).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_written_is_read(rows in rows()) {
        prop_assert_eq!(&cells(&write(Form::Guarded, &rows)), &rows);
    }

    #[test]
    fn it_is_read_without_its_mark_too(rows in rows()) {
        prop_assert_eq!(&cells(&write(Form::Guarded, &rows)[3..]), &rows);
    }

    #[test]
    fn what_is_written_raw_is_read_except_for_quotes_that_look_like_guards(mut rows in rows()) {
        let read = cells(&write(Form::Raw, &rows));
        for cell in rows.iter_mut().flatten() {
            *cell = crate::csv::guard::unguarded(cell).to_owned();
        }
        prop_assert_eq!(&read, &rows);
    }
}
