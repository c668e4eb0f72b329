//! Whom and what a comment mentions.

use crate::{
    id::{DatabaseId, PageId, TeamId, UserId},
    name::named,
};
use serde::{Deserialize, Serialize};

named! {
    /// What a comment can mention.
    MentionType {
        User = "user",
        Team = "team",
        Page = "page",
        Database = "database",
    }
}

impl MentionType {
    /// A mention of the thing of this type with this id; `None` if it is not the id of such a thing.
    pub fn read(self, id: &str) -> Option<Mention> {
        match self {
            Self::User => id.parse().ok().map(Mention::User),
            Self::Team => id.parse().ok().map(Mention::Team),
            Self::Page => id.parse().ok().map(Mention::Page),
            Self::Database => id.parse().ok().map(Mention::Database),
        }
    }
}

/// Somebody or something that a comment mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mention {
    /// A member of the workspace.
    User(UserId),
    /// A user who was no member when the comment was written. Its readers do not learn their name.
    Outsider(UserId),
    /// A team of the workspace.
    Team(TeamId),
    /// A page.
    Page(PageId),
    /// A database.
    Database(DatabaseId),
}

impl Mention {
    /// What is mentioned.
    pub const fn kind(self) -> MentionType {
        match self {
            Self::User(_) | Self::Outsider(_) => MentionType::User,
            Self::Team(_) => MentionType::Team,
            Self::Page(_) => MentionType::Page,
            Self::Database(_) => MentionType::Database,
        }
    }

    /// The id of what is mentioned.
    pub fn id(self) -> String {
        match self {
            Self::User(id) | Self::Outsider(id) => id.to_string(),
            Self::Team(id) => id.to_string(),
            Self::Page(id) => id.to_string(),
            Self::Database(id) => id.to_string(),
        }
    }

    /// The mentioned user, member or not.
    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::User(id) | Self::Outsider(id) => Some(id),
            Self::Team(_) | Self::Page(_) | Self::Database(_) => None,
        }
    }

    /// The mentioned page, or the node of the mentioned database.
    pub const fn page(self) -> Option<PageId> {
        match self {
            Self::Page(id) => Some(id),
            Self::Database(id) => Some(id.node()),
            Self::User(_) | Self::Outsider(_) | Self::Team(_) => None,
        }
    }

    /// Whether a text can mention it by name. Everything else has to be named by id.
    pub const fn has_token(self) -> bool {
        matches!(self, Self::User(_) | Self::Team(_))
    }
}

/// A comment would mention more than [`Mentions::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyMentions;

/// What one comment or reply mentions, in its order and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mentions(Vec<Mention>);

impl Mentions {
    /// The mentioned pages and nodes of databases.
    pub fn pages(&self) -> Vec<PageId> {
        self.iter().filter_map(Mention::page).collect()
    }

    /// How many things a comment mentions at most.
    pub const MOST: usize = 100;

    /// Leaves out what is mentioned repeatedly. Somebody who is mentioned as a member and as an outsider is the same person.
    pub fn collect(mentions: impl IntoIterator<Item = Mention>) -> Result<Self, TooManyMentions> {
        let mut kept = Vec::new();
        for mention in mentions {
            let is_same = |known: &Mention| (known.kind(), known.id()) == (mention.kind(), mention.id());
            if !kept.iter().any(is_same) {
                if kept.len() == Self::MOST {
                    return Err(TooManyMentions);
                }
                kept.push(mention);
            }
        }
        Ok(Self(kept))
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is mentioned.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Mention> {
        self.0.iter().copied()
    }

    /// Those that another comment, or an earlier state of this one, does not have.
    pub fn new_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = Mention> {
        self.iter().filter(|mention| !before.0.contains(mention))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn user(number: u8) -> Mention {
        Mention::User(UserId::new(1, [number; 10]))
    }

    #[test]
    fn duplicates_do_not_count() {
        let many = (0..100).chain(0..100).map(user);
        let mentions = Mentions::collect(many).unwrap();
        assert_eq!(mentions.iter().collect::<Vec<_>>(), (0..100).map(user).collect::<Vec<_>>());
        assert_eq!(Mentions::collect((0..101).map(user)), Err(TooManyMentions));
    }

    #[test]
    fn only_what_was_not_mentioned_before_is_new() {
        let before = Mentions::collect([user(1), Mention::Team(TeamId::EXAMPLE)]).unwrap();
        let after = Mentions::collect([user(2), user(1)]).unwrap();
        assert_eq!(after.new_since(&before).collect::<Vec<_>>(), [user(2)]);
    }

    #[test]
    fn mentions_read_back_from_their_json() {
        let mentions = [
            user(1),
            Mention::Outsider(UserId::EXAMPLE),
            Mention::Team(TeamId::EXAMPLE),
            Mention::Page(PageId::EXAMPLE),
            Mention::Database(DatabaseId::EXAMPLE),
        ];
        let mentions = Mentions::collect(mentions).unwrap();
        let json = serde_json::to_string(&mentions).unwrap();
        assert_eq!(serde_json::from_str::<Mentions>(&json).unwrap(), mentions);
    }
}
