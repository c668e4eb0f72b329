//! Parses bodies with form encoding.

use super::json::Unreadable;
use octavo_core_model::fault::Issue;
use percent_encoding::percent_decode;
use serde_json::{Map, Value};

/// Parses a form as an object of texts. A repeated name becomes a list, which fields for a single value refuse.
pub fn parse_form(bytes: &[u8]) -> Result<Value, Unreadable> {
    let mut fields = Map::new();
    for pair in bytes.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let mut halves = pair.splitn(2, |byte| *byte == b'=');
        let name = decode(halves.next().unwrap_or_default())?;
        let value = Value::String(decode(halves.next().unwrap_or_default())?);
        match fields.get_mut(&name) {
            None => drop(fields.insert(name, value)),
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    Ok(Value::Object(fields))
}

fn decode(part: &[u8]) -> Result<String, Unreadable> {
    let spaced: Vec<u8> = part.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    let text = percent_decode(&spaced).decode_utf8().map_err(|_| UNREADABLE)?;
    // As in JSON: NUL is refused, because not every store accepts it.
    if text.contains('\0') { Err(UNREADABLE) } else { Ok(text.into_owned()) }
}

const UNREADABLE: Unreadable = Unreadable { issue: Issue::InvalidFormat, position: None };

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_form_reads_like_an_object_of_texts() {
        for (form, expected) in [
            ("", json!({})),
            ("&&", json!({})),
            ("a=1&b=x+y%20z&c=%C3%A9%26%3D", json!({ "a": "1", "b": "x y z", "c": "\u{e9}&=" })),
            ("a&b=&=c", json!({ "a": "", "b": "", "": "c" })),
            ("a=b=c", json!({ "a": "b=c" })),
            ("a=1&b=2&a=3&a=4", json!({ "a": ["1", "3", "4"], "b": "2" })),
            ("a=%", json!({ "a": "%" })),
        ] {
            assert_eq!(parse_form(form.as_bytes()), Ok(expected), "{form}");
        }
    }

    #[test]
    fn a_form_that_is_no_text_is_refused() {
        for form in [&b"a=%ff"[..], b"a=\xff", b"%ff=a", b"a=%00", b"%00=a"] {
            assert_eq!(parse_form(form), Err(UNREADABLE), "{form:?}");
        }
    }
}
