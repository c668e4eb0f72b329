//! How bodies of requests may be encoded.

/// Media types of bodies.
pub const JSON: &str = "application/json";
pub const FORM: &str = "application/x-www-form-urlencoded";
const BYTES: &str = "application/octet-stream";
const CSV: &str = "text/csv";

/// Other types under which programs and browsers send tables.
const ALSO_CSV: [&str; 5] =
    [BYTES, "text/plain", "text/tab-separated-values", "application/csv", "application/vnd.ms-excel"];

/// The accepted encodings of a body. A form is read like an object of texts; a repeated field, like a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    Json,
    Form,
    JsonOrForm,
    /// Bytes of any type, which the handler reads as they arrive.
    Bytes,
    /// The bytes of a table, which the handler reads as they arrive.
    Csv,
}

impl Bodies {
    pub const fn media(self) -> &'static [&'static str] {
        match self {
            Self::Json => &[JSON],
            Self::Form => &[FORM],
            Self::JsonOrForm => &[JSON, FORM],
            Self::Bytes => &[BYTES],
            Self::Csv => &[CSV],
        }
    }

    /// Whether the handler reads the body as it arrives.
    pub const fn is_streamed(self) -> bool {
        matches!(self, Self::Bytes | Self::Csv)
    }

    /// Whether a streamed body may have this `Content-Type`.
    pub fn admits(self, content_type: Option<&str>) -> bool {
        let Some(content_type) = content_type.filter(|_| self == Self::Csv) else { return true };
        let media = content_type.split(';').next().unwrap_or_default().trim();
        media.eq_ignore_ascii_case(CSV) || ALSO_CSV.iter().any(|known| media.eq_ignore_ascii_case(known))
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
