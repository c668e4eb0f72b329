//! Share links over time: when they work, when a password ends access through an earlier one, and what happens to
//! rights meanwhile.

mod exclusions;
mod joining;

use crate::world::{Calling, Device, Person, World, conflict, denied, fault_of, slot, unknown};
use octavo_app::{
    Call, WorkKind,
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
    fault::{Conflict, Denial, Hint, Issue, Unknown, Unprocessable, Violation},
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    page::ParentRef,
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
        let (page, reservations) = (page.map(|page| Ok(page.into())), self.engine.reservations());
        let open =
            self.read(self.nobody(), move |view| Box::pin(share_links::page_to_render(view, key, page, reservations)));
        open.await.map(|(shown, _)| shown)
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
    let expected = Violation::new("expiresAt", Issue::TooSmall).with(world.now.to_string().into());
    assert_eq!(refused, expected.hinting(Hint::in_future()).into());
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
    let content = vec![Piece::new(Body::with_text(Kind::Paragraph, text))];
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
async fn pages_that_blocks_name_are_found_if_the_link_shows_them() {
    let mut world = World::new().await;
    let (id, owner, _) = world.house().await;
    let by_owner = || world.by(&owner.1).naming(id);
    let shared = world.page_below(by_owner(), None, "Shared").await;
    let seen = world.page_below(by_owner(), Some(shared), "Seen").await;
    let hidden = world.page_below(by_owner(), None, "Hidden").await;
    let pointer = |page: PageId| {
        let content = serde_json::json!({ "pageId": page.to_string() });
        Piece::new(Body::read(Kind::ChildPage, Some(content), None, "").unwrap())
    };
    let place = Place { parent: Some(Some(ParentRef::Page(shared))), ..Place::default() };
    let page = NewPage { content: vec![pointer(seen), pointer(hidden)], ..NewPage::default() };
    let create = world.write(by_owner(), move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page))));
    let page = create.await.unwrap().page.id;
    let link = world.shares(by_owner(), shared, plain()).await.unwrap();
    let (key, reservations) = (key(&link), world.engine.reservations());
    let render = share_links::page_to_render;
    let open = world.read(world.nobody(), move |view| Box::pin(render(view, key, Some(Ok(page.into())), reservations)));
    let (shown, _) = open.await.unwrap();
    assert_eq!(shown.named.iter().map(|node| node.id).collect::<Vec<_>>(), [seen.into()]);
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
    assert_eq!(copied.ids.keys().copied().collect::<Vec<_>>(), [page.into(), child.into()]);
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
