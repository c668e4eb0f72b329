//! Which moves of pages are allowed: a move never gives the mover a higher level than before, whatever credential
//! they use.

use crate::world::{Calling, Device, Person, World, denied};
use octavo_app::{
    Call, Caller,
    pages::{
        self, MoveTarget, NewPage, Place, Relocation,
        permissions::{self, GranteeRef, NewGrant},
        trash,
    },
};
use octavo_core_model::{
    AppScope, Fault, KeyScope, Level, Role, Timestamp,
    claims::{AppClaims, PresentedApp},
    fault::Denial,
    id::{ClientId, FamilyId, GrantId, PageId, TokenId, WorkspaceId},
    page::ParentRef,
    text::{Name, PageTitle},
};
use std::time::Duration;

struct House {
    world: World,
    id: WorkspaceId,
    owner: (Person, Device),
    /// Has `EDIT` on the pages of the owner, as every member has.
    member: (Person, Device),
    guest: (Person, Device),
}

async fn house() -> House {
    let mut world = World::new().await;
    let (owner, member, guest) = (world.newcomer().await, world.newcomer().await, world.newcomer().await);
    let id = world.creates_workspace(&owner.0).await;
    for (person, role) in [(&member.0, Role::Member), (&guest.0, Role::Guest)] {
        world.adds(world.by(&owner.1).at(id), person.id, role).await.unwrap();
    }
    House { world, id, owner, member, guest }
}

impl House {
    fn by(&self, (_, device): &(Person, Device)) -> Call {
        self.world.by(device).naming(self.id)
    }

    /// An app of this user that may change pages.
    fn through_app(&self, person: &(Person, Device)) -> Call {
        let claims = AppClaims {
            user: person.0.id,
            client: ClientId::new(1, [1; 10]),
            grant: GrantId::new(1, [1; 10]),
            family: FamilyId::new(1, [1; 10]),
            scopes: vec![AppScope::PagesWrite],
            id: TokenId::new(1, [1; 10]),
            proofs: Vec::new(),
            authenticated_at: self.world.now,
            issued_at: self.world.now,
        };
        let app = PresentedApp {
            scopes: claims.scopes.clone(),
            name: Name::parse("Planner").unwrap(),
            workspaces: vec![self.id],
            claims,
        };
        Call { caller: Caller::App(Box::new(app)), ..self.by(person) }
    }

    async fn page(&self, call: Call, parent: Option<PageId>, inherit: bool) -> PageId {
        let place = Place { parent: Some(parent.map(ParentRef::Page)), ..Place::default() };
        let page = NewPage { title: PageTitle::parse("Page").ok(), inherit: Some(inherit), ..NewPage::default() };
        let made = self.world.write(call, move |unit| Box::pin(pages::create(unit, Ok(place), Ok(page)))).await;
        made.unwrap().page.id
    }

    async fn grants(&self, page: PageId, grantee: GranteeRef, level: Level, expires_at: Option<Timestamp>) {
        let wanted = NewGrant { grantee, level, expires_at };
        let call = self.by(&self.owner);
        let done = self.world.write(call, move |unit| Box::pin(permissions::grant(unit, Ok(page), Ok((wanted, true)))));
        done.await.unwrap();
    }

    async fn moves(&self, call: Call, page: PageId, to: Option<PageId>) -> Result<Level, Fault> {
        let place = Place { parent: Some(to.map(ParentRef::Page)), ..Place::default() };
        let relocation = Relocation::default();
        let moved = self
            .world
            .write(call, move |unit| {
                Box::pin(pages::relocate(unit, Ok(page), Ok(MoveTarget::Place(place)), Ok(relocation)))
            })
            .await;
        moved.map(|shown| shown.level)
    }

    async fn restores(&self, call: Call, page: PageId, to: PageId) -> Result<Level, Fault> {
        let place = Place { parent: Some(Some(ParentRef::Page(to))), ..Place::default() };
        let restored =
            self.world.write(call, move |unit| Box::pin(trash::restore(unit, Ok(page), Ok(place), Ok(None)))).await;
        restored.map(|restored| restored.shown.level)
    }

    async fn throws_away(&self, page: PageId) {
        let call = self.by(&self.owner);
        self.world.write(call, move |unit| Box::pin(trash::throw_away(unit, Ok(page), Ok(None)))).await.unwrap();
    }

    async fn level(&self, person: &(Person, Device), page: PageId) -> Result<Level, Fault> {
        let opened =
            self.world.read(self.by(person), move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))).await;
        opened.map(|opened| opened.shown.level)
    }
}

fn needs_full_access<T>() -> Result<T, Fault> {
    Err(denied(Denial::RequiresLevel(Level::FullAccess)))
}

#[tokio::test]
async fn an_app_moves_nothing_to_where_its_user_would_have_more() {
    let house = house().await;
    let page = house.page(house.by(&house.owner), None, true).await;
    let own = house.page(house.by(&house.member), None, true).await;
    assert_eq!(house.level(&house.member, own).await, Ok(Level::FullAccess));
    for call in [house.by(&house.member), house.through_app(&house.member)] {
        assert_eq!(house.moves(call, page, Some(own)).await, needs_full_access());
    }
    house.throws_away(page).await;
    for call in [house.by(&house.member), house.through_app(&house.member)] {
        assert_eq!(house.restores(call, page, own).await, needs_full_access());
    }
    assert_eq!(house.level(&house.member, page).await, Ok(Level::Edit), "still what it was");
}

#[tokio::test]
async fn a_move_that_raises_nobody_takes_only_edit() {
    let house = house().await;
    let (page, other) =
        (house.page(house.by(&house.owner), None, true).await, house.page(house.by(&house.owner), None, true).await);
    let own = house.page(house.by(&house.member), None, true).await;
    assert_eq!(house.moves(house.through_app(&house.member), page, Some(other)).await, Ok(Level::Edit));
    // A key has the same level everywhere.
    let key = house.world.key(house.id, KeyScope::Write, &house.owner.0);
    assert_eq!(house.moves(key, page, Some(own)).await, Ok(Level::Edit));
    // Pages with full access can be moved to places where the member has less.
    assert_eq!(house.moves(house.through_app(&house.member), page, Some(other)).await, Ok(Level::Edit));
    assert_eq!(
        house.moves(house.by(&house.member), own, Some(other)).await,
        Ok(Level::FullAccess),
        "by their own entry on it"
    );
}

#[tokio::test]
async fn the_cap_of_guests_hides_no_raise() {
    let house = house().await;
    let to_guest = || GranteeRef::User(house.guest.0.id);
    let page = house.page(house.by(&house.owner), None, true).await;
    let below = house.page(house.by(&house.owner), Some(page), true).await;
    house.grants(page, to_guest(), Level::Edit, None).await;
    // The creator of a page without inheritance keeps full access to it, which counts fully when they are no longer a
    // guest.
    let own = house.page(house.by(&house.guest), Some(page), false).await;
    assert_eq!(house.level(&house.guest, own).await, Ok(Level::Edit));
    assert_eq!(house.moves(house.by(&house.guest), below, Some(own)).await, needs_full_access());
    house.throws_away(below).await;
    assert_eq!(house.restores(house.by(&house.guest), below, own).await, needs_full_access());
}

#[tokio::test]
async fn an_entry_that_ends_soon_hides_no_raise() {
    let house = house().await;
    let (member, soon) = (house.member.0.id, house.world.now.plus(Duration::from_secs(5)));
    let page = house.page(house.by(&house.owner), None, true).await;
    let own = house.page(house.by(&house.member), None, true).await;
    let narrowed = house.page(house.by(&house.member), Some(own), true).await;
    house.grants(narrowed, GranteeRef::User(member), Level::Edit, Some(soon)).await;
    assert_eq!(house.level(&house.member, narrowed).await, Ok(Level::Edit), "for these five seconds");
    assert_eq!(house.moves(house.by(&house.member), page, Some(narrowed)).await, needs_full_access());
    house.throws_away(page).await;
    assert_eq!(house.restores(house.by(&house.member), page, narrowed).await, needs_full_access());
}

#[tokio::test]
async fn a_move_does_not_make_an_expiring_level_permanent() {
    let house = house().await;
    let (member, soon) = (house.member.0.id, house.world.now.plus(Duration::from_secs(5)));
    let page = house.page(house.by(&house.owner), None, true).await;
    let child = house.page(house.by(&house.owner), Some(page), true).await;
    house.grants(page, GranteeRef::Workspace(None), Level::View, None).await;
    house.grants(page, GranteeRef::User(member), Level::Edit, Some(soon)).await;
    assert_eq!(house.level(&house.member, child).await, Ok(Level::Edit));
    assert_eq!(
        house.moves(house.by(&house.member), child, None).await,
        needs_full_access(),
        "at the root members edit permanently"
    );
}
