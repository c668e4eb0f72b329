//! Share links over time: when they work, when a password ends access through an earlier one, and what happens to
//! rights meanwhile.

use crate::world::{Calling, Device, Person, World, conflict, denied, email, fault_of, slot, unknown};
use octavo_app::{
    Call, WorkKind,
    accounts::{deletion, register::Registered},
    members,
    pages::{
        self, NewPage, Place,
        permissions::{self, GranteeRef, NewGrant, PermissionChange},
    },
    share_links::{self, Copy, Joined, Key, NewShareLink, ShareLinkDetails, ShareUpdate, SharedPage},
    workspaces::settings,
};
use octavo_blocks_tree::{Body, Kind, Piece, RichText};
use octavo_core_model::{
    Fault, Level, Role, Secret, Timestamp,
    event::Chain,
    fault::{Conflict, Denial, Issue, Unknown, Unprocessable, Violation},
    grant::Grantee,
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    page::{ParentRef, PublicAccess},
    settings::SettingsChange,
    share_link::{ShareLevel, SharePassword, UNLOCKED_FOR},
    text::PageTitle,
    time::days,
};
use octavo_ports::compute::WorkOwner;
use octavo_sealing::Keyring;

fn plain() -> NewShareLink {
    NewShareLink {
        level: ShareLevel::View,
        include_children: true,
        password: None,
        expires_at: None,
        allow_duplicate: false,
        allow_indexing: false,
    }
}

fn password(text: &str) -> SharePassword {
    SharePassword::parse(text).unwrap()
}

fn key(shown: &ShareLinkDetails) -> Key {
    Key { token: Ok(shown.token.clone()), access: None }
}

impl World {
    async fn page_below(&self, call: Call, parent: Option<PageId>, title: &str) -> PageId {
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let page = NewPage { title: PageTitle::parse(title).ok(), ..NewPage::default() };
        self.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await.unwrap().page.id
    }

    async fn shares(&self, call: Call, page: PageId, wanted: NewShareLink) -> Result<ShareLinkDetails, Fault> {
        let (keep, kept) = slot();
        fault_of(share_links::create(&self.engine, call, Ok(page), Ok(wanted), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    async fn changes_link(&self, call: Call, id: ShareLinkId, update: ShareUpdate) -> Result<ShareLinkDetails, Fault> {
        let (keep, kept) = slot();
        fault_of(share_links::update(&self.engine, call, Ok(id), Ok(update), keep).await)?;
        Ok(kept.lock().unwrap().take().expect("no replay"))
    }

    async fn revokes_link(&self, call: Call, id: ShareLinkId) -> Result<(), Fault> {
        self.write(call, move |unit| Box::pin(share_links::revoke(unit, Ok(id)))).await
    }

    async fn opens(&self, key: Key, page: Option<PageId>) -> Result<SharedPage, Fault> {
        let page = page.map(Ok);
        self.read(self.nobody(), move |view| Box::pin(share_links::page(view, key, page))).await
    }

    async fn unlocks(&self, shown: &ShareLinkDetails, password: &str) -> Result<Key, Fault> {
        let (token, password) = (Ok(shown.token.clone()), Ok(Secret::new(password.to_owned())));
        let unlocked = fault_of(share_links::unlock(&self.engine, self.nobody(), token, password).await)?;
        Ok(Key { access: Some(unlocked.access.into_inner()), ..key(shown) })
    }

    async fn joins_by(&self, call: Call, key: Key) -> Result<Joined, Fault> {
        let limits = self.engine.rules.limits;
        self.write(call, move |unit| Box::pin(share_links::join(unit, key, limits))).await
    }

    async fn level_on(&self, call: Call, id: PageId) -> Result<Level, Fault> {
        let opened = self.read(call, move |view| Box::pin(pages::get(view, Ok(id), Ok(Vec::new())))).await;
        opened.map(|opened| opened.shown.level)
    }

    async fn allows_links(&self, call: Call, allowed: bool) {
        let change = SettingsChange { share_links_allowed: Some(Some(allowed)), ..SettingsChange::default() };
        self.write(call, move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
    }

    async fn excludes(&self, call: &Call, id: PageId, grantee: GranteeRef, expires_at: Option<Timestamp>) {
        let wanted = NewGrant { grantee, level: Level::None, expires_at };
        let call = call.clone();
        self.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(id), Ok((wanted, false))))).await.unwrap();
    }

    /// Replaces the grants of a page by exclusions that it has already.
    async fn writes_back(&self, call: Call, id: PageId, grantees: &[GranteeRef]) {
        let exclusion = |grantee: &GranteeRef| {
            let grantee = grantee.clone();
            NewGrant { grantee, level: Level::None, expires_at: None }
        };
        let grants = Some(grantees.iter().map(exclusion).collect());
        let same = PermissionChange { grants, ..PermissionChange::default() };
        let kept = self.write(call, move |unit| Box::pin(permissions::replace(unit, Ok(id), Ok(same)))).await.unwrap();
        assert_eq!(kept.grants.len(), grantees.len());
    }

    /// Gives a user a level on a page for so many days.
    async fn lends(&self, call: &Call, id: PageId, user: UserId, level: Level, lasts: u64) {
        let expires_at = Some(self.now.plus(days(lasts)));
        let wanted = NewGrant { grantee: GranteeRef::User(user), level, expires_at };
        let call = call.clone();
        self.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(id), Ok((wanted, false))))).await.unwrap();
    }

    async fn cuts_off(&self, call: Call, id: PageId) {
        let change = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
        self.write(call, move |unit| Box::pin(permissions::replace(unit, Ok(id), Ok(change)))).await.unwrap();
    }

    async fn house(&mut self) -> (WorkspaceId, (Person, Device), (Person, Device)) {
        let (owner, member) = (self.newcomer().await, self.newcomer().await);
        let id = self.creates_workspace(&owner.0).await;
        self.adds(self.by(&owner.1).at(id), member.0.id, Role::Member).await.unwrap();
        (id, owner, member)
    }
}

#[tokio::test]
async fn a_link_shows_its_page_until_it_runs_out_and_again_when_it_is_revived() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let page = world.page_below(world.by(&owner.1).naming(id), None, "Page").await;
    let wanted = NewShareLink { expires_at: Some(world.now.plus(days(1))), ..plain() };
    let link = world.shares(world.by(&owner.1).naming(id), page, wanted).await.unwrap();
    world.pass_almost(days(1));
    assert_eq!(world.opens(key(&link), None).await.unwrap().page.id, page);
    world.pass(days(1));
    assert_eq!(world.opens(key(&link), None).await.unwrap_err(), Fault::ShareExpired);
    let past = ShareUpdate { expires_at: Some(Some(world.now)), ..ShareUpdate::default() };
    let refused = world.changes_link(world.by(&owner.1).naming(id), link.link.id, past).await.unwrap_err();
    let received = world.now.to_string().into();
    assert_eq!(refused, Violation::new("expiresAt", Issue::TooSmall).with(received).into());
    let later = ShareUpdate { expires_at: Some(None), ..ShareUpdate::default() };
    world.changes_link(world.by(&owner.1).naming(id), link.link.id, later.clone()).await.unwrap();
    assert!(world.opens(key(&link), None).await.is_ok());
    for _ in 0..2 {
        world.revokes_link(world.by(&owner.1).naming(id), link.link.id).await.unwrap();
    }
    assert_eq!(world.opens(key(&link), None).await.unwrap_err(), Fault::NotFound);
    let refused = world.changes_link(world.by(&owner.1).naming(id), link.link.id, later).await;
    assert_eq!(refused.unwrap_err(), conflict(Conflict::ShareLinkRevoked), "permanently");
    let events: Vec<_> =
        world.events(id).await.into_iter().map(|(kind, ..)| kind).filter(|kind| kind.starts_with("share")).collect();
    assert_eq!(events, ["share_link.created", "share_link.updated", "share_link.revoked"]);
    let audited = world.audit_records(Chain::Workspace(id)).await;
    assert_eq!(audited.iter().filter(|entry| entry.action.starts_with("share_link.")).count(), 3);
}

#[tokio::test]
async fn password_access_ends_after_an_hour_or_with_a_new_password_or_token() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let page = world.page_below(world.by(&owner.1).naming(id), None, "Page").await;
    let wanted = NewShareLink { password: Some(password("open")), ..plain() };
    let link = world.shares(world.by(&owner.1).naming(id), page, wanted).await.unwrap();
    let closed = unknown(Unknown::SharePasswordRequired);
    assert_eq!(world.opens(key(&link), None).await.unwrap_err(), closed);
    assert_eq!(world.unlocks(&link, "Open").await.unwrap_err(), unknown(Unknown::SharePasswordWrong));
    let open = world.unlocks(&link, "open").await.unwrap();
    assert!(world.opens(open.clone(), None).await.is_ok());
    world.pass_almost(UNLOCKED_FOR);
    assert!(world.opens(open.clone(), None).await.is_ok());
    world.pass(UNLOCKED_FOR);
    assert_eq!(world.opens(open, None).await.unwrap_err(), closed);

    let open = world.unlocks(&link, "open").await.unwrap();
    let same = ShareUpdate { password: Some(Some(password("open"))), ..ShareUpdate::default() };
    world.changes_link(world.by(&owner.1).naming(id), link.link.id, same).await.unwrap();
    assert_eq!(world.opens(open, None).await.unwrap_err(), closed, "set anew, though it reads the same");

    let open = world.unlocks(&link, "open").await.unwrap();
    let rotate = ShareUpdate { rotate_token: true, ..ShareUpdate::default() };
    let rotated = world.changes_link(world.by(&owner.1).naming(id), link.link.id, rotate).await.unwrap();
    assert_eq!(world.opens(open.clone(), None).await.unwrap_err(), Fault::NotFound, "the old address leads nowhere");
    let mixed = Key { access: open.access, ..key(&rotated) };
    assert_eq!(world.opens(mixed, None).await.unwrap_err(), closed);
    let without = ShareUpdate { password: Some(None), ..ShareUpdate::default() };
    world.changes_link(world.by(&owner.1).naming(id), link.link.id, without).await.unwrap();
    assert!(world.opens(key(&rotated), None).await.is_ok());
}

#[tokio::test]
async fn callers_without_rights_cause_no_hashing() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let page = world.page_below(world.by(&owner.1).naming(id), None, "Page").await;
    let wanted = NewShareLink { password: Some(password("open")), ..plain() };
    let before = world.hasher.jobs_done();
    let refused = world.shares(world.by(&member.1).naming(id), page, wanted.clone()).await.unwrap_err();
    assert_eq!(refused, denied(Denial::RequiresLevel(Level::FullAccess)));
    assert_eq!(world.hasher.jobs_done(), before);
    let link = world.shares(world.by(&owner.1).naming(id), page, wanted).await.unwrap();
    assert_eq!(
        world
            .unlocks(
                &ShareLinkDetails {
                    token: octavo_core_model::Token::new(octavo_core_model::TokenKind::ShareLink, [9; 32]),
                    ..link
                },
                "open"
            )
            .await
            .unwrap_err(),
        Fault::NotFound
    );
    assert_eq!(world.hasher.jobs_done(), before + 1, "an unknown link compares nothing");
}

#[tokio::test]
async fn pages_are_written_for_the_workspace_of_a_link_and_passwords_compared_for_the_caller() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let text = RichText::plain("x".repeat(70_000));
    let content = vec![Piece::new(Body::with_text(Kind::Paragraph, &text))];
    let (long, call) = (NewPage { content, ..NewPage::default() }, world.by(&owner.1).naming(id));
    let create = world.write(call, move |unit| Box::pin(pages::create(unit, Ok(Place::default()), Ok(long))));
    let pages = [
        (world.page_below(world.by(&owner.1).naming(id), None, "Page").await, WorkKind::Short),
        (create.await.unwrap().page.id, WorkKind::Long),
    ];
    for (page, kind) in pages {
        world.hasher.take_owners();
        let wanted = NewShareLink { password: Some(password("open")), ..plain() };
        let link = world.shares(world.by(&owner.1).naming(id), page, wanted).await.unwrap();
        let key = world.unlocks(&link, "open").await.unwrap();
        let anybody = world.nobody().work_owner();
        assert_eq!(world.hasher.take_owners(), [WorkOwner::User(owner.0.id), anybody]);
        for call in [world.nobody(), world.by(&member.1)] {
            let (key, reservations) = (key.clone(), world.engine.reservations());
            let open =
                world.read(call, move |view| Box::pin(share_links::page_to_render(view, key, None, reservations)));
            let (shown, reservation) = open.await.unwrap();
            assert_eq!((shown.page.id, reservation.owner()), (page, WorkOwner::Workspace(id)));
            assert_eq!(reservation.kind(), kind);
        }
    }
}

#[tokio::test]
async fn where_links_are_not_allowed_members_narrow_them_only() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let page = world.page_below(world.by(&member.1).naming(id), None, "Page").await;
    let wanted = NewShareLink { password: Some(password("open")), include_children: false, ..plain() };
    let link = world.shares(world.by(&member.1).naming(id), page, wanted).await.unwrap();
    world.allows_links(world.by(&owner.1).at(id), false).await;
    let disabled = denied(Denial::ShareLinksDisabled);
    let by_member = || world.by(&member.1).naming(id);
    assert_eq!(world.shares(by_member(), page, plain()).await.unwrap_err(), disabled);
    let none = ShareUpdate::default;
    for wider in [
        ShareUpdate { level: Some(ShareLevel::Comment), ..none() },
        ShareUpdate { include_children: Some(true), ..none() },
        ShareUpdate { password: Some(None), ..none() },
        ShareUpdate { allow_duplicate: Some(true), ..none() },
    ] {
        assert_eq!(
            world.changes_link(by_member(), link.link.id, wider.clone()).await.unwrap_err(),
            disabled,
            "{wider:?}"
        );
    }
    for as_wide in [
        ShareUpdate { password: Some(Some(password("other"))), ..none() },
        ShareUpdate { rotate_token: true, ..none() },
        ShareUpdate { expires_at: Some(Some(world.now.plus(days(1)))), ..none() },
    ] {
        world.changes_link(by_member(), link.link.id, as_wide).await.unwrap();
    }
    let longer = ShareUpdate { expires_at: Some(Some(world.now.plus(days(2)))), ..none() };
    assert_eq!(world.changes_link(by_member(), link.link.id, longer.clone()).await.unwrap_err(), disabled);
    world.changes_link(world.by(&owner.1).naming(id), link.link.id, longer).await.unwrap();
    world.shares(world.by(&owner.1).naming(id), page, plain()).await.unwrap();
    world.revokes_link(by_member(), link.link.id).await.unwrap();
}

#[tokio::test]
async fn joining_gives_the_level_of_the_link_and_lowers_nobody() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let comment =
        world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Comment, ..plain() }).await.unwrap();
    let edit = world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
    let view = world.shares(by_owner.clone(), page, plain()).await.unwrap();
    let guest = world.newcomer().await;
    let by_guest = || world.by(&guest.1);
    let refused = world.joins_by(by_guest(), key(&view)).await.unwrap_err();
    assert_eq!(refused, Fault::Unprocessable(Unprocessable::ViewOnlyLink));
    assert_eq!(world.joins_by(by_guest(), key(&comment)).await.unwrap().level, Level::Comment);
    let after = world.events(id).await.len();
    assert_eq!(world.joins_by(by_guest(), key(&comment)).await.unwrap().level, Level::Comment, "once more");
    assert_eq!(world.events(id).await.len(), after, "nothing to report");
    assert_eq!(world.joins_by(by_guest(), key(&edit)).await.unwrap().level, Level::Edit);
    assert_eq!(world.joins_by(by_guest(), key(&comment)).await.unwrap().level, Level::Edit, "nothing is lost");
    assert_eq!(world.level_on(by_guest().naming(id), page).await, Ok(Level::Edit));
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Edit);
    assert_eq!(world.joins_by(world.by(&owner.1), key(&comment)).await.unwrap().level, Level::FullAccess);
    let events: Vec<_> = world.events(id).await.into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(events.iter().filter(|kind| *kind == "share_link.joined").count(), 2);
    assert_eq!(events.iter().filter(|kind| *kind == "workspace.member_added").count(), 2, "the member and the guest");
}

#[tokio::test]
async fn a_copy_holds_what_the_link_shows_and_no_more() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let child = world.page_below(by_owner.clone(), Some(page), "Child").await;
    let hidden = world.page_below(by_owner.clone(), Some(page), "Hidden").await;
    let below = world.page_below(by_owner.clone(), Some(hidden), "Below").await;
    world.cuts_off(by_owner.clone(), hidden).await;
    let link = world.shares(by_owner.clone(), page, plain()).await.unwrap();
    let reader = world.newcomer().await;
    let taken_by = |key: Key| {
        let call = world.by(&reader.1);
        let world = &world;
        async move { world.write(call, move |unit| Box::pin(share_links::duplicate(unit, key, Ok(Copy::default())))).await }
    };
    assert_eq!(taken_by(key(&link)).await.unwrap_err(), denied(Denial::DuplicateNotAllowed));
    let allow = ShareUpdate { allow_duplicate: Some(true), ..ShareUpdate::default() };
    world.changes_link(by_owner.clone(), link.link.id, allow).await.unwrap();
    let (_, copied) = taken_by(key(&link)).await.unwrap();
    assert_eq!(copied.ids.keys().copied().collect::<Vec<_>>(), [page, child]);
    assert_eq!((copied.shown.page.workspace, copied.shown.page.title.as_str()), (reader.0.workspace, "Page (copy)"));
    let alone = ShareUpdate { include_children: Some(false), ..ShareUpdate::default() };
    world.changes_link(by_owner, link.link.id, alone).await.unwrap();
    assert_eq!(taken_by(key(&link)).await.unwrap().1.ids.len(), 1);
    for uncovered in [child, hidden, below] {
        assert_eq!(world.opens(key(&link), Some(uncovered)).await.unwrap_err(), Fault::NotFound);
    }
}

#[tokio::test]
async fn links_open_under_a_new_secret_of_the_deployment() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let link = world.shares(by_owner.clone(), page, plain()).await.unwrap();
    world.engine.replace_keyring(Keyring::new(&[[8; 32], [7; 32]]).unwrap());
    octavo_app::reseal::reseal(&world.engine, world.now).await.unwrap();
    world.engine.replace_keyring(Keyring::new(&[[8; 32]]).unwrap());
    let found = world.read(by_owner, move |view| Box::pin(share_links::list_of(view, Ok(page)))).await.unwrap();
    assert_eq!(found[0].token, link.token);
    assert!(world.opens(key(&link), None).await.is_ok());
}

#[tokio::test]
async fn a_link_ends_where_somebody_is_excluded() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let open = world.page_below(by_owner.clone(), Some(page), "Open").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let below = world.page_below(by_owner.clone(), Some(closed), "Below").await;
    let address = world.page_below(by_owner.clone(), Some(page), "Closed to an address").await;
    let soon = Some(world.now.plus(days(1)));
    world.excludes(&by_owner, open, GranteeRef::User(member.0.id), soon).await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, address, GranteeRef::Email(email("zoe@example.com")), None).await;
    let link = world.shares(by_owner.clone(), page, NewShareLink { allow_duplicate: true, ..plain() }).await.unwrap();
    let children = async |world: &World| {
        let shown = world.opens(key(&link), None).await.unwrap();
        shown.children.into_iter().map(|child| child.id).collect::<Vec<_>>()
    };
    assert_eq!(children(&world).await, []);
    world.pass(days(1));
    assert_eq!(children(&world).await, [open], "an entry that ran out excludes nobody");
    for hidden in [closed, below, address] {
        assert_eq!(world.opens(key(&link), Some(hidden)).await.unwrap_err(), Fault::NotFound);
    }
    let public = async |page: PageId| {
        let call = world.by(&owner.1).naming(id);
        let opened = world.read(call, move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))).await.unwrap();
        opened.shown.public_access
    };
    assert_eq!((public(page).await, public(open).await), (PublicAccess::Direct, PublicAccess::Inherited));
    assert_eq!((public(closed).await, public(below).await), (PublicAccess::None, PublicAccess::None));
    let reader = world.newcomer().await;
    let (call, link_key) = (world.by(&reader.1), key(&link));
    let copied =
        world.write(call, move |unit| Box::pin(share_links::duplicate(unit, link_key, Ok(Copy::default())))).await;
    assert_eq!(copied.unwrap().1.ids.keys().copied().collect::<Vec<_>>(), [page, open]);
    let own = world.shares(world.by(&owner.1).naming(id), closed, plain()).await.unwrap();
    assert_eq!(world.opens(key(&own), Some(below)).await.unwrap().page.id, below, "a link made there shows it");
}

#[tokio::test]
async fn a_member_who_leaves_stays_excluded() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    let edit = NewShareLink { level: ShareLevel::Edit, ..plain() };
    let link = world.shares(by_owner.clone(), page, edit.clone()).await.unwrap();
    let own = world.shares(by_owner.clone(), closed, edit).await.unwrap();
    world.removes(world.by(&member.1).naming(id), member.0.id).await.unwrap();
    assert_eq!(world.opens(key(&link), Some(closed)).await.unwrap_err(), Fault::NotFound);
    assert_eq!(world.joins_by(world.by(&member.1), key(&own)).await.unwrap_err(), denied(Denial::Excluded));
    world.joins_by(world.by(&member.1), key(&link)).await.unwrap();
    assert_eq!(world.level_on(world.by(&member.1).naming(id), closed).await, Err(Fault::NotFound));
}

#[tokio::test]
async fn exclusions_of_a_purged_account_still_end_links() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let other = world.newcomer().await;
    let proof = world.token_to(&other.0.email, "evt_").await.unwrap();
    world.verify(proof).await.unwrap();
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let hidden = world.page_below(by_owner.clone(), Some(page), "Closed to an address").await;
    world.excludes(&by_owner, closed, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, hidden, GranteeRef::Email(other.0.email.clone()), None).await;
    let link = world.shares(by_owner, page, plain()).await.unwrap();
    for device in [&member.1, &other.1] {
        world.delete(device).await.unwrap();
    }
    world.pass(days(30));
    assert_eq!(deletion::purge_due(&world.engine, world.now).await.unwrap(), 2);
    let owner = world.signed_in(&owner.0).await;
    for (page, former) in [(closed, member.0.id), (hidden, other.0.id)] {
        assert_eq!(world.opens(key(&link), Some(page)).await.unwrap_err(), Fault::NotFound);
        let call = world.by(&owner).naming(id);
        let found = world.read(call, move |view| Box::pin(permissions::get(view, Ok(page)))).await.unwrap();
        let grantees: Vec<_> = found.grants.into_iter().map(|grant| grant.grantee).collect();
        assert_eq!(grantees, [Grantee::User(former)], "no address is kept");
        world.writes_back(world.by(&owner).naming(id), page, &[GranteeRef::User(former)]).await;
    }
}

#[tokio::test]
async fn an_exclusion_stays_with_an_address_that_was_not_verified() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let closed = world.page_below(by_owner.clone(), Some(page), "Closed").await;
    let squatter = world.newcomer().await;
    let address = squatter.0.email.clone();
    world.excludes(&by_owner, closed, GranteeRef::Email(address.clone()), None).await;
    let edit = NewShareLink { level: ShareLevel::Edit, ..plain() };
    let link = world.shares(by_owner.clone(), page, edit).await.unwrap();
    world.joins_by(world.by(&squatter.1), key(&link)).await.unwrap();
    let both = [GranteeRef::User(squatter.0.id), GranteeRef::Email(address.clone())];
    world.writes_back(by_owner, closed, &both).await;
    world.relocate(&squatter.1, &address, &email("elsewhere@example.com")).await;
    world.removes(world.by(&squatter.1).naming(id), squatter.0.id).await.unwrap();
    let form = World::registration(address.as_str(), "Rightful owner");
    let Ok(Registered::Account { signed_in, .. }) = world.register(world.nobody(), form).await else {
        panic!("the address is free")
    };
    for device in [squatter.1, Device::from(&*signed_in)] {
        world.joins_by(world.by(&device), key(&link)).await.unwrap();
        assert_eq!(world.level_on(world.by(&device).naming(id), closed).await, Err(Fault::NotFound));
    }
}

#[tokio::test]
async fn an_excluded_user_or_address_cannot_join_by_a_link() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let guest = world.newcomer().await;
    let edit = world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
    world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    world.excludes(&by_owner, page, GranteeRef::Email(guest.0.email.clone()), None).await;
    for device in [&member.1, &guest.1] {
        assert_eq!(world.joins_by(world.by(device), key(&edit)).await.unwrap_err(), denied(Denial::Excluded));
    }
    assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Err(Fault::NotFound));
    let other = world.newcomer().await;
    let below = world.page_below(by_owner.clone(), Some(page), "Below").await;
    world.excludes(&by_owner, below, GranteeRef::Email(other.0.email.clone()), None).await;
    assert_eq!(world.joins_by(world.by(&other.1), key(&edit)).await.unwrap().level, Level::Edit);
    let hidden = world.level_on(world.by(&other.1).naming(id), below).await;
    assert_eq!(hidden, Err(Fault::NotFound), "not even where nobody proved the address");
}

#[tokio::test]
async fn joining_lowers_nobody_whose_rights_are_narrowed_for_a_while() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let comment =
        world.shares(by_owner.clone(), page, NewShareLink { level: ShareLevel::Comment, ..plain() }).await.unwrap();
    let viewing = NewGrant {
        grantee: GranteeRef::User(member.0.id),
        level: Level::View,
        expires_at: Some(world.now.plus(days(1))),
    };
    world
        .write(by_owner, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((viewing, false)))))
        .await
        .unwrap();
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    assert_eq!(
        world.level_on(world.by(&member.1).naming(id), page).await,
        Ok(Level::Edit),
        "as if they had not joined"
    );
}

#[tokio::test]
async fn a_narrowing_ends_when_its_own_entry_does() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let other = world.newcomer().await;
    world.adds(by_owner.clone(), other.0.id, Role::Member).await.unwrap();
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    let wanted = NewShareLink { level: ShareLevel::Comment, ..plain() };
    let comment = world.shares(by_owner.clone(), page, wanted).await.unwrap();
    for (user, level, lasts) in [(member.0.id, Level::View, 1), (other.0.id, Level::Edit, 9)] {
        let expires_at = Some(world.now.plus(days(lasts)));
        let wanted = NewGrant { grantee: GranteeRef::User(user), level, expires_at };
        let grant = world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, false)))));
        grant.await.unwrap();
    }
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    let level = world.level_on(world.by(&member.1).naming(id), page).await;
    assert_eq!(level, Ok(Level::Edit), "the grant of somebody else does not count");
}

#[tokio::test]
async fn joining_keeps_a_later_temporary_level_that_is_higher() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let top = world.page_below(by_owner.clone(), None, "Top").await;
    let middle = world.page_below(by_owner.clone(), Some(top), "Middle").await;
    let page = world.page_below(by_owner.clone(), Some(middle), "Page").await;
    for (on, level, lasts) in [(top, Level::None, 9), (middle, Level::FullAccess, 3), (page, Level::View, 1)] {
        world.lends(&by_owner, on, member.0.id, level, lasts).await;
    }
    let wanted = NewShareLink { level: ShareLevel::Comment, ..plain() };
    let comment = world.shares(by_owner, page, wanted).await.unwrap();
    assert_eq!(world.joins_by(world.by(&member.1), key(&comment)).await.unwrap().level, Level::Comment);
    world.pass(days(1));
    assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, Ok(Level::FullAccess));
}

#[tokio::test]
async fn joining_does_not_limit_what_a_narrowed_guest_has_later_as_a_member() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let guest = world.newcomer().await;
    world.adds(by_owner.clone(), guest.0.id, Role::Guest).await.unwrap();
    let top = world.page_below(by_owner.clone(), None, "Top").await;
    let page = world.page_below(by_owner.clone(), Some(top), "Page").await;
    let forever = NewGrant { grantee: GranteeRef::User(guest.0.id), level: Level::FullAccess, expires_at: None };
    let grant =
        world.write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(top), Ok((forever, false)))));
    grant.await.unwrap();
    world.lends(&by_owner, page, guest.0.id, Level::View, 1).await;
    let edit = world.shares(by_owner, page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
    assert_eq!(world.joins_by(world.by(&guest.1), key(&edit)).await.unwrap().level, Level::Edit);
    world.pass(days(1));
    let (call, user) = (world.by(&owner.1).at(id), guest.0.id);
    world.write(call, move |unit| Box::pin(members::update(unit, Ok(user), Ok(Role::Member)))).await.unwrap();
    assert_eq!(world.level_on(world.by(&guest.1).naming(id), page).await, Ok(Level::FullAccess));
}

#[tokio::test]
async fn writing_back_the_exclusion_of_somebody_who_left_invites_nobody() {
    let mut world = World::new().await;
    let (id, owner, member) = world.house().await;
    let by_owner = world.by(&owner.1).naming(id);
    let page = world.page_below(by_owner.clone(), None, "Page").await;
    world.excludes(&by_owner, page, GranteeRef::User(member.0.id), None).await;
    let user = member.0.id;
    world.write(by_owner.clone(), move |unit| Box::pin(members::remove(unit, Ok(user)))).await.unwrap();
    let excluded =
        NewGrant { grantee: GranteeRef::Email(member.0.email.clone()), level: Level::None, expires_at: None };
    let same = PermissionChange { grants: Some(vec![excluded]), ..PermissionChange::default() };
    let letters = world.mail_to(&member.0.email).await;
    world.write(by_owner, move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(same)))).await.unwrap();
    assert_eq!(world.mail_to(&member.0.email).await, letters);
}

#[tokio::test]
async fn joining_makes_an_expiring_level_permanent() {
    for (temporary, afterwards) in [(Level::Edit, Ok(Level::Edit)), (Level::FullAccess, Err(Fault::NotFound))] {
        let mut world = World::new().await;
        let (id, owner, member) = world.house().await;
        let by_owner = world.by(&owner.1).naming(id);
        let page = world.page_below(by_owner.clone(), None, "Page").await;
        let cut = PermissionChange { inherit: Some(false), ..PermissionChange::default() };
        world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::replace(unit, Ok(page), Ok(cut))))
            .await
            .unwrap();
        let end = Some(world.now.plus(days(1)));
        let lent = NewGrant { grantee: GranteeRef::User(member.0.id), level: temporary, expires_at: end };
        world
            .write(by_owner.clone(), move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((lent, false)))))
            .await
            .unwrap();
        let edit = world.shares(by_owner, page, NewShareLink { level: ShareLevel::Edit, ..plain() }).await.unwrap();
        assert_eq!(world.joins_by(world.by(&member.1), key(&edit)).await.unwrap().level, temporary);
        world.pass(days(1));
        assert_eq!(world.level_on(world.by(&member.1).naming(id), page).await, afterwards, "{temporary}");
    }
}
