//! How bodies of requests may be encoded.

/// Media types of bodies.
pub const JSON: &str = "application/json";
pub const FORM: &str = "application/x-www-form-urlencoded";
const BYTES: &str = "application/octet-stream";

/// The accepted encodings of a body. A form is read like an object of texts; a repeated field, like a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    Json,
    Form,
    JsonOrForm,
    /// Bytes of any type, which the handler reads as they arrive.
    Bytes,
}

impl Bodies {
    pub const fn media(self) -> &'static [&'static str] {
        match self {
            Self::Json => &[JSON],
            Self::Form => &[FORM],
            Self::JsonOrForm => &[JSON, FORM],
            Self::Bytes => &[BYTES],
        }
    }

    pub const fn takes(self, encoding: Encoding) -> bool {
        match encoding {
            Encoding::Json => matches!(self, Self::Json | Self::JsonOrForm),
            Encoding::Form => matches!(self, Self::Form | Self::JsonOrForm),
        }
    }
}

/// The encoding of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Json,
    Form,
}
