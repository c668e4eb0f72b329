//! JSON in its canonical form, and digests of it.

use crate::token::hex;
use serde_json::Value;

/// The canonical JSON of a value (RFC 8785), which always has the same bytes.
#[expect(
    clippy::expect_used,
    reason = "a JSON value holds neither a key that is no text nor a number that is not finite"
)]
pub fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("a JSON value has a canonical form")
}

/// Keyed BLAKE3 of a value in its canonical form, as hex.
pub(crate) fn digest_of(value: &Value, key: &[u8; 32]) -> String {
    hex(blake3::keyed_hash(key, &canonical(value)).as_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn canonical_json_is_that_of_the_standard() {
        // Keys are ordered by UTF-16 code units, numbers are written as in JavaScript.
        let value: Value = serde_json::from_str(
            r#"{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4,"1":[1e30,4.50,2e-3,1e-27,333333333.3333333],"ö":-0.0,"A":1.0}"#,
        )
        .unwrap();
        let expected = "{\"\\r\":4,\"1\":[1e+30,4.5,0.002,1e-27,333333333.3333333],\"A\":1,\"ö\":0,\"\u{20ac}\":3,\
                        \"\u{1f600}\":2,\"\u{fb33}\":1}";
        assert_eq!(String::from_utf8(canonical(&value)).unwrap(), expected);
    }
}
