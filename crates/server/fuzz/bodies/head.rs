//! Properties that the parser of request heads must have for any input. The fuzz target runs this with a nightly
//! compiler, the tests with random bytes.

use super::head::{Follows, read};

pub(super) fn head(sent: &[u8]) {
    let Ok(Some(head)) = read(sent) else {
        // A refused head stays refused, whatever follows it.
        if read(sent).is_err() {
            assert!(read(&[sent, b"\r\n\r\n"].concat()).is_err());
        }
        return;
    };
    let (bytes, rest) = sent.split_at(head.length);
    assert!(bytes.ends_with(b"\r\n\r\n"), "it ends with an empty line");
    assert_eq!(read(bytes), Ok(Some(head)), "what comes behind does not matter");
    assert_eq!(read(&[bytes, rest, b"GET / HTTP/1.1\r\n"].concat()), Ok(Some(head)));
    for end in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(read(&bytes[..end]), Ok(None), "it is read once it is complete");
    }
    let lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
    assert!(lines[..lines.len() - 1].iter().all(|line| line.ends_with(b"\r")), "every line ends in two bytes");
    let values = |name: &[u8]| -> Vec<Vec<u8>> {
        let of_name = |line: &&[u8]| {
            let (found, value) = line.split_at(line.iter().position(|byte| *byte == b':')?);
            found.eq_ignore_ascii_case(name).then(|| value[1..].trim_ascii().to_ascii_lowercase())
        };
        let fields = lines.iter().skip_while(|line| line.trim_ascii().is_empty()).skip(1);
        fields.filter_map(of_name).collect()
    };
    let (lengths, encodings) = (values(b"content-length"), values(b"transfer-encoding"));
    assert!(lengths.len() + encodings.len() <= 1, "one header at most says where the body ends");
    assert!(values(b"host").len() <= 1);
    match head.follows {
        Follows::Bytes(0) => assert!(lengths.iter().all(|length| length.iter().all(|digit| *digit == b'0'))),
        Follows::Bytes(length) => {
            let stated = str::from_utf8(&lengths[0]).ok().and_then(|digits| digits.parse().ok());
            assert_eq!(stated, Some(length));
        }
        Follows::Chunks => assert_eq!(encodings, [b"chunked"]),
        Follows::Everything => {
            let asks_for_websocket = values(b"upgrade").iter().any(|value| value == b"websocket");
            let verb = bytes.trim_ascii_start();
            assert!(encodings.is_empty() && (asks_for_websocket || verb.starts_with(b"CONNECT ")));
        }
    }
}
