//! The compact form `header.payload.signature` of signed data that is not a token.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// Writes the form: `header` is already encoded, `sign` receives the text to sign.
pub(crate) fn write(header: &str, payload: &[u8], sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let mut signed = format!("{header}.{}", encode(payload));
    let signature = sign(signed.as_bytes());
    signed.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut signed);
    signed
}

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
