//! Share links: addresses that show a page to their holders.

use crate::{
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    level::Level,
    name::named,
    page::Step,
    secret::Secret,
    text::{TextFlaw, has_at_least, has_at_most},
    time::Timestamp,
    token::TokenHash,
};
use std::{collections::BTreeSet, time::Duration};

/// How many links a page may have, not counting revoked ones.
pub const MAX_LINKS: u32 = 20;

/// How long entering the password opens a link.
pub const UNLOCKED_FOR: Duration = Duration::from_hours(1);

named! {
    /// The level for users who join through the link. Other holders can only read.
    ShareLevel {
        View = "VIEW",
        Comment = "COMMENT",
        Edit = "EDIT",
    }
}

impl ShareLevel {
    /// The level on pages that it stands for.
    pub const fn level(self) -> Level {
        match self {
            Self::View => Level::View,
            Self::Comment => Level::Comment,
            Self::Edit => Level::Edit,
        }
    }
}

named! {
    /// The state of a link.
    ShareStatus {
        Active = "ACTIVE",
        Expired = "EXPIRED",
        Revoked = "REVOKED",
    }
}

/// The password of a link: 4 to 128 characters, at most 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharePassword(Secret<String>);

impl SharePassword {
    /// How many characters a password has at least.
    pub const MIN: usize = 4;
    /// How many characters a password has at most.
    pub const MAX: usize = 128;
    const MAX_BYTES: usize = 512;

    /// Reads a password that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_least(text, Self::MIN) {
            return Err(TextFlaw::TooShort);
        }
        if !has_at_most(text, Self::MAX) || text.len() > Self::MAX_BYTES {
            return Err(TextFlaw::TooLong);
        }
        Ok(Self(Secret::new(text.to_owned())))
    }

    /// The password itself, for hashing.
    pub fn into_secret(self) -> Secret<String> {
        self.0
    }
}

/// A link and what it allows its holders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLink {
    /// The id of the link.
    pub id: ShareLinkId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page that it shows.
    pub page: PageId,
    /// The token in its address.
    pub token: LinkToken,
    /// The level for people who join through it.
    pub level: ShareLevel,
    /// Whether it includes the descendants of the page.
    pub include_children: bool,
    /// The hash of its password.
    pub password: Option<Secret<String>>,
    /// When it stops showing anything; `None` if it does not.
    pub expires_at: Option<Timestamp>,
    /// Whether its holders may copy what it shows.
    pub allow_duplicate: bool,
    /// Whether search engines may list it.
    pub allow_indexing: bool,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How often it was opened.
    pub views: Views,
    /// Who made it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The stored form of the token in the address of a link. Managers of the link can read the token again, so it is
/// encrypted and not only hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkToken {
    /// The hash that a visitor's token is compared with.
    pub hash: TokenHash,
    /// The token itself, sealed.
    pub sealed: Vec<u8>,
}

/// How often a link was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// How often.
    pub count: u64,
    /// When it was last opened; `None` if it never was.
    pub last_at: Option<Timestamp>,
}

/// How often a link was opened, and when last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewed {
    /// The workspace of the link.
    pub workspace: WorkspaceId,
    /// The link.
    pub link: ShareLinkId,
    /// How often.
    pub count: u64,
    /// The last time.
    pub last_at: Timestamp,
}

/// A change of a link; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareChange {
    /// The new level.
    pub level: Option<ShareLevel>,
    /// Whether it is to show what is below the page.
    pub include_children: Option<bool>,
    /// The hash of the new password; the inner `None` removes the password.
    pub password: Option<Option<Secret<String>>>,
    /// The new end; `Some(None)` removes it.
    pub expires_at: Option<Option<Timestamp>>,
    /// Whether its holders may copy what it shows.
    pub allow_duplicate: Option<bool>,
    /// Whether search engines may list it.
    pub allow_indexing: Option<bool>,
    /// A new token, with which the old address stops working.
    pub token: Option<LinkToken>,
}

impl ShareLink {
    /// Whether the link shows anything at this time.
    pub fn status(&self, now: Timestamp) -> ShareStatus {
        if self.revoked_at.is_some() {
            ShareStatus::Revoked
        } else if self.expires_at.is_some_and(|end| end <= now) {
            ShareStatus::Expired
        } else {
            ShareStatus::Active
        }
    }

    /// Applies the change and returns the names of the changed fields.
    pub fn apply(&mut self, change: ShareChange, now: Timestamp) -> Vec<&'static str> {
        let mut changed = Vec::new();
        let mut note = |differs: bool, field| {
            if differs {
                changed.push(field);
            }
        };
        note(replace(&mut self.level, change.level), "level");
        note(replace(&mut self.include_children, change.include_children), "includeChildren");
        // A password that is set again counts as new, even if it is the same.
        note(replace(&mut self.password, change.password), "password");
        note(replace(&mut self.expires_at, change.expires_at), "expiresAt");
        note(replace(&mut self.allow_duplicate, change.allow_duplicate), "allowDuplicate");
        note(replace(&mut self.allow_indexing, change.allow_indexing), "allowIndexing");
        note(replace(&mut self.token, change.token), "token");
        if !changed.is_empty() {
            self.updated_at = now;
        }
        changed
    }

    /// Whether its holders could do more, see more or see it for longer than with the link as it was.
    pub fn is_wider_than(&self, before: &Self, now: Timestamp) -> bool {
        let lasts_longer = match (before.expires_at, self.expires_at) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(before), Some(after)) => after > before,
        };
        let revived = before.status(now) != ShareStatus::Active && self.status(now) == ShareStatus::Active;
        self.level > before.level
            || (self.include_children && !before.include_children)
            || (self.allow_duplicate && !before.allow_duplicate)
            || (self.password.is_none() && before.password.is_some())
            || lasts_longer
            || revived
    }

    /// The part of a path from the root that the link shows: from its page to the end of the path. `None` if the end
    /// is neither its page nor below it, or if the link does not reach the end because a page in between does not
    /// inherit or excludes somebody.
    pub fn shown_part<'a>(&self, way: &'a [Step], excluding: &BTreeSet<PageId>) -> Option<&'a [Step]> {
        let start = way.iter().position(|step| step.id == self.page)?;
        let (_, below) = way[start..].split_first()?;
        let lets_through = |step: &Step| step.inherit && !excluding.contains(&step.id);
        let reaches = below.is_empty() || (self.include_children && below.iter().all(lets_through));
        reaches.then(|| &way[start..])
    }
}

fn replace<T: PartialEq>(value: &mut T, change: Option<T>) -> bool {
    match change {
        Some(new) if new != *value => {
            *value = new;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{page::Node, text::PageTitle};
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_millis(1000);
    const LATER: Timestamp = Timestamp::from_millis(2000);

    fn page(number: u8) -> PageId {
        PageId::new(1, [number; 10])
    }

    fn link() -> ShareLink {
        ShareLink {
            id: ShareLinkId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [2; 10]),
            page: page(1),
            token: LinkToken { hash: TokenHash::from_bytes([3; 32]), sealed: vec![3] },
            level: ShareLevel::View,
            include_children: true,
            password: None,
            expires_at: None,
            allow_duplicate: false,
            allow_indexing: false,
            revoked_at: None,
            views: Views::default(),
            created_by: UserId::new(1, [4; 10]),
            created_at: NOW,
            updated_at: NOW,
        }
    }

    fn password(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    fn way(inherit: &[bool]) -> Vec<Step> {
        let numbered = (0u8..).zip(inherit);
        let step = |(number, inherit): (u8, &bool)| Step {
            id: page(number),
            container: Node::Page(page(number.saturating_sub(1))),
            access: Node::Page(page(0)),
            inherit: *inherit,
            title: PageTitle::from_stored(String::new()),
            icon: None,
            in_private_team: None,
            has_link: true,
        };
        numbered.map(step).collect()
    }

    #[test]
    fn a_link_runs_out_and_revives_but_a_revoked_one_stays_so() {
        let mut link = ShareLink { expires_at: Some(NOW), ..link() };
        assert_eq!(link.status(NOW), ShareStatus::Expired);
        link.expires_at = Some(LATER);
        assert_eq!(link.status(NOW), ShareStatus::Active);
        link.revoked_at = Some(NOW);
        assert_eq!(link.status(NOW), ShareStatus::Revoked);
    }

    #[test]
    fn a_change_names_only_what_became_different() {
        let mut link = link();
        let same = ShareChange { level: Some(ShareLevel::View), password: Some(None), ..ShareChange::default() };
        assert!(link.apply(same, LATER).is_empty());
        assert_eq!(link.updated_at, NOW);
        let change = ShareChange {
            level: Some(ShareLevel::Edit),
            password: Some(Some(password("x"))),
            expires_at: Some(Some(LATER)),
            ..ShareChange::default()
        };
        assert_eq!(link.apply(change, LATER), ["level", "password", "expiresAt"]);
        assert_eq!(link.updated_at, LATER);
    }

    #[test]
    fn a_link_ends_at_a_page_below_it_that_excludes_somebody() {
        let way = way(&[true; 4]);
        let shown = |excluding: &[u8]| {
            let excluding = excluding.iter().map(|number| page(*number)).collect();
            link().shown_part(&way, &excluding).map(<[Step]>::len)
        };
        assert_eq!(shown(&[]), Some(3));
        assert_eq!((shown(&[2]), shown(&[3])), (None, None));
        assert_eq!(
            shown(&[0, 1]),
            Some(3),
            "a link made on such a page still shows it, and what is above it does not matter"
        );
    }

    #[test]
    fn more_of_anything_is_wider_and_less_is_not() {
        let narrow =
            ShareLink { include_children: false, password: Some(password("x")), expires_at: Some(LATER), ..link() };
        let wide = ShareLink { level: ShareLevel::Edit, allow_duplicate: true, ..link() };
        for wider in [
            ShareLink { level: ShareLevel::Comment, ..narrow.clone() },
            ShareLink { include_children: true, ..narrow.clone() },
            ShareLink { password: None, ..narrow.clone() },
            ShareLink { expires_at: None, ..narrow.clone() },
            ShareLink { expires_at: Some(LATER.plus(Duration::from_millis(1))), ..narrow.clone() },
            ShareLink { allow_duplicate: true, ..narrow.clone() },
            wide.clone(),
        ] {
            assert!(wider.is_wider_than(&narrow, NOW) && !narrow.is_wider_than(&wider, NOW), "{wider:?}");
        }
        for same in [
            ShareLink { allow_indexing: true, ..narrow.clone() },
            ShareLink { password: Some(password("y")), ..narrow.clone() },
            narrow.clone(),
        ] {
            assert!(!same.is_wider_than(&narrow, NOW));
        }
    }

    #[test]
    fn a_link_shows_everything_that_no_cut_separates_from_its_page() {
        let shown =
            |link: &ShareLink, inherit: &[bool]| link.shown_part(&way(inherit), &BTreeSet::new()).map(<[Step]>::len);
        let whole = link();
        assert_eq!(shown(&whole, &[true, true]), Some(1), "its page");
        assert_eq!(shown(&whole, &[true, false]), Some(1), "a cut at its page parts nothing below");
        assert_eq!(shown(&whole, &[true, false, true, true]), Some(3));
        assert_eq!(shown(&whole, &[true, true, false, true]), None, "below a cut");
        assert_eq!(shown(&whole, &[true, true, true, false]), None, "at a cut");
        assert_eq!(shown(&whole, &[true]), None, "above its page");
        assert_eq!(shown(&whole, &[]), None);
        let alone = ShareLink { include_children: false, ..link() };
        assert_eq!(shown(&alone, &[true, true]), Some(1));
        assert_eq!(shown(&alone, &[true, true, true]), None);
    }

    proptest! {
        #[test]
        fn a_link_shows_a_page_with_all_above_up_to_its_own(inherit in prop::collection::vec(any::<bool>(), 2..8)) {
            let whole = link();
            if whole.shown_part(&way(&inherit), &BTreeSet::new()).is_some() {
                for length in 2..=inherit.len() {
                    prop_assert!(whole.shown_part(&way(&inherit[..length]), &BTreeSet::new()).is_some());
                }
            }
        }
    }

    #[test]
    fn a_password_has_4_to_128_characters() {
        for (text, expected) in [
            ("abc".to_owned(), Some(TextFlaw::TooShort)),
            ("abcd".to_owned(), None),
            ("\u{e9}".repeat(128), None),
            ("a".repeat(129), Some(TextFlaw::TooLong)),
            ("\u{1F600}".repeat(128), None),
        ] {
            assert_eq!(SharePassword::parse(&text).err(), expected, "{text}");
        }
    }
}
