//! Typed ids: a prefix that names the kind and 26 characters of an upper-case ULID.

use std::fmt;
use ulid::{ULID_LEN, Ulid};

/// A text is not an id of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this kind")]
pub struct InvalidId;

/// Joins 48 bits of time and 80 random bits. Ids of the same millisecond are random too, not consecutive, so that an
/// id reveals nothing about its neighbours.
fn compose(millis: i64, random: [u8; 10]) -> Ulid {
    let mut low = [0; 16];
    low[6..].copy_from_slice(&random);
    let millis = millis.clamp(0, (1 << Ulid::TIME_BITS) - 1).unsigned_abs();
    Ulid::from_parts(millis, u128::from_be_bytes(low))
}

/// The text of an id. It is not allocated, because a page of a thousand blocks contains about six thousand ids.
struct Text {
    bytes: [u8; LONGEST_PREFIX + ULID_LEN],
    length: usize,
}

const LONGEST_PREFIX: usize = 5;

impl Text {
    fn new(prefix: &'static str, ulid: Ulid) -> Self {
        let mut bytes = [0; LONGEST_PREFIX + ULID_LEN];
        let (before, body) = bytes.split_at_mut(prefix.len());
        before.copy_from_slice(prefix.as_bytes());
        if let Some(body) = body.first_chunk_mut() {
            ulid.array_to_str(body);
        }
        Self { bytes, length: prefix.len() + ULID_LEN }
    }

    fn as_str(&self) -> &str {
        // The prefix and the alphabet are ASCII.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// Parses the only spelling that a ULID may have here. The crate also accepts lower case, and ignores the two highest
/// of the 130 bits in 26 characters, so the result is written again and compared.
fn read_body(text: &str) -> Result<Ulid, InvalidId> {
    let ulid = Ulid::from_string(text).map_err(|_| InvalidId)?;
    let mut spelling = [0; ULID_LEN];
    if ulid.array_to_str(&mut spelling) == text { Ok(ulid) } else { Err(InvalidId) }
}

/// Declares one type of id for each kind, with its prefix. Some kinds are also read with another prefix, but never shown
/// with it.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal $(or $other:literal)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// What every id of this kind starts with.
            pub const PREFIX: &'static str = $prefix;

            /// The lowest possible id, for examples.
            pub const LOWEST: Self = Self(Ulid::nil());

            /// A typical id of this kind, for examples.
            pub const EXAMPLE: Self = Self(Ulid(0x019a_a372_fe48_d0e8_6aa6_c2c1_327d_839d));

            /// The id of something created at `millis`, from 80 random bits.
            pub fn new(millis: i64, random: [u8; 10]) -> Self {
                Self(compose(millis, random))
            }

            /// The id as a number, without its prefix.
            pub const fn bits(self) -> u128 {
                self.0.0
            }

            /// The id that is this number.
            pub const fn from_bits(bits: u128) -> Self {
                Self(Ulid(bits))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Text::new($prefix, self.0).as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let body = text.strip_prefix($prefix)$(.or_else(|| text.strip_prefix($other)))?;
                read_body(body.ok_or(InvalidId)?).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(Text::new($prefix, self.0).as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// An account.
    UserId = "usr_";
    /// A workspace, the tenant.
    WorkspaceId = "wks_";
    /// A user's membership of a workspace.
    MembershipId = "wm_";
    /// An invitation to a workspace.
    InvitationId = "inv_";
    /// A team of a workspace.
    TeamId = "tm_";
    /// A user's membership of a team.
    TeamMembershipId = "tmm_";
    /// An API key.
    ApiKeyId = "apk_";
    /// An app that acts for users.
    ClientId = "cli_";
    /// A user's grant to an app.
    GrantId = "ogr_";
    /// All tokens that follow from one authorization code of an app.
    FamilyId = "ofm_";
    /// A page.
    PageId = "pg_";
    /// A database.
    DatabaseId = "db_";
    /// A property of a database.
    PropertyId = "prop_";
    /// A record of a database.
    RecordId = "rpt_" or "rec_";
    /// A block of a page.
    BlockId = "blk_";
    /// A comment that begins a thread.
    CommentId = "cmt_";
    /// A reply in a thread.
    ReplyId = "crr_";
    /// Something that a user is told.
    NotificationId = "ntf_";
    /// A saved version of a page.
    PageVersionId = "pgv_";
    /// A view of a database.
    ViewId = "view_";
    /// A chart.
    ChartId = "cht_";
    /// A dashboard.
    DashboardId = "dash_";
    /// A widget of a dashboard.
    WidgetId = "wgt_";
    /// A form.
    FormId = "frm_";
    /// A question of a form.
    QuestionId = "frq_";
    /// What somebody submitted through a form.
    SubmissionId = "subm_";
    /// A file.
    FileId = "fil_";
    /// A grant on a page.
    AccessGrantId = "grt_";
    /// A member's request for access to a page.
    AccessRequestId = "acr_";
    /// A share link.
    ShareLinkId = "shr_";
    /// A signed-in session.
    SessionId = "ses_";
    /// One HTTP request.
    RequestId = "req_";
    /// An entry of the event log.
    EventId = "evn_";
    /// An audit entry.
    AuditId = "aud_";
    /// A background job, or a chore of the deployment's own.
    JobId = "job_";
    /// The id of an access token (`jti`), for revoking that one token.
    TokenId = "jti_";
}

impl DatabaseId {
    /// The database as a node of the tree of pages.
    pub const fn node(self) -> PageId {
        PageId(self.0)
    }
}

impl RecordId {
    /// The page of the record.
    pub const fn page(self) -> PageId {
        PageId(self.0)
    }
}

impl PageId {
    /// The database that is this node of the tree, if the node is one.
    pub const fn as_database(self) -> DatabaseId {
        DatabaseId(self.0)
    }

    /// The record that this page belongs to, if it is the page of one.
    pub const fn as_record(self) -> RecordId {
        RecordId(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_reads_back_from_its_text(millis in 0i64..(1 << 48), random: [u8; 10]) {
            let id = UserId::new(millis, random);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }

        #[test]
        fn ids_sort_by_time_first(a in 0i64..(1 << 47), later in 1i64..1000, x: [u8; 10], y: [u8; 10]) {
            prop_assert!(UserId::new(a, x).to_string() < UserId::new(a + later, y).to_string());
        }

        #[test]
        fn reading_any_text_never_panics(text: String) {
            let _ = text.parse::<UserId>();
        }
    }

    #[test]
    fn the_example_is_the_one_that_the_description_shows() {
        assert_eq!(UserId::EXAMPLE.to_string(), "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX");
    }

    #[test]
    fn only_the_exact_form_is_read() {
        let body = "01J8Z3K4M5N6P7Q8R9S0T1V2W3";
        assert!(format!("usr_{body}").parse::<UserId>().is_ok());
        for wrong in [
            body.to_owned(),
            format!("wks_{body}"),
            format!("usr_{}", body.to_lowercase()),
            format!("usr_{}w3", &body[..24]),
            format!("usr_8{}", &body[1..]),
            format!("usr_{}", &body[1..]),
            format!("usr_{body}0"),
            format!("usr_I{}", &body[1..]),
            format!("usr_Z{}", &body[1..]),
            format!("usr_0\u{e9}{}", &body[3..]),
            format!(" usr_{body}"),
        ] {
            assert_eq!(wrong.parse::<UserId>(), Err(InvalidId), "{wrong}");
        }
    }
}
