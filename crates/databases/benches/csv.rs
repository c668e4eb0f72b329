//! The time to read and to write a file: `cargo bench -p octavo-databases --bench csv`.

use divan::{Bencher, black_box, counter::BytesCount};
use octavo_databases::csv::{Detector, Form, Guess, Next, Reader, Writer};

fn main() {
    divan::main();
}

const ROWS: u32 = 100_000;

/// Ten columns, as in a list of contacts.
fn file() -> Vec<u8> {
    let mut writer = Writer::new(Form::Guarded);
    for row in 0..ROWS {
        add_row(&mut writer, row);
    }
    writer.take()
}

fn add_row(writer: &mut Writer, row: u32) {
    writer.text(&format!("Person {row}"));
    writer.text(&format!("person.{row}@example.org"));
    writer.text("+49 30 1234567");
    writer.number(f64::from(row) / 4.0);
    writer.word(if row.is_multiple_of(3) { "true" } else { "false" });
    writer.word(&format!("20{:02}-{:02}-{:02}", row % 30, row % 12 + 1, row % 28 + 1));
    writer.text(["Lead", "Customer", "Partner"][row as usize % 3]);
    writer.text(&format!("https://example.org/people/{row}"));
    writer.text(if row.is_multiple_of(5) { "Called \"twice\",\nno answer" } else { "Überlingen am Bodensee" });
    writer.empty();
    writer.end_row();
}

fn pass(file: &[u8], mut each: impl FnMut(&octavo_databases::csv::Row<'_>)) {
    let mut detector = Detector::new();
    detector.push(file);
    let detected = detector.finish(None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    let begin = usize::try_from(detected.header.offset).unwrap_or_default();
    for piece in file[begin..].chunks(64 * 1024) {
        reader.push(piece);
        while let Next::Row(row) = reader.next_row() {
            each(&row);
        }
    }
}

#[divan::bench]
fn detect(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| {
        let mut detector = Detector::new();
        detector.push(black_box(&file));
        detector.finish(None)
    });
}

#[divan::bench]
fn detect_and_read(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| {
        let mut cells = 0;
        pass(&file, |row| cells += black_box(row).width());
        cells
    });
}

#[divan::bench]
fn detect_read_and_guess(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| {
        let mut guess = Guess::new(10);
        pass(&file, |row| guess.add(row));
        guess.finish()
    });
}

/// The same rows, read by the crate `csv`, for comparison.
#[divan::bench]
fn read_with_the_crate_csv(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file.as_slice());
        let mut row = csv::StringRecord::new();
        let mut cells = 0;
        while reader.read_record(&mut row).is_ok_and(|is_row| is_row) {
            cells += black_box(&row).len();
        }
        cells
    });
}

#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(file().len())).bench_local(file);
}
