//! Files that are not UTF-8.

use super::{Read, detect, read, read_from, shown};
use crate::csv::{Encoding, Warning};

fn utf16(text: &str, little: bool) -> Vec<u8> {
    let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn a_mark_at_the_beginning_is_no_text() {
    let text = "\u{feff}Größe;b\r\n\"1\n2\";😀\r\nx;y\r\n";
    let expected = ["Größe|b", "1\n2|😀", "x|y"];
    for (file, encoding) in [
        (text.as_bytes().to_vec(), Encoding::Utf8),
        (utf16(text, true), Encoding::Utf16Le),
        (utf16(text, false), Encoding::Utf16Be),
    ] {
        let detected = detect(&[&file], None);
        assert_eq!(detected.dialect.encoding, encoding);
        assert_eq!(shown(&file), expected, "{encoding}");
        let warned = detected.warnings == [Warning::Encoding(encoding)];
        assert_eq!(warned, encoding != Encoding::Utf8);
    }
}

#[test]
fn what_is_no_utf_8_is_windows_1252() {
    let file = b"name,caf\xE9\nprice,5 \x80\nodd,\x81\n";
    assert_eq!(shown(file), ["name|café", "price|5 €", "odd|\u{81}"]);
    let detected = detect(&[file], None);
    assert_eq!(detected.warnings, [Warning::Encoding(Encoding::Windows1252)]);
    assert_eq!(detected.warnings[0].to_string(), "The file is not UTF-8; it was read as windows-1252.");
    // A character that is cut at the end is none of UTF-8.
    assert_eq!(shown(b"a\nb\xC3"), ["a", "bÃ"]);
}

#[test]
fn the_last_character_of_a_long_file_decides() {
    let mut file = "é,b\n".repeat(50_000).into_bytes();
    assert!(detect(&[&file], None).warnings.is_empty());
    file.extend_from_slice(b"\xE9\n");
    assert_eq!(detect(&[&file], None).dialect.encoding, Encoding::Windows1252);
}

#[test]
fn characters_may_be_divided_between_pieces() {
    let file = "é,€,😀\n".as_bytes();
    for at in 0..file.len() {
        let (head, tail) = file.split_at(at);
        assert_eq!(detect(&[head, tail], None).dialect.encoding, Encoding::Utf8, "{at}");
    }
    let bytes = file.chunks(1).collect::<Vec<_>>();
    assert_eq!(detect(&bytes, None).dialect.encoding, Encoding::Utf8);
}

#[test]
fn invalid_bytes_of_a_marked_file_are_replaced() {
    let file = b"\xEF\xBB\xBFa\xFF,b\n\xC3,\xA9\n";
    assert_eq!(detect(&[file], None).warnings, [Warning::InvalidBytes]);
    assert_eq!(shown(file), ["a\u{fffd}|b", "\u{fffd}|\u{fffd}"]);
}

#[test]
fn a_reader_goes_on_within_utf_16() {
    let mut file = utf16("\u{feff}sep=;\né;b\n\"1\r\n2\";😀\n", true);
    // Half of a pair.
    file.extend_from_slice(&[0x3D, 0xD8]);
    file.extend(utf16(";x\n\n7;8\n9;10", true));
    let detected = detect(&[&file], None);
    let all = read(&file);
    assert_eq!(shown(&file), ["é|b", "1\r\n2|😀", "\u{fffd}|x", "7|8", "9|10"]);
    for (at, row) in all.iter().enumerate() {
        let begin = usize::try_from(row.place().offset).unwrap();
        let pieces = file[begin..].chunks(3).collect::<Vec<_>>();
        assert_eq!(read_from(row.place(), &detected, &pieces), all[at..]);
    }
    // A byte is left over.
    file.push(0);
    let Some(Read::Row { cells, .. }) = read(&file).pop() else { panic!("no row") };
    assert_eq!(cells, ["9", "10\u{fffd}"]);
}
