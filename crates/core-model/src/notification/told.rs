//! Who is told of what.

use super::NotificationType;
use crate::follow::FollowMode;

/// What somebody did, as far as it matters for who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Wrote in a thread.
    Talk,
    /// Changed a page or a record.
    Change,
    /// Something of which only those are told whom it concerns in person.
    Other,
}

/// How somebody is involved in what was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and any of them can hold together")]
pub struct Involvement {
    /// They did it.
    pub did_it: bool,
    /// It mentions them, by their name or that of a team of theirs.
    pub is_mentioned: bool,
    /// It assigns something to them.
    pub is_assigned: bool,
    /// It concerns them in person, and they are told with this type.
    pub in_person: Option<NotificationType>,
    /// They have written in the thread.
    pub takes_part: bool,
    /// They created the page.
    pub made_page: bool,
    /// What they decided themselves about the nearest place.
    pub follow: Option<FollowMode>,
    /// They may view the page.
    pub may_view: bool,
}

/// The type with which somebody is told, if they are. Of several that fit, the first one in the order of the types counts,
/// except that an assignment is more than a mention.
pub fn told(doing: Doing, who: &Involvement) -> Option<NotificationType> {
    if who.did_it {
        return None;
    }
    if who.is_assigned {
        return Some(NotificationType::Assigned);
    }
    if who.is_mentioned {
        return Some(NotificationType::Mention);
    }
    let by_default = (who.takes_part || who.made_page).then_some(FollowMode::Comments);
    let mode = who.follow.or(by_default).filter(|_| who.may_view);
    let followed = match (doing, mode) {
        (Doing::Talk, Some(FollowMode::All | FollowMode::Comments)) => Some(NotificationType::Comment),
        (Doing::Change, Some(FollowMode::All)) => Some(NotificationType::PageUpdated),
        _ => None,
    };
    let is_muted = who.follow == Some(FollowMode::Muted);
    // What is said under somebody's comment is not for those who cannot see the page any more.
    let may_know = |kind: &NotificationType| who.may_view || *kind != NotificationType::Reaction;
    let in_person = who.in_person.filter(may_know).filter(|kind| !is_muted || kind.ignores_mutes());
    [followed, in_person].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use NotificationType::{AccessDecided, Assigned, Comment, Mention, PageUpdated, Reaction};

    const NOBODY: Involvement = Involvement {
        did_it: false,
        is_mentioned: false,
        is_assigned: false,
        in_person: None,
        takes_part: false,
        made_page: false,
        follow: None,
        may_view: true,
    };

    #[test]
    #[allow(clippy::too_many_lines, reason = "one row for each case")]
    fn who_is_told_of_what() {
        let follows = |mode| Involvement { follow: Some(mode), ..NOBODY };
        let (all, comments, muted) =
            (follows(FollowMode::All), follows(FollowMode::Comments), follows(FollowMode::Muted));
        let wrote = Involvement { takes_part: true, ..NOBODY };
        let made = Involvement { made_page: true, ..NOBODY };
        let mentioned = Involvement { is_mentioned: true, ..NOBODY };
        let told_of = |kind| Involvement { in_person: Some(kind), ..NOBODY };
        for (what, who, talk, change) in [
            ("nobody in particular", NOBODY, None, None),
            ("follows everything", all, Some(Comment), Some(PageUpdated)),
            ("follows comments", comments, Some(Comment), None),
            ("muted it", muted, None, None),
            ("wrote in the thread", wrote, Some(Comment), None),
            ("wrote in the thread and muted it", Involvement { takes_part: true, ..muted }, None, None),
            ("created the page", made, Some(Comment), None),
            (
                "created the page and follows changes",
                Involvement { made_page: true, ..all },
                Some(Comment),
                Some(PageUpdated),
            ),
            ("is mentioned", mentioned, Some(Mention), Some(Mention)),
            ("is mentioned and follows", Involvement { is_mentioned: true, ..all }, Some(Mention), Some(Mention)),
            ("is mentioned and muted it", Involvement { is_mentioned: true, ..muted }, Some(Mention), Some(Mention)),
            (
                "is assigned and mentioned",
                Involvement { is_assigned: true, ..mentioned },
                Some(Assigned),
                Some(Assigned),
            ),
            ("is assigned and muted it", Involvement { is_assigned: true, ..muted }, Some(Assigned), Some(Assigned)),
            (
                "is mentioned and may not view",
                Involvement { may_view: false, ..mentioned },
                Some(Mention),
                Some(Mention),
            ),
            (
                "is reacted to and may not view any more",
                Involvement { may_view: false, ..told_of(Reaction) },
                None,
                None,
            ),
            ("follows and may not view any more", Involvement { may_view: false, ..all }, None, None),
            ("wrote and may not view any more", Involvement { may_view: false, ..wrote }, None, None),
            ("did it", Involvement { did_it: true, is_mentioned: true, is_assigned: true, ..all }, None, None),
            ("wrote what is reacted to", told_of(Reaction), Some(Reaction), Some(Reaction)),
            ("wrote that and muted it", Involvement { in_person: Some(Reaction), ..muted }, None, None),
            (
                "asked and muted it",
                Involvement { in_person: Some(AccessDecided), ..muted },
                Some(AccessDecided),
                Some(AccessDecided),
            ),
            (
                "follows, and it concerns them",
                Involvement { in_person: Some(Reaction), ..all },
                Some(Comment),
                Some(Reaction),
            ),
        ] {
            assert_eq!(told(Doing::Talk, &who), talk, "{what}");
            assert_eq!(told(Doing::Change, &who), change, "{what}");
            assert!(who.did_it == (what == "did it"));
        }
        assert_eq!(told(Doing::Other, &all), None);
    }

    #[test]
    fn only_what_is_meant_for_somebody_reaches_them_where_they_muted_it() {
        let loud: Vec<_> =
            NotificationType::ALL.iter().filter(|kind| kind.ignores_mutes()).map(|kind| kind.name()).collect();
        assert_eq!(loud, ["MENTION", "ASSIGNED", "PAGE_SHARED", "ACCESS_REQUEST", "ACCESS_DECIDED"]);
    }
}
