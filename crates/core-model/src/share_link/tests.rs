//! What links show, and how they change.

use super::*;
use crate::{
    page::{Node, PageKind},
    text::PageTitle,
};
use proptest::prelude::*;
use std::time::Duration;

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

/// A path of pages from the root, which inherit or not.
fn path(inherit: &[bool]) -> Vec<Step> {
    let numbered = (0u8..).zip(inherit);
    let step = |(number, inherit): (u8, &bool)| Step {
        id: page(number),
        kind: PageKind::Page,
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
fn an_expired_link_becomes_active_with_a_later_end_and_a_revoked_one_does_not() {
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
    let path = path(&[true; 4]);
    let shown = |excluding: &[u8]| {
        let excluding = excluding.iter().map(|number| page(*number)).collect();
        link().shown_part(&path, &excluding).map(<[Step]>::len)
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
        |link: &ShareLink, inherit: &[bool]| link.shown_part(&path(inherit), &BTreeSet::new()).map(<[Step]>::len);
    let whole = link();
    assert_eq!(shown(&whole, &[true, true]), Some(1), "its page");
    assert_eq!(shown(&whole, &[true, false]), Some(1), "a cut at its page separates nothing below it");
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
        if whole.shown_part(&path(&inherit), &BTreeSet::new()).is_some() {
            for length in 2..=inherit.len() {
                prop_assert!(whole.shown_part(&path(&inherit[..length]), &BTreeSet::new()).is_some());
            }
        }
    }
}
