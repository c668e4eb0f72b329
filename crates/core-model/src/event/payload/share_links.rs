//! Events about share links. They never contain a token or a password.

use super::{FieldChanges, Location, NodeFields, Payload};
use crate::{
    Level, Timestamp,
    event::Resource,
    id::{ShareLinkId, UserId},
    page::Page,
    share_link::{ShareLevel, ShareLink},
};
use serde::Serialize;

/// The data of every event about a share link, and the data of its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfShareLink<T> {
    #[serde(skip)]
    link: ShareLinkId,
    #[serde(flatten)]
    node: NodeFields,
    #[serde(flatten)]
    more: T,
}

/// The data of one type of event about a share link.
pub trait OnShareLink: Serialize + Sized {
    /// What the description shows.
    fn example() -> Self;

    /// One for each further form that it can have; see [`Payload::more_examples`].
    fn more_examples() -> Vec<Self> {
        Vec::new()
    }
}

impl<T> OfShareLink<T> {
    /// The event of this link to this page or database.
    pub fn new(node: &Page, link: &ShareLink, more: T) -> Self {
        Self { link: link.id, node: NodeFields::of(node), more }
    }

    fn example_with(more: T) -> Self {
        Self { link: ShareLinkId::EXAMPLE, node: NodeFields::example(), more }
    }
}

impl<T: OnShareLink> Payload for OfShareLink<T> {
    fn resource(&self) -> Resource {
        Resource::ShareLink(self.link)
    }

    fn location(&self) -> Location {
        self.node.location()
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self::example_with(T::example())
    }

    fn more_examples() -> Vec<Self> {
        let elsewhere = NodeFields::more_examples().map(|node| Self { node, ..Self::example() });
        elsewhere.into_iter().chain(T::more_examples().into_iter().map(Self::example_with)).collect()
    }
}

/// What a link allows its holders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the published event")]
pub struct ShareLinkTerms {
    level: ShareLevel,
    include_children: bool,
    has_password: bool,
    expires_at: Option<Timestamp>,
    allow_duplicate: bool,
    allow_indexing: bool,
}

impl From<&ShareLink> for ShareLinkTerms {
    fn from(link: &ShareLink) -> Self {
        Self {
            level: link.level,
            include_children: link.include_children,
            has_password: link.password.is_some(),
            expires_at: link.expires_at,
            allow_duplicate: link.allow_duplicate,
            allow_indexing: link.allow_indexing,
        }
    }
}

impl OnShareLink for ShareLinkTerms {
    fn example() -> Self {
        Self {
            level: ShareLevel::View,
            include_children: true,
            has_password: false,
            expires_at: None,
            allow_duplicate: false,
            allow_indexing: false,
        }
    }

    fn more_examples() -> Vec<Self> {
        let expires_at = Some(Timestamp::from_millis(1_795_858_200_000));
        vec![Self { expires_at, ..Self::example() }]
    }
}

/// A share link lets its holders do something else than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShareLinkUpdated {
    /// What it lets them do now.
    #[serde(flatten)]
    pub terms: ShareLinkTerms,
    /// Which of its fields changed.
    #[serde(flatten)]
    pub changes: FieldChanges,
}

impl OnShareLink for ShareLinkUpdated {
    fn example() -> Self {
        let terms = ShareLinkTerms { level: ShareLevel::Comment, ..ShareLinkTerms::example() };
        Self { terms, changes: FieldChanges::example("level", "VIEW", "COMMENT") }
    }

    fn more_examples() -> Vec<Self> {
        let with = |terms| Self { terms, ..Self::example() };
        ShareLinkTerms::more_examples().into_iter().map(with).collect()
    }
}

/// A user joined through a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareLinkJoined {
    /// The person who came in.
    pub user_id: UserId,
    /// The level on the page that the person got.
    pub level: Level,
}

impl OnShareLink for ShareLinkJoined {
    fn example() -> Self {
        Self { user_id: UserId::EXAMPLE, level: Level::Comment }
    }
}
