//! Lists of pages: filters, orders and where to continue.

use super::{Node, PublicAccess};
use crate::{
    id::{PageId, TeamId, UserId},
    position::Position,
    text::PageTitle,
    time::Timestamp,
};
use std::{fmt, str::FromStr};

/// How much of a title is part of its place, so that cursors stay short.
const KEY_CHARACTERS: usize = 64;

/// The key by which titles are sorted: the beginning, ignoring case.
pub fn title_key(title: &PageTitle) -> String {
    title.as_str().to_lowercase().chars().take(KEY_CHARACTERS).collect()
}

/// An order of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOrder {
    /// The place among its siblings.
    Position,
    /// The title, without regard to case.
    Title,
    /// The time of creation.
    Created,
    /// The time of the last change.
    Updated,
}

/// An order of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSort {
    /// What they are sorted by.
    pub by: PageOrder,
    /// Whether the order is reversed.
    pub descending: bool,
}

impl PageSort {
    /// The order of siblings in the tree.
    pub const POSITION: Self = Self { by: PageOrder::Position, descending: false };
    /// Last changed first.
    pub const NEWEST_CHANGE: Self = Self { by: PageOrder::Updated, descending: true };

    /// The names of orders.
    pub const ALL: [(&'static str, Self); 7] = [
        ("position", Self::POSITION),
        ("title", Self { by: PageOrder::Title, descending: false }),
        ("-title", Self { by: PageOrder::Title, descending: true }),
        ("createdAt", Self { by: PageOrder::Created, descending: false }),
        ("-createdAt", Self { by: PageOrder::Created, descending: true }),
        ("updatedAt", Self { by: PageOrder::Updated, descending: false }),
        ("-updatedAt", Self::NEWEST_CHANGE),
    ];
}

/// The page after which a list continues. It can be parsed from its text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageMark {
    /// After this place.
    Position {
        /// The key of the last page.
        position: Position,
        /// When that page was created, which orders equal keys.
        created_at: Timestamp,
        /// Its id, which orders what is still equal.
        id: PageId,
    },
    /// After this title.
    Title {
        /// The beginning of the last title, in lower case.
        key: String,
        /// The id of that page, which orders equal titles.
        id: PageId,
    },
    /// After this time.
    Time {
        /// The time of the last page.
        at: Timestamp,
        /// The id of that page, which orders equal times.
        id: PageId,
    },
}

impl fmt::Display for PageMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position { position, created_at, id } => write!(f, "p {id} {} {position}", created_at.millis()),
            Self::Title { key, id } => write!(f, "t {id} {key}"),
            Self::Time { at, id } => write!(f, "a {id} {}", at.millis()),
        }
    }
}

/// The text is not a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMark;

impl FromStr for PageMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let (kind, rest) = text.split_once(' ').ok_or(InvalidMark)?;
        let (id, rest) = rest.split_once(' ').ok_or(InvalidMark)?;
        let id = id.parse().map_err(|_| InvalidMark)?;
        let time = |text: &str| text.parse().map(Timestamp::from_millis).map_err(|_| InvalidMark);
        match kind {
            "p" => {
                let (created_at, position) = rest.split_once(' ').ok_or(InvalidMark)?;
                let behind = Position::behind_pages();
                let is_database = position == behind.as_str();
                let position = if is_database { Ok(behind) } else { Position::parse(position) };
                let position = position.map_err(|_| InvalidMark)?;
                Ok(Self::Position { position, created_at: time(created_at)?, id })
            }
            "t" => Ok(Self::Title { key: rest.to_owned(), id }),
            "a" => Ok(Self::Time { at: time(rest)?, id }),
            _ => Err(InvalidMark),
        }
    }
}

/// A part of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// The root pages of a workspace or a team.
    Anywhere,
    /// The children of this node.
    In(Node),
}

/// Which kinds of nodes to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// Pages that people write.
    #[default]
    Pages,
    /// The same and the pages of records.
    PagesAndRecords,
    /// The same and databases, but not the pages of records.
    PagesAndDatabases,
    /// Databases.
    Databases,
}

/// Which active pages to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFilter {
    /// Only nodes of these kinds.
    pub listed: Listed,
    /// Only pages in this part of the tree.
    pub place: Option<Roots>,
    /// Only pages of this team.
    pub team: Option<TeamId>,
    /// Only pages that this person created.
    pub created_by: Option<UserId>,
    /// Only pages that changed after this time.
    pub updated_after: Option<Timestamp>,
    /// Only pages with one of these access nodes; `None` for all.
    pub within: Option<Vec<Node>>,
    /// Only these pages.
    pub among: Option<Vec<PageId>>,
    /// Only pages with this kind of public access at this time.
    pub public: Option<(PublicAccess, Timestamp)>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_mark_reads_back_from_its_text() {
        let (id, at) = (PageId::new(1, [1; 10]), Timestamp::from_millis(7));
        for mark in [
            PageMark::Position { position: Position::after(None), created_at: at, id },
            PageMark::Position { position: Position::behind_pages(), created_at: at, id },
            PageMark::Title { key: "a b  c".to_owned(), id },
            PageMark::Title { key: String::new(), id },
            PageMark::Time { at, id },
        ] {
            assert_eq!(mark.to_string().parse(), Ok(mark));
        }
        for wrong in ["", "p", "x pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX 1", "a pg_1 1", "a pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX x"] {
            assert_eq!(wrong.parse::<PageMark>(), Err(InvalidMark), "{wrong}");
        }
    }

    #[test]
    fn a_key_is_short_and_knows_no_case() {
        let title = PageTitle::parse(&"\u{c4}".repeat(300)).unwrap();
        assert_eq!(title_key(&title), "\u{e4}".repeat(64));
    }
}
