//! The possible recipients of notifications about an occasion, in portions in the order of their ids.

use super::occasion::Occasion;
use crate::{outcome::AppResult, page_access::readers::Readers, scope::Unit};
use octavo_core_model::{
    Level, Role,
    follow::{FollowMode, FollowTarget},
    id::{UserId, WorkspaceId},
    member::MemberFilter,
    notification::{Doing, Involvement, NotificationType, Subject, told},
    page::{PageKind, ResourceId},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

/// The people around an occasion.
pub(super) struct Audience<'a> {
    workspace: WorkspaceId,
    occasion: &'a Occasion,
    readers: Option<Readers>,
    /// The thread, the page and what is above it: the nearest first.
    places: Vec<FollowTarget>,
    /// Those who created the page or one above it, and the place of the nearest one among the places.
    makers: BTreeMap<UserId, usize>,
    /// Those who decide about the access to the page, if they are told.
    deciders: BTreeSet<UserId>,
}

/// How many owners, and how many admins, are notified of a request.
const MOST_IN_CHARGE: u32 = 1_000;

/// Those with full access by name, or else the owners and admins.
async fn find_deciders(unit: &mut Unit, workspace: WorkspaceId, readers: &Readers) -> AppResult<BTreeSet<UserId>> {
    let named: Vec<_> = readers.named_with(Level::FullAccess).into_iter().collect();
    let levels = if named.is_empty() { BTreeMap::new() } else { readers.levels(unit, &named).await? };
    let with_access = |user: &UserId| levels.get(user).is_some_and(|level| *level >= Level::FullAccess);
    let named: BTreeSet<_> = named.into_iter().filter(with_access).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let mut in_charge = BTreeSet::new();
    for role in [Role::Owner, Role::Admin] {
        let filter = MemberFilter { role: Some(role), search: None };
        let members = unit.tx.members().list(workspace, &filter, None, MOST_IN_CHARGE).await?;
        in_charge.extend(members.into_iter().map(|member| member.user));
    }
    Ok(in_charge)
}

/// Who is told, and with which type and subject.
pub(super) type Told = BTreeMap<UserId, (NotificationType, Subject)>;

/// A part of an audience.
pub(super) struct Portion {
    pub(super) told: Told,
    /// How many people were considered.
    pub(super) considered: usize,
    /// The last of them, if there may be more.
    pub(super) goes_on_after: Option<UserId>,
}

impl<'a> Audience<'a> {
    pub(super) async fn of(unit: &mut Unit, workspace: WorkspaceId, occasion: &'a Occasion) -> AppResult<Self> {
        let (makers, deciders) = (BTreeMap::new(), BTreeSet::new());
        let mut audience = Self { workspace, occasion, readers: None, places: Vec::new(), makers, deciders };
        let Some(node) = occasion.subject.node() else { return Ok(audience) };
        audience.readers = Readers::of(unit, workspace, node).await?;
        let Some(readers) = &audience.readers else { return Ok(audience) };
        let path = readers.path();
        audience.places = occasion.thread.map(FollowTarget::Thread).into_iter().collect();
        audience.places.extend(path.iter().copied().map(FollowTarget::Node));
        if occasion.doing == Doing::Talk {
            audience.makers = audience.find_makers(unit).await?;
        }
        if occasion.deciders.is_some() {
            audience.deciders = find_deciders(unit, workspace, readers).await?;
        }
        Ok(audience)
    }

    /// Those who created the page or one above it. One statement if there are pages above.
    async fn find_makers(&self, unit: &mut Unit) -> AppResult<BTreeMap<UserId, usize>> {
        let mut makers = BTreeMap::new();
        let Some(readers) = &self.readers else { return Ok(makers) };
        let own = &readers.page;
        let own = own.created_by.filter(|_| own.kind != PageKind::Database).map(|user| (readers.page.id, user));
        let above = readers.path().into_iter().skip(1).filter(|id| matches!(id, ResourceId::Page(_)));
        let above: Vec<_> = above.map(ResourceId::node).collect();
        let mut created: BTreeMap<_, _> = own.into_iter().collect();
        if !above.is_empty() {
            let pages = unit.tx.pages().list_by_id(self.workspace, &above).await?;
            created.extend(pages.into_iter().filter_map(|page| Some((page.id, page.created_by?))));
        }
        for (place, target) in self.places.iter().enumerate() {
            if let FollowTarget::Node(id) = target
                && let Some(user) = created.get(&id.node())
            {
                makers.entry(*user).or_insert(place);
            }
        }
        Ok(makers)
    }

    /// The next people after the given one, at most this many.
    pub(super) async fn portion(&self, unit: &mut Unit, after: Option<UserId>, room: usize) -> AppResult<Portion> {
        let limit = u32::try_from(room).unwrap_or(u32::MAX);
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let own = self.occasion.people.range((start, Bound::Unbounded)).map(|(user, _)| *user);
        let makers = self.makers.range((start, Bound::Unbounded)).map(|(user, _)| *user);
        let deciders = self.deciders.range((start, Bound::Unbounded)).copied();
        let mut found: BTreeSet<_> = own.chain(makers).chain(deciders).collect();
        let mut in_teams = BTreeSet::new();
        let mut is_cut = false;
        if !self.occasion.teams.is_empty() {
            let teams: Vec<_> = self.occasion.teams.keys().copied().collect();
            let members = unit.tx.teams().list_member_ids(self.workspace, &teams, after, limit).await?;
            is_cut |= members.len() >= room;
            in_teams.extend(members.iter().copied());
            found.extend(members);
        }
        if self.occasion.doing != Doing::Other && !self.places.is_empty() {
            let followers = unit.tx.follows().list_users(self.workspace, &self.places, after, limit).await?;
            is_cut |= followers.len() >= room;
            found.extend(followers);
        }
        is_cut |= found.len() > room;
        let users: Vec<_> = found.into_iter().take(room).collect();
        let goes_on_after = users.last().copied().filter(|_| is_cut);
        let told = if users.is_empty() { Told::new() } else { self.decide(unit, &users, &in_teams).await? };
        Ok(Portion { told, considered: users.len(), goes_on_after })
    }

    async fn decide(&self, unit: &mut Unit, users: &[UserId], in_teams: &BTreeSet<UserId>) -> AppResult<Told> {
        let (mut levels, mut former, mut follows) = (BTreeMap::new(), None, BTreeMap::new());
        if let Some(readers) = &self.readers {
            levels = readers.levels(unit, users).await?;
            if let Some(entries) = &self.occasion.former {
                former = Some(readers.former_levels(unit, users, entries).await?);
            }
        }
        if !self.places.is_empty() {
            follows = self.nearest_follows(unit, users).await?;
            self.prefer_own_pages(unit, &mut follows).await?;
        }
        let level = |user: &UserId| levels.get(user).copied().unwrap_or(Level::None);
        let mut decided = Told::new();
        for user in users {
            let concern = self.occasion.people.get(user).copied().unwrap_or_default();
            let by_right = self.occasion.deciders.filter(|_| self.deciders.contains(user));
            let gained = |kind: &NotificationType| {
                let could = former.as_ref().and_then(|former| former.get(user)).is_some_and(|old| *old >= Level::View);
                *kind != NotificationType::PageShared || (level(user) >= Level::View && !could)
            };
            let involvement = Involvement {
                did_it: self.occasion.is_own_doing && self.occasion.actor == Some(*user),
                is_mentioned: concern.is_mentioned || in_teams.contains(user),
                is_assigned: concern.is_assigned,
                in_person: concern.in_person.filter(gained).or(by_right),
                takes_part: concern.takes_part,
                made_page: self.makers.contains_key(user),
                follow: follows.get(user).map(|(_, mode)| *mode),
                may_view: level(user) >= Level::View,
            };
            if let Some(kind) = told(self.occasion.doing, &involvement) {
                let of_team = || self.occasion.teams.values().next().copied().flatten();
                let is_by_team = kind == NotificationType::Mention && !concern.is_mentioned;
                let subject = concern.subject.or_else(|| of_team().filter(|_| is_by_team));
                decided.insert(*user, (kind, subject.unwrap_or(self.occasion.subject)));
            }
        }
        Ok(decided)
    }

    /// Who created a page follows it with comments, and that is nearer than what they decided about a page above it.
    async fn prefer_own_pages(
        &self,
        unit: &mut Unit,
        follows: &mut BTreeMap<UserId, (usize, FollowMode)>,
    ) -> AppResult<()> {
        let page = usize::from(self.occasion.thread.is_some());
        if !follows.values().any(|(place, _)| *place > page) {
            return Ok(());
        }
        let found;
        let makers = if self.occasion.doing == Doing::Talk {
            &self.makers
        } else {
            found = self.find_makers(unit).await?;
            &found
        };
        for (user, (place, mode)) in follows {
            if makers.get(user).is_some_and(|own| own < place) {
                *mode = FollowMode::Comments;
            }
        }
        Ok(())
    }

    /// What each of these users decided about the nearest place, and which that is.
    async fn nearest_follows(
        &self,
        unit: &mut Unit,
        users: &[UserId],
    ) -> AppResult<BTreeMap<UserId, (usize, FollowMode)>> {
        let distance: BTreeMap<_, _> = self.places.iter().zip(0..).map(|(place, steps)| (*place, steps)).collect();
        let mut nearest: BTreeMap<UserId, (usize, FollowMode)> = BTreeMap::new();
        for follow in unit.tx.follows().list_of(self.workspace, &self.places, users).await? {
            let Some(steps) = distance.get(&follow.target).copied() else { continue };
            if nearest.get(&follow.user).is_none_or(|(known, _)| steps < *known) {
                nearest.insert(follow.user, (steps, follow.mode));
            }
        }
        Ok(nearest)
    }
}
