//! The kinds of values of settings: how a text is parsed, and the message for a text that cannot be.

mod addresses;
mod bucket_limit;
mod databases;
mod keys;
mod lists;
mod mail;
mod numbers;
mod texts;

pub use addresses::Origin;
pub use databases::DatabaseUrl;
pub use keys::DeploymentKey;
pub use lists::CorsOrigins;

pub(super) use addresses::{OriginKind, RedisKind, SocketKind};
pub(super) use bucket_limit::BUCKET_LIMIT;
pub(super) use databases::DatabaseKind;
pub(super) use keys::{JwtSecretKind, SecretKeysKind};
pub(super) use lists::{CorsKind, NetworksKind};
pub(super) use mail::{MailKind, SenderKind};
pub(super) use numbers::{DurationKind, Number, NumberOrNone};
pub(super) use texts::{Boolean, Choice, LogFilterKind, PathKind};

/// Why a text is not a value of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The rule of the kind says everything.
    Malformed,
    /// A reason that quotes no part of a secret value.
    Because(String),
}

impl Flaw {
    pub(super) fn because(reason: impl Into<String>) -> Self {
        Self::Because(reason.into())
    }
}

/// The type of a value in its source. Flags and variables only have text; TOML has more types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Boolean,
    List,
    /// A float, a date, or a list of anything but texts: no setting accepts these.
    Foreign,
}

/// One kind of value.
pub(super) trait Kind {
    type Value;

    /// The TOML type it accepts in addition to text.
    const NATIVE: Shape = Shape::Text;

    /// The rule for values, phrased to follow "must be".
    fn wants(&self) -> String;

    /// All values, if they are words to choose from.
    fn choices(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn parse(&self, text: &str) -> Result<Self::Value, Flaw>;

    /// Keys are bytes; every other kind is text.
    fn parse_bytes(&self, bytes: &[u8]) -> Result<Self::Value, Flaw> {
        let text = std::str::from_utf8(bytes).map_err(|_| Flaw::because("is not UTF-8"))?;
        self.parse(text)
    }
}

/// Whether a text has white space or control characters, which no address, name or path in a setting needs.
fn has_blank_or_control(text: &str) -> bool {
    text.chars().any(|c| c.is_whitespace() || c.is_control())
}
