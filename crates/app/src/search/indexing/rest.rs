//! What is still to be indexed in a workspace besides new events.

use octavo_core_model::id::{CommentId, DatabaseId, InvalidId, PageId, RecordId, UserId};
use octavo_ports::search::{Dependency, UnitKey};
use std::{fmt, fmt::Write, str::FromStr};

/// Units to index again, after one that is already done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// All pages and databases, and the records of these.
    Pages(Option<PageId>),
    /// All threads.
    Comments(Option<CommentId>),
    /// The records of a database.
    Records(DatabaseId, Option<RecordId>),
    /// What is below a page.
    Below(PageId, Option<PageId>),
    /// What depends on something.
    Depending(Dependency, Option<UnitKey>),
    /// Units of the index that do not exist any more.
    Gone(Option<UnitKey>),
}

impl Rest {
    /// All of a workspace.
    pub(super) const EVERYTHING: [Self; 2] = [Self::Pages(None), Self::Comments(None)];
}

/// Adds to a list what it does not include yet.
pub(super) fn add(rests: &mut Vec<Rest>, more: impl IntoIterator<Item = Rest>) {
    for rest in more {
        if !rests.contains(&rest) {
            rests.push(rest);
        }
    }
}

/// A list of rests as text, one in each line.
pub(super) fn write(rests: &[Rest]) -> String {
    let mut text = String::new();
    for rest in rests {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{rest}");
    }
    text
}

/// Reads a list. A line that only another release understands means that everything has to be indexed again.
pub(super) fn read(text: &str) -> Vec<Rest> {
    let read: Result<_, _> = text.lines().map(str::parse).collect();
    read.unwrap_or_else(|InvalidId| Rest::EVERYTHING.to_vec())
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn after(f: &mut fmt::Formatter<'_>, done: Option<impl fmt::Display>) -> fmt::Result {
            done.map_or(Ok(()), |done| write!(f, " after {done}"))
        }
        match self {
            Self::Pages(done) => f.write_str("pages").and_then(|()| after(f, *done)),
            Self::Comments(done) => f.write_str("comments").and_then(|()| after(f, *done)),
            Self::Records(database, done) => write!(f, "records {database}").and_then(|()| after(f, *done)),
            Self::Below(page, done) => write!(f, "below {page}").and_then(|()| after(f, *done)),
            Self::Depending(Dependency::User(id), done) => write!(f, "depending {id}").and_then(|()| after(f, *done)),
            Self::Depending(Dependency::Record(id), done) => write!(f, "depending {id}").and_then(|()| after(f, *done)),
            Self::Depending(Dependency::Blocks(id), done) => write!(f, "depending {id}").and_then(|()| after(f, *done)),
            // Only databases depend on this, and they change with it.
            Self::Depending(Dependency::Schema(_), _) => f.write_str("gone"),
            Self::Gone(done) => f.write_str("gone").and_then(|()| after(f, *done)),
        }
    }
}

impl FromStr for Rest {
    type Err = InvalidId;

    fn from_str(line: &str) -> Result<Self, InvalidId> {
        let (what, after) = line.split_once(" after ").map_or((line, None), |(what, after)| (what, Some(after)));
        let (kind, of) = what.split_once(' ').unwrap_or((what, ""));
        Ok(match kind {
            "pages" => Self::Pages(after.map(str::parse).transpose()?),
            "comments" => Self::Comments(after.map(str::parse).transpose()?),
            "records" => Self::Records(of.parse()?, after.map(str::parse).transpose()?),
            "below" => Self::Below(of.parse()?, after.map(str::parse).transpose()?),
            "depending" => Self::Depending(dependency(of)?, after.map(str::parse).transpose()?),
            "gone" => Self::Gone(after.map(str::parse).transpose()?),
            _ => return Err(InvalidId),
        })
    }
}

fn dependency(id: &str) -> Result<Dependency, InvalidId> {
    let user = id.parse::<UserId>().map(Dependency::User);
    let record = || id.parse::<RecordId>().map(Dependency::Record);
    user.or_else(|_| record()).or_else(|_| id.parse::<PageId>().map(Dependency::Blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_are_read_as_they_are_written() {
        let rests = [
            Rest::Pages(None),
            Rest::Pages(Some(PageId::EXAMPLE)),
            Rest::Comments(Some(CommentId::EXAMPLE)),
            Rest::Records(DatabaseId::EXAMPLE, None),
            Rest::Records(DatabaseId::EXAMPLE, Some(RecordId::EXAMPLE)),
            Rest::Below(PageId::EXAMPLE, Some(PageId::LOWEST)),
            Rest::Depending(Dependency::User(UserId::EXAMPLE), Some(UnitKey::Record(RecordId::EXAMPLE))),
            Rest::Depending(Dependency::Record(RecordId::EXAMPLE), Some(UnitKey::Database(DatabaseId::EXAMPLE))),
            Rest::Depending(Dependency::Blocks(PageId::EXAMPLE), Some(UnitKey::Comment(CommentId::EXAMPLE))),
            Rest::Gone(Some(UnitKey::Page(PageId::EXAMPLE))),
        ];
        assert_eq!(read(&write(&rests)), rests);
        assert_eq!(read(""), []);
    }

    #[test]
    fn a_list_of_another_release_means_everything() {
        assert_eq!(read("pages\nfiles after fil_1\n"), Rest::EVERYTHING);
    }
}
