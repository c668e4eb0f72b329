//! Searching an audit trail.

use super::{AuditRecord, Outcome};
use crate::{
    fault::{Issue, Violation},
    id::AuditId,
    name::named,
    time::Timestamp,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::{fmt, net::IpAddr, str::FromStr};

named! {
    /// The order by time in a list.
    Order {
        Newest = "desc",
        Oldest = "asc",
    }
}

named! {
    /// The kinds of actors.
    ActorType {
        User = "USER",
        ApiKey = "API_KEY",
        OauthApp = "OAUTH_APP",
        Automation = "AUTOMATION",
        Scim = "SCIM",
        System = "SYSTEM",
        Anonymous = "ANONYMOUS",
    }
}

/// A single action, or all actions with a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionPattern {
    /// This action alone.
    Exact(String),
    /// The text before the asterisk.
    Prefix(String),
}

/// The text has an asterisk that is not at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPattern;

impl FromStr for ActionPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let (stem, is_prefix) = text.strip_suffix('*').map_or((text, false), |stem| (stem, true));
        match stem {
            stem if stem.contains('*') => Err(InvalidPattern),
            stem if is_prefix => Ok(Self::Prefix(stem.to_owned())),
            "" => Err(InvalidPattern),
            stem => Ok(Self::Exact(stem.to_owned())),
        }
    }
}

impl fmt::Display for ActionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => f.write_str(name),
            Self::Prefix(stem) => write!(f, "{stem}*"),
        }
    }
}

/// Serializes a type as text in stored jobs.
macro_rules! as_text {
    ($($type:ident)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(|_| serde::de::Error::custom(concat!("not a ", stringify!($type))))
            }
        }
    )*};
}

as_text!(ActionPattern AuditPosition);

/// Which entries of a chain to list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditSearch {
    /// Only this action, or all that begin like this.
    pub action: Option<ActionPattern>,
    /// Only what actors of this kind did.
    pub actor_type: Option<ActorType>,
    /// Only what this actor did.
    pub actor_id: Option<String>,
    /// Only what was done to things of this kind.
    pub target_type: Option<String>,
    /// Only what was done to this thing.
    pub target_id: Option<String>,
    /// Only what was done, or only what was refused.
    pub outcome: Option<Outcome>,
    /// Only what was called from this address.
    pub ip: Option<IpAddr>,
    /// Not before this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// Only sealed entries with a higher number.
    pub after_seq: Option<i64>,
    /// Only sealed entries with this number or a lower one.
    pub up_to_seq: Option<i64>,
    /// Newest or oldest first.
    pub order: Order,
    /// The last entry of the previous page.
    pub behind: Option<AuditPosition>,
    /// How many entries to list at most.
    pub limit: u32,
}

impl AuditSearch {
    /// Checks that `from` is not after `to`.
    pub fn checked(self) -> Result<Self, Violation> {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from > to => Err(Violation::new("to", Issue::InvalidValue).with(json!(to))),
            _ => Ok(self),
        }
    }

    /// All entries, newest first.
    pub const fn all(limit: u32) -> Self {
        Self {
            action: None,
            actor_type: None,
            actor_id: None,
            target_type: None,
            target_id: None,
            outcome: None,
            ip: None,
            from: None,
            to: None,
            after_seq: None,
            up_to_seq: None,
            order: Order::Newest,
            behind: None,
            limit,
        }
    }
}

/// The position of an entry in a list: sealed entries by number, then the few that are not sealed yet by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditPosition {
    /// The number of a sealed entry.
    Sealed(i64),
    /// The id of an entry that waits for its seal.
    Unsealed(AuditId),
}

/// The text is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPosition;

impl AuditRecord {
    /// The position of this entry in a list.
    pub fn position(&self) -> AuditPosition {
        self.seal.as_ref().map_or(AuditPosition::Unsealed(self.id), |seal| AuditPosition::Sealed(seal.seq))
    }
}

impl fmt::Display for AuditPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sealed(seq) => seq.fmt(f),
            Self::Unsealed(id) => id.fmt(f),
        }
    }
}

impl FromStr for AuditPosition {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let sealed = text.parse().map(Self::Sealed).ok();
        sealed.or_else(|| text.parse().map(Self::Unsealed).ok()).ok_or(InvalidPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_or_the_beginning_of_some() {
        let exact = |text: &str| Ok(ActionPattern::Exact(text.to_owned()));
        let prefix = |text: &str| Ok(ActionPattern::Prefix(text.to_owned()));
        for (text, expected) in [
            ("user.login", exact("user.login")),
            ("user.*", prefix("user.")),
            ("user.lo*", prefix("user.lo")),
            ("*", prefix("")),
            ("", Err(InvalidPattern)),
            ("*.login", Err(InvalidPattern)),
            ("user.**", Err(InvalidPattern)),
        ] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn a_position_reads_back() {
        for position in [AuditPosition::Sealed(42), AuditPosition::Unsealed(AuditId::new(7, [1; 10]))] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        assert_eq!("evn_1".parse::<AuditPosition>(), Err(InvalidPosition));
    }
}
